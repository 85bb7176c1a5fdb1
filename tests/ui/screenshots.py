"""More pictures of the faces than the README needs: every state of the icon, the review, its run and its receipt.

Called by scripts/screenshots.py inside its offscreen process; shows the scene of the UI tests.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.ui import scene, screenshots_window
from tests.ui.fake_backend import FakeBackend
from trayapp import targets
from trayapp.alerts import Alert, AlertKind
from trayapp.hosts.base import CallResult
from trayapp.model.plan import Action
from trayapp.model.process import Pressure
from trayapp.model.receipt import Progress
from trayapp.ui import icon, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.export_dialog import WAIT_MS, ExportDialog
from trayapp.ui.first_run import FirstRun
from trayapp.ui.icon import IconKey, IconState, Tone
from trayapp.ui.notifier import Notifier
from trayapp.ui.policy_editor import PolicyEditor
from trayapp.ui.popover import Popover
from trayapp.ui.question_dialog import QuestionDialog
from trayapp.ui.review import ReceiptPage, ReviewDialog
from trayapp.ui.setup_dialog import SetupDialog
from trayapp.wording import THIN_SPACE

BARS = {Tone.LIGHT_BAR: "#ECECEE", Tone.DARK_BAR: "#242428"}
LINE = 112
NOT_BACK = "craft-agents does not run any more. Start it, then resume the session from the journal"
WIDTH = 860
ZONES = {
    IconState.NORMAL: (144, 0),
    IconState.RELEASABLE: (84, 60),
    IconState.NEEDS_YOU: (84, 60),
    IconState.WARNING: (270, 0),
    IconState.PAUSED: (144, 0),
    IconState.HEAP: (126, 144),
}


def draw(folder: Path, look: str) -> None:
    """Draw everything in one look."""
    tokens.appearance().choose(look)
    draw_popovers(folder, look)
    draw_review(folder, look)
    draw_heap_release(folder, look)
    draw_setup(folder, look)
    draw_hosted(folder, look)
    draw_policies(folder, look)
    draw_welcome(folder, look)
    draw_told(folder, look)
    screenshots_window.draw(folder, look)
    if look == "light":
        draw_tray_states(folder)


def draw_welcome(folder: Path, look: str) -> None:
    """Draw the page of the first start, with agents and without, the export and the question before a turn is lost."""
    snapshot = scene.scene()
    busy = snapshot.group(scene.FIX)
    assert busy is not None
    end = next(decision for decision in busy.decisions if decision.action is Action.KILL)
    nobody = replace(scene.empty(), instances=())
    bridges = [Bridge(FakeBackend(each)) for each in (snapshot, nobody)]
    pictures: dict[str, QWidget] = {
        "first-run": FirstRun(bridges[0], screenshots_window.NoLogin()),
        "first-run-empty": FirstRun(bridges[1], screenshots_window.NoLogin()),
        "export": ExportDialog(bridges[0], snapshot, f"6{THIN_SPACE}h"),
        "question": QuestionDialog(targets.question_of(busy, end)),
    }
    for name, dialog in pictures.items():
        dialog.show()
        QTest.qWait(2 * WAIT_MS)  # until it is counted what an export would hold
        dialog.grab().save(str(folder / f"{name}-{look}.png"))
        dialog.close()
        dialog.deleteLater()
    for bridge in bridges:
        bridge.close()
        bridge.deleteLater()
    QApplication.processEvents()


def draw_tray_states(folder: Path) -> None:
    """Draw the icon in every state."""
    tray_states().save(str(folder / "tray-states.png"))


def tray_states() -> QImage:
    """Return the icon in every state: 18 and 36 px enlarged without smoothing, then every size as it is."""
    image = QImage(2 * WIDTH, LINE * len(IconState), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    for row, state in enumerate(IconState):
        for column, (tone, ground) in enumerate(BARS.items()):
            left, top = column * WIDTH, row * LINE
            painter.fillRect(left, top, WIDTH, LINE, QColor(ground))
            stays, can_go = ZONES.get(state, (0, 0))
            key = IconKey(state=state, tone=tone, stays=stays, can_go=can_go)
            left += 16
            for size, factor in ((18, 5), (36, 3)):
                side = size * factor
                painter.drawPixmap(QRect(left, top + (LINE - side) // 2, side, side), icon.tray_pixmap(size, key))
                left += side + 20
            for size in icon.ICON_SIZES:
                painter.drawPixmap(left, top + (LINE - size) // 2, icon.tray_pixmap(size, key))
                left += size + 16
    painter.end()
    return image


def draw_popovers(folder: Path, look: str) -> None:
    """Draw the popover when nothing runs, when a host is silent, and when memory runs short."""
    snapshots = {
        "empty": scene.empty(),
        "stale": scene.stale(),
        "short": scene.scene(pressure=Pressure.WARNING),
        "full": scene.scene(pressure=Pressure.CRITICAL),
        "heap": scene.heap_scene(),
        "heap-full": scene.heap_scene(used_gb=7.95),
        "heap-silent": scene.heap_scene(plugin=False),
    }
    for name, snapshot in snapshots.items():
        bridge = Bridge(FakeBackend(snapshot))
        popover = Popover(bridge)
        popover.show_at(QRect(1000, 0, 24, 24))
        _come_to_rest()
        popover.grab().save(str(folder / f"popover-{name}-{look}.png"))
        popover.close()
        popover.deleteLater()
        bridge.close()


def draw_review(folder: Path, look: str) -> None:
    """Draw the review, the view while it runs, and the receipt with its second question."""
    backend = FakeBackend(scene.scene())
    bridge = Bridge(backend)
    dialog = ReviewDialog(bridge, scene.scene())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    dialog.show()

    def picture(name: str) -> None:
        _come_to_rest()
        dialog.grab().save(str(folder / f"{name}-{look}.png"))

    picture("review")
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
    picture("releasing")
    asked = {target.group_key: target for target in backend.asked[0][0]}
    receipt = scene.receipt()
    backend.finish(
        replace(receipt, outcomes=tuple(replace(o, target=asked[o.target.group_key]) for o in receipt.outcomes))
    )
    picture("receipt")
    if dialog.receipt_page is not None:
        dialog.receipt_page.end_buttons[0].click()
    picture("receipt-question")
    dialog.close()
    dialog.deleteLater()
    bridge.close()


def draw_heap_release(folder: Path, look: str) -> None:
    """Draw the review of one heap, the wait for its collection, and the receipt."""
    backend = FakeBackend(scene.heap_scene())
    bridge = Bridge(backend)
    dialog = ReviewDialog(bridge, scene.heap_scene(), heap=scene.DSH_HOST)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    dialog.show()
    _come_to_rest()
    dialog.grab().save(str(folder / f"review-heap-{look}.png"))
    dialog.list_page.agree.click()
    label = "Waiting for the heap's next full collection"
    backend.report(
        Progress(done=4, total=4, title=label, label=label, waited_s=12, wait_s=60, came_back_bytes=0),
    )
    _come_to_rest()
    dialog.grab().save(str(folder / f"releasing-heap-{look}.png"))
    asked = {target.group_key: target for target in backend.asked[0][0]}
    receipt = scene.heap_receipt()
    outcomes = [o for o in receipt.outcomes if o.target.group_key in asked]
    backend.finish(replace(receipt, outcomes=tuple(replace(o, target=asked[o.target.group_key]) for o in outcomes)))
    _come_to_rest()
    dialog.grab().save(str(folder / f"receipt-heap-{look}.png"))
    dialog.close()
    dialog.deleteLater()
    bridge.close()


def draw_setup(folder: Path, look: str) -> None:
    """Draw the question before something is put into a host, and before something is allowed with one."""
    for name, host, title in (("setup", "dsh", "DSH"), ("allow", "craft-agents", "craft-agents")):
        backend = FakeBackend(scene.heap_scene(plugin=False))
        backend.offers = scene.CONSENTS
        bridge = Bridge(backend)
        dialog = SetupDialog(bridge, host, title)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        _come_to_rest()
        dialog.show()
        _come_to_rest()
        dialog.grab().save(str(folder / f"{name}-{look}.png"))
        if name == "allow":
            dialog.offers[0].box.click()
            dialog.agree.click()
            _come_to_rest()
            dialog.grab().save(str(folder / f"{name}ed-{look}.png"))
        dialog.close()
        dialog.deleteLater()
        bridge.close()


def draw_hosted(folder: Path, look: str) -> None:
    """Draw the popover with an offer of a host, and the receipt of a session that its host brings back."""
    backend = FakeBackend(scene.hosted_scene())
    backend.offers = scene.CONSENTS
    bridge = Bridge(backend)
    popover = Popover(bridge)
    popover.show_at(QRect(1000, 0, 24, 24))
    _come_to_rest()
    popover.grab().save(str(folder / f"popover-hosted-{look}.png"))
    popover.hide()
    popover.deleteLater()
    dialog = ReviewDialog(bridge, scene.hosted_scene())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    dialog.show()
    _come_to_rest()
    dialog.grab().save(str(folder / f"review-hosted-{look}.png"))
    dialog.close()
    dialog.deleteLater()
    for answer in (None, CallResult(ok=False, message=NOT_BACK)):
        page = ReceiptPage(bridge, scene.hosted_receipt(), scene.hosted_scene())
        page.resize(480, page.fit(480, 900))
        page.show()
        if answer is not None:
            page.resume_buttons[0].click()
            backend.answer.set_result(answer)
            _come_to_rest()
            page.resize(480, page.fit(480, 900))
        _come_to_rest()
        page.grab().save(str(folder / f"receipt-hosted{'-not-back' if answer else ''}-{look}.png"))
        page.close()
        page.deleteLater()
    bridge.close()


def draw_policies(folder: Path, look: str) -> None:
    """Draw the popover with a notice and with what is kept, and the form of a policy."""
    backend = FakeBackend(scene.kept_scene())
    screenshots_window.set_policies(backend)
    bridge = Bridge(backend)
    popover = Popover(bridge)
    popover.show_at(QRect(1000, 0, 24, 24))
    popover.rows.row(scene.PARSER).setFocus(Qt.FocusReason.TabFocusReason)
    _come_to_rest()
    popover.grab().save(str(folder / f"popover-notice-{look}.png"))
    popover.hide()
    popover.deleteLater()
    editor = PolicyEditor(scene.IDLE_POLICY)
    editor.show()
    editor.quiet.setText("22-7")
    editor.save.click()
    _come_to_rest()
    editor.grab().save(str(folder / f"policy-{look}.png"))
    editor.close()
    bridge.close()


def draw_told(folder: Path, look: str) -> None:
    """Draw the popover with what is told unasked, while messages are muted, and before a session is ended at once."""
    orphans = Alert(
        kind=AlertKind.ORPHANS,
        key=AlertKind.ORPHANS,
        at_epoch_s=scene.NOW_EPOCH_S,
        name="Language server, Browser helper",
        size_bytes=round(0.3 * scene.GB),
        count=2,
    )
    memory = Alert(
        kind=AlertKind.MEMORY,
        key=AlertKind.MEMORY,
        at_epoch_s=scene.NOW_EPOCH_S,
        size_bytes=round(12.4 * scene.GB),
        limit_bytes=12 * scene.GB,
    )
    pictures: tuple[tuple[str, tuple[Alert, ...], float], ...] = (
        ("told", (orphans, memory), 0.0),
        ("muted", (), 3600.0),
        ("end", (), 0.0),
    )
    for name, alerts, muted_s in pictures:
        backend = FakeBackend(scene.scene())
        backend.settings = replace(backend.settings, muted_until_epoch_s=scene.NOW_EPOCH_S + muted_s)
        bridge = Bridge(backend)
        notifier = Notifier(bridge, None, clock_s=lambda: scene.NOW_EPOCH_S)
        notifier.alerts = alerts
        popover = Popover(bridge, notifier)
        popover.alerts.set_clock(lambda: scene.NOW_EPOCH_S)
        popover.show_at(QRect(1000, 0, 24, 24))
        if name == "end":
            popover.rows.menu_of(scene.FIX).actions()[-1].trigger()
        _come_to_rest()
        popover.grab().save(str(folder / f"popover-{name}-{look}.png"))
        popover.hide()
        popover.deleteLater()
        notifier.deleteLater()
        bridge.close()


def _come_to_rest() -> None:
    for _ in range(3):
        QApplication.processEvents()
