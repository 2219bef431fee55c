#!/usr/bin/python3
"""What Scripts/window-check needs beyond xdotool: closing a window as its close button does, reading the accessibility
tree and pressing what is in it, and a settings portal whose colour scheme it can change."""
import ctypes
import sys
import warnings


def close(window):
    """Sends WM_DELETE_WINDOW, as a window manager does (ICCCM 4.2.8.1)."""
    x = ctypes.CDLL("libX11.so.6")
    x.XOpenDisplay.restype = ctypes.c_void_p
    x.XInternAtom.restype = ctypes.c_ulong
    x.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]

    class ClientMessage(ctypes.Structure):
        _fields_ = [
            ("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
            ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong),
            ("format", ctypes.c_int), ("data", ctypes.c_long * 5), ("padding", ctypes.c_long * 24),
        ]

    display = x.XOpenDisplay(None)
    atom = lambda name: x.XInternAtom(display, name, 0)
    event = ClientMessage(
        type=33, window=window, message_type=atom(b"WM_PROTOCOLS"), format=32,
        data=(ctypes.c_long * 5)(atom(b"WM_DELETE_WINDOW"), 0, 0, 0, 0))
    x.XSendEvent(ctypes.c_void_p(display), ctypes.c_ulong(window), 0, ctypes.c_long(0), ctypes.byref(event))
    # The server may drop what a client that has gone had sent.
    x.XSync(ctypes.c_void_p(display), 0)
    x.XCloseDisplay(ctypes.c_void_p(display))


def tree(program):
    """Prints `role<TAB>name<TAB>states` of all that a program shows."""
    import gi

    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi

    interesting = [Atspi.StateType.FOCUSED, Atspi.StateType.SELECTED, Atspi.StateType.SHOWING]

    def walk(node):
        if node is None:
            return
        states = node.get_state_set()
        names = ",".join(state.value_nick for state in interesting if states.contains(state))
        print(f"{node.get_role_name()}\t{node.get_name()}\t{names}")
        for index in range(node.get_child_count()):
            walk(node.get_child_at_index(index))

    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        application = desktop.get_child_at_index(index)
        if application is not None and application.get_name() == program:
            walk(application)


def press(program, label, action="click"):
    """Does what assistive technology does to press something with a name; 1 where it has no such action."""
    import gi

    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi

    def actions(node):
        if "Action" not in node.get_interfaces():
            return []
        return [Atspi.Action.get_action_name(node, index) for index in range(Atspi.Action.get_n_actions(node))]

    def find(node):
        if node is None:
            return None
        if node.get_name() == label and action in actions(node):
            return node
        children = (node.get_child_at_index(index) for index in range(node.get_child_count()))
        return next((found for found in map(find, children) if found), None)

    desktop = Atspi.get_desktop(0)
    programs = [desktop.get_child_at_index(index) for index in range(desktop.get_child_count())]
    target = next((found for child in programs if child and child.get_name() == program and (found := find(child))), None)
    if not target or not Atspi.Action.do_action(target, actions(target).index(action)):
        print(f"{label}: nothing of that name has the action {action}", file=sys.stderr)
        sys.exit(1)


def portal():
    """Answers for the settings portal on the session bus; each line of input is the new colour scheme: 0, 1 or 2."""
    from gi.repository import Gio, GLib

    interface = "org.freedesktop.portal.Settings"
    path = "/org/freedesktop/portal/desktop"
    description = Gio.DBusNodeInfo.new_for_xml(f"""<node><interface name="{interface}">
        <method name="Read"><arg type="s" direction="in"/><arg type="s" direction="in"/>
          <arg type="v" direction="out"/></method>
        <signal name="SettingChanged"><arg type="s"/><arg type="s"/><arg type="v"/></signal>
        </interface></node>""")
    scheme = 0

    def call(bus, sender, path, interface, method, parameters, invocation):
        invocation.return_value(GLib.Variant("(v)", (GLib.Variant("v", GLib.Variant("u", scheme)),)))

    def line(channel, condition):
        nonlocal scheme
        text = sys.stdin.readline()
        if not text:
            loop.quit()
            return False
        scheme = int(text)
        value = GLib.Variant("(ssv)", ("org.freedesktop.appearance", "color-scheme", GLib.Variant("u", scheme)))
        bus.emit_signal(None, path, interface, "SettingChanged", value)
        return True

    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    bus.register_object(path, description.interfaces[0], call)
    Gio.bus_own_name_on_connection(bus, "org.freedesktop.portal.Desktop", Gio.BusNameOwnerFlags.NONE)
    loop = GLib.MainLoop()
    GLib.io_add_watch(GLib.IOChannel(0), GLib.IO_IN | GLib.IO_HUP, line)
    loop.run()


# The names that replace the deprecated ones of AT-SPI are not in every Debian.
warnings.simplefilter("ignore", DeprecationWarning)

if __name__ == "__main__":
    command, *rest = sys.argv[1:]
    {"close": lambda: close(int(rest[0])), "tree": lambda: tree(rest[0]),
     "press": lambda: press(*rest), "portal": portal}[command]()
