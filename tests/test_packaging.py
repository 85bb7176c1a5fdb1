"""The recipes of the packages agree with the project, and the macOS ones are right although no Mac is at hand."""

from __future__ import annotations

import configparser
import importlib.util
import plistlib
import re
import struct
import sys
import types
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path
from typing import Any

import PyInstaller.utils.hooks  # noqa: F401  # the spec imports it under a patched sys.platform
import pytest
from hatchling.builders.wheel import WheelBuilder

import trayapp

ROOT = Path(__file__).resolve().parent.parent
BUNDLE_ID = "dev.agentring.AgentRing"


class Step:
    """Stand for one of PyInstaller's steps: keep what it was called with, and offer what the next one reads."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.args = args
        self.options = options
        self.pure: list[Any] = []
        self.scripts: list[Any] = []
        self.binaries = [
            (f"PySide6/Qt/plugins/platforms/lib{name}.so", "", "") for name in ("qxcb", "qoffscreen", "qvnc")
        ]
        self.datas = [
            (path, "", "")
            for path in (
                *(f"PySide6/Qt/translations/{name}.qm" for name in ("qt_de", "qtbase_de", "qtbase_fr", "qtbase_zh_CN")),
                "trayapp/_resources/icons/idle.svg",
            )
        ]


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> dict[str, Step]:
    """Return the steps of the spec as it would run on a Mac, by name."""
    done: dict[str, Step] = {}

    def step(name: str) -> Any:
        def record(*args: Any, **options: Any) -> Step:
            done[name] = Step(*args, **options)
            return done[name]

        return record

    drawn = types.ModuleType("icons")
    drawn.write = lambda folder: []  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "icons", drawn)
    monkeypatch.setattr(sys, "path", list(sys.path))
    spec = ROOT / "packaging" / "agentring.spec"
    code = compile(spec.read_text(encoding="utf-8"), str(spec), "exec")
    monkeypatch.setattr(sys, "platform", "darwin")
    names = {name: step(name) for name in ("Analysis", "PYZ", "EXE", "COLLECT", "BUNDLE")}
    exec(code, {**names, "SPECPATH": str(spec.parent)})
    return done


def test_the_bundle_is_a_menu_bar_app_that_is_not_put_to_sleep(steps: dict[str, Step]) -> None:
    bundle = steps["BUNDLE"].options
    plist = plistlib.loads(plistlib.dumps(bundle["info_plist"]))
    assert plist["LSUIElement"] is True
    assert plist["LSAppNapIsDisabled"] is True
    assert plist["NSHighResolutionCapable"] is True
    assert plist["LSMinimumSystemVersion"] == "13.0"
    assert plist["CFBundleShortVersionString"] == plist["CFBundleVersion"] == bundle["version"] == trayapp.__version__
    assert bundle["bundle_identifier"] == BUNDLE_ID
    assert "NSRequiresAquaSystemAppearance" not in plist, "it would keep the app light in dark mode"


def test_the_executable_has_no_console_and_is_not_stripped(steps: dict[str, Step]) -> None:
    options = steps["EXE"].options
    assert options["console"] is False, "True puts LSBackgroundOnly into the plist"
    assert options["argv_emulation"] is False
    assert not options["strip"]
    assert not options["upx"]
    assert Path(options["entitlements_file"]).is_file()


def test_what_a_tray_app_never_shows_is_left_out_of_the_package(steps: dict[str, Step]) -> None:
    analysis = steps["Analysis"]
    assert [Path(entry[0]).stem for entry in analysis.binaries] == ["libqxcb", "libqoffscreen"]
    assert [Path(entry[0]).name for entry in analysis.datas] == ["qtbase_de.qm", "qtbase_zh_CN.qm", "idle.svg"]


def test_the_package_holds_the_resources_and_the_metadata_of_entry_points(steps: dict[str, Step]) -> None:
    targets = {target for _, target in steps["Analysis"].options["datas"]}
    assert "trayapp/_resources" in targets
    assert any(re.fullmatch(r"agentring-.*\.dist-info", target) for target in targets)


def test_entitlements_ask_for_one_thing_only() -> None:
    entitlements = plistlib.loads((ROOT / "packaging/macos/entitlements.plist").read_bytes())
    assert entitlements == {"com.apple.security.cs.disable-library-validation": True}


def test_the_cask_removes_what_the_app_may_leave() -> None:
    cask = (ROOT / "packaging/macos/agentring.rb").read_text()
    assert f'quit:      "{BUNDLE_ID}"' in cask
    trash = re.findall(r'"(~/[^"]+)"', cask)
    assert trash == sorted(trash)
    assert f"~/Library/LaunchAgents/{BUNDLE_ID}.plist" in trash


def test_the_desktop_file_starts_the_command_that_the_project_installs() -> None:
    desktop = configparser.ConfigParser(interpolation=None)
    desktop.optionxform = str  # type: ignore[assignment, method-assign]
    desktop.read(ROOT / "packaging/linux/agentring.desktop", encoding="utf-8")
    entry = desktop["Desktop Entry"]
    assert (entry["Type"], entry["Exec"], entry["Icon"]) == ("Application", "agentring", "agentring")
    assert entry["Categories"].endswith(";")


def test_the_appstream_file_points_to_the_desktop_file() -> None:
    component = ElementTree.parse(ROOT / "packaging/linux" / f"{BUNDLE_ID}.metainfo.xml").getroot()
    assert component.findtext("id") == BUNDLE_ID
    assert component.findtext("launchable") == "agentring.desktop"
    assert component.findtext("provides/binary") == "agentring"
    assert component.findtext("project_license") == "MIT"


def test_icon_files_hold_every_size_whole(qapp: object) -> None:
    spec = importlib.util.spec_from_file_location("icon_maker", ROOT / "packaging" / "icons.py")
    assert spec is not None
    assert spec.loader is not None
    icons = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(icons)
    images = {size: icons.render(size) for size in (16, 256)}
    for size, png in images.items():
        assert png.startswith(b"\x89PNG")
        assert struct.unpack(">II", png[16:24]) == (size, size)

    mac = icons.icns(images)
    assert mac[:4] == b"icns"
    assert struct.unpack(">I", mac[4:8]) == (len(mac),)
    assert [mac[8:12], mac[16 + len(images[16]) :][:4]] == [b"icp4", b"ic08"]

    windows = icons.ico(images)
    _, kind, count = struct.unpack("<HHH", windows[:6])
    assert (kind, count) == (1, 2)
    for index, (size, png) in enumerate(sorted(images.items())):
        width, _, _, _, _, _, length, offset = struct.unpack("<BBBBHHII", windows[6 + 16 * index :][:16])
        assert (width, windows[offset : offset + length]) == (size % 256, png)


def test_the_wheel_holds_the_package_its_resources_and_both_commands(tmp_path: Path) -> None:
    wheel = next(WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"]))
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        commands = archive.read(f"agentring-{trayapp.__version__}.dist-info/entry_points.txt").decode()
    assert "trayapp/_resources/icons/agentring.svg" in names
    assert "trayapp/_resources/translations/agentring_de.qm" in names
    assert "trayapp/model/snapshot.py" in names
    assert {name.split("/")[0] for name in names} == {"trayapp", f"agentring-{trayapp.__version__}.dist-info"}
    assert "agentring = trayapp.app:main\n" in commands
    assert "agentring-tray = trayapp.app:main_tray" in commands
