# SPDX-License-Identifier: BSD-3-Clause
"""What "import hilda" gives to a file with blocks that the program runs: the declarations, and no engine."""

__path__ = []
_NAMES = ("Block", "BlockError", "Crossing", "Fired", "Input", "Output", "Parameter", "State", "Tick", "block")


def _take(module):
    globals().update({name: getattr(module, name) for name in _NAMES})


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"hilda.{name} is for Python programs, and this file is run by the program hilda: "
                         "put what needs it under if __name__ == '__main__':")
