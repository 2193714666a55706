# Runs at the top of a copy of the project. Change the import to your own code, and the call below.
import os
import sys

sys.path.insert(0, os.getcwd())

from add import add  # noqa: E402
from answer import answer  # noqa: E402

answer(lambda given: add(*given))
