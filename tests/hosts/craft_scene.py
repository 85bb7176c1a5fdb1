"""The founding scene: a server with 15 sessions, 23 backends and 20 helpers, idle for days by their records.

    with founding_scene(folder) as scene:
        scene.craft                     the FakeCraft: home, config, port, token, truth(), fates(), ...
        scene.idle, scene.working       14 session ids, and the one in whose turn the model is answering
        scene.backends                  session id -> its processes, oldest first: the last is the current one
        scene.surplus                   the 8 processes that the server has no reference to any more
        scene.helpers                   session id -> its live helpers (14 in all)
        scene.leaked                    the 6 helpers that nothing can reach any more
        scene.answers_again()           sends one message to each session; the ids that did not answer

It is `keep_claude`, as 0.11 is. What stands where, and why:

  sessions   8 Pi and 7 claude. The working one is a claude. Five claudes go on with what an earlier server left on
             disk, so that they have `--resume`; two were begun here, without it, each in its own session folder.
  surplus    3 Pi and 3 claude by attemptAuthRetry (the backend object is forgotten, the next message makes another),
             2 claude by a second query next to the open one. None of the working session.
  helpers    of the sources "notes" (ends with its input) and "fake-helper" (ignores that); both end by SIGTERM. 14
             belong to 11 sessions, those with two have one of each.
  leaked     6, of 4 Pi sessions that were deleted: the server keeps them as its children, and the session folder that
             their CRAFT_SESSION_DIR names is gone. Two of those sessions had two helpers each, two had one.
  variables  CRAFT_SESSION_DIR is right but for the two claudes of a second query, which name "Garden", whose
             backend object was made last. Helpers all name their own session.
  records    each idle session is aged by `days` and a little more each; the working one's are of now. Processes are as
             young as the scene: an age of a process says nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.hosts.craft_fake import FakeCraft, Settings, Started, running

CLAUDES: dict[str, tuple[str | None, tuple[str, ...]]] = {
    "Checkout page": ("proj-b", ("notes",)),
    "Search index": ("proj-b", ("notes", "fake-helper")),
    "Invoices": ("proj-b", ("notes",)),
    "Mail import": ("proj-c", ("fake-helper",)),
    "Reading list": (None, ()),
    "Budget": (None, ("notes",)),
    "Travel plans": (None, ("fake-helper",)),
}
"""Title, working directory and sources; the first is the working one, the last two have no `--resume`."""
PIS: dict[str, tuple[str | None, tuple[str, ...]]] = {
    "Release notes": ("proj-a", ("notes", "fake-helper")),
    "Flaky test": ("proj-a", ("notes",)),
    "Garden": (None, ("fake-helper",)),
    "Door sensor": ("proj-a", ("notes",)),
    "Photo archive": ("proj-d", ("notes", "fake-helper")),
    "Translations": ("proj-d", ()),
    "Backups": (None, ()),
    "Recipes": (None, ()),
}
DELETED = (("notes", "fake-helper"), ("notes", "fake-helper"), ("notes",), ("fake-helper",))
BEGUN_HERE = ("Budget", "Travel plans")
RETRIED = ("Search index", "Invoices", "Mail import", "Release notes", "Flaky test", "Garden")
QUERIED_TWICE = ("Reading list", "Budget")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Know the scene; see the module."""

    craft: FakeCraft
    titles: dict[str, str]
    working: str
    backends: dict[str, list[Started]]
    helpers: dict[str, list[Started]]
    leaked: list[Started]

    @property
    def sessions(self) -> list[str]:
        return list(self.titles)

    @property
    def idle(self) -> list[str]:
        return [session for session in self.titles if session != self.working]

    @property
    def surplus(self) -> list[Started]:
        return [process for of_session in self.backends.values() for process in of_session[:-1]]

    @property
    def idle_backends(self) -> list[Started]:
        return [process for session in self.idle for process in self.backends[session]]

    @property
    def server(self) -> Started:
        return self.craft.server()

    def answers_again(self) -> list[str]:
        """Send a message to each session, and end the open turn before; return those that did not answer."""
        self.craft.finish(self.working)
        silent = []
        for session in self.titles:
            before = self.craft.truth(session).answers
            if self.craft.send(session, "are you there").answers != before + 1:
                silent.append(session)
        return silent


@contextmanager
def founding_scene(
    root: Path, *, days: float = 3, backend_mb: float = 8, helper_mb: float = 0, idle_cpu_share: float = 0.0045
) -> Iterator[Scene]:
    """Set the scene below a folder, in some three seconds; nothing of it runs afterwards."""
    craft = FakeCraft(
        root,
        Settings(
            version="0.11.4",
            keep_claude=True,
            backend_mb=backend_mb,
            helper_mb=helper_mb,
            idle_cpu_share=idle_cpu_share,
        ),
    )
    ids = {
        title: craft.remember(title, cwd=cwd, sources=sources)
        for title, (cwd, sources) in CLAUDES.items()
        if title not in BEGUN_HERE
    }
    for title in (*CLAUDES, *PIS):
        cwd = (CLAUDES | PIS)[title][0]
        if cwd is not None:
            (craft.home / cwd).mkdir(exist_ok=True)
    with running(craft=craft):
        for kind, wanted in (("claude", CLAUDES), ("pi", PIS)):
            for title, (cwd, sources) in wanted.items():
                if title not in ids:
                    ids[title] = craft.create(title, kind=kind, cwd=cwd, sources=sources)
                craft.send(ids[title])
        for number, sources in enumerate(DELETED):
            gone = craft.create(f"Deleted {number}", kind="pi", sources=sources)
            craft.send(gone)
            craft.delete(gone)
        for title in RETRIED:
            craft.lose_agent(ids[title])
            craft.send(ids[title])
        for title in QUERIED_TWICE:
            craft.second_query(ids[title])
        working, *idle = ids
        for number, title in enumerate(idle):
            craft.age(ids[title], days=days + number * 0.2)
        craft.send(ids[working], "SLOWREPLY")
        craft.flush()
        truths = {truth.id: truth for truth in craft.truths()}
        leaked = craft.leaked()
        yield Scene(
            craft=craft,
            titles={ids[title]: title for title in (*CLAUDES, *PIS)},
            working=ids[working],
            backends={session: _of(craft, [*truth.surplus, truth.backend or 0]) for session, truth in truths.items()},
            helpers={session: _of(craft, truth.helpers.values()) for session, truth in truths.items()},
            leaked=_of(craft, sorted(leaked)),
        )


def _of(craft: FakeCraft, pids: Iterable[int]) -> list[Started]:
    known = {process.pid: process for process in craft.running()}
    return [known[pid] for pid in pids]


def held_bytes(processes: Iterable[Started], field: str = "Pss") -> int:
    """Sum one field of /proc/PID/smaps_rollup over processes: an account that is not the product's."""
    total = 0
    for process in processes:
        lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
        total += sum(int(line.split()[1]) * 1024 for line in lines if line.split(":")[0] == field)
    return total
