"""`python -m trayapp` is the `agentring` command."""

import sys

from trayapp.app import main

sys.exit(main())
