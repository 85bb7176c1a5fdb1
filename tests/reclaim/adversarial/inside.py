"""The product as it runs inside a scene, below an agent, asked to end that very agent. Writes what came of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.reclaim.adversarial.host import StageHost
from tests.reclaim.adversarial.product import Product
from tests.reclaim.adversarial.stage import S1
from tests.trees import target_of, until
from trayapp.model.plan import Action


def main(root: Path, action: Action) -> None:
    """Look, ask for the action with every consent there is, and write the outcome."""
    until(lambda: any((root / "home" / ".fake-agent" / "sessions").glob("agent.json")), "no record", 30.0)
    product = Product(root, StageHost())
    product.start()
    try:
        target = target_of(product.look(), S1, action, confirmed=True, force=True)
        outcome = product.begin([target]).result(60).outcomes[0]
    finally:
        product.stop()
    answer = {"fate": str(outcome.fate), "reason": str(outcome.reason), "steps": list(outcome.steps)}
    (root / "answer.tmp").write_text(json.dumps(answer))
    (root / "answer.tmp").rename(root / "answer.json")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Action(sys.argv[2]))
