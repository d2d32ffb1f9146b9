# SPDX-License-Identifier: BSD-3-Clause
"""How a figure of a run depends on parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Union

import numpy as np


class Sensitivity(NamedTuple):
    """d figure / d parameter, in SI, at the parameter's present value."""

    value: float
    error: float
    """How far it may be off: the difference of two steps' results, and the rounding of the figure over the step."""


def sensitivity(
    simulation: Any,
    figure: Union[str, Callable[[Any], float]],
    parameters: Sequence[str],
    *,
    duration: float | None = None,
    step: float = 1e-4,
) -> dict[str, Sensitivity]:
    """Derivatives of a figure by parameters, from central differences with two steps, extrapolated.

    figure: a key of the summary ("contacts.0.cov": parts by dots), or a function of the simulation after its run.
    step: of a parameter, relative to its value (absolute where that is 0). The simulation restarts at t = 0 for each run,
    and is there afterwards with the parameters as before, also after a run that failed. Four runs a parameter.
    """
    before = {path: simulation.get(path) for path in parameters}
    for path, value in before.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TypeError(f"{path} is not a real number: {value!r}")

    def outcome(settings: dict[str, Any]) -> float:
        simulation.set_many(settings)
        simulation.run(duration, record=[])
        return float(figure(simulation)) if callable(figure) else _found(simulation.summary, figure)

    results = {}
    for path, value in before.items():
        h = step * abs(value) if value != 0 else step
        slopes, sizes = [], []
        try:
            for width in (h, h / 2):
                above, below = outcome({path: value + width}), outcome({path: value - width})
                slopes.append((above - below) / (2 * width))
                sizes.append(max(abs(above), abs(below)))
        finally:
            simulation.set(path, value)
        rounding = 4 * np.finfo(float).eps * max(sizes) / (h / 2)
        results[path] = Sensitivity((4 * slopes[1] - slopes[0]) / 3, abs(slopes[1] - slopes[0]) / 3 + rounding)
    return results


def _found(summary: Any, key: str) -> float:
    at = summary
    for part in key.split("."):
        try:
            at = at[int(part)] if isinstance(at, list) else at[part]
        except (KeyError, IndexError, ValueError):
            names = ", ".join(map(str, at)) if isinstance(at, dict) else f"{len(at)} rows" if isinstance(at, list) else repr(at)
            raise KeyError(f"the summary has no '{key}': at '{part}' there are {names}") from None
    return float(at)
