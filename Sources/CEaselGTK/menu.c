/* A menu of the surface: a popover with entries, keyboard and accessibility by GTK. */
#include "CEaselGTK.h"
#include "surface.h"

typedef struct {
  void (*chosen)(void *user, int index);
  void *user;
  void (*released)(void *user);
} Choice;

struct EaselMenu {
  GMenu *menu;
  GMenu *section;
  GSimpleActionGroup *actions;
  Choice *choice;
  int count;
};

static void free_choice(gpointer data) {
  Choice *choice = data;
  choice->released(choice->user);
  g_free(choice);
}

EaselMenu *easel_menu_new(
  void (*chosen)(void *user, int index), void (*released)(void *user), void *user) {
  EaselMenu *menu = g_new0(EaselMenu, 1);
  menu->menu = g_menu_new();
  menu->actions = g_simple_action_group_new();
  menu->choice = g_new(Choice, 1);
  *menu->choice = (Choice){chosen, user, released};
  g_object_set_data_full(G_OBJECT(menu->actions), "easel-choice", menu->choice, free_choice);
  return menu;
}

static void activated(GSimpleAction *action, GVariant *parameter, gpointer data) {
  (void)parameter;
  Choice *choice = data;
  choice->chosen(choice->user, GPOINTER_TO_INT(g_object_get_data(G_OBJECT(action), "easel-index")));
}

void easel_menu_add(EaselMenu *menu, const char *label, bool enabled, bool starts_group) {
  if (!menu->section || starts_group) {
    if (menu->section) g_object_unref(menu->section);
    menu->section = g_menu_new();
    g_menu_append_section(menu->menu, NULL, G_MENU_MODEL(menu->section));
  }
  char *name = g_strdup_printf("entry%d", menu->count);
  GSimpleAction *action = g_simple_action_new(name, NULL);
  g_simple_action_set_enabled(action, enabled);
  g_object_set_data(G_OBJECT(action), "easel-index", GINT_TO_POINTER(menu->count));
  g_signal_connect(action, "activate", G_CALLBACK(activated), menu->choice);
  g_action_map_add_action(G_ACTION_MAP(menu->actions), G_ACTION(action));
  g_object_unref(action);
  /* What looks like a mnemonic is part of the label. */
  char **parts = g_strsplit(label, "_", -1);
  char *escaped = g_strjoinv("__", parts);
  char *detailed = g_strconcat("menu.", name, NULL);
  g_menu_append(menu->section, escaped, detailed);
  g_strfreev(parts);
  g_free(escaped);
  g_free(detailed);
  g_free(name);
  menu->count += 1;
}

static gboolean remove_popover(gpointer popover) {
  GtkWidget *surface = gtk_widget_get_parent(popover);
  /* The surface may have gone meanwhile, and its children with it. */
  if (surface) {
    gtk_widget_unparent(popover);
    easel_surface_menu_closed(surface);
  }
  g_object_unref(popover);
  return G_SOURCE_REMOVE;
}

static void closed(GtkPopover *popover, gpointer surface) {
  easel_surface_set_menu(surface, NULL);
  /* The entry is activated after the menu has closed. */
  g_idle_add(remove_popover, g_object_ref(popover));
}

/* GTK puts the entries into a scrolled window, which takes the focus itself when an arrow key leaves the last entry, and
 * which is never less high than a scroll bar, so that there is room for an entry that is not there. */
static void keep_to_entries(GtkPopover *popover, int count) {
  GtkWidget *scrolled = gtk_popover_get_child(popover);
  if (!scrolled || !GTK_IS_SCROLLED_WINDOW(scrolled)) return;
  gtk_widget_set_focusable(scrolled, FALSE);
  if (count <= 2) gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_NEVER);
}

void easel_menu_show(EaselMenu *menu, GtkWidget *surface, double x, double y) {
  GtkWidget *popover = gtk_popover_menu_new_from_model(G_MENU_MODEL(menu->menu));
  gtk_widget_insert_action_group(popover, "menu", G_ACTION_GROUP(menu->actions));
  keep_to_entries(GTK_POPOVER(popover), menu->count);
  gtk_popover_set_has_arrow(GTK_POPOVER(popover), FALSE);
  gtk_popover_set_position(GTK_POPOVER(popover), GTK_POS_BOTTOM);
  gtk_popover_set_pointing_to(GTK_POPOVER(popover), &(GdkRectangle){(int)x, (int)y, 1, 1});
  gtk_widget_set_halign(popover, GTK_ALIGN_START);
  gtk_widget_set_parent(popover, surface);
  g_signal_connect(popover, "closed", G_CALLBACK(closed), surface);
  easel_surface_set_menu(surface, popover);
  gtk_popover_popup(GTK_POPOVER(popover));
  if (menu->section) g_object_unref(menu->section);
  g_object_unref(menu->menu);
  g_object_unref(menu->actions);
  g_free(menu);
}
