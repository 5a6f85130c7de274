"""`python -m fettle` is the command `fettle`."""

from fettle.cli import main

raise SystemExit(main())
