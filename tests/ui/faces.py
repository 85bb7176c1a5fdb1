"""Every face once, one after the other: for the tests that look at all of them (fitting text, access)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QEvent, QRect, Qt
from PySide6.QtWidgets import QApplication, QWidget

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from tests.ui.screenshots_window import (
    HEAP_PAGES,
    HOSTED_PAGES,
    MORE,
    PAGES,
    POLICY_PAGES,
    SMALLEST,
    NoLogin,
    set_policies,
)
from trayapp.model.access import Permission
from trayapp.model.process import Pressure
from trayapp.model.receipt import Progress
from trayapp.model.snapshot import Snapshot
from trayapp.ui.bridge import Bridge
from trayapp.ui.chart_data import RANGES_S
from trayapp.ui.sidebar import PageName
from trayapp.ui.window import MainWindow

ANCHOR = QRect(1000, 0, 24, 24)


def come_to_rest() -> None:
    """Let layouts and what the scripted core answers settle."""
    for _ in range(6):
        QApplication.processEvents()


def every_face() -> Iterator[tuple[str, QWidget]]:
    """Yield each face with its name, shown and at rest; it is closed when the next one is asked for."""
    for make in (_popovers, _windows, _reviews, _dialogs):
        yield from make()


def _as_it_is(backend: FakeBackend) -> None:
    """Leave the scripted core as it is made."""


@contextmanager
def _bridge(snapshot: Snapshot | None, prepare: Callable[[FakeBackend], None] = _as_it_is) -> Iterator[Bridge]:
    backend = FakeBackend(snapshot)
    prepare(backend)
    made = Bridge(backend)
    try:
        yield made
    finally:
        made.close()
        made.deleteLater()
        come_to_rest()


@contextmanager
def _shown(widget: QWidget) -> Iterator[QWidget]:
    widget.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    widget.show()
    come_to_rest()
    try:
        yield widget
    finally:
        widget.close()
        widget.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        come_to_rest()


def _hosted(backend: FakeBackend) -> None:
    backend.offers = scene.CONSENTS
    backend.journal = (scene.hosted_receipt(), *backend.journal)
    backend.permit("codex", Permission.READ_SECRET, allowed=True)


def _died(backend: FakeBackend) -> None:
    backend.accounts = (scene.account(scene.incident()),)


def _popovers() -> Iterator[tuple[str, QWidget]]:
    from trayapp.ui.popover import Popover

    snapshots = {
        "scene": scene.scene(),
        "empty": scene.empty(),
        "stale": scene.stale(),
        "short": scene.scene(pressure=Pressure.WARNING),
        "full": scene.scene(pressure=Pressure.CRITICAL),
        "heap": scene.heap_scene(),
        "heap full": scene.heap_scene(used_gb=7.95),
        "heap silent": scene.heap_scene(plugin=False),
        "hosted": scene.hosted_scene(),
        "kept": scene.kept_scene(),
    }
    for name, snapshot in snapshots.items():
        prepare = {"hosted": _hosted, "kept": set_policies}.get(name, _as_it_is)
        with _bridge(snapshot, prepare) as bridge:
            popover = Popover(bridge)
            popover.show_at(ANCHOR)
            come_to_rest()
            with _shown(popover):
                yield f"popover, {name}", popover
    yield from _told_popovers()


def _told_popovers() -> Iterator[tuple[str, QWidget]]:
    """Yield the popover with each kind of what is told unasked, and with the question before a session is ended."""
    from trayapp.alerts import Alert, AlertKind
    from trayapp.ui.notifier import Notifier
    from trayapp.ui.popover import Popover

    for kind in AlertKind:
        alert = Alert(
            kind=kind,
            key=kind,
            at_epoch_s=scene.NOW_EPOCH_S,
            name="Name",
            size_bytes=round(12.4 * scene.GB),
            limit_bytes=12 * scene.GB,
            count=2,
            sentence="A sentence.",
        )
        with _bridge(scene.scene(), _as_it_is) as bridge:
            notifier = Notifier(bridge, None, clock_s=lambda: scene.NOW_EPOCH_S)
            notifier.alerts = (alert, replace(alert, key="another"))
            popover = Popover(bridge, notifier)
            popover.show_at(ANCHOR)
            popover.rows.menu_of(scene.FIX).actions()[-1].trigger()
            come_to_rest()
            with _shown(popover):
                yield f"popover, told {kind}", popover
            notifier.deleteLater()


def _windows() -> Iterator[tuple[str, QWidget]]:
    def page(name: PageName) -> Callable[[MainWindow], None]:
        return lambda window: window.show_page(name)

    every_page = {name.value: page(name) for name in PageName}
    for title, pages, snapshot, prepare in (
        ("scene", PAGES | MORE | every_page, scene.scene(), _as_it_is),
        ("heap", HEAP_PAGES, scene.heap_scene(), _died),
        ("hosted", HOSTED_PAGES, scene.hosted_scene(), _hosted),
        ("policies", POLICY_PAGES, scene.kept_scene(), set_policies),
        ("empty", every_page, scene.empty(), _as_it_is),
        ("before", {"overview": page(PageName.OVERVIEW)}, None, _as_it_is),
    ):
        for size in (None, SMALLEST):
            with _bridge(snapshot, prepare) as bridge:
                backend = bridge.backend
                assert isinstance(backend, FakeBackend)
                window = MainWindow(backend, bridge, login=NoLogin())
                if size is not None:
                    window.resize(size)
                with _shown(window):
                    for name, show in pages.items():
                        show(window)
                        come_to_rest()
                        yield f"window {'small, ' if size else ''}{title}, {name}", window


def _reviews() -> Iterator[tuple[str, QWidget]]:
    from trayapp.ui.review import ReviewDialog

    with _bridge(scene.scene()) as bridge, _shown(ReviewDialog(bridge, scene.scene())) as dialog:
        assert isinstance(dialog, ReviewDialog)
        backend = bridge.backend
        assert isinstance(backend, FakeBackend)
        yield "review", dialog
        dialog.list_page.agree.click()
        backend.report(
            Progress(
                done=2,
                total=6,
                title="Getting started guide",
                label="Waiting for OpenCode to finish",
                waited_s=4,
                wait_s=10,
                came_back_bytes=round(3.1 * scene.GB),
            )
        )
        come_to_rest()
        yield "releasing", dialog
        backend.finish(scene.receipt())
        come_to_rest()
        yield "receipt", dialog
        if dialog.receipt_page is not None and dialog.receipt_page.end_buttons:
            dialog.receipt_page.end_buttons[0].click()
            come_to_rest()
            yield "receipt, question", dialog
    heap = scene.heap_scene()
    with _bridge(heap) as bridge, _shown(ReviewDialog(bridge, heap, heap=scene.DSH_HOST)) as dialog:
        yield "review of a heap", dialog
    with _bridge(scene.scene()) as bridge, _shown(ReviewDialog(bridge, scene.scene(), orphans_only=True)) as dialog:
        yield "review of orphans", dialog


def _dialogs() -> Iterator[tuple[str, QWidget]]:
    from trayapp import targets
    from trayapp.ui.export_dialog import ExportDialog
    from trayapp.ui.findings import FindingsDialog
    from trayapp.ui.first_run import FirstRun
    from trayapp.ui.policy_editor import PolicyEditor
    from trayapp.ui.question_dialog import QuestionDialog
    from trayapp.ui.setup_dialog import SetupDialog

    with _bridge(scene.hosted_scene(), _hosted) as bridge:
        backend = bridge.backend
        assert isinstance(backend, FakeBackend)
        with _shown(FirstRun(bridge, NoLogin())) as dialog:
            yield "first run", dialog
        with _shown(FindingsDialog(backend.findings().result(0))) as dialog:
            yield "findings", dialog
        with _shown(ExportDialog(bridge, bridge.snapshot, next(iter(RANGES_S)))) as dialog:
            yield "export", dialog
        busy = bridge.snapshot.group(scene.FIX) if bridge.snapshot is not None else None
        assert busy is not None
        for decision in busy.decisions:
            with _shown(QuestionDialog(targets.question_of(busy, decision))) as dialog:
                yield f"question, {decision.action}", dialog
    for policy in (scene.IDLE_POLICY, scene.ORPHAN_POLICY):
        with _shown(PolicyEditor(policy)) as dialog:
            assert isinstance(dialog, PolicyEditor)
            dialog.quiet.setText("22-7")
            dialog.save.click()
            come_to_rest()
            yield f"policy, {policy.name}", dialog
    for host in ("dsh", *scene.CONSENTS):
        with (
            _bridge(scene.heap_scene(plugin=False), _hosted) as bridge,
            _shown(SetupDialog(bridge, host, host)) as dialog,
        ):
            yield f"set-up, {host}", dialog
