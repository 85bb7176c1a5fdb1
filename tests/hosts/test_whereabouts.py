"""What the doctor tells of hosts that run or rest: where they were looked for, what is there, what cannot be read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.hosts.described_hosts import shipped
from tests.hosts.homes import surroundings
from trayapp.hosts.base import Host, Surroundings
from trayapp.hosts.described_own import users_own
from trayapp.hosts.registry import load_hosts
from trayapp.hosts.whereabouts import Whereabouts, look, more_about, version_of
from trayapp.model.finding import Standing

HOSTS, _ = load_hosts([])


@pytest.fixture
def around(tmp_path: Path) -> Surroundings:
    return surroundings(tmp_path, environ={"PATH": str(tmp_path / "bin")})


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def looked(host: str, around: Surroundings) -> Whereabouts:
    found = look(shipped(host), around)
    assert found is not None
    return found


@pytest.mark.parametrize("host", HOSTS, ids=lambda host: host.label.host)
def test_of_every_host_it_is_known_where_to_look(host: Host, around: Surroundings) -> None:
    found = look(host, around)
    assert found is not None
    assert found.looked_for
    assert found.is_here or found.said.startswith("not found: no ")  # some may be in a usual place here


def test_a_host_that_is_not_here_is_told_with_all_that_was_looked_for(around: Surroundings) -> None:
    found = looked("kiro", around)
    assert found.said_of_one_that_rests == (
        "not found: no “kiro-cli” on the PATH, no “kiro-cli-chat” on the PATH, no ~/.kiro"
    )


def test_a_program_and_its_data_are_told_with_the_version(tmp_path: Path, around: Surroundings) -> None:
    real = program(tmp_path / "lib/node_modules/@factory/cli/bin/droid")
    (real.parent.parent / "package.json").write_text(json.dumps({"version": "0.215.0"}))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/droid").symlink_to(real)
    (tmp_path / ".factory").mkdir()
    said = looked("droid", around).said_of_one_that_rests
    assert said == "does not run now: ~/bin/droid, version 0.215.0, data in ~/.factory"


def test_what_is_there_in_part_is_told_so(tmp_path: Path, around: Surroundings) -> None:
    (tmp_path / ".kiro").mkdir()
    assert looked("kiro", around).said == "none of its programs is on the PATH, data in ~/.kiro"
    program(tmp_path / "bin/droid")
    assert looked("droid", around).said == "~/bin/droid, whose files tell no version, no data yet"


def test_a_variable_moves_the_data(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".kiro").mkdir()
    moved = surroundings(tmp_path, environ={"PATH": "", "KIRO_HOME": str(tmp_path / "elsewhere")})
    assert looked("kiro", moved).data == ("~/elsewhere",)


@pytest.mark.parametrize(
    ("path", "version"),
    [
        ("share/claude/versions/2.1.332", "2.1.332"),
        ("cursor-agent/versions/2026.07.23-e383d2b/x", "2026.07.23-e383d2b"),
    ],
)
def test_a_version_in_the_path_is_one(tmp_path: Path, path: str, version: str) -> None:
    assert version_of(program(tmp_path / path)) == version


@pytest.mark.parametrize("package", ["{", "[]", '{"version": 3}', '{"version": "latest"}'])
def test_a_package_that_tells_no_version_tells_none(tmp_path: Path, package: str) -> None:
    path = program(tmp_path / "a/b")
    (tmp_path / "a/package.json").write_text(package)
    assert version_of(path) is None


def test_a_program_that_leads_to_itself_tells_none(tmp_path: Path) -> None:
    path = tmp_path / "loop"
    path.symlink_to(path)
    assert version_of(path) is None


def test_what_cannot_be_read_is_told_with_what_it_means(
    tmp_path: Path, around: Surroundings, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".kiro").mkdir()

    def denied(path: object) -> object:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "scandir", denied)
    (trouble,) = more_about("Kiro", looked("kiro", around))
    assert (trouble.topic, trouble.standing) == ("Kiro", Standing.TROUBLE)
    assert trouble.what == (
        "~/.kiro cannot be read (Permission denied): its memory is counted, its titles and states are not known"
    )
    assert trouble.mend is not None


def test_a_file_in_place_of_the_folder_is_told(tmp_path: Path, around: Surroundings) -> None:
    (tmp_path / ".kiro").write_text("")
    assert [why for _, why in looked("kiro", around).unreadable] == ["it is no folder"]


def test_a_host_in_containers_is_named_as_that_and_claims_nothing(around: Surroundings) -> None:
    (note,) = more_about("OpenHands", looked("openhands", around))
    assert "docker stats" in note.what
    assert list(more_about("Amp", looked("amp", around))) == []  # not here, so there is nothing to say of it


def test_a_description_of_the_users_own_is_looked_for_too(tmp_path: Path, around: Surroundings) -> None:
    folder = tmp_path / "hosts"
    folder.mkdir()
    text = 'id = "acme"\ntitle = "Acme"\nletters = "Ac"\nlook_in = ["{home}/x"]\n[home]\nfolder = "~/.acme"\n'
    (folder / "acme.toml").write_text(text + '[[programs]]\nrole = "backend"\nnames = ["acme"]\n')
    ((acme,), problems) = users_own(folder, HOSTS)
    assert not problems
    found = look(acme, around)
    assert found is not None
    assert found.looked_for == ("“acme” on the PATH", "~/.acme", "~/.acme/x")


def test_of_a_plug_in_nobody_knows_where_to_look(around: Surroundings) -> None:
    class PlugIn:
        label = HOSTS[0].label.__class__(host="nobody", title="Nobody", letters="No")

    plug_in: object = PlugIn()
    assert look(plug_in, around) is None  # type: ignore[arg-type]
