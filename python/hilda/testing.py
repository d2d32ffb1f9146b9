# SPDX-License-Identifier: BSD-3-Clause
"""Tests of one block, in Python or in C++, without a diagram: the test kit of plugins (hilda/testing.h) from Python.

    from hilda import testing

    bench = testing.Bench(Filter, tau="20 ms", period=1e-3)
    bench["u"] = 1.0
    bench.step(20)
    assert 0.6 < bench["y"] < 0.7

    for finding in testing.check_all(Filter):
        assert finding.verdict != "failed", finding
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from . import _engine
from .block import Block

if TYPE_CHECKING:
    from ._engine import _Path, _Value


class Bench(_engine.Bench):
    """One block: a class with @hilda.block, or the name of a block. The keywords after `plugins` are its parameters, as in a diagram. A
    name that a parameter shares with a keyword goes into `parameters`.

    `shapes` of ports, such as {"u": (3,)}, and `counts` of repeated ports follow from the wires in a diagram; here all others are guessed.
    Inputs are 0 until they are set, and hold. `undriven` names optional inputs that nothing drives."""

    def __init__(self, block: type[Block] | str, *, period: float = 1e-3, shapes: Mapping[str, Sequence[int]] | None = None,
                 counts: Mapping[str, int] | None = None, undriven: Iterable[str] = (), plugins: Sequence[_Path] = (),
                 parameters: Mapping[str, _Value] | None = None, **named: _Value) -> None:
        super().__init__(block, parameters={**(parameters or {}), **named}, period=period, shapes=dict(shapes or {}),
                         counts=dict(counts or {}), undriven=set(undriven), plugins=list(plugins))


class Finding(NamedTuple):
    """What one check of a block comes to."""

    block: str
    check: str  #: its name, as the table of `hilda test-plugin` has it
    verdict: Literal["passed", "failed", "not applicable"]
    why: str  #: of a failure, or why the check does not apply

    def __str__(self) -> str:
        return f"{self.block}: {self.check}: {self.verdict}" + (f": {self.why}" if self.why else "")


def check_all(block: type[Block] | str, *, time_limit: float = 10.0, plugins: Sequence[_Path] = ()) -> list[Finding]:
    """All checks of one block, as `hilda test-plugin` makes them: each in its own process, with `time_limit` in s."""
    rows = _engine.check_all(block, time_limit=time_limit, plugins=list(plugins))
    return [Finding(block, check, cast('Literal["passed", "failed", "not applicable"]', verdict), why) for block, check, verdict, why in rows]


__all__ = ["Bench", "Finding", "check_all"]
