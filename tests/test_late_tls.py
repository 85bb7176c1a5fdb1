"""asyncio comes without TLS and can speak it once it is allowed to; each in a program of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

BEFORE = """
import sys
from trayapp import late_tls
late_tls.postpone()
import asyncio
assert "ssl" not in sys.modules
"""

SPEAK = """
import ssl
certificate, key = sys.argv[1:]
ours = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
ours.load_cert_chain(certificate, key)

async def answer(reader, writer):
    writer.write(await reader.readline())
    writer.close()

async def speak():
    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=ours)
    port = server.sockets[0].getsockname()[1]
    theirs = ssl.create_default_context(cafile=certificate)
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=theirs)
    writer.write(b"hello\\n")
    said = await reader.readline()
    secret = writer.get_extra_info("ssl_object") is not None
    writer.close()
    server.close()
    return said.decode().strip(), secret

print(*asyncio.run(speak()))
"""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    if shutil.which("openssl") is None:
        pytest.skip("needs the openssl program")
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = str(folder / "a.crt"), str(folder / "a.key")
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    made += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate]
    subprocess.run(made, check=True, capture_output=True)
    return [certificate, key]


def run(script: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", script, *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)


def test_it_is_spoken_once_it_is_allowed(certificate: list[str]) -> None:
    done = run(BEFORE + "late_tls.allow()\n" + SPEAK, *certificate)
    assert done.stdout == "hello True\n", done.stderr


def test_without_that_it_is_refused_and_never_left_out(certificate: list[str]) -> None:
    done = run(BEFORE + SPEAK, *certificate)
    assert done.stdout == ""
    assert "RuntimeError: stdlib ssl module not available" in done.stderr


def test_where_asyncio_is_there_already_nothing_changes(certificate: list[str]) -> None:
    script = "import asyncio, sys\nfrom trayapp import late_tls\nlate_tls.postpone()\nlate_tls.allow()\n"
    done = run(script + SPEAK, *certificate)
    assert done.stdout == "hello True\n", done.stderr


def test_a_module_that_is_loaded_stays_loaded() -> None:
    script = "import ssl, sys\nfrom trayapp import late_tls\nlate_tls.postpone()\nassert sys.modules['ssl'] is ssl\n"
    assert run(script).returncode == 0
