"""Described hosts as tests need them: the shipped ones, and one of a text."""

from __future__ import annotations

from pathlib import Path

from trayapp import resources
from trayapp.hosts.base import Host
from trayapp.hosts.described import Described
from trayapp.hosts.described_form import Description, read
from trayapp.hosts.described_programs import SHIPPED
from trayapp.hosts.described_programs import shipped as shipped_host

FOLDER = resources.path("hosts")


def files() -> list[Path]:
    return sorted(FOLDER.glob("*.toml"))


def shipped(host: str) -> Host:
    return shipped_host(next(entry for entry in SHIPPED if entry.host == host))


def described(text: str) -> Described:
    return Described(description(text))


def description(text: str) -> Description:
    found, faults = read(text)
    assert found is not None, faults
    return found
