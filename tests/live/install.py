"""Install the pinned hosts for `make live` into a cache outside the work tree.

It knows package names, versions and the folder of each host. It must not know how a host is configured or driven, and
it names no registry: the configuration of npm and pip decides where packages come from. A cache that fits needs neither
of them, nor a network.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import platformdirs

INSTALL_TIMEOUT_S = 300
VERSION_TIMEOUT_S = 60


class InstallError(Exception):
    """Say what is missing or broken, and the mend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """Name one host's package, the version that the tests were written against, and its command.

    Attributes:
        program: path of the executable below a pip package's folder; None for an npm package.
        says: what `--version` prints when it is not the package's version.
        node: the oldest Node.js that runs it; 0 when it brings all that it needs.
    """

    host: str
    name: str
    version: str
    command: str
    program: str | None = None
    says: str | None = None
    node: int = 0

    @property
    def stamp(self) -> str:
        return f"{self.name}@{self.version}\n"

    def executable(self, folder: Path) -> Path:
        return folder / (self.program or f"node_modules/.bin/{self.command}")


_DSH_MACHINE = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())

PACKAGES = {
    package.host: package
    for package in (
        Package(host="claude-code", name="@anthropic-ai/claude-code", version="2.1.332", command="claude"),
        Package(host="opencode", name="opencode-ai", version="1.18.33", command="opencode"),
        Package(
            host="dsh",
            name="deepseek-harness-runtime-bin",
            version="0.2.1rc2",
            command="dsh",
            program=f"deepseek_harness_runtime/runtime/deepseek-harness-sdk-runtime-linux-{_DSH_MACHINE}",
            says="0.2.1-rc.2",
        ),
        Package(host="codex", name="@openai/codex", version="0.171.0", command="codex", node=16),
        Package(host="copilot", name="@github/copilot", version="1.0.102", command="copilot", node=20),
        Package(host="gemini", name="@google/gemini-cli", version="0.61.0", command="gemini", node=20),
        Package(host="qwen", name="@qwen-code/qwen-code", version="0.24.4", command="qwen", node=20),
        Package(host="pi", name="@earendil-works/pi-coding-agent", version="0.74.2", command="pi", node=20),
        Package(host="cline", name="cline", version="3.0.65", command="cline"),
    )
}


def cache_dir() -> Path:
    """Return where installed hosts live: $AGENTRING_LIVE_CACHE, else the user's cache folder."""
    override = os.environ.get("AGENTRING_LIVE_CACHE")
    return Path(override) if override else Path(platformdirs.user_cache_dir("agentring")) / "live-hosts"


def ensure(package: Package, cache: Path) -> Path:
    """Return the executable of `package`, installed below `cache` if the stamp file there does not fit.

    The stamp is written only after the program has said its version: npm also exits with 0 when the platform's binary
    was left out (`--omit=optional`) or when install scripts were switched off. Raises InstallError.
    """
    if package.node:
        _check_node(package)
    folder = cache / package.host
    executable = package.executable(folder)
    stamp = folder / "stamp"
    if executable.exists() and stamp.exists() and stamp.read_text() == package.stamp:
        return executable
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if package.program is None:
        _npm_install(package, folder)
    else:
        _pip_install(package, folder)
    _check_version(package, executable)
    stamp.write_text(package.stamp)
    return executable


def _check_node(package: Package) -> None:
    """Refuse a Node.js that is missing or too old: npm only warns of that, and the host fails later."""
    node = shutil.which("node")
    said = subprocess.run([node, "--version"], capture_output=True, text=True).stdout.strip() if node else "none"
    major = said.removeprefix("v").partition(".")[0]
    if not major.isdigit() or int(major) < package.node:
        raise InstallError(
            f"{package.host} needs Node.js {package.node} or later, here is {said}. Put a newer one first in PATH"
        )


def _npm_install(package: Package, folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise InstallError(
            f"{package.host} is not in the cache ({folder}) and npm or node is missing. Install Node.js 20 or later"
        )
    # Newer npm asks which packages may run their install scripts; some hosts put their binary in place with one.
    manifest = {
        "private": True,
        "dependencies": {package.name: package.version},
        "allowScripts": {package.name: True},
    }
    (folder / "package.json").write_text(json.dumps(manifest, indent=2) + "\n")
    command = [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--include=optional"]
    _run("npm", package, command, folder)


def _pip_install(package: Package, folder: Path) -> None:
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-deps", "--target"]
    _run("pip", package, [*command, str(folder), f"{package.name}=={package.version}"], folder)


def _run(installer: str, package: Package, command: list[str], folder: Path) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_TIMEOUT_S, cwd=folder)
    except subprocess.TimeoutExpired as error:
        raise InstallError(
            f"{installer} took over {INSTALL_TIMEOUT_S} s for {package.name}@{package.version}. "
            "Check the network, try again"
        ) from error
    if done.returncode != 0:
        raise InstallError(
            f"{installer} could not install {package.name}@{package.version} (exit {done.returncode}). "
            f"Check the network and the settings of {installer}, which said:\n{done.stderr.strip()[-1500:]}"
        )


def _check_version(package: Package, executable: Path) -> None:
    mend = f"Remove {executable.parents[2]} and try again"
    if package.program is None:
        mend += ", and see that npm may run install scripts and optional dependencies"
    version = package.says or package.version
    try:
        done = subprocess.run([executable, "--version"], capture_output=True, text=True, timeout=VERSION_TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallError(f"{package.command} was installed but does not start: {error}. {mend}") from error
    said = (done.stdout + done.stderr).strip()
    if done.returncode != 0 or version not in said:
        raise InstallError(f"{package.command} --version should say {version}, it said: {said[:300]}. {mend}")


def main() -> int:
    """Install the hosts named as arguments (all without any); what `make live` may call to warm the cache."""
    for host in sys.argv[1:] or list(PACKAGES):
        try:
            print(f"{host}: {ensure(PACKAGES[host], cache_dir())}")
        except (InstallError, KeyError) as error:
            print(f"{host}: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
