"""Our row in a patch file that belongs to somebody else, and the plan that puts the plugin in and takes it out."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from tests.hosts import dsh_fake as fake
from tests.hosts.homes import RECORDED, observe, process, surroundings
from trayapp import commands
from trayapp.hosts import dsh_install
from trayapp.hosts.base import Extensible, SetUpFailed
from trayapp.hosts.dsh import Dsh
from trayapp.hosts.dsh_install import BACKUP_NAME, PATCH_NAME, Installer, InstallError, Tools, Way, bundled, find_tools
from trayapp.hosts.dsh_patch import BEGIN, END, Patch, PatchUneditable
from trayapp.model.finding import Standing

MODULE = "/home/user/.local/share/agentring/dsh-plugin/0.1.0/index.js"
ROW = [{"insert": [{"id": "agentring", "name": MODULE}]}]
TEMPLATE = (RECORDED / "dsh-profile-web" / PATCH_NAME).read_text(encoding="utf-8")
SCRIPTED = """- id: llm-pi-ai
  config: {providers: {fake: {api: openai-completions, baseURL: 'http://127.0.0.1:38991/v1', models: [{id: m1}]}}}
- id: agent-default-model
  config: {provider: fake, model: m1}
"""
COMMENTED = """\
# mine: don't touch [this]
---

- id: one   # the first: "quoted" and 'it''s'
  disabled: true

# between
- insert:
    - id: mcp-probe
      name: '@deepseek-ai/dsh-mcp-client'
      config:
        args: ['a # no comment', "b \\" ]", c]
        text: |
          - not a row
          agentring: [

        folded: >-
          it's "open
- id: last
  config: {a: [1,
    2], b: 'over
    two lines'}
# the end
"""
INDENTED = "  - id: one\n    config: 1\n  # in between\n  - id: two\n"
DOUBLE = "-\n  id: one\n- - nested\n  - - |\n      text\n      - of it\n- 'a plain: text'\n"


# --- our row as text -------------------------------------------------------------------------------------------------


def parsed(text: str) -> Any:
    return yaml.safe_load(text.removeprefix("\ufeff")) or []


@pytest.mark.parametrize(
    "text",
    [
        TEMPLATE,
        SCRIPTED,
        COMMENTED,
        INDENTED,
        DOUBLE,
        SCRIPTED.rstrip("\n"),
        "[]\n",
        "[]",
        "- id: x\n  config: {a: b}   \n\n\n",
        "- id: x\n  run: |+\n    keep\n\n\n",
        "\ufeff- id: x\n",
    ],
    ids=lambda text: repr(text[:24]),
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_our_row_is_added_to_what_is_there_and_leaves_it_byte_for_byte(text: str, newline: str) -> None:
    before = Patch(text=text.replace("\n", newline))
    after = before.with_row(MODULE)
    assert parsed(after.text) == [*parsed(before.text), *ROW]
    assert after.row == MODULE
    assert "\r" not in after.text.replace("\r\n", "")
    assert "\n" not in before.text or (newline == "\r\n") is ("\r\n" in after.text)
    assert after.with_row(MODULE) == after
    restored = after.without_row()
    assert restored.row is None
    assert restored.text == (before.text if before.text != "[]" else "[]\n")


@pytest.mark.parametrize("text", ["", "\n", "# only a word\n# or two\n"])
def test_a_file_without_rows_gets_one_and_then_an_empty_list(text: str) -> None:
    after = Patch(text=text).with_row(MODULE)
    assert parsed(after.text) == ROW
    assert parsed(after.without_row().text) == []
    assert after.without_row().text == text + "[]\n"


def test_an_older_row_of_ours_is_replaced_where_it_stands() -> None:
    older = Patch(text=SCRIPTED).with_row("/old/0.0.9/index.js").text + "- id: later\n"
    newer = Patch(text=older).with_row(MODULE)
    assert newer.text == older.replace("/old/0.0.9/index.js", MODULE)
    assert Patch(text=newer.text).without_row().text == SCRIPTED + "- id: later\n"


def test_rows_of_others_around_ours_may_change_freely() -> None:
    text = Patch(text=TEMPLATE).with_row(MODULE).text + "- id: mine\n"
    assert Patch(text=text).without_row().text == TEMPLATE.replace("[]\n", "- id: mine\n")


@pytest.mark.parametrize("module", ["/home/o'neil/x.js", r"C:\Users\me\x.js", "/tmp/a #b: [c]/x.js"])
def test_a_path_of_any_kind_stays_what_it_is(module: str) -> None:
    after = Patch(text=TEMPLATE).with_row(module)
    assert after.row == module
    assert parsed(after.text)[0]["insert"][0]["name"] == module


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a: 1\n", "line 1 is no row of a list"),
        ("- id: x\nfoo: 1\n", "line 2 is no row of a list"),
        ("[{id: x}]\n", "line 1 is no row of a list"),
        ("[]\n- id: x\n", "something follows its empty list"),
        ("- id: x\n---\n- id: y\n", "line 2 is no row of a list"),
        ("- id: 'x\n  config: 1\n", "never closed"),
        ("- config: {a: [1\n- id: y\n", "never closed"),
        ("- id: x\n\t- id: y\n", "indented with a tab"),
        ("  - id: x\n- id: y\n", "line 2 is no row of a list"),
        ("- id: x\r- id: y\r", "line ends"),
        ("- insert:\n    - id: agentring\n      name: x\n", "a row “agentring” that Agent Ring did not write"),
        ("- {id: 'agentring', disabled: true}\n", "a row “agentring” that Agent Ring did not write"),
        (f"- id: x\n{BEGIN}\n- insert: []\n", "marks in it are not whole"),
        (f"{END}\n- id: x\n", "marks in it are not whole"),
    ],
)
def test_a_file_that_is_broken_or_written_otherwise_is_left_alone(text: str, why: str) -> None:
    with pytest.raises(PatchUneditable, match=why):
        Patch(text=text).with_row(MODULE)


TEXTS = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\r\x85\u2028\u2029"), max_size=30)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS | st.sampled_from(["a\n- b\n", "it's", "a: [b", "# c", "|"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(
    rows=st.lists(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=3), min_size=1, max_size=4),
    width=st.sampled_from([20, 80, 10_000]),
    flow=st.sampled_from([None, False]),
    style=st.sampled_from([None, "'", '"', "|", ">"]),
)
def test_any_list_that_a_program_writes_keeps_its_rows_or_is_left_alone(
    rows: list[Any], width: int, flow: bool | None, style: str | None
) -> None:
    text = yaml.safe_dump(rows, width=width, default_flow_style=flow, default_style=style, allow_unicode=True)
    try:
        after = Patch(text=text).with_row(MODULE)
    except PatchUneditable:
        return
    assert parsed(after.text) == [*parsed(text), *ROW]
    assert after.without_row().text == text


def test_a_row_of_ours_that_was_changed_by_hand_is_told() -> None:
    text = Patch(text=TEMPLATE).with_row(MODULE).text.replace(f"'{MODULE}'", "something else")
    with pytest.raises(PatchUneditable, match="changed by hand"):
        _ = Patch(text=text).row


# --- a profile -------------------------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return fake.make_home(tmp_path / "dsh home")


@pytest.fixture
def installer(tmp_path: Path) -> Installer:
    return Installer(data=tmp_path / "data" / "dsh-plugin")


def patch_of(home: Path, profile: str = "web") -> Path:
    return home / "profiles" / profile / PATCH_NAME


def files_below(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_the_plan_says_everything_that_is_then_written(home: Path, tmp_path: Path, installer: Installer) -> None:
    before = files_below(tmp_path)
    plan = installer.plan_install(home, "web")
    assert files_below(tmp_path) == before, "a plan writes nothing"
    plan.carry_out()
    written = {name for name, data in files_below(tmp_path).items() if before.get(name) != data}
    target = tmp_path / "data" / "dsh-plugin" / bundled().version
    said = " ".join(plan.steps)
    for place in (target, patch_of(home), patch_of(home).parent / BACKUP_NAME):
        assert str(place) in said or (place.name in said and str(place.parent) in said)
    assert {name.split("/")[0] for name in written} == {"data", "dsh home"}
    assert {name for name in written if name.startswith("dsh home")} == {
        f"dsh home/profiles/web/{PATCH_NAME}",
        f"dsh home/profiles/web/{BACKUP_NAME}",
    }
    assert Path(parsed(patch_of(home).read_text())[0]["insert"][0]["name"]) == target / bundled().entry
    assert (target / bundled().entry).is_file()


def test_installing_twice_is_once_and_removing_leaves_nothing(home: Path, tmp_path: Path, installer: Installer) -> None:
    before = files_below(tmp_path)
    installer.plan_install(home, "web").carry_out()
    assert installer.plan_install(home, "web").steps == ()
    installer.plan_remove(home, "web").carry_out()
    assert files_below(tmp_path) == before
    assert not (tmp_path / "data" / "dsh-plugin").exists()
    assert installer.plan_remove(home, "web").steps == ()


def test_files_stay_while_another_profile_uses_them(home: Path, installer: Installer) -> None:
    (home / "profiles" / "desktop").mkdir()
    (home / "profiles" / "desktop" / "package.json").write_text("{}", encoding="utf-8")
    for profile in ("web", "desktop"):
        installer.plan_install(home, profile).carry_out()
    assert patch_of(home, "desktop").is_file()
    installer.plan_remove(home, "web").carry_out()
    found = installer.installed(home / "profiles" / "desktop")
    assert found is not None
    assert (found.folder / bundled().entry).is_file()
    installer.plan_remove(home, "desktop").carry_out()
    assert not found.folder.exists()


def test_changes_of_the_user_since_survive_the_removal(home: Path, installer: Installer) -> None:
    installer.plan_install(home, "web").carry_out()
    with patch_of(home).open("a", encoding="utf-8") as file:
        file.write("- id: mine\n  disabled: true\n")
    installer.plan_remove(home, "web").carry_out()
    assert parsed(patch_of(home).read_text()) == [{"id": "mine", "disabled": True}]
    assert patch_of(home).read_text().startswith("# Your patch layer")


def test_an_older_version_is_replaced_and_the_first_copy_kept(home: Path, tmp_path: Path, installer: Installer) -> None:
    installer.plan_install(home, "web").carry_out()
    old = tmp_path / "data" / "dsh-plugin" / "0.0.1"
    old.mkdir()
    (old / bundled().entry).touch()
    text = patch_of(home).read_text().replace(f"/{bundled().version}/", "/0.0.1/")
    patch_of(home).write_text(text, encoding="utf-8")
    (finding,) = installer.findings(home)
    assert (finding.standing, finding.mend) == (
        Standing.TROUBLE,
        f"`agentring hosts dsh install-plugin --profile web --home {home}`",
    )
    plan = installer.plan_install(home, "web")
    assert not any(BACKUP_NAME in step for step in plan.steps)
    plan.carry_out()
    assert (patch_of(home).parent / BACKUP_NAME).read_text() == TEMPLATE
    assert installer.findings(home)[0].standing is Standing.GOOD


def test_a_damaged_copy_of_the_plugin_is_made_anew(home: Path, tmp_path: Path, installer: Installer) -> None:
    installer.plan_install(home, "web").carry_out()
    entry = tmp_path / "data" / "dsh-plugin" / bundled().version / bundled().entry
    whole = entry.read_bytes()
    entry.write_bytes(b"")
    installer.plan_install(home, "web").carry_out()
    assert entry.read_bytes() == whole


def break_it(home: Path) -> None:
    patch_of(home).write_text("- id: 'never closed\n", encoding="utf-8")


def make_it_foreign(home: Path) -> None:
    patch_of(home).write_text("- insert: [{id: agentring, name: another}]\n", encoding="utf-8")


def make_it_latin(home: Path) -> None:
    patch_of(home).write_bytes("# gr\xfcn\n[]\n".encode("latin-1"))


def make_it_read_only(home: Path) -> None:
    patch_of(home).chmod(0o444)


def make_it_a_folder(home: Path) -> None:
    patch_of(home).unlink()
    patch_of(home).mkdir()


def make_it_huge(home: Path) -> None:
    patch_of(home).write_text("# x\n" * 400_000 + "[]\n", encoding="utf-8")


@pytest.mark.parametrize(
    "spoil", [break_it, make_it_foreign, make_it_latin, make_it_read_only, make_it_a_folder, make_it_huge]
)
def test_a_file_that_must_not_be_touched_is_left_as_it_is(
    home: Path, installer: Installer, spoil: Callable[[Path], None]
) -> None:
    spoil(home)
    before = files_below(home)
    with pytest.raises(InstallError) as error:
        installer.plan_install(home, "web").carry_out()
    assert str(patch_of(home)) in str(error.value)
    after = files_below(home)
    after.pop(f"profiles/web/{BACKUP_NAME}", None)
    assert after == before


def test_a_file_that_changes_between_plan_and_deed_is_not_overwritten(home: Path, installer: Installer) -> None:
    plan = installer.plan_install(home, "web")
    patch_of(home).write_text(SCRIPTED, encoding="utf-8")
    with pytest.raises(InstallError, match="changed meanwhile"):
        plan.carry_out()
    assert patch_of(home).read_text() == SCRIPTED


def test_line_ends_and_mode_stay(home: Path, installer: Installer) -> None:
    patch_of(home).write_bytes(SCRIPTED.replace("\n", "\r\n").encode())
    patch_of(home).chmod(0o640)
    installer.plan_install(home, "web").carry_out()
    assert b"\n" not in patch_of(home).read_bytes().replace(b"\r\n", b"")
    assert patch_of(home).stat().st_mode & 0o777 == 0o640


def test_a_linked_file_is_written_where_it_lies(home: Path, tmp_path: Path, installer: Installer) -> None:
    dotfiles = tmp_path / "dotfiles.yml"
    patch_of(home).rename(dotfiles)
    patch_of(home).symlink_to(dotfiles)
    installer.plan_install(home, "web").carry_out()
    assert patch_of(home).is_symlink()
    assert "agentring" in dotfiles.read_text()


@pytest.mark.parametrize(
    ("profile", "why"), [("nix", "There are web"), ("../web", "is no name"), ("..", "is no name"), ("", "is no name")]
)
def test_a_profile_that_is_not_there_is_told(home: Path, installer: Installer, profile: str, why: str) -> None:
    with pytest.raises(InstallError, match=why):
        installer.plan_install(home, profile)


# --- as an offer in the window ---------------------------------------------------------------------------------------


def test_the_plugin_is_offered_for_the_profile_of_each_host_that_runs(tmp_path: Path, installer: Installer) -> None:
    homes = [fake.make_home(tmp_path / "one"), fake.make_home(tmp_path / "two")]
    hosts = [
        process(4000 + number, f"/opt/{fake.RUNTIME}", "web", env={"DSH_HOME": str(home)})
        for number, home in enumerate(homes)
    ]
    adapter = Dsh(installer)
    around = surroundings(tmp_path, files={4000: (), 4001: ()})
    assert isinstance(adapter, Extensible)
    assert adapter.setups(around) == []
    observe(adapter, hosts, around)
    one, two = adapter.setups(around)
    assert one.title == f"Profile “web” in {homes[0]}"
    assert one.undo == f"agentring hosts dsh remove-plugin --profile web --home {homes[0]}"
    assert one.fault is None
    adapter.set_up(one, around)
    assert "agentring" in patch_of(homes[0]).read_text()
    assert patch_of(homes[1]).read_text() == TEMPLATE
    assert [offer.steps == () for offer in adapter.setups(around)] == [True, False]
    with pytest.raises(SetUpFailed, match="something else by now"):
        adapter.set_up(replace(two, steps=one.steps), around)
    assert patch_of(homes[1]).read_text() == TEMPLATE
    adapter.set_up(two, around)  # the files are copied by now, so less is done than was agreed to
    assert "agentring" in patch_of(homes[1]).read_text()


def test_without_a_running_host_the_usual_home_is_offered_and_a_fault_told(
    tmp_path: Path, installer: Installer
) -> None:
    usual = fake.make_home(tmp_path / ".dsh")
    break_it(usual)
    (offer,) = Dsh(installer).setups(surroundings(tmp_path))
    assert (offer.title, offer.steps) == ("Profile “web”", ())
    assert offer.undo == "agentring hosts dsh remove-plugin --profile web"
    assert offer.fault is not None
    assert "is left alone" in offer.fault
    gone = replace(offer, key="/nowhere")
    with pytest.raises(SetUpFailed, match="not there any more"):
        Dsh(installer).set_up(gone, surroundings(tmp_path))


# --- the host's own command ------------------------------------------------------------------------------------------


class Commands:
    """Stand for `dsh plugin`: writes the profile's package.json as pnpm does."""

    def __init__(self, home: Path, *, fails: bool = False, slow: bool = False) -> None:
        self.home, self.fails, self.slow = home, fails, slow
        self.lines: list[list[str]] = []
        self.homes: list[str] = []

    def run(self, line: list[str], **more: Any) -> subprocess.CompletedProcess[str]:
        self.lines.append(line[1:])
        self.homes.append(more["env"].get("DSH_HOME", ""))
        if self.slow:
            raise subprocess.TimeoutExpired(line, more["timeout"])
        if self.fails:
            return subprocess.CompletedProcess(line, 1, "", "noise\n ERR_PNPM_NO  it does not work\n")
        manifest = self.home / "profiles" / "web" / "package.json"
        said = json.loads(manifest.read_text(encoding="utf-8"))
        name = bundled().name
        said["dependencies"] = {name: f"link:{line[-1]}"} if "add" in line else {}
        manifest.write_text(json.dumps(said), encoding="utf-8")
        return subprocess.CompletedProcess(line, 0, "ok", "")


def by_command(home: Path, tmp_path: Path, **how: bool) -> tuple[Installer, Commands]:
    ran = Commands(home, **how)
    tools = Tools(dsh="/usr/bin/dsh", environ={"PATH": "/usr/bin"})
    return Installer(data=tmp_path / "data" / "dsh-plugin", tools=tools, run=ran.run), ran


def test_the_hosts_own_command_goes_first_where_it_is_there(home: Path, tmp_path: Path) -> None:
    installer, ran = by_command(home, tmp_path)
    target = str(tmp_path / "data" / "dsh-plugin" / bundled().version)
    plan = installer.plan_install(home, "web")
    assert any("/usr/bin/dsh plugin --profile web add" in step for step in plan.steps)
    plan.carry_out()
    assert ran.lines == [["plugin", "--profile", "web", "add", target]]
    assert ran.homes == [str(home)]
    assert patch_of(home).read_text() == TEMPLATE
    found = installer.installed(home / "profiles" / "web")
    assert found is not None
    assert (found.way, str(found.folder), found.version) == (Way.COMMAND, target, bundled().version)
    assert installer.plan_install(home, "web").steps == ()
    installer.plan_remove(home, "web").carry_out()
    assert ran.lines[-1] == ["plugin", "--profile", "web", "remove", bundled().name]
    assert not (tmp_path / "data" / "dsh-plugin").exists()


@pytest.mark.parametrize(("how", "why"), [("fails", "it does not work"), ("slow", "did not end within")])
def test_a_command_that_fails_says_why_and_what_else_goes(home: Path, tmp_path: Path, how: str, why: str) -> None:
    installer, _ = by_command(home, tmp_path, **{how: True})
    with pytest.raises(InstallError, match=why):
        installer.plan_install(home, "web").carry_out()
    installer.plan_install(home, "web", way=Way.PATCH).carry_out()
    assert "agentring" in patch_of(home).read_text()


def test_the_plugin_is_never_in_a_profile_twice(home: Path, tmp_path: Path, installer: Installer) -> None:
    commanded, _ = by_command(home, tmp_path)
    installer.plan_install(home, "web").carry_out()
    assert commanded.plan_install(home, "web").steps == ()
    with pytest.raises(InstallError, match="Remove it first"):
        commanded.plan_install(home, "web", way=Way.COMMAND)


def test_the_command_cannot_be_asked_for_where_it_is_missing(home: Path, installer: Installer) -> None:
    with pytest.raises(InstallError, match="must be on the PATH"):
        installer.plan_install(home, "web", way=Way.COMMAND)


@pytest.mark.parametrize(
    ("version", "found"), [("0.2.1-rc.2\n", True), ("dsh 0.25.10\n", False), ("Usage: dsh [-m machine]", False)]
)
def test_another_program_called_dsh_is_not_taken_for_it(tmp_path: Path, version: str, found: bool) -> None:
    for name in ("dsh", "pnpm"):
        (tmp_path / name).touch(mode=0o755)

    def run(line: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(line, 0, version, "")

    assert (find_tools({"PATH": str(tmp_path)}, run=run) is not None) is found


def test_without_pnpm_the_command_is_of_no_use(tmp_path: Path) -> None:
    (tmp_path / "dsh").touch(mode=0o755)
    assert find_tools({"PATH": str(tmp_path)}) is None


# --- on the command line ---------------------------------------------------------------------------------------------


@pytest.fixture
def call(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    monkeypatch.setattr(dsh_install, "data_folder", lambda: tmp_path / "data" / "dsh-plugin")
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))

    def call(*arguments: str) -> Any:
        return CliRunner().invoke(commands.app, ["hosts", "dsh", *arguments], standalone_mode=False)

    return call


def test_the_command_line_says_what_it_does_and_does_it_when_told_yes(home: Path, call: Callable[..., Any]) -> None:
    done = call("install-plugin", "--home", str(home), "--yes")
    assert done.return_value == commands.DONE
    assert str(patch_of(home)) in done.stderr
    assert "The plugin is in the profile “web”" in done.stdout
    assert "nothing to do" in call("install-plugin", "--home", str(home)).stdout
    assert call("remove-plugin", "--home", str(home), "-y").return_value == commands.DONE
    assert patch_of(home).read_text() == TEMPLATE


def test_nothing_happens_where_nobody_can_be_asked(home: Path, call: Callable[..., Any]) -> None:
    before = files_below(home)
    asked = call("install-plugin", "--home", str(home))
    assert isinstance(asked.exception, commands.BadCall)
    assert "--yes answers" in str(asked.exception)
    assert files_below(home) == before


def test_the_home_of_the_environment_is_meant_where_none_is_named(
    home: Path, call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DSH_HOME", str(home))
    assert call("install-plugin", "--yes").return_value == commands.DONE
    assert "agentring" in patch_of(home).read_text()


def test_what_cannot_be_done_is_one_line_and_an_exit_code(home: Path, call: Callable[..., Any]) -> None:
    refused = call("install-plugin", "--home", str(home), "--profile", "nix", "--yes")
    assert refused.return_value == commands.NOT_ALL
    assert refused.stderr.count("\n") == 1
    assert isinstance(call("install-plugin", "--by", "magic").exception, commands.BadCall)
