/* What EaselGTK needs of GTK 4, behind types that Swift reads without casts.
 *
 * Everything here belongs to the thread that called easel_init(), which is the main one; callbacks come on it too.
 * Widgets are handed out as GtkWidget pointers owned by their parents. Lengths are in GTK's logical pixels (points). */
#pragma once
#include <gtk/gtk.h>
#include <stdbool.h>
#include <stdint.h>

/* Runtime: the display and the main loop. */

/* Connects to the display that the environment names; false where there is none. */
bool easel_init(const char *program);
/* Serves libdispatch's main queue, and with it Swift's main actor, from GLib's main loop. Once; false on failure. */
bool easel_serve_main_queue(void);
void easel_loop_run(void);
/* Ends easel_loop_run(), or the next one if none runs. */
void easel_loop_quit(void);
/* Calls `fire` once on the main loop after that time; keep the answer for easel_timer_cancel(). */
unsigned easel_timer(unsigned milliseconds, void (*fire)(void *user), void *user);
void easel_timer_cancel(unsigned timer);

/* Hands an address to what the desktop uses for it, without waiting. `failed` is called later, from the main loop, where
 * there is nothing or it does not start. */
void easel_open_url(const char *url, void (*failed)(const char *url, const char *reason));

/* The desktop's colours. `changed` is called with whether they are dark, at first and at each change, until the
 * program ends. */
void easel_watch_color_scheme(void (*changed)(void *user, bool dark), void *user);

/* The surface: one widget that is drawn by the caller and hands on all input. */

typedef struct {
  /* In points, and pixels per point. Also called when the window moves to a display of another scale. */
  void (*allocated)(void *user, int width, int height, int scale);
  /* The picture is out of date: the callee answers with easel_surface_set_picture(). */
  void (*draw)(void *user);
  /* The frame clock, in microseconds; false ends it. */
  bool (*tick)(void *user, int64_t time);
  void (*pressed)(void *user, double x, double y);
  void (*released)(void *user, double x, double y);
  /* The press has become something else. */
  void (*cancelled)(void *user);
  void (*moved)(void *user, double x, double y);
  /* A menu is asked for at a point; false where there is none. */
  bool (*menu)(void *user, double x, double y);
  /* Clicks of a wheel, or points. */
  void (*scrolled)(void *user, double dx, double dy, bool is_wheel);
  /* The fingers have left at this speed, points a second. */
  void (*flung)(void *user, double vx, double vy);
  /* True where the key was used. */
  bool (*key)(void *user, unsigned key, bool shift, bool control);
  /* The focus has come to a leaf, from wherever. */
  void (*leaf_focused)(void *user, GtkWidget *leaf);
  /* Assistive technology presses a leaf, or asks for its menu. */
  void (*leaf_activated)(void *user, GtkWidget *leaf, bool menu);
  /* The menu has closed; the surface has the focus that a leaf may have had. */
  void (*menu_closed)(void *user);
} EaselSurfaceEvents;

/* The caller has a reference, given back by easel_surface_free(); no callback comes after that, or after the widget's
 * window is gone. */
GtkWidget *easel_surface_new(EaselSurfaceEvents events, void *user);
void easel_surface_free(GtkWidget *surface);
/* The picture is out of date. */
void easel_surface_queue_draw(GtkWidget *surface);
/* Starts the frame clock unless it runs. */
void easel_surface_start_ticking(GtkWidget *surface);
void easel_surface_focus(GtkWidget *surface);
/* Whether the focus is on the surface itself, or nowhere. */
bool easel_surface_holds_focus(GtkWidget *surface);
/* Pixels for the whole surface: native-endian words of alpha, red, green and blue, premultiplied. The memory comes
 * from malloc() and is freed when GTK is done with it. */
void easel_surface_set_picture(GtkWidget *surface, void *pixels, int width, int height, size_t bytes_per_row);

/* Leaves: invisible children that assistive technology sees, one for each element. */

GtkWidget *easel_leaf_new(GtkWidget *surface, GtkAccessibleRole role);
/* Puts it behind `previous`, or first where that is null: the order in which leaves are read. */
void easel_leaf_place_after(GtkWidget *leaf, GtkWidget *previous);
void easel_leaf_remove(GtkWidget *leaf);
void easel_leaf_set_frame(GtkWidget *leaf, int x, int y, int width, int height);
void easel_leaf_set_label(GtkWidget *leaf, const char *label);
/* Null where it has no value. */
void easel_leaf_set_value(GtkWidget *leaf, const char *value);
void easel_leaf_set_state(GtkWidget *leaf, bool enabled, bool focusable);
/* What assistive technology may do with it: `leaf_activated`. */
void easel_leaf_set_actions(GtkWidget *leaf, bool click, bool menu);
void easel_leaf_set_selected(GtkWidget *leaf, bool selected);
void easel_leaf_set_checked(GtkWidget *leaf, bool checked);
void easel_leaf_focus(GtkWidget *leaf);

/* A menu: an entry that is activated calls `chosen` with its place; `released` is called once, when the menu is gone. */

typedef struct EaselMenu EaselMenu;
EaselMenu *easel_menu_new(void (*chosen)(void *user, int index), void (*released)(void *user), void *user);
void easel_menu_add(EaselMenu *menu, const char *label, bool enabled, bool starts_group);
/* Shows the menu at a point of the surface and gives it up to GTK. */
void easel_menu_show(EaselMenu *menu, GtkWidget *surface, double x, double y);

/* Windows. */

/* `closed` is called once, when the window is gone, whoever closed it. */
GtkWidget *easel_window_new(
  const char *title, int width, int height, GtkWidget *surface, void (*closed)(void *user), void *user);
void easel_window_present(GtkWidget *window);
void easel_window_close(GtkWidget *window);
