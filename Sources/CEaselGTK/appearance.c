/* Whether the desktop is dark: the settings portal says so where there is one (the XDG "org.freedesktop.appearance"
 * namespace, documented with org.freedesktop.portal.Settings), the GTK theme otherwise. */
#include "CEaselGTK.h"
#include <string.h>

#define NAMESPACE "org.freedesktop.appearance"
#define KEY "color-scheme"
#define PORTAL "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define PORTAL_INTERFACE "org.freedesktop.portal.Settings"

static void (*changed)(void *user, bool dark);
static void *changed_user;
/* 0 no preference, 1 dark, 2 light. */
static guint preference;
static gint told = -1;

static bool theme_is_dark(GtkSettings *settings) {
  gboolean prefers_dark = FALSE;
  char *theme = NULL;
  g_object_get(settings, "gtk-application-prefer-dark-theme", &prefers_dark, "gtk-theme-name", &theme, NULL);
  bool dark = prefers_dark || (theme && (g_str_has_suffix(theme, "-dark") || g_str_has_suffix(theme, ":dark")));
  g_free(theme);
  return dark;
}

static void tell(void) {
  GtkSettings *settings = gtk_settings_get_default();
  bool dark = preference == 0 ? settings && theme_is_dark(settings) : preference == 1;
  if (told == dark) return;
  told = dark;
  changed(changed_user, dark);
}

static void set_preference(guint value) {
  preference = value <= 2 ? value : 0;
  /* The title bar and the menus follow; without a preference they are as the theme is. */
  GtkSettings *settings = gtk_settings_get_default();
  if (settings && preference != 0)
    g_object_set(settings, "gtk-application-prefer-dark-theme", preference == 1, NULL);
  else if (settings)
    gtk_settings_reset_property(settings, "gtk-application-prefer-dark-theme");
  tell();
}

static void theme_changed(GObject *settings, GParamSpec *property, gpointer user) {
  (void)settings;
  (void)property;
  (void)user;
  tell();
}

static void take(GVariant *value) {
  GVariant *inner = g_variant_ref(value);
  /* "Read" wraps the value once more than "SettingChanged" does. */
  while (g_variant_is_of_type(inner, G_VARIANT_TYPE_VARIANT)) {
    GVariant *next = g_variant_get_variant(inner);
    g_variant_unref(inner);
    inner = next;
  }
  if (g_variant_is_of_type(inner, G_VARIANT_TYPE_UINT32)) set_preference(g_variant_get_uint32(inner));
  g_variant_unref(inner);
}

static void setting_changed(
  GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *signal,
  GVariant *parameters, gpointer user) {
  (void)bus, (void)sender, (void)path, (void)interface, (void)signal, (void)user;
  if (!g_variant_is_of_type(parameters, G_VARIANT_TYPE("(ssv)"))) return;
  const char *space, *key;
  GVariant *value;
  g_variant_get(parameters, "(&s&sv)", &space, &key, &value);
  if (strcmp(space, NAMESPACE) == 0 && strcmp(key, KEY) == 0) take(value);
  g_variant_unref(value);
}

static void read_setting(GObject *bus, GAsyncResult *result, gpointer user) {
  (void)user;
  /* Without a portal the theme decides. */
  GVariant *answer = g_dbus_connection_call_finish(G_DBUS_CONNECTION(bus), result, NULL);
  if (!answer) return;
  GVariant *value = g_variant_get_child_value(answer, 0);
  take(value);
  g_variant_unref(value);
  g_variant_unref(answer);
}

static void got_bus(GObject *source, GAsyncResult *result, gpointer user) {
  (void)source;
  (void)user;
  GDBusConnection *bus = g_bus_get_finish(result, NULL);
  if (!bus) return;
  /* Losing the session bus is no reason to end. */
  g_dbus_connection_set_exit_on_close(bus, FALSE);
  g_dbus_connection_signal_subscribe(
    bus, PORTAL, PORTAL_INTERFACE, "SettingChanged", PORTAL_PATH, NAMESPACE, G_DBUS_SIGNAL_FLAGS_NONE,
    setting_changed, NULL, NULL);
  g_dbus_connection_call(
    bus, PORTAL, PORTAL_PATH, PORTAL_INTERFACE, "Read", g_variant_new("(ss)", NAMESPACE, KEY),
    G_VARIANT_TYPE("(v)"), G_DBUS_CALL_FLAGS_NONE, 2000, NULL, read_setting, NULL);
  /* The connection is kept for the life of the program. */
}

void easel_watch_color_scheme(void (*callback)(void *user, bool dark), void *user) {
  changed = callback;
  changed_user = user;
  GtkSettings *settings = gtk_settings_get_default();
  if (settings) {
    g_signal_connect(settings, "notify::gtk-theme-name", G_CALLBACK(theme_changed), NULL);
    g_signal_connect(settings, "notify::gtk-application-prefer-dark-theme", G_CALLBACK(theme_changed), NULL);
  }
  tell();
  /* Where the session has no bus, GLib would start one. */
  if (g_getenv("DBUS_SESSION_BUS_ADDRESS")) g_bus_get(G_BUS_TYPE_SESSION, NULL, got_bus, NULL);
}
