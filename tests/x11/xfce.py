"""The panel of Xfce with nothing in it but its tray, which takes icons by D-Bus."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jeepney import DBusAddress, MessageType, Properties, message_bus  # type: ignore[import-untyped]
from jeepney.io.blocking import open_dbus_connection  # type: ignore[import-untyped]

from tests.trees import until
from tests.x11.desk import Desk, end
from tests.x11.status_notifier import WATCHER

PANEL_HEIGHT = 28
SETTINGS = f"""<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="length" type="uint" value="100"/>
      <property name="size" type="uint" value="{PANEL_HEIGHT}"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/><value type="int" value="2"/></property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="separator">
      <property name="expand" type="bool" value="true"/>
      <property name="style" type="uint" value="0"/>
    </property>
    <property name="plugin-2" type="string" value="systray">
      <property name="square-icons" type="bool" value="true"/>
    </property>
  </property>
</channel>
"""


def put_settings(home: Path) -> None:
    """Tell the panel what stands in it, before its services read that home."""
    folder = home / ".config" / "xfce4" / "xfconf" / "xfce-perchannel-xml"
    folder.mkdir(parents=True)
    (folder / "xfce4-panel.xml").write_text(SETTINGS)


@contextmanager
def xfce_panel(desk: Desk, home: Path) -> Iterator[None]:
    """Let there be Xfce's panel along the top of the screen; it has ended afterwards."""
    environment = desk.environment(home) | {"HOME": str(home), "NO_AT_BRIDGE": "1"}
    process = subprocess.Popen(
        ["xfce4-panel", "--disable-wm-check"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until(lambda: _takes_icons(desk.bus), "the panel takes no icons")
        yield
    finally:
        end(process)


def _takes_icons(address: str) -> bool:
    with open_dbus_connection(bus=address) as connection:
        there = connection.send_and_get_reply(message_bus.NameHasOwner(WATCHER), timeout=10)
        if not there.body[0]:
            return False
        watcher = DBusAddress("/StatusNotifierWatcher", WATCHER, WATCHER)
        told = connection.send_and_get_reply(Properties(watcher).get("IsStatusNotifierHostRegistered"), timeout=10)
    return told.header.message_type is MessageType.method_return and bool(told.body[0][1])
