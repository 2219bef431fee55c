// <sqlite3.h>, by www.sqlite.org/c3ref/intro.html. Its pointers say nothing of null, as the library's own header.
#pragma once

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef long long sqlite3_int64;
typedef void (*sqlite3_destructor_type)(void *);

int sqlite3_initialize(void);
int sqlite3_threadsafe(void);
int sqlite3_libversion_number(void);
const char *sqlite3_libversion(void);
int sqlite3_open_v2(const char *path, sqlite3 **database, int flags, const char *vfs);
int sqlite3_close(sqlite3 *database);
int sqlite3_close_v2(sqlite3 *database);
int sqlite3_exec(
    sqlite3 *database, const char *sql, int (*row)(void *, int, char **, char **), void *argument, char **message);
void sqlite3_free(void *memory);
int sqlite3_busy_timeout(sqlite3 *database, int milliseconds);
int sqlite3_busy_handler(sqlite3 *database, int (*handler)(void *, int), void *argument);
int sqlite3_extended_result_codes(sqlite3 *database, int on);
int sqlite3_errcode(sqlite3 *database);
int sqlite3_extended_errcode(sqlite3 *database);
int sqlite3_system_errno(sqlite3 *database);
const char *sqlite3_errmsg(sqlite3 *database);
const char *sqlite3_errstr(int code);
int sqlite3_changes(sqlite3 *database);
int sqlite3_total_changes(sqlite3 *database);
int sqlite3_limit(sqlite3 *database, int category, int value);
int sqlite3_get_autocommit(sqlite3 *database);
sqlite3_int64 sqlite3_last_insert_rowid(sqlite3 *database);
void sqlite3_interrupt(sqlite3 *database);
void sqlite3_progress_handler(sqlite3 *database, int steps, int (*handler)(void *), void *argument);
int sqlite3_wal_checkpoint_v2(sqlite3 *database, const char *schema, int mode, int *frames, int *done);

int sqlite3_prepare_v2(sqlite3 *database, const char *sql, int length, sqlite3_stmt **statement, const char **tail);
int sqlite3_prepare_v3(
    sqlite3 *database, const char *sql, int length, unsigned int flags, sqlite3_stmt **statement, const char **tail);
int sqlite3_step(sqlite3_stmt *statement);
int sqlite3_reset(sqlite3_stmt *statement);
int sqlite3_finalize(sqlite3_stmt *statement);
int sqlite3_clear_bindings(sqlite3_stmt *statement);
int sqlite3_stmt_readonly(sqlite3_stmt *statement);
sqlite3 *sqlite3_db_handle(sqlite3_stmt *statement);
int sqlite3_bind_blob(sqlite3_stmt *, int index, const void *value, int length, sqlite3_destructor_type destructor);
int sqlite3_bind_double(sqlite3_stmt *statement, int index, double value);
int sqlite3_bind_int(sqlite3_stmt *statement, int index, int value);
int sqlite3_bind_int64(sqlite3_stmt *statement, int index, sqlite3_int64 value);
int sqlite3_bind_null(sqlite3_stmt *statement, int index);
int sqlite3_bind_text(sqlite3_stmt *, int index, const char *value, int length, sqlite3_destructor_type destructor);
int sqlite3_column_count(sqlite3_stmt *statement);
int sqlite3_column_type(sqlite3_stmt *statement, int column);
int sqlite3_column_bytes(sqlite3_stmt *statement, int column);
const void *sqlite3_column_blob(sqlite3_stmt *statement, int column);
double sqlite3_column_double(sqlite3_stmt *statement, int column);
int sqlite3_column_int(sqlite3_stmt *statement, int column);
sqlite3_int64 sqlite3_column_int64(sqlite3_stmt *statement, int column);
const unsigned char *sqlite3_column_text(sqlite3_stmt *statement, int column);

#define SQLITE_OK 0
#define SQLITE_ERROR 1
#define SQLITE_PERM 3
#define SQLITE_ABORT 4
#define SQLITE_BUSY 5
#define SQLITE_LOCKED 6
#define SQLITE_NOMEM 7
#define SQLITE_READONLY 8
#define SQLITE_INTERRUPT 9
#define SQLITE_IOERR 10
#define SQLITE_CORRUPT 11
#define SQLITE_FULL 13
#define SQLITE_CANTOPEN 14
#define SQLITE_PROTOCOL 15
#define SQLITE_SCHEMA 17
#define SQLITE_TOOBIG 18
#define SQLITE_CONSTRAINT 19
#define SQLITE_MISUSE 21
#define SQLITE_NOLFS 22
#define SQLITE_AUTH 23
#define SQLITE_RANGE 25
#define SQLITE_NOTADB 26
#define SQLITE_ROW 100
#define SQLITE_DONE 101
#define SQLITE_INTEGER 1
#define SQLITE_FLOAT 2
#define SQLITE_TEXT 3
#define SQLITE_BLOB 4
#define SQLITE_NULL 5
#define SQLITE_OPEN_READONLY 0x00000001
#define SQLITE_OPEN_READWRITE 0x00000002
#define SQLITE_OPEN_CREATE 0x00000004
#define SQLITE_OPEN_URI 0x00000040
#define SQLITE_OPEN_MEMORY 0x00000080
#define SQLITE_OPEN_NOMUTEX 0x00008000
#define SQLITE_OPEN_FULLMUTEX 0x00010000
#define SQLITE_OPEN_PRIVATECACHE 0x00040000
#define SQLITE_OPEN_NOFOLLOW 0x01000000
#define SQLITE_CHECKPOINT_PASSIVE 0
#define SQLITE_CHECKPOINT_FULL 1
#define SQLITE_CHECKPOINT_TRUNCATE 3
#define SQLITE_PREPARE_PERSISTENT 0x01
