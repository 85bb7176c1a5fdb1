"""Where files lie is what platformdirs says, whatever the variables hold."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from trayapp import app

VARIABLES = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")


@pytest.mark.parametrize("told", [None, "", "relative/folder", "/absolute/folder"])
def test_folders_are_those_of_the_system(told: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
        if told is not None:
            monkeypatch.setenv(variable, told)
    assert app.folder("config") == Path(platformdirs.user_config_dir("agentring"))
    assert app.folder("data") == Path(platformdirs.user_data_dir("agentring"))
    assert app.folder("cache") == Path(platformdirs.user_cache_dir("agentring"))
    assert app.places().settings == app.folder("config") / "settings.toml"
