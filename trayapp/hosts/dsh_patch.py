"""Our row in a profile's `cordis.patch.yml`, put in and taken out as text: every other byte stays as it is.

Knows as much of YAML as it takes to see that a file is a plain list of rows, told by a scan of its lines; whatever it
does not understand it leaves alone, with the reason. Pure: reads and writes nothing. The file is the user's own, so it
is never parsed and written anew, which would lose comments and order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

ROW_ID = "agentring"
BEGIN = "# >>> Agent Ring: this row is written by `agentring hosts dsh install-plugin` >>>"
END = "# <<< Agent Ring: `agentring hosts dsh remove-plugin` takes it out again <<<"
_BEGIN_MARK, _END_MARK = "# >>> Agent Ring", "# <<< Agent Ring"
_EMPTY_LIST = re.compile(r"\[[ ]*\][ ]*(#.*)?")
_BLOCK_SCALAR = re.compile(r"(?:^|[\s:-])[|>][+-]?\d?[+-]?$")
_OUR_ID = re.compile(rf"(?:^|[\s,{{-])id:[ ]*[\"']?{ROW_ID}[\"']?[ ]*(?:$|[,}}#])")


class PatchUneditable(Exception):
    """The file is left alone; the text says why, as a sentence without a full stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """Hold the text of a patch file, with its line ends as they are."""

    text: str

    @property
    def newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    @property
    def row(self) -> str | None:
        """Return the module that our row names; None where there is no row of ours. Raises PatchUneditable."""
        span = _ours(self._lines())
        if span is None:
            return None
        for line in self._lines()[span[0] : span[1]]:
            match = re.match(r"\s*name: '(.*)'\s*$", line)
            if match is not None:
                return match[1].replace("''", "'")
        raise PatchUneditable("the row between Agent Ring's marks was changed by hand")

    def with_row(self, module: str) -> Patch:
        """Return the file with our row in it, in place of an earlier one. Raises PatchUneditable."""
        lines = self._lines()
        span = _ours(lines)
        if span is not None:
            indent = _indent_of(lines[span[0]])
            block = self._block(module, indent, ends_open=not lines[span[1] - 1].endswith("\n"))
            return self._joined([*lines[: span[0]], *block, *lines[span[1] :]])
        shape = _shape_of(lines)
        if any(_OUR_ID.search(line) for line in lines if not line.lstrip().startswith("#")):
            raise PatchUneditable(f"it has a row “{ROW_ID}” that Agent Ring did not write")
        if shape.empty_list_at is not None:
            at = shape.empty_list_at
            return self._joined([*lines[:at], *self._block(module, ""), *lines[at + 1 :]])
        if lines and not lines[-1].endswith("\n"):
            # the line end that was missing goes again with our block
            lines = [*lines[:-1], lines[-1] + self.newline]
            return self._joined([*lines, *self._block(module, shape.indent, ends_open=True)])
        return self._joined([*lines, *self._block(module, shape.indent)])

    def without_row(self) -> Patch:
        """Return the file without our row; the same where there is none. Raises PatchUneditable."""
        lines = self._lines()
        span = _ours(lines)
        if span is None:
            return self
        ended_open = lines[span[1] - 1].strip().startswith(_END_MARK) and not lines[span[1] - 1].endswith("\n")
        before, after = lines[: span[0]], lines[span[1] :]
        rest = _shape_of([*before, *after])
        if not rest.has_rows and rest.empty_list_at is None:
            before = [*before, f"[]{self.newline}"]
        if ended_open and not after and before:
            before[-1] = before[-1].rstrip("\r\n")
        return self._joined([*before, *after])

    def _lines(self) -> list[str]:
        if "\r" in self.text.replace("\r\n", ""):
            raise PatchUneditable("it has line ends that this program does not write")
        return re.findall(r"[^\n]*\n|[^\n]+", self.text)

    def _joined(self, lines: list[str]) -> Patch:
        return Patch(text="".join(lines))

    def _block(self, module: str, indent: str, *, ends_open: bool = False) -> list[str]:
        quoted = module.replace("'", "''")
        rows = (BEGIN, "- insert:", f"    - id: {ROW_ID}", f"      name: '{quoted}'", END)
        block = [f"{indent}{row}{self.newline}" for row in rows]
        if ends_open:
            block[-1] = block[-1].rstrip("\r\n")
        return block


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """Say how a file's list is written: where an empty one stands, or by what its rows are indented."""

    has_rows: bool
    indent: str = ""
    empty_list_at: int | None = None


def _ours(lines: list[str]) -> tuple[int, int] | None:
    """Return where our block begins and ends. Raises PatchUneditable where only one of its marks is left."""
    begins = [number for number, line in enumerate(lines) if line.strip().startswith(_BEGIN_MARK)]
    ends = [number for number, line in enumerate(lines) if line.strip().startswith(_END_MARK)]
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or ends[0] < begins[0]:
        raise PatchUneditable("Agent Ring's own marks in it are not whole any more")
    return begins[0], ends[0] + 1


def _shape_of(lines: list[str]) -> _Shape:
    """See that a file is a list of rows, one below the other. Raises PatchUneditable for anything else."""
    scan = _Scan()
    indent: str | None = None
    empty_list_at: int | None = None
    for number, line in enumerate(lines):
        text = line.rstrip("\r\n").removeprefix("\ufeff" if number == 0 else "")
        if scan.is_inside(text):
            continue
        stripped = text.strip()
        if not stripped or stripped.startswith("#"):
            continue
        if stripped == "---" and indent is None and empty_list_at is None:
            continue
        if empty_list_at is not None:
            raise PatchUneditable("something follows its empty list")
        depth = _indent_of(text)
        if "\t" in text[: len(text) - len(text.lstrip())]:
            raise PatchUneditable(f"line {number + 1} is indented with a tab")
        if _EMPTY_LIST.fullmatch(stripped) and indent is None and not depth:
            empty_list_at = number
            continue
        if indent is None or len(depth) <= len(indent):
            if not (stripped == "-" or stripped.startswith("- ")) or (indent is not None and depth != indent):
                raise PatchUneditable(f"line {number + 1} is no row of a list: {stripped[:40]}")
            indent = depth
        scan.read(text, number)
    if scan.quote is not None or scan.brackets:
        raise PatchUneditable("a quote or a bracket in it is never closed")
    return _Shape(has_rows=indent is not None, indent=indent or "", empty_list_at=empty_list_at)


def _indent_of(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


@dataclass(slots=True)
class _Scan:
    """Follow quotes, brackets and block texts over lines, so that what is inside of them is not taken for rows.

    `block_indent` is the indentation of the line that begins a block text, whose own lines are indented deeper.
    """

    quote: str | None = None
    brackets: int = 0
    block_indent: int | None = None

    def is_inside(self, text: str) -> bool:
        """Say whether a line is the inside of something that an earlier line began."""
        if self.block_indent is not None:
            if not text.strip() or len(_indent_of(text)) > self.block_indent:
                return True
            self.block_indent = None
        if self.quote is not None or self.brackets:
            self.read(text, None)
            return True
        return False

    def read(self, text: str, number: int | None) -> None:
        """Read one line. Raises PatchUneditable where brackets do not match."""
        begins_token = True
        position = 0
        code_end = len(text)
        while position < len(text):
            char = text[position]
            if self.quote == "'":
                if text[position : position + 2] == "''":
                    position += 1
                elif char == "'":
                    self.quote = None
                begins_token = False
            elif self.quote == '"':
                if char == "\\":
                    position += 1
                elif char == '"':
                    self.quote = None
                begins_token = False
            elif char == "#" and (position == 0 or text[position - 1] in " \t"):
                code_end = position
                break
            elif char in "\"'" and begins_token:
                self.quote = char
            elif char in "[{" and (begins_token or self.brackets):
                self.brackets += 1
                begins_token = True
            elif char in "]}" and self.brackets:
                self.brackets -= 1
                begins_token = False
            elif char in " \t":
                begins_token = begins_token or text[position - 1 : position] in (":", "-", ",", "?")
            else:
                begins_token = self.brackets > 0 and char in ",:"
            position += 1
        if self.quote is None and not self.brackets and _BLOCK_SCALAR.search(text[:code_end].rstrip()):
            dashes = re.match(r"[ ]*(?:- +)*", text)
            self.block_indent = len(_indent_of(text)) if dashes is None else _depth_of_key(text, dashes.end())


def _depth_of_key(text: str, behind_dashes: int) -> int:
    """Return the indentation that the lines of a block text must exceed: that of the key, or of the dash alone."""
    if re.match(r"[^\s#].*:\s", text[behind_dashes:] + " ") and ":" in text[behind_dashes:]:
        return behind_dashes
    return max(0, behind_dashes - 2)
