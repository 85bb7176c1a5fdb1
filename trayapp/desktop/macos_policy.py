"""macOS: no Dock icon for the unbundled app, and no nap while a view is open.

Speaks to AppKit through the Objective-C runtime by ctypes, so that PyObjC is not needed. Does nothing elsewhere.
Sources: NSApplication.h (activation policies), NSProcessInfo.h (activity options).
"""

from __future__ import annotations

import sys
from typing import Any

ACCESSORY = 1
"""NSApplicationActivationPolicyAccessory: no Dock icon, no menu bar of its own; kept for good, because going back to
regular can drop the status item."""
USER_INITIATED_ALLOWING_IDLE_SYSTEM_SLEEP = 0x00EFFFFF
"""NSActivityUserInitiatedAllowingIdleSystemSleep: timers keep their beat, the computer may still sleep."""


class ObjectiveC:
    """Send messages to Objective-C objects; every argument is a pointer or a 64-bit integer."""

    def __init__(self, runtime: Any) -> None:
        import ctypes

        self._runtime = runtime
        runtime.objc_getClass.restype = ctypes.c_void_p
        runtime.objc_getClass.argtypes = [ctypes.c_char_p]
        runtime.sel_registerName.restype = ctypes.c_void_p
        runtime.sel_registerName.argtypes = [ctypes.c_char_p]

    def class_named(self, name: str) -> int:
        """Return the class, 0 when the framework is not loaded."""
        return int(self._runtime.objc_getClass(name.encode()) or 0)

    def send(self, receiver: int, selector: str, *arguments: int | bytes) -> int:
        """Send one message and return its result as a pointer-wide integer."""
        import ctypes

        kinds = [ctypes.c_char_p if isinstance(argument, bytes) else ctypes.c_void_p for argument in arguments]
        prototype = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, *kinds)
        call = prototype(("objc_msgSend", self._runtime))
        return int(call(receiver, self._runtime.sel_registerName(selector.encode()), *arguments) or 0)


def _load(platform: str = sys.platform) -> ObjectiveC | None:
    if platform != "darwin":
        return None
    import ctypes  # only where it is used: elsewhere it would be a third of a megabyte for nothing

    ctypes.CDLL("/System/Library/Frameworks/AppKit.framework/AppKit")
    return ObjectiveC(ctypes.CDLL("/usr/lib/libobjc.A.dylib"))


def become_accessory(objc: ObjectiveC | None = None) -> bool:
    """Take the app out of the Dock; call after QApplication exists. False where there is nothing to do."""
    objc = objc or _load()
    if objc is None:
        return False
    application = objc.send(objc.class_named("NSApplication"), "sharedApplication")
    return bool(objc.send(application, "setActivationPolicy:", ACCESSORY) & 0xFF)


def reduces_motion(objc: ObjectiveC | None = None) -> bool:
    """Say whether the user wants less motion (NSWorkspace.h, accessibilityDisplayShouldReduceMotion)."""
    objc = objc or _load()
    if objc is None:
        return False
    workspace = objc.send(objc.class_named("NSWorkspace"), "sharedWorkspace")
    return bool(objc.send(workspace, "accessibilityDisplayShouldReduceMotion") & 0xFF)


class Activity:
    """Hold off App Nap while a view is open; the system may still sleep."""

    def __init__(self, objc: ObjectiveC | None = None) -> None:
        self._objc = objc or _load()
        self._token = 0

    @property
    def is_held(self) -> bool:
        return self._token != 0

    def hold(self) -> None:
        """Begin the activity; a second call changes nothing."""
        if self._objc is None or self._token:
            return
        objc = self._objc
        reason = objc.send(objc.class_named("NSString"), "stringWithUTF8String:", b"A view is open")
        info = objc.send(objc.class_named("NSProcessInfo"), "processInfo")
        options = USER_INITIATED_ALLOWING_IDLE_SYSTEM_SLEEP
        token = objc.send(info, "beginActivityWithOptions:reason:", options, reason)
        self._token = objc.send(token, "retain")

    def let_go(self) -> None:
        """End the activity."""
        if self._objc is None or not self._token:
            return
        info = self._objc.send(self._objc.class_named("NSProcessInfo"), "processInfo")
        self._objc.send(info, "endActivity:", self._token)
        self._objc.send(self._token, "release")
        self._token = 0
