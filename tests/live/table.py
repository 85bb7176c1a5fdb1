"""The table of hosts by checks: what a run found, joined with what docs/hosts.md says of hosts that did not run.

It is written between two marks, and only when asked for. It must not know how a check is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

BEGIN = "<!-- written by make live DOCS=1: begin -->"
END = "<!-- written by make live DOCS=1: end -->"
NOT_RUN = "not run"
FAILS = "FAILS"
NOT_HERE = "not here"
BOTH = "Check"
ONE = "Check of one host"
WHY = "Not possible here"


@dataclass(slots=True)
class Table:
    """Hold results by check and host.

    Attributes:
        results: "works", "refuses rightly" and so on, in the order in which the checks were made.
        reasons: why a host cannot be checked so.
        versions: of the hosts, in the order of the columns.
    """

    results: dict[tuple[str, str], str] = field(default_factory=dict)
    reasons: dict[tuple[str, str], str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def hosts(self) -> list[str]:
        ran = {host for _, host in (*self.results, *self.reasons)}
        return [host for host in self.versions if host in ran]

    @property
    def checks(self) -> list[str]:
        return list(dict.fromkeys(check for check, _ in (*self.results, *self.reasons)))

    def cell(self, check: str, host: str) -> str:
        """Return what a run found; a reason stands for itself, in a list below."""
        return self.results.get((check, host), NOT_HERE if (check, host) in self.reasons else "")

    def joined(self, older: Table) -> Table:
        """Return this table with the columns of an older one for the hosts that are not in it."""
        mine = set(self.hosts)
        kept = {key: result for key, result in older.results.items() if key[1] not in mine}
        why = {key: reason for key, reason in older.reasons.items() if key[1] not in mine}
        versions = self.versions | {host: version for host, version in older.versions.items() if host not in mine}
        return Table(results=self.results | kept, reasons=self.reasons | why, versions=versions)

    def lines(self) -> list[str]:
        """Return it in Markdown: checks of several hosts by host, those of one host, and what is not possible."""
        several = [check for check in self.checks if sum(bool(self.cell(check, host)) for host in self.hosts) > 1]
        header = [BOTH, *(f"{host} {self.versions[host]}" for host in self.hosts)]
        lines = _rows(header, ([check, *(self.cell(check, host) for host in self.hosts)] for check in several))
        alone = [[check, host, result] for (check, host), result in self.results.items() if check not in several]
        if alone:
            lines += ["", *_rows([ONE, "Host", "Result"], alone)]
        if self.reasons:
            reasons = [[check, host, reason] for (check, host), reason in self.reasons.items()]
            lines += ["", *_rows([WHY, "Host", "Why"], reasons)]
        return lines


def _rows(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [_row(header), _row(["---"] * len(header)), *map(_row, rows)]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def read(text: str) -> Table:
    """Return the table that stands between the marks of a page; raise ValueError when the marks are not there."""
    table = Table()
    header: list[str] = []
    for line in _between(text)[1].splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            header = []
        elif not header:
            header = cells
            if cells[0] == BOTH:
                table.versions |= dict(_host_and_version(cell) for cell in cells[1:])
        elif cells[0] != "---":
            _take(table, header, cells)
    return table


def _host_and_version(cell: str) -> tuple[str, str]:
    host, _, version = cell.partition(" ")
    return host, version


def _take(table: Table, header: Sequence[str], cells: Sequence[str]) -> None:
    check = cells[0]
    if header[0] == ONE:
        table.results[check, cells[1]] = cells[2]
    elif header[0] == WHY:
        table.reasons[check, cells[1]] = cells[2]
    else:
        for host, cell in zip((_host_and_version(each)[0] for each in header[1:]), cells[1:], strict=True):
            if cell and cell != NOT_HERE:
                table.results[check, host] = cell


def written(text: str, table: Table) -> str:
    """Return a page with the table between its marks, joined with what stood there."""
    before, _, after = _between(text)
    inside = "\n".join(table.joined(read(text)).lines())
    return f"{before}{BEGIN}\n\n{inside}\n\n{END}{after}"


def _between(text: str) -> tuple[str, str, str]:
    if BEGIN not in text or END not in text:
        raise ValueError(f"the page should hold the lines {BEGIN!r} and {END!r}")
    before, _, rest = text.partition(BEGIN)
    inside, _, after = rest.partition(END)
    return before, inside, after


def not_here(module: object) -> Mapping[str, str]:
    """Return the checks that a host's module says are not possible, with the reason."""
    found: Mapping[str, str] = getattr(module, "NOT_HERE", {})
    return found


def called(module: object, check: str) -> str:
    """Return the row for a check that many hosts share, which a host's module may call by another name."""
    names: Mapping[str, str] = getattr(module, "CALLED", {})
    return names.get(check, check)
