"""The settings file: what is wrong is told with its line, the rest holds, nothing of the user's is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tomlkit.exceptions import TOMLKitError

from trayapp.model.access import HostAccess, Permission
from trayapp.model.policy import Match, Policy, QuietHours, Trigger
from trayapp.reclaim.policy import suggested
from trayapp.settings import Settings, load
from trayapp.settings_writing import save

POSIX = pytest.mark.skipif(os.name != "posix", reason="file modes are those of POSIX")
SECRET = "hunter2-of-the-host"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "settings.toml"


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    return path


def test_without_a_file_everything_has_its_default(path: Path) -> None:
    assert load(path) == (Settings(), ())
    assert not path.exists()


def test_what_is_saved_is_loaded(path: Path) -> None:
    wanted = Settings(interval_s=1.0, idle_after_s=60.0, keep_days=7, record=False, tray_tone="dark", welcomed=True)
    assert save(path, wanted) is None
    assert load(path) == (wanted, ())
    assert path.read_text().startswith("# Settings of Agent Ring.")
    assert list(path.parent.iterdir()) == [path]


def test_only_what_differs_is_written_so_that_later_defaults_reach_the_user(path: Path) -> None:
    save(path, Settings(keep_days=7))
    assert "keep_days = 7" in path.read_text()
    assert "interval_s" not in path.read_text()
    save(path, Settings())
    assert load(path)[0] == Settings()


def test_comments_order_and_line_ends_stay(path: Path) -> None:
    text = "# mine\r\nkeep_days = 30 # a month\r\n\r\ninterval_s = 5\r\n"
    written(path, text)
    save(path, replace(load(path)[0], keep_days=31))
    assert path.read_bytes().decode() == text.replace("30 #", "31 #")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("interval_s = 'fast'", "interval_s"),
        ("interval_s = 0", "interval_s"),
        ("interval_s = nan", "interval_s"),
        ("interval_s = inf", "interval_s"),
        ("interval_s = true", "interval_s"),
        ("keep_days = 1.5", "keep_days"),
        ("keep_days = -1", "keep_days"),
        ("record = 1", "record"),
        ("tray_tone = 'pink'", "tray_tone"),
        ("tray_tone = 2026-11-30", "tray_tone"),
        ("welcomed = []", "welcomed"),
    ],
)
def test_a_wrong_value_is_told_with_its_line_and_the_rest_holds(path: Path, line: str, name: str) -> None:
    written(path, f"# comment\nidle_after_s = 60\n{line}\n")
    loaded, (problem,) = load(path)
    assert loaded == Settings(idle_after_s=60.0)
    assert problem.where == f"{path}, line 3"
    assert name in problem.what
    assert "\n" not in str(problem)


def test_a_wrong_value_stays_in_the_file_until_another_is_chosen(path: Path) -> None:
    written(path, "interval_s = 'fast'\nkeep_days = 7\n")
    save(path, replace(load(path)[0], keep_days=8))
    assert path.read_text() == "interval_s = 'fast'\nkeep_days = 8\n"
    save(path, replace(load(path)[0], interval_s=1.0))
    assert path.read_text() == "interval_s = 1.0\nkeep_days = 8\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a.b = 1\n[a]\nc = 1\n", 3),
        ("[a]\nb.c = 1\n[a.b]\nd = 1\n", 1),  # of these two tomlkit does not tell the line
        ("[a]\nb = 1\n[[a.b]]\n", 1),
        ("keep_days = 7\nrecord =\n", 2),
        ("keep_days = 7\n\nkeep_days = 8\n", 3),
        ("keep_days = 7\n[half\n", 2),
        ("no equals sign\n", 1),
        ("keep_days = 7\nx = [\n", 2),
    ],
)
def test_a_broken_file_is_one_problem_with_its_line_and_is_not_touched(path: Path, text: str, line: int) -> None:
    written(path, text)
    loaded, (problem,) = load(path)
    assert loaded == Settings()
    assert problem.where == f"{path}, line {line}"
    assert path.read_text() == text


def test_bytes_that_are_no_text_are_one_problem(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"keep_days = 7\ntray_tone = '\xff\xfe'\n")
    loaded, (problem,) = load(path)
    assert loaded == Settings()
    assert problem.where == f"{path}, line 2"
    assert "UTF-8" in problem.what


def test_saving_over_a_broken_file_sets_it_aside_and_says_so(path: Path) -> None:
    for number, name in enumerate(["settings.set-aside.toml", "settings.set-aside-2.toml"]):
        broken = f"keep_days = [{number}"
        written(path, broken)
        problem = save(path, Settings(keep_days=9))
        assert problem is not None
        assert name in problem.what
        assert (path.parent / name).read_text() == broken
        assert load(path) == (Settings(keep_days=9), ())


def test_unknown_keys_are_kept_and_mentioned_once(path: Path) -> None:
    text = "keep_days = 7\nintervall_s = 3\n\n[plugin]\ncolour = 'red'\n"
    written(path, text)
    loaded, (problem,) = load(path)
    assert loaded == Settings(keep_days=7)
    assert problem.where == f"{path}, line 2"
    assert "intervall_s, plugin" in problem.what
    save(path, replace(loaded, record=False))
    after = path.read_text()
    assert load(path)[0] == Settings(keep_days=7, record=False)
    assert "intervall_s = 3\n" in after
    assert "[plugin]\ncolour = 'red'\n" in after


def test_settings_of_a_newer_program_hold_as_far_as_they_are_understood(path: Path) -> None:
    written(path, "schema = 2\nkeep_days = 7\n")
    loaded, (problem,) = load(path)
    assert loaded == Settings(keep_days=7)
    assert "version 2" in problem.what
    save(path, Settings(keep_days=8))
    assert path.read_text() == "schema = 2\nkeep_days = 8\n"


def test_a_folder_in_the_place_of_the_file_is_a_problem_and_not_an_error(path: Path) -> None:
    path.mkdir(parents=True)
    loaded, (problem,) = load(path)
    assert loaded == Settings()
    assert "cannot be read" in problem.what


def test_a_symbolic_link_stays_one(path: Path, tmp_path: Path) -> None:
    real = written(tmp_path / "dotfiles" / "ring.toml", "keep_days = 7\n")
    path.parent.mkdir()
    path.symlink_to(real)
    save(path, Settings(keep_days=8))
    assert path.is_symlink()
    assert real.read_text() == "keep_days = 8\n"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary() | st.text().map(str.encode))
@example(content=b"a.b = 1\na.b.c = 2\n")
@example(content=b'"two\\nlines" = 1\n')
@example(content=b"[record]\nx = 1\n")
@example(content=b"\xef\xbb\xbfkeep_days = 7\n")
@example(content=b"hosts = 3\n")
@example(content=b"[[hosts]]\nx = 1\n")
@example(content=b"[hosts]\nacme = 1\n")
@example(content=b"[hosts.acme]\nuser = ''\n[record]\n[hosts.acme.user]\n")
@example(content=b"[hosts.acme]\nx = 1\n[a]\n[hosts.beta]\nallowed = ['read-secret']\n")
@example(content=b"policies = 3\n")
@example(content=b"[policies]\nname = 'a'\n")
@example(content=b"policies = [[1], {name = 'a', trigger = 'idle', after = '4h'}]\n")
@example(
    content=b"[[policies]]\nname = 'a'\ntrigger = 'duplicates'\n[[policies.never]]\nhost = 'x'\n[x]\n[[policies]]\n"
)
def test_no_content_whatever_raises_and_saving_loses_nothing(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.mktemp("settings") / "settings.toml"
    path.write_bytes(content)
    _, problems = load(path)
    assert path.read_bytes() == content
    assert all("\n" not in str(problem) for problem in problems)
    if save(path, Settings(keep_days=11)) is not None:
        assert (path.parent / "settings.set-aside.toml").read_bytes() == content
    assert load(path)[0].keep_days == 11


# -- hosts: what is allowed, and how to sign in -----------------------------------------------------------------------


def test_what_is_set_about_a_host_is_loaded_and_the_rest_is_as_nothing_allowed(path: Path) -> None:
    written(path, f"[hosts.acme]\nuser = 'ada'\nsecret = '{SECRET}'\nallowed = ['read-secret']\n[hosts.beta]\n")
    path.chmod(0o600)
    loaded, problems = load(path)
    assert problems == ()
    wanted = HostAccess(user="ada", secret=SECRET, allowed=frozenset({Permission.READ_SECRET}))
    assert loaded.hosts == {"acme": wanted}
    assert loaded.access("acme") == wanted
    assert loaded.access("beta") == HostAccess()
    assert hash(loaded) == hash(replace(loaded))


def test_a_secret_is_in_no_text_that_is_made_of_settings(path: Path) -> None:
    written(path, f"[hosts.acme]\nsecret = '{SECRET}'\ncolour = 1\nallowed = 'all'\n")
    loaded, problems = load(path)
    assert loaded.access("acme").secret == SECRET
    assert len(problems) >= 2
    assert SECRET not in repr(loaded) + str(loaded.hosts) + "".join(map(repr, problems))


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("user = 5", "user"),
        ("user = ''", "user"),
        ("secret = true", "secret"),
        ("secret = ''", "secret"),
        ("allowed = 'read-secret'", "allowed"),
        ("allowed = [1]", "allowed"),
        ("allowed = ['read-everything']", "read-everything"),
        ("sekret = 'x'", "sekret"),
    ],
)
def test_what_cannot_be_used_of_a_host_is_told_with_its_line_and_the_rest_holds(
    path: Path, line: str, word: str
) -> None:
    written(
        path, f"keep_days = 9\n{line.split()[0]} = 1\n\n[hosts.beta]\nuser = 'bea'\n\n[hosts.acme] # mine\n{line}\n"
    )
    path.chmod(0o600)
    loaded, problems = load(path)
    assert loaded == Settings(keep_days=9, hosts={"beta": HostAccess(user="bea")})
    (problem,) = [problem for problem in problems if problem.where.endswith("line 8")]
    assert "hosts.acme" in problem.what
    assert word in problem.what


def test_an_unknown_permission_is_told_and_the_known_ones_hold(path: Path) -> None:
    written(path, "[hosts.acme]\nallowed = ['fly', 'close-helpers']\n")
    loaded, (problem,) = load(path)
    assert loaded.access("acme").allowed == {Permission.CLOSE_HELPERS}
    assert problem.where == f"{path}, line 2"
    assert "fly" in problem.what
    assert "read-secret, close-helpers" in problem.mend
    save(path, loaded.with_permission("acme", Permission.CLOSE_HELPERS, False))
    assert "fly" in path.read_text()


@pytest.mark.parametrize("text", ["hosts = 3\n", "[hosts]\nacme = 3\n", "[[hosts]]\nuser = 'x'\n"])
def test_hosts_that_are_no_tables_are_told(path: Path, text: str) -> None:
    written(path, text)
    loaded, problems = load(path)
    assert loaded == Settings()
    assert "hosts" in problems[0].what
    save(path, loaded.with_permission("acme", Permission.READ_SECRET, True))
    assert load(path)[0].access("acme").allowed == {Permission.READ_SECRET}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("hosts.beta.user = 'b'\nhosts.acme.user = 5\n", 2),
        ("hosts.acme = {user = 5}\n", 1),
        ("keep_days = 7\nhosts = {acme = {user = 5}}\n", 2),
        ("[hosts]\nbeta.user = 'b'\nacme.user = 5\n", 3),
        ("[hosts]\n[hosts.'acme']\nsecret = 'x'\n'user' = 5\n", 4),
    ],
)
def test_the_line_is_told_however_the_table_is_written(path: Path, text: str, line: int) -> None:
    written(path, text)
    path.chmod(0o600)
    _, (problem,) = load(path)
    assert problem.where == f"{path}, line {line}"
    save(path, load(path)[0].with_access("acme", HostAccess(user="ada", allowed=frozenset({Permission.READ_SECRET}))))
    assert load(path)[0].access("acme").user == "ada"
    assert load(path)[0].access("acme").allowed == {Permission.READ_SECRET}


def test_a_permission_is_written_and_taken_back_and_comments_stay(path: Path) -> None:
    text = "# mine\nkeep_days = 30 # a month\n\n[hosts.beta] # the other\nuser = 'bea' # she\n"
    written(path, text)
    permitted = load(path)[0].with_permission("acme", Permission.CLOSE_HELPERS, True)
    save(path, permitted)
    assert path.read_text().startswith(text)
    assert '[hosts.acme]\nallowed = ["close-helpers"]\n' in path.read_text()
    assert load(path) == (permitted, ())
    both = permitted.with_permission("beta", Permission.READ_SECRET, True)
    save(path, both)
    assert load(path) == (both, ())
    save(path, both.with_permission("acme", Permission.CLOSE_HELPERS, False))
    assert "acme" not in path.read_text()
    assert "user = 'bea' # she" in path.read_text()


def test_taking_back_leaves_what_is_not_known_and_what_was_signed_in_with(path: Path) -> None:
    written(path, "[hosts.acme]\n# why\nuser = 'ada'\ncolour = 1\nallowed = ['read-secret', 'close-helpers']\n")
    loaded, _ = load(path)
    save(path, loaded.with_permission("acme", Permission.READ_SECRET, False))
    assert path.read_text() == "[hosts.acme]\n# why\nuser = 'ada'\ncolour = 1\nallowed = [\"close-helpers\"]\n"
    save(path, replace(loaded, hosts={}))
    assert path.read_text() == "[hosts.acme]\n# why\ncolour = 1\n"


def test_saving_something_else_leaves_the_hosts_untouched(path: Path) -> None:
    text = "keep_days = 7\n[hosts.acme]\nuser = 5 # wrong\nallowed = [ 'read-secret' ]\n"
    written(path, text)
    save(path, replace(load(path)[0], keep_days=8))
    assert path.read_text() == text.replace("7", "8")


@POSIX
def test_a_file_with_a_secret_becomes_its_users_alone_and_one_without_keeps_its_mode(path: Path) -> None:
    written(path, "keep_days = 7\n").chmod(0o644)
    permitted = load(path)[0].with_permission("acme", Permission.READ_SECRET, True)
    save(path, permitted)
    assert path.stat().st_mode & 0o777 == 0o644
    save(path, permitted.with_access("acme", HostAccess(secret=SECRET)))
    assert path.stat().st_mode & 0o777 == 0o600
    assert load(path)[1] == ()


@POSIX
@pytest.mark.parametrize(("mode", "told"), [(0o600, False), (0o400, False), (0o640, True), (0o604, True)])
def test_a_secret_that_others_can_read_is_told_with_the_mend(path: Path, mode: int, told: bool) -> None:
    written(path, f"[hosts.acme]\nsecret = '{SECRET}'\n").chmod(mode)
    loaded, problems = load(path)
    assert loaded.access("acme").secret == SECRET
    assert [problem.mend for problem in problems] == ([f"chmod 600 {path}"] if told else [])
    path.write_text("[hosts.acme]\nuser = 'ada'\n") if mode & 0o200 else None
    if mode & 0o200:
        assert load(path)[1] == ()


@POSIX
def test_a_broken_file_with_a_secret_is_set_aside_for_its_user_alone(path: Path) -> None:
    written(path, f"[hosts.acme]\nsecret = '{SECRET}\n").chmod(0o644)
    problem = save(path, Settings(keep_days=9))
    assert problem is not None
    assert SECRET not in str(problem)
    assert (path.parent / "settings.set-aside.toml").stat().st_mode & 0o777 == 0o600


def test_a_file_that_breaks_leaves_what_held_before(path: Path) -> None:
    before = Settings(keep_days=9, hosts={"acme": HostAccess(user="ada")})
    written(path, "keep_days = [\n")
    loaded, (problem,) = load(path, before=before)
    assert loaded is before
    assert problem.where == f"{path}, line 1"
    assert "as they were" in problem.mend


# -- policies ---------------------------------------------------------------------------------------------------------

POLICIES = """\
# mine
keep_days = 7

# in the evening
[[policies]]
name = "evening" # name
trigger = "idle"
after = "240m"   # four hours
never = [{folder = "/home/ada/work"}, {host = "acme"}] # not these
quiet = ["08:00-18:00"]

# the heap
[[policies]]
name = "heap"
trigger = "heap"
over = "80%"
on = true
# tail

[hosts.acme]
user = "ada"
"""
EVENING = Policy(
    name="evening",
    trigger=Trigger.IDLE,
    after_s=14400.0,
    never=(Match(folder="/home/ada/work"), Match(host="acme")),
    quiet=(QuietHours(since_min=480, until_min=1080),),
)
HEAP = Policy(name="heap", trigger=Trigger.HEAP, over_share=0.8, on=True)


def test_policies_are_loaded_in_their_order_and_saving_them_changes_nothing(path: Path) -> None:
    written(path, POLICIES)
    loaded, problems = load(path)
    assert (loaded.policies, problems) == ((EVENING, HEAP), ())
    assert hash(loaded) == hash(replace(loaded))
    assert save(path, loaded) is None
    assert path.read_text() == POLICIES


def test_a_policy_is_off_until_it_says_that_it_is_on(path: Path) -> None:
    written(path, "[[policies]]\nname = 'a'\ntrigger = 'duplicates'\n")
    assert [policy.on for policy in load(path)[0].policies] == [False]
    assert Settings().policies == ()


def test_only_what_changed_of_a_policy_is_written_anew(path: Path) -> None:
    written(path, POLICIES)
    loaded = load(path)[0]
    wanted = loaded.with_policies((replace(EVENING, on=True, quiet=()), HEAP))
    assert save(path, wanted) is None
    assert load(path) == (wanted, ())
    expected = POLICIES.replace('quiet = ["08:00-18:00"]\n', "on = true\n")
    assert path.read_text() == expected


def test_why_a_policy_stopped_is_kept_until_it_is_on_again(path: Path) -> None:
    written(path, POLICIES)
    stopped = load(path)[0].with_policy_stopped("heap", "It came back")
    assert [policy.on for policy in stopped.policies] == [False, False]
    save(path, stopped)
    assert load(path) == (stopped, ())
    assert dict(load(path)[0].stopped) == {"heap": "It came back"}
    assert path.read_text() == POLICIES.replace("on = true\n", 'on = false\noff_because = "It came back"\n')
    again = stopped.with_policies((EVENING, HEAP))
    save(path, again)
    assert (load(path)[0], dict(again.stopped)) == (again, {})
    assert path.read_text() == POLICIES
    written(path, POLICIES.replace("on = true\n", 'on = true\noff_because = "It came back"\n'))
    by_hand = load(path)[0]
    assert (by_hand.policies[1].on, dict(by_hand.stopped)) == (True, {})
    save(path, replace(by_hand, keep_days=8))
    assert load(path) == (replace(by_hand, keep_days=8), ())


def test_policies_are_added_moved_and_removed(path: Path) -> None:
    written(path, POLICIES)
    more = load(path)[0].with_policies((*suggested(), HEAP, EVENING))
    save(path, more)
    assert load(path) == (more, ())
    assert "# four hours" in path.read_text()
    none = more.with_policies(())
    save(path, none)
    assert load(path) == (none, ())
    assert "policies" not in path.read_text()
    assert 'user = "ada"' in path.read_text()
    save(path, none.with_policies(suggested()))
    assert load(path)[0].policies == suggested()


def test_policies_on_one_line_stay_there(path: Path) -> None:
    written(path, "keep_days = 7\npolicies = [{name = 'a', trigger = 'duplicates'}]\n[hosts.acme]\nuser = 'ada'\n")
    loaded = load(path)[0]
    wanted = loaded.with_policies((*loaded.policies, EVENING))
    assert save(path, wanted) is None
    assert load(path) == (wanted, ())
    assert len(path.read_text().splitlines()) == 4
    wanted = wanted.with_policies((replace(loaded.policies[0], on=True),))
    save(path, wanted)
    assert load(path) == (wanted, ())


def test_tables_that_stand_apart_are_gathered_and_nothing_is_lost(path: Path) -> None:
    apart = POLICIES.replace("# the heap\n", "[hosts.beta]\nuser = 'bea'\n\n# the heap\n")
    written(path, apart)
    loaded, problems = load(path)
    assert (loaded.policies, problems) == ((EVENING, HEAP), ())
    save(path, replace(loaded, keep_days=8))
    assert load(path) == (replace(loaded, keep_days=8), ())
    assert "# the heap" in path.read_text()


@pytest.mark.parametrize(
    ("lines", "line", "what"),
    [
        ("name = 'a'\ntrigger = 'idle'\nafter = '4h'\nnevr = []", 6, "policy a: a key that is not known: nevr"),
        ("name = 'a'\ntrigger = 'idle'\nover = '8 GB'\nafter = '4h'", 5, "policy a: The trigger “idle” has no use for"),
        ("name = 'a'\non = 'yes'\ntrigger = 'duplicates'", 4, "policy a: on cannot be used"),
        ("name = 'a'\ntrigger = 'duplicates'\nx.y = 1", 5, "policy a: a key that is not known: x"),
        ("name = 'a'\ntrigger = 'idle'", 2, "policy a: The trigger “idle” needs after"),
        ("trigger = 'duplicates'", 2, "policy number 1: it has no name"),
    ],
)
def test_a_broken_policy_does_nothing_is_told_with_its_line_and_stays(
    path: Path, lines: str, line: int, what: str
) -> None:
    written(path, f"keep_days = 7\n[[policies]]\n{lines}\n\n[[policies]]\nname = 'ok'\ntrigger = 'duplicates'\n")
    loaded, (problem,) = load(path)
    assert [policy.name for policy in loaded.policies] == ["ok"]
    assert (what in problem.what, problem.where) == (True, f"{path}, line {line}")
    wanted = loaded.with_policies((*loaded.policies, HEAP))
    assert save(path, wanted) is None
    kept, (same,) = load(path)
    assert (kept, same.what) == (wanted, problem.what)
    assert lines in path.read_text()


def test_of_two_policies_with_one_name_the_second_does_nothing(path: Path) -> None:
    one = "[[policies]]\nname = 'a'\ntrigger = 'duplicates'\n"
    written(path, one + one.replace("duplicates", "pressure"))
    loaded, (problem,) = load(path)
    assert [policy.trigger for policy in loaded.policies] == [Trigger.DUPLICATES]
    assert (problem.where, problem.what) == (f"{path}, line 5", "policy a: another policy has this name")


@pytest.mark.parametrize("text", ["policies = 3\n", "[policies]\nname = 'a'\n"])
def test_policies_that_are_no_list_are_told_and_can_be_replaced(path: Path, text: str) -> None:
    written(path, text)
    loaded, (problem,) = load(path)
    assert (loaded.policies, problem.what) == ((), "policies is no list of tables")
    save(path, Settings().with_policies((HEAP,)))
    assert load(path)[0].policies == (HEAP,)


def test_a_policy_that_is_no_table_is_told_by_its_number(path: Path) -> None:
    written(path, "policies = [{name = 'a', trigger = 'duplicates'}, 3]\n")
    loaded, (problem,) = load(path)
    assert [policy.name for policy in loaded.policies] == ["a"]
    assert (problem.where, problem.what) == (f"{path}, line 1", "policy number 2: is no table")


def test_policies_that_do_not_hold_together_are_not_taken_over() -> None:
    with pytest.raises(ValueError, match="The policy “heap” cannot be used: The trigger “heap” needs over"):
        Settings().with_policies((replace(HEAP, over_share=None),))
    with pytest.raises(ValueError, match="Two policies are called “heap”"):
        Settings().with_policies((HEAP, replace(HEAP, on=False)))


def test_policies_that_cannot_be_edited_are_set_aside_and_written_anew(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is known that tomlkit writes wrongly; if it does, the file is not left so."""
    import trayapp.settings_writing as module

    written(path, POLICIES)
    loaded = load(path)[0]
    monkeypatch.setattr(module, "_edit_policy", lambda *_: None)
    problem = save(path, loaded.with_policy_stopped("heap", "It came back"))
    assert problem is not None
    assert "about policies is written in a way that cannot be edited" in problem.what
    assert load(path)[0].policies == (EVENING, replace(HEAP, on=False))
    assert (path.parent / "settings.set-aside.toml").read_text() == POLICIES


# -- where tomlkit loses its place --------------------------------------------------------------------------

DOTTED = 'hosts.acme.user = "ada"\n'


@pytest.mark.parametrize(("way", "at_call"), [("parse", 2), ("parse", 4), ("dumps", 2), ("dumps", 3)])
def test_what_cannot_be_edited_without_loss_is_set_aside_and_written_anew(
    path: Path, monkeypatch: pytest.MonkeyPatch, way: str, at_call: int
) -> None:
    written(path, DOTTED)
    kept, _ = load(path)
    real, calls = getattr(tomlkit, way), []

    def fails_once(*given: Any) -> Any:
        calls.append(way)
        if len(calls) != at_call:
            return real(*given)
        if way == "dumps":
            return ""
        raise TOMLKitError("lost its place")

    monkeypatch.setattr(tomlkit, way, fails_once)
    problem = save(path, kept.with_permission("acme", Permission.READ_SECRET, allowed=True))
    monkeypatch.undo()
    assert problem is not None
    assert "set aside" in problem.what
    read, problems = load(path)
    assert problems == ()
    assert read.access("acme") == HostAccess(user="ada", allowed=frozenset({Permission.READ_SECRET}))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[hosts.acme]\n"us\\u0065r" = 5\n[other]\n', 1),
        ('[hosts.acme]\n"us\\u0065r" = 5\n', 1),
        ('x = 1\n[[policies]]\nname = "a"\ntrigger = "idle"\n"aft\\u0065r" = 5\n', 2),
    ],
)
def test_a_key_that_is_written_oddly_is_told_at_its_table(path: Path, text: str, line: int) -> None:
    _, problems = load(written(path, text))
    assert any(f"line {line}" in problem.where for problem in problems)


def test_a_file_whose_mode_cannot_be_read_is_not_told_as_readable_by_others(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(path, '[hosts.acme]\nsecret = "s"\n').chmod(0o644)

    def denied(_self: Path, **_how: Any) -> os.stat_result:
        raise PermissionError

    monkeypatch.setattr(Path, "stat", denied)
    _, problems = load(path)
    monkeypatch.undo()
    assert problems == ()


def test_a_reset_keeps_what_is_no_figure(path: Path) -> None:
    policy = Policy(name="idle", trigger=Trigger.IDLE, after_s=3600.0)
    before = Settings(interval_s=9.0, language="de", welcomed=True).with_policies((policy,))
    before = before.with_permission("codex", Permission.READ_SECRET, allowed=True)
    after = before.with_policy_stopped("idle", "It came back").reset()
    assert (after.interval_s, after.language) == (2.0, "auto")
    assert after.welcomed
    assert after.hosts == before.hosts
    assert after.stopped == {"idle": "It came back"}
    assert [each.name for each in after.policies] == ["idle"]


def test_a_file_is_read_without_what_only_writes_it(path: Path) -> None:
    written(path, "# mine\nwelcomed = true\ninterval_s = 5\n")
    script = (
        "import sys; from pathlib import Path; from trayapp.settings import load;"
        " print(load(Path(sys.argv[1]))[0].interval_s, 'tomlkit' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["5.0", "False"]
