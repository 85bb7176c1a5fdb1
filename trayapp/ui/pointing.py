"""Which rows of the tree and which layers of the chart stand for the same thing. Pure."""

from __future__ import annotations

from trayapp.model.series import StackBy
from trayapp.model.snapshot import Group, Snapshot
from trayapp.ui.branches import ORPHANS_KEY, SHARED_KEY, Branch, branch_key, host_key

_BESIDE = (SHARED_KEY, ORPHANS_KEY)
"""Layers that are there however the chart is stacked."""


def rows_of(layer_key: str, stack_by: StackBy, snapshot: Snapshot | None) -> frozenset[str]:
    """Return the keys of the branches and groups that a layer stands for."""
    if not layer_key or snapshot is None:
        return frozenset()
    if layer_key in _BESIDE:
        return frozenset({layer_key})
    if stack_by is StackBy.HOST:
        return frozenset({host_key(layer_key)})
    if stack_by is StackBy.SESSION:
        return frozenset({layer_key})
    return frozenset(group.key for group in snapshot.groups if layer_key in layers_of_group(group, stack_by))


def layers_of_group(group: Group, stack_by: StackBy) -> frozenset[str]:
    """Return the layers that a group is in."""
    branch = branch_key(group)
    if branch is None:
        return frozenset()
    if branch in _BESIDE:
        return frozenset({branch})
    if stack_by is StackBy.HOST:
        return frozenset({branch.removeprefix(host_key(""))})
    if stack_by is StackBy.SESSION:
        return frozenset({group.key if group.session is not None else SHARED_KEY})
    return frozenset({SHARED_KEY if group.verdict is None else group.verdict.state.value})


def layers_of_branch(branch: Branch, stack_by: StackBy) -> frozenset[str]:
    """Return the layers that the groups of a branch are in."""
    if stack_by is StackBy.HOST and branch.host is not None:
        return frozenset({branch.host})
    return frozenset().union(*(layers_of_group(group, stack_by) for group in branch.groups))
