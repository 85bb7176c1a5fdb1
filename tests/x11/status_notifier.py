"""A panel that shows tray icons by D-Bus, as those of KDE, GNOME's extension and Xfce do, for a bus of its own.

Speaks StatusNotifierItem (org.kde.StatusNotifierWatcher), com.canonical.dbusmenu and org.freedesktop.Notifications,
as far as a panel and a notification server do. Draws nothing: a test asks it what a panel would show, and lets it do
what a panel does when one clicks.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from jeepney import (  # type: ignore[import-untyped]
    DBusAddress,
    HeaderFields,
    Message,
    MessageFlag,
    MessageType,
    message_bus,
    new_error,
    new_method_call,
    new_method_return,
    new_signal,
)
from jeepney.io.blocking import DBusConnection, open_dbus_connection  # type: ignore[import-untyped]

from tests.trees import until

WATCHER = "org.kde.StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"
NOTIFICATIONS = "org.freedesktop.Notifications"
PROPERTIES = "org.freedesktop.DBus.Properties"
ANSWER_S = 10.0
BEAT_S = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Hold one notification."""

    number: int
    program: str
    title: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Hold one entry of an item's menu."""

    number: int
    text: str
    enabled: bool


@dataclass(slots=True)
class _State:
    items: list[tuple[str, str]] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)


class StatusPanel:
    """Take items in and ask them, from a thread of its own.

    Attributes:
        shown: every notification, in order.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._state = _State()
        self._ends = threading.Event()
        self._asks: DBusConnection
        self._serving: DBusConnection
        self._thread = threading.Thread(target=self._serve, name="status-panel")

    # ---- what a test asks

    @property
    def shown(self) -> tuple[Shown, ...]:
        return tuple(self._state.shown)

    @property
    def has_item(self) -> bool:
        return bool(self._state.items)

    def wait_for_item(self) -> None:
        until(lambda: self.has_item, "no icon was registered")

    def read(self, name: str) -> Any:
        """Return one property of the item: "Title", "ToolTip", "IconPixmap", "Menu" ..."""
        return self._ask(ITEM, PROPERTIES, "Get", "ss", (ITEM, name))[0][1]

    @property
    def tooltip(self) -> str:
        return str(self.read("ToolTip")[2])

    def pixmaps(self) -> list[tuple[int, int]]:
        """Return the sizes in which the icon is offered."""
        return [(width, height) for width, height, _bytes in self.read("IconPixmap")]

    def activate(self, x: int, y: int) -> None:
        """Do what a panel does at a left click, or at Enter."""
        self._ask(ITEM, ITEM, "Activate", "ii", (x, y))

    def open_menu(self) -> list[Entry]:
        """Do what a panel does at a right click; returns the entries."""
        self._ask(MENU, MENU, "AboutToShow", "i", (0,))
        _revision, (_root, _properties, children) = self._ask(MENU, MENU, "GetLayout", "iias", (0, -1, []))
        entries = []
        for _kind, (number, properties, _below) in children:
            told = {name: value for name, (_kind, value) in properties.items()}
            if told.get("visible", True):
                text = str(told.get("label", "")).replace("_", "")
                entries.append(Entry(number=number, text=text, enabled=bool(told.get("enabled", True))))
        return entries

    def choose(self, text: str) -> None:
        """Click an entry of the menu."""
        entry = next(entry for entry in self.open_menu() if entry.text == text)
        self._ask(MENU, MENU, "Event", "isvu", (entry.number, "clicked", ("i", 0), 0))

    def click_notification(self, shown: Shown) -> None:
        """Do what a notification server does when its message is clicked."""
        path = DBusAddress("/org/freedesktop/Notifications", None, NOTIFICATIONS)
        self._serving.send(new_signal(path, "ActionInvoked", "us", (shown.number, "default")))

    def _ask(self, of: str, interface: str, method: str, signature: str, body: tuple[Any, ...]) -> Any:
        name, path = self._state.items[0]
        if of == MENU:
            path = str(self.read("Menu"))
        message = new_method_call(DBusAddress(path, name, interface), method, signature, body)
        answer = self._asks.send_and_get_reply(message, timeout=ANSWER_S)
        assert answer.header.message_type is MessageType.method_return, answer.body
        return answer.body

    # ---- the thread

    def start(self) -> None:
        """Be there from now on."""
        self._asks = open_dbus_connection(bus=self._address)
        self._serving = open_dbus_connection(bus=self._address)
        rule = "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'"
        self._serving.send_and_get_reply(message_bus.AddMatch(rule), timeout=ANSWER_S)
        for name in (NOTIFICATIONS, WATCHER):  # the watcher last: from then on calls arrive, which no reply may swallow
            self._serving.send_and_get_reply(message_bus.RequestName(name), timeout=ANSWER_S)
        self._thread.start()

    def stop(self) -> None:
        """Leave the bus, as a panel does that ends or dies."""
        self._ends.set()
        self._thread.join(ANSWER_S)
        self._asks.close()
        self._serving.close()

    def _serve(self) -> None:
        while not self._ends.is_set():
            try:
                message = self._serving.receive(timeout=BEAT_S)
            except TimeoutError:
                continue
            except OSError:  # the bus has ended
                return
            if message.header.message_type is MessageType.method_call:
                self._answer(message)
            elif message.header.message_type is MessageType.signal:
                self._hear(message)

    def _hear(self, message: Message) -> None:
        name, _before, now = message.body if len(message.body) == 3 else ("", "", "")
        if not now:
            self._state.items = [item for item in self._state.items if item[0] != name]

    def _answer(self, message: Message) -> None:
        fields = message.header.fields
        interface, method = fields.get(HeaderFields.interface, ""), fields[HeaderFields.member]
        calls: dict[tuple[str, str], Callable[[Message], tuple[str, tuple[Any, ...]]]] = {
            (WATCHER, "RegisterStatusNotifierItem"): self._take_item,
            (WATCHER, "RegisterStatusNotifierHost"): lambda _message: ("", ()),
            (PROPERTIES, "Get"): self._tell_one,
            (PROPERTIES, "GetAll"): self._tell_all,
            (NOTIFICATIONS, "GetCapabilities"): lambda _message: ("as", (["body", "actions"],)),
            (NOTIFICATIONS, "GetServerInformation"): lambda _message: ("ssss", ("panel", "tests", "1", "1.2")),
            (NOTIFICATIONS, "Notify"): self._notify,
            (NOTIFICATIONS, "CloseNotification"): lambda _message: ("", ()),
        }
        call = calls.get((interface, method))
        if call is None:
            answer = new_error(message, "org.freedesktop.DBus.Error.UnknownMethod", "s", (f"no {interface}.{method}",))
        else:
            signature, body = call(message)
            answer = new_method_return(message, signature or None, body)
        if not message.header.flags & MessageFlag.no_reply_expected:
            self._serving.send(answer)

    def _take_item(self, message: Message) -> tuple[str, tuple[Any, ...]]:
        told = str(message.body[0])
        sender = str(message.header.fields[HeaderFields.sender])
        self._state.items.append((sender, told) if told.startswith("/") else (told, "/StatusNotifierItem"))
        return "", ()

    def _properties(self) -> dict[str, tuple[str, Any]]:
        names = [name + path for name, path in self._state.items]
        return {
            "RegisteredStatusNotifierItems": ("as", names),
            "IsStatusNotifierHostRegistered": ("b", True),
            "ProtocolVersion": ("i", 0),
        }

    def _tell_one(self, message: Message) -> tuple[str, tuple[Any, ...]]:
        return "v", (self._properties()[message.body[1]],)

    def _tell_all(self, _message: Message) -> tuple[str, tuple[Any, ...]]:
        return "a{sv}", (self._properties(),)

    def _notify(self, message: Message) -> tuple[str, tuple[Any, ...]]:
        program, replaces, _icon, title, sentence, *_rest = message.body
        number = replaces or len(self._state.shown) + 1
        self._state.shown.append(Shown(number=number, program=program, title=title, sentence=sentence))
        return "u", (number,)


@contextmanager
def status_panel(address: str) -> Iterator[StatusPanel]:
    """Yield a panel on that bus; it has left it afterwards."""
    panel = StatusPanel(address)
    panel.start()
    try:
        yield panel
    finally:
        panel.stop()
