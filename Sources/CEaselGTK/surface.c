/* The widget that shows one picture, hands on all input and holds the leaves. */
#include "surface.h"

typedef struct {
  GtkWidget parent;
  EaselSurfaceEvents events;
  /* Null from the moment no callback may come. */
  void *user;
  GdkTexture *picture;
  bool is_stale;
  guint tick;
  GtkWidget *menu;
  /* Where a finger was when its drag was last reported. */
  double drag_x, drag_y;
} EaselSurface;

typedef struct {
  GtkWidgetClass parent;
} EaselSurfaceClass;

G_DEFINE_TYPE(EaselSurface, easel_surface, GTK_TYPE_WIDGET)

#define SURFACE(widget) G_TYPE_CHECK_INSTANCE_CAST((widget), easel_surface_get_type(), EaselSurface)

/* Layout and drawing. */

static void measure(
  GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
  int *natural_baseline) {
  (void)widget, (void)orientation, (void)for_size;
  *minimum = *natural = 1;
  if (minimum_baseline) *minimum_baseline = -1;
  if (natural_baseline) *natural_baseline = -1;
}

static void allocate(GtkWidget *widget, int width, int height, int baseline) {
  (void)baseline;
  EaselSurface *self = SURFACE(widget);
  if (self->user) self->events.allocated(self->user, width, height, gtk_widget_get_scale_factor(widget));
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child))
    easel_leaf_allocate(child);
  if (self->menu) gtk_popover_present(GTK_POPOVER(self->menu));
}

static void scale_changed(EaselSurface *self) { gtk_widget_queue_allocate(GTK_WIDGET(self)); }

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
  EaselSurface *self = SURFACE(widget);
  if (self->is_stale && self->user) {
    self->is_stale = false;
    self->events.draw(self->user);
  }
  if (!self->picture) return;
  gtk_snapshot_append_texture(
    snapshot, self->picture,
    &GRAPHENE_RECT_INIT(0, 0, gtk_widget_get_width(widget), gtk_widget_get_height(widget)));
}

void easel_surface_queue_draw(GtkWidget *surface) {
  SURFACE(surface)->is_stale = true;
  gtk_widget_queue_draw(surface);
}

void easel_surface_set_picture(GtkWidget *surface, void *pixels, int width, int height, size_t bytes_per_row) {
  EaselSurface *self = SURFACE(surface);
  GBytes *bytes = g_bytes_new_with_free_func(pixels, bytes_per_row * (size_t)height, free, pixels);
  g_clear_object(&self->picture);
  self->picture = gdk_memory_texture_new(width, height, GDK_MEMORY_DEFAULT, bytes, bytes_per_row);
  g_bytes_unref(bytes);
}

/* The frame clock. */

static gboolean tick(GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  (void)data;
  EaselSurface *self = SURFACE(widget);
  guint running = self->tick;
  if (self->user && self->events.tick(self->user, gdk_frame_clock_get_frame_time(clock))) return G_SOURCE_CONTINUE;
  if (self->tick == running) self->tick = 0;
  return G_SOURCE_REMOVE;
}

void easel_surface_start_ticking(GtkWidget *surface) {
  EaselSurface *self = SURFACE(surface);
  if (self->user && !self->tick) self->tick = gtk_widget_add_tick_callback(surface, tick, NULL, NULL);
}

/* The pointer. */

static void pressed(GtkGestureClick *gesture, int count, double x, double y, EaselSurface *self) {
  (void)gesture, (void)count;
  gtk_widget_grab_focus(GTK_WIDGET(self));
  if (self->user) self->events.pressed(self->user, x, y);
}

static void released(GtkGestureClick *gesture, int count, double x, double y, EaselSurface *self) {
  (void)gesture, (void)count;
  if (self->user) self->events.released(self->user, x, y);
}

static void cancelled(GtkGesture *gesture, GdkEventSequence *sequence, EaselSurface *self) {
  (void)gesture, (void)sequence;
  if (self->user) self->events.cancelled(self->user);
}

static void moved(GtkEventControllerMotion *motion, double x, double y, EaselSurface *self) {
  (void)motion;
  if (self->user) self->events.moved(self->user, x, y);
}

static void menu_pressed(GtkGestureClick *gesture, int count, double x, double y, EaselSurface *self) {
  (void)count;
  if (self->user && self->events.menu(self->user, x, y))
    gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void long_pressed(GtkGestureLongPress *gesture, double x, double y, EaselSurface *self) {
  /* Claiming the press cancels the click. */
  if (self->user && self->events.menu(self->user, x, y))
    gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

/* Scrolling. */

static gboolean scrolled(GtkEventControllerScroll *scroll, double dx, double dy, EaselSurface *self) {
  bool is_wheel = gtk_event_controller_scroll_get_unit(scroll) == GDK_SCROLL_UNIT_WHEEL;
  if (self->user) self->events.scrolled(self->user, dx, dy, is_wheel);
  return TRUE;
}

static void decelerated(GtkEventControllerScroll *scroll, double vx, double vy, EaselSurface *self) {
  (void)scroll;
  if (self->user) self->events.flung(self->user, vx, vy);
}

static void drag_began(GtkGestureDrag *gesture, double x, double y, EaselSurface *self) {
  (void)gesture, (void)x, (void)y;
  self->drag_x = self->drag_y = 0;
}

static void drag_moved(GtkGestureDrag *gesture, double x, double y, EaselSurface *self) {
  int threshold = 8;
  g_object_get(gtk_widget_get_settings(GTK_WIDGET(self)), "gtk-dnd-drag-threshold", &threshold, NULL);
  bool has_begun = self->drag_x != 0 || self->drag_y != 0;
  if (!has_begun && x * x + y * y < (double)threshold * threshold) return;
  gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  if (self->user) self->events.scrolled(self->user, self->drag_x - x, self->drag_y - y, false);
  self->drag_x = x;
  self->drag_y = y;
}

static void swiped(GtkGestureSwipe *gesture, double vx, double vy, EaselSurface *self) {
  (void)gesture;
  if (self->user) self->events.flung(self->user, -vx, -vy);
}

/* The keyboard. */

static gboolean key_pressed(
  GtkEventControllerKey *controller, guint key, guint code, GdkModifierType modifiers, EaselSurface *self) {
  (void)controller, (void)code;
  /* An open menu has the keys, and what it does not use is not for the surface. */
  if (self->menu || !self->user || (modifiers & GDK_ALT_MASK)) return FALSE;
  return self->events.key(self->user, key, modifiers & GDK_SHIFT_MASK, modifiers & GDK_CONTROL_MASK);
}

void easel_surface_focus(GtkWidget *surface) { gtk_widget_grab_focus(surface); }

bool easel_surface_holds_focus(GtkWidget *surface) {
  GtkRoot *root = gtk_widget_get_root(surface);
  GtkWidget *focus = root ? gtk_root_get_focus(root) : NULL;
  return root && (!focus || focus == surface);
}

void easel_surface_menu_closed(GtkWidget *surface) {
  EaselSurface *self = SURFACE(surface);
  if (self->user) self->events.menu_closed(self->user);
}

void easel_surface_leaf_focused(GtkWidget *surface, GtkWidget *leaf) {
  EaselSurface *self = SURFACE(surface);
  if (self->user) self->events.leaf_focused(self->user, leaf);
}

void easel_surface_leaf_activated(GtkWidget *surface, GtkWidget *leaf, bool menu) {
  EaselSurface *self = SURFACE(surface);
  if (self->user && !self->menu) self->events.leaf_activated(self->user, leaf, menu);
}

void easel_surface_set_menu(GtkWidget *surface, GtkWidget *popover) { SURFACE(surface)->menu = popover; }

/* Life. */

static void add(GtkWidget *surface, GtkEventController *controller) {
  gtk_widget_add_controller(surface, controller);
}

static void add_pointer(GtkWidget *surface) {
  GtkGesture *click = gtk_gesture_click_new();
  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(click), GDK_BUTTON_PRIMARY);
  g_signal_connect(click, "pressed", G_CALLBACK(pressed), surface);
  g_signal_connect(click, "released", G_CALLBACK(released), surface);
  g_signal_connect(click, "cancel", G_CALLBACK(cancelled), surface);
  add(surface, GTK_EVENT_CONTROLLER(click));

  GtkGesture *secondary = gtk_gesture_click_new();
  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(secondary), GDK_BUTTON_SECONDARY);
  g_signal_connect(secondary, "pressed", G_CALLBACK(menu_pressed), surface);
  add(surface, GTK_EVENT_CONTROLLER(secondary));

  GtkGesture *long_press = gtk_gesture_long_press_new();
  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(long_press), GDK_BUTTON_PRIMARY);
  g_signal_connect(long_press, "pressed", G_CALLBACK(long_pressed), surface);
  add(surface, GTK_EVENT_CONTROLLER(long_press));

  GtkEventController *motion = gtk_event_controller_motion_new();
  g_signal_connect(motion, "enter", G_CALLBACK(moved), surface);
  g_signal_connect(motion, "motion", G_CALLBACK(moved), surface);
  add(surface, motion);
}

static void add_scrolling(GtkWidget *surface) {
  GtkEventController *scroll = gtk_event_controller_scroll_new(
    GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES | GTK_EVENT_CONTROLLER_SCROLL_KINETIC);
  g_signal_connect(scroll, "scroll", G_CALLBACK(scrolled), surface);
  g_signal_connect(scroll, "decelerate", G_CALLBACK(decelerated), surface);
  add(surface, scroll);

  GtkGesture *drag = gtk_gesture_drag_new();
  gtk_gesture_single_set_touch_only(GTK_GESTURE_SINGLE(drag), TRUE);
  g_signal_connect(drag, "drag-begin", G_CALLBACK(drag_began), surface);
  g_signal_connect(drag, "drag-update", G_CALLBACK(drag_moved), surface);
  add(surface, GTK_EVENT_CONTROLLER(drag));

  GtkGesture *swipe = gtk_gesture_swipe_new();
  gtk_gesture_single_set_touch_only(GTK_GESTURE_SINGLE(swipe), TRUE);
  g_signal_connect(swipe, "swipe", G_CALLBACK(swiped), surface);
  add(surface, GTK_EVENT_CONTROLLER(swipe));
  gtk_gesture_group(drag, swipe);
}

static void dispose(GObject *object) {
  EaselSurface *self = SURFACE(object);
  self->user = NULL;
  self->menu = NULL;
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self)))) gtk_widget_unparent(child);
  g_clear_object(&self->picture);
  G_OBJECT_CLASS(easel_surface_parent_class)->dispose(object);
}

static void easel_surface_class_init(EaselSurfaceClass *class) {
  G_OBJECT_CLASS(class)->dispose = dispose;
  GTK_WIDGET_CLASS(class)->measure = measure;
  GTK_WIDGET_CLASS(class)->size_allocate = allocate;
  GTK_WIDGET_CLASS(class)->snapshot = snapshot;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void easel_surface_init(EaselSurface *self) {
  self->is_stale = true;
  gtk_widget_set_focusable(GTK_WIDGET(self), TRUE);
  g_signal_connect(self, "notify::scale-factor", G_CALLBACK(scale_changed), NULL);
}

GtkWidget *easel_surface_new(EaselSurfaceEvents events, void *user) {
  EaselSurface *self = g_object_ref_sink(g_object_new(easel_surface_get_type(), NULL));
  self->events = events;
  self->user = user;
  GtkWidget *surface = GTK_WIDGET(self);
  gtk_widget_set_hexpand(surface, TRUE);
  gtk_widget_set_vexpand(surface, TRUE);
  gtk_widget_set_overflow(surface, GTK_OVERFLOW_HIDDEN);
  add_pointer(surface);
  add_scrolling(surface);
  GtkEventController *keys = gtk_event_controller_key_new();
  g_signal_connect(keys, "key-pressed", G_CALLBACK(key_pressed), surface);
  add(surface, keys);
  return surface;
}

void easel_surface_free(GtkWidget *surface) {
  SURFACE(surface)->user = NULL;
  g_object_unref(surface);
}
