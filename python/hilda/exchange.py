# SPDX-License-Identifier: BSD-3-Clause
"""Runs and linear models in the types of other packages, each of which is imported where it is asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from .unavailable import needed


def _columns(run: Any, signals: Any) -> dict[str, Any]:
    """Each signal's elements under separate names: "force.x" as the run names them, else "q[0]", "m[0][1]"."""
    names = list(run.signals) if signals is None else [signals] if isinstance(signals, str) else list(signals)
    columns: dict[str, Any] = {}
    for name in names:
        array: Any = np.asarray(run[name])
        for index in np.ndindex(*array.shape[1:]):
            columns[name + "".join(f"[{i}]" for i in index)] = array[(slice(None), *index)]
    return columns


def to_pandas(run: Any, signals: Any = None) -> Any:
    """A pandas.DataFrame: a row for each sample, the index is time in s; vectors and matrices become columns `q[0]`.
    `signals` names some; without it there are all. Units are in `attrs["units"]`."""
    pandas = needed("pandas", "to_pandas()")
    frame = pandas.DataFrame(_columns(run, signals), index=pandas.Index(np.asarray(run.time), name="time [s]"))
    frame.attrs["units"] = {name: run.unit(name.split("[")[0]) for name in frame.columns}
    return frame


def to_xarray(run: Any, signals: Any = None) -> Any:
    """An xarray.Dataset: a variable for each signal, over `time` in s, with its unit in `attrs["units"]`."""
    xarray = needed("xarray", "to_xarray()")
    names = list(run.signals) if signals is None else [signals] if isinstance(signals, str) else list(signals)
    variables = {}
    for name in names:
        array = np.asarray(run[name])
        extra = [f"{name}.{axis}" for axis in ("row", "column")[: array.ndim - 1]]
        variables[name] = (("time", *extra), array, {"units": run.unit(name)})
    return xarray.Dataset(variables, coords={"time": ("time", np.asarray(run.time), {"units": "s"})})


def to_scipy(model: Any) -> Any:
    """A scipy.signal.StateSpace, continuous or with the model's period; deviations, in SI."""
    signal = needed("scipy.signal", "to_scipy()")
    matrices = (model.A, model.B, model.C, model.D)
    return signal.StateSpace(*matrices, dt=model.period) if model.period > 0 else signal.StateSpace(*matrices)


def to_control(model: Any) -> Any:
    """A control.StateSpace of python-control, with the names of states, inputs and outputs; a dot is `_` there, which allows none."""
    control = needed("control", "to_control()")
    inputs, outputs = ([name.replace(".", "_") for name in names] for names in (model.inputs, model.outputs))
    return control.ss(model.A, model.B, model.C, model.D, *([model.period] if model.period > 0 else []),
                      states=[name.replace(".", "_") for name in model.states], inputs=inputs, outputs=outputs)


def as_gymnasium(env: Any) -> Any:
    """An object of a subclass of gymnasium.Env that hands each call to `env`."""
    gymnasium = needed("gymnasium", "to_gymnasium()")

    class Same(gymnasium.Env):  # type: ignore[misc,name-defined]
        metadata, render_mode = env.metadata, env.render_mode
        action_space, observation_space = env.action_space, env.observation_space

        def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
            super().reset(seed=seed)
            return env.reset(seed=seed, options=options)

        def step(self, action: Any) -> Any:
            return env.step(action)

        def render(self) -> Any:
            return env.render()

        def close(self) -> None:
            env.close()

    return Same()


def state_space(system: Any) -> dict[str, Any]:
    """Settings A, B, C, D of a block continuous/StateSpace (or discrete/DiscreteStateSpace, which then runs at the
    system's period) from scipy.signal's StateSpace, TransferFunction or ZerosPolesGain, from python-control's
    StateSpace, or from a LinearModel:

        diagram.add("continuous/StateSpace", "plant", **hilda.state_space(scipy.signal.lti([1], [1, 2, 1])))
    """
    if hasattr(system, "to_ss"):
        system = system.to_ss()
    names = [name if hasattr(system, name) else name.lower() for name in "ABCD"]
    if not all(hasattr(system, name) for name in names):
        raise TypeError(f"a {type(system).__name__} has no matrices A, B, C, D; give a state space of SciPy, python-control or hilda")
    return {letter: np.atleast_2d(np.asarray(getattr(system, name), dtype=float)) for letter, name in zip("ABCD", names)}
