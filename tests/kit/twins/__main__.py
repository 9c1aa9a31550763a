"""``railpost`` with Two Valleys among its titles: ``python -m tests.kit.twins --config FILE run``."""

from moderator.entrypoints.cli import main
from tests.kit.twins import register

register()
main()
