/* An invisible widget in the place of something the surface draws: what assistive technology and the focus see. */
#include "surface.h"

#define CLICK "click"
#define MENU "menu"

typedef struct {
  GtkWidget parent;
  GdkRectangle frame;
} EaselLeaf;

typedef struct {
  GtkWidgetClass parent;
} EaselLeafClass;

G_DEFINE_TYPE(EaselLeaf, easel_leaf, GTK_TYPE_WIDGET)

#define LEAF(widget) G_TYPE_CHECK_INSTANCE_CAST((widget), easel_leaf_get_type(), EaselLeaf)

static void focused(EaselLeaf *leaf) {
  GtkWidget *surface = gtk_widget_get_parent(GTK_WIDGET(leaf));
  if (surface && gtk_widget_has_focus(GTK_WIDGET(leaf))) easel_surface_leaf_focused(surface, GTK_WIDGET(leaf));
}

static void activated(GtkWidget *leaf, const char *name, GVariant *parameter) {
  (void)parameter;
  GtkWidget *surface = gtk_widget_get_parent(leaf);
  if (surface) easel_surface_leaf_activated(surface, leaf, g_str_equal(name, MENU));
}

/* GTK shows a widget's own actions to assistive technology, those that are enabled. */
static void easel_leaf_class_init(EaselLeafClass *class) {
  gtk_widget_class_install_action(GTK_WIDGET_CLASS(class), CLICK, NULL, activated);
  gtk_widget_class_install_action(GTK_WIDGET_CLASS(class), MENU, NULL, activated);
}

static void easel_leaf_init(EaselLeaf *leaf) {
  /* The surface takes the pointer, and draws the ring. */
  gtk_widget_set_can_target(GTK_WIDGET(leaf), FALSE);
  g_signal_connect(leaf, "notify::has-focus", G_CALLBACK(focused), NULL);
}

GtkWidget *easel_leaf_new(GtkWidget *surface, GtkAccessibleRole role) {
  GtkWidget *leaf = g_object_new(easel_leaf_get_type(), "accessible-role", role, NULL);
  gtk_widget_set_parent(leaf, surface);
  return leaf;
}

void easel_leaf_place_after(GtkWidget *leaf, GtkWidget *previous) {
  GtkWidget *surface = gtk_widget_get_parent(leaf);
  if (surface && gtk_widget_get_prev_sibling(leaf) != previous) gtk_widget_insert_after(leaf, surface, previous);
}

void easel_leaf_remove(GtkWidget *leaf) {
  GtkWidget *surface = gtk_widget_get_parent(leaf);
  if (!surface) return;
  /* The keys must go on reaching the surface. */
  if (gtk_widget_has_focus(leaf)) gtk_widget_grab_focus(surface);
  gtk_widget_unparent(leaf);
}

void easel_leaf_allocate(GtkWidget *widget) {
  if (!G_TYPE_CHECK_INSTANCE_TYPE(widget, easel_leaf_get_type())) return;
  GdkRectangle frame = LEAF(widget)->frame;
  int minimum;
  gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  gtk_widget_measure(widget, GTK_ORIENTATION_VERTICAL, -1, &minimum, NULL, NULL, NULL);
  gtk_widget_size_allocate(widget, &frame, -1);
}

void easel_leaf_set_frame(GtkWidget *leaf, int x, int y, int width, int height) {
  GdkRectangle frame = {x, y, width, height};
  if (gdk_rectangle_equal(&frame, &LEAF(leaf)->frame)) return;
  LEAF(leaf)->frame = frame;
  gtk_widget_queue_allocate(gtk_widget_get_parent(leaf));
}

void easel_leaf_set_label(GtkWidget *leaf, const char *label) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(leaf), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

void easel_leaf_set_value(GtkWidget *leaf, const char *value) {
  if (value)
    gtk_accessible_update_property(GTK_ACCESSIBLE(leaf), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, value, -1);
  else
    gtk_accessible_reset_property(GTK_ACCESSIBLE(leaf), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT);
}

void easel_leaf_set_state(GtkWidget *leaf, bool enabled, bool focusable) {
  gtk_widget_set_focusable(leaf, focusable);
  gtk_accessible_update_state(GTK_ACCESSIBLE(leaf), GTK_ACCESSIBLE_STATE_DISABLED, !enabled, -1);
}

void easel_leaf_set_actions(GtkWidget *leaf, bool click, bool menu) {
  gtk_widget_action_set_enabled(leaf, CLICK, click);
  gtk_widget_action_set_enabled(leaf, MENU, menu);
}

void easel_leaf_set_selected(GtkWidget *leaf, bool selected) {
  gtk_accessible_update_state(GTK_ACCESSIBLE(leaf), GTK_ACCESSIBLE_STATE_SELECTED, selected, -1);
}

void easel_leaf_set_checked(GtkWidget *leaf, bool checked) {
  gtk_accessible_update_state(
    GTK_ACCESSIBLE(leaf), GTK_ACCESSIBLE_STATE_CHECKED,
    checked ? GTK_ACCESSIBLE_TRISTATE_TRUE : GTK_ACCESSIBLE_TRISTATE_FALSE, -1);
}

void easel_leaf_focus(GtkWidget *leaf) { gtk_widget_grab_focus(leaf); }
