"""Every bill was paid, once."""

import sys

entries = open("ledger.txt").read().splitlines()
bills = [entry.split(" ", 1)[1] for entry in entries]
sys.exit(None if bills == ["Ann", "Bob"] else "paid " + ", ".join(bills))
