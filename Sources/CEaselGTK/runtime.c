/* The display, the main loop, and what it serves. */
#include "CEaselGTK.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Whether the kernel has a graphics processor to offer. */
static bool has_gpu(void) {
  GDir *devices = g_dir_open("/dev/dri", 0, NULL);
  if (!devices) return false;
  const char *name;
  bool found = false;
  while (!found && (name = g_dir_read_name(devices))) found = g_str_has_prefix(name, "renderD");
  g_dir_close(devices);
  return found;
}

/* Without a graphics processor OpenGL is a compiler and an emulation of one: 50 MB for pictures that Cairo draws
 * sooner. What the user has chosen stays. */
static void choose_renderer(void) {
  if (!g_getenv("GSK_RENDERER") && !has_gpu()) g_setenv("GSK_RENDERER", "cairo", TRUE);
  if (g_strcmp0(g_getenv("GSK_RENDERER"), "cairo") == 0) g_setenv("GDK_DEBUG", "gl-disable,vulkan-disable", FALSE);
}

static int x_connection_lost(void *display) {
  (void)display;
  fflush(stdout);
  fprintf(stderr, "%s: The X display has gone: the server ended or does not answer any more.\n", g_get_prgname());
  /* Xlib cannot go on, and what `exit` would clean up may be in use by other threads. */
  _exit(1);
}

/* GDK (4.8) ends the program without a word when its X server ends. Xlib's handler is replaced by name: the library is
 * there where GTK has brought it, and neither its headers nor a link are needed where GTK does without. */
static void watch_x_connection(void) {
  typedef int (*Handler)(void *display);
  Handler (*set_handler)(Handler) = (Handler (*)(Handler))dlsym(RTLD_DEFAULT, "XSetIOErrorHandler");
  if (set_handler) set_handler(x_connection_lost);
}

bool easel_init(const char *program) {
  choose_renderer();
  /* Messages would stay behind in the buffer of standard output where that is a file and the display is lost. */
  g_log_writer_default_set_use_stderr(TRUE);
  g_set_prgname(program);
  if (!gtk_init_check()) return false;
  watch_x_connection();
  return true;
}

/* libdispatch's interface for foreign main loops, as CoreFoundation uses it. It has no public header. */
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

typedef struct {
  GSource source;
  gpointer tag;
  int handle;
} MainQueueSource;

static gboolean prepare(GSource *source, gint *timeout) {
  (void)source;
  *timeout = -1;
  return FALSE;
}

static gboolean check(GSource *source) {
  return (g_source_query_unix_fd(source, ((MainQueueSource *)source)->tag) & G_IO_IN) != 0;
}

static gboolean dispatch(GSource *source, GSourceFunc callback, gpointer user) {
  (void)callback;
  (void)user;
  eventfd_t count;
  eventfd_read(((MainQueueSource *)source)->handle, &count);
  _dispatch_main_queue_callback_4CF(NULL);
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs functions = {prepare, check, dispatch, NULL, NULL, NULL};

bool easel_serve_main_queue(void) {
  static bool is_served = false;
  if (is_served) return true;
  int handle = _dispatch_get_main_queue_handle_4CF();
  if (handle < 0) return false;
  GSource *source = g_source_new(&functions, sizeof(MainQueueSource));
  g_source_set_static_name(source, "libdispatch main queue");
  MainQueueSource *main_queue = (MainQueueSource *)source;
  main_queue->handle = handle;
  main_queue->tag = g_source_add_unix_fd(source, handle, G_IO_IN);
  /* The priority at which GDK redraws: neither endless jobs nor endless frames starve the other. */
  g_source_set_priority(source, GDK_PRIORITY_REDRAW);
  g_source_attach(source, NULL);
  g_source_unref(source);
  is_served = true;
  return true;
}

static GMainLoop *loop;

static GMainLoop *main_loop(void) {
  if (!loop) loop = g_main_loop_new(NULL, FALSE);
  return loop;
}

static gboolean quit(gpointer user) {
  (void)user;
  g_main_loop_quit(main_loop());
  return G_SOURCE_REMOVE;
}

void easel_loop_run(void) { g_main_loop_run(main_loop()); }

/* From a source of the loop itself, so that a loop about to begin ends too. */
void easel_loop_quit(void) { g_idle_add_full(G_PRIORITY_HIGH, quit, NULL, NULL); }

typedef struct {
  void (*fire)(void *user);
  void *user;
} Timer;

static gboolean fire(gpointer data) {
  Timer *timer = data;
  timer->fire(timer->user);
  return G_SOURCE_REMOVE;
}

unsigned easel_timer(unsigned milliseconds, void (*callback)(void *user), void *user) {
  Timer *timer = g_new(Timer, 1);
  *timer = (Timer){callback, user};
  return g_timeout_add_full(G_PRIORITY_DEFAULT_IDLE, milliseconds, fire, timer, g_free);
}

void easel_timer_cancel(unsigned timer) { g_source_remove(timer); }

typedef struct {
  char *url;
  void (*failed)(const char *url, const char *reason);
} Opening;

static void opened(GObject *source, GAsyncResult *result, gpointer data) {
  (void)source;
  Opening *opening = data;
  GError *error = NULL;
  if (!g_app_info_launch_default_for_uri_finish(result, &error)) {
    bool has_none = g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
    opening->failed(opening->url, has_none ? "no program is set for such addresses" : error->message);
  }
  g_clear_error(&error);
  g_free(opening->url);
  g_free(opening);
}

void easel_open_url(const char *url, void (*failed)(const char *url, const char *reason)) {
  GdkDisplay *display = gdk_display_get_default();
  /* With the display's context the program that opens may take the focus. */
  GAppLaunchContext *context = display ? G_APP_LAUNCH_CONTEXT(gdk_display_get_app_launch_context(display)) : NULL;
  Opening *opening = g_new(Opening, 1);
  *opening = (Opening){g_strdup(url), failed};
  g_app_info_launch_default_for_uri_async(url, context, NULL, opened, opening);
  g_clear_object(&context);
}

/* Windows. */

typedef struct {
  void (*closed)(void *user);
  void *user;
} Closing;

static void destroyed(GtkWidget *window, gpointer data) {
  Closing *closing = data;
  void (*closed)(void *user) = closing->closed;
  /* A second emission is possible by GObject's rules. */
  closing->closed = NULL;
  (void)window;
  if (closed) closed(closing->user);
}

static void free_closing(gpointer data, GClosure *closure) {
  (void)closure;
  g_free(data);
}

GtkWidget *easel_window_new(
  const char *title, int width, int height, GtkWidget *surface, void (*closed)(void *user), void *user) {
  GtkWidget *window = gtk_window_new();
  gtk_window_set_title(GTK_WINDOW(window), title);
  gtk_window_set_default_size(GTK_WINDOW(window), width, height);
  gtk_window_set_child(GTK_WINDOW(window), surface);
  gtk_window_set_focus(GTK_WINDOW(window), surface);
  Closing *closing = g_new(Closing, 1);
  *closing = (Closing){closed, user};
  g_signal_connect_data(window, "destroy", G_CALLBACK(destroyed), closing, free_closing, 0);
  return window;
}

void easel_window_present(GtkWidget *window) { gtk_window_present(GTK_WINDOW(window)); }
void easel_window_close(GtkWidget *window) { gtk_window_destroy(GTK_WINDOW(window)); }
