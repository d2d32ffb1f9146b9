# SPDX-License-Identifier: BSD-3-Clause
"""Diagrams as environments for learning: the interface of Gymnasium, without a dependency on it."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from ._engine import Simulation, _Stepper
from .exchange import as_gymnasium
from .isolated import IsolatedStepper

_Reward = Union[str, Callable[[npt.NDArray[np.float64], npt.NDArray[np.float64]], float]]
_Ended = Union[str, Callable[[npt.NDArray[np.float64]], bool], None]


class Box:
    """Numbers between limits: what gymnasium.spaces.Box is, where Gymnasium is not installed."""

    def __init__(self, low: npt.NDArray[np.float64], high: npt.NDArray[np.float64], seed: int | None = None) -> None:
        self.low, self.high, self.shape, self.dtype = low, high, low.shape, np.dtype(np.float64)
        self._random = np.random.default_rng(seed)

    def contains(self, x: Any) -> bool:
        array = np.asarray(x, dtype=float)
        return array.shape == self.shape and bool(np.all((array >= self.low) & (array <= self.high)))

    def sample(self) -> npt.NDArray[np.float64]:
        """Uniform between the limits; a normal number where there is none on one side."""
        bounded = np.isfinite(self.low) & np.isfinite(self.high)
        low, high = np.where(bounded, self.low, 0.0), np.where(bounded, self.high, 1.0)
        return np.where(bounded, self._random.uniform(low, high), np.clip(self._random.normal(size=self.shape), self.low, self.high))

    def __repr__(self) -> str:
        return f"Box(low={self.low}, high={self.high})"


def _space(low: npt.NDArray[np.float64], high: npt.NDArray[np.float64]) -> Any:
    try:
        from gymnasium.spaces import Box as Gymnasium  # type: ignore
    except ImportError:
        return Box(low, high)
    return Gymnasium(low, high, dtype=np.float64)


def _limits(given: Any, size: int, otherwise: float, what: str) -> npt.NDArray[np.float64]:
    array = np.full(size, otherwise) if given is None else np.asarray(given, dtype=float)
    try:
        return np.broadcast_to(array, (size,)).astype(float)
    except ValueError:
        raise ValueError(f"{what} has the shape {array.shape}; give one number, or {size} of them") from None


class Env:
    """A diagram that an agent acts on: each step writes the actions, runs `ticks` ticks and reads the observations.

        env = hilda.Env("cart.xml", actions=["push"], observations=["position.y", "velocity.y"], ticks=10,
                        reward=lambda observation, action: -observation[0] ** 2, duration=5.0)
        observation, info = env.reset(seed=1)
        observation, reward, terminated, truncated, info = env.step([0.3])

    actions: inputs of the diagram, or parameters that may change while it runs; observations: signals. Numbers are in
    SI; several elements follow each other in the order of the names.
    reward: a signal, or a function of (observation, action). terminated: a signal that is true or positive, or a
    function of the observation; a block that ends the run terminates too. duration: s, after which it is truncated.
    seeds: parameters that reset(seed=...) sets; the same seed gives the same bits. Everything else as for Simulation.
    """

    metadata: dict[str, Any] = {"render_modes": []}
    render_mode: str | None = None

    def __init__(
        self,
        diagram: Any,
        *,
        actions: Sequence[str],
        observations: Sequence[str],
        reward: _Reward,
        terminated: _Ended = None,
        ticks: int = 1,
        duration: float = math.inf,
        seeds: Sequence[str] = (),
        action_low: Any = None,
        action_high: Any = None,
        observation_low: Any = None,
        observation_high: Any = None,
        **simulation: Any,
    ) -> None:
        if ticks < 1:
            raise ValueError(f"ticks is {ticks}; a step takes at least one tick")
        self.ticks, self.duration = int(ticks), float(duration)
        self._last = self.duration * (1 - 1e-12)
        self._actions, self._observations, self._seeds = list(actions), list(observations), list(seeds)
        self._reward: Any = reward
        self._terminated: Any = terminated
        import hilda  # its Simulation takes a Diagram and isolate=True, too

        self.simulation: Simulation = hilda.Simulation(diagram, **simulation)
        self._stepper: Any = self._stepper_of([self.simulation], 1)
        self._begin()
        self._action_size = self._stepper.sizes()[0]
        self.action_space = _space(_limits(action_low, self._action_size, -math.inf, "action_low"),
                                   _limits(action_high, self._action_size, math.inf, "action_high"))
        size = self._stepper.sizes()[1]
        self.observation_space = _space(_limits(observation_low, size, -math.inf, "observation_low"),
                                        _limits(observation_high, size, math.inf, "observation_high"))

    def _begin(self) -> None:
        """Of the diagram as it was loaded now."""
        self._inputs = [self.simulation.input(name) for name in self._actions]
        self._rest = [self.simulation.get(name) for name in self._actions]
        self._start = self.simulation.checkpoint()

    def _stepper_of(self, simulations: list[Simulation], threads: int) -> Any:
        figures = [each for each in (self._reward, self._terminated) if isinstance(each, str)]
        kind: Any = _Stepper if isinstance(simulations[0], Simulation) else IsolatedStepper
        return kind(simulations, self._actions, self._observations, figures, threads)

    def _observe(self) -> npt.NDArray[np.float64]:
        seen: npt.NDArray[np.float64] = self._stepper.look()[0]
        return seen

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[npt.NDArray[np.float64], dict[str, Any]]:
        """To t = 0. options={"settings": {...}} are values of parameters from here on."""
        settings = dict((options or {}).get("settings", {}))
        if seed is not None:
            settings.update({path: seed for path in self._seeds})
        if settings:
            self.simulation.set_many(settings)
            self._begin()
        else:
            self.simulation.restore(self._start)
            for each, value in zip(self._inputs, self._rest):
                each.write(value)
        return self._observe(), {"time": self.simulation.time}

    def step(self, action: Any) -> tuple[npt.NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        """Writes the action, runs `ticks` ticks and looks. RunError: the run failed."""
        observation, taken, figures, goes_on, time = self._stepper.step(action, self.ticks)
        reward = figures[0] if isinstance(self._reward, str) else self._reward(observation, taken)
        if isinstance(self._terminated, str):
            ended = figures[-1] > 0
        else:
            ended = self._terminated is not None and self._terminated(observation)
        return observation, float(reward), bool(ended or not goes_on), time >= self._last, {"time": time}

    def render(self) -> None:
        """Nothing: `hilda run --serve` shows a run, and a log can be looked at afterwards."""

    def to_gymnasium(self) -> Any:
        """The same as a gymnasium.Env, for wrappers and packages that accept nothing else."""
        return as_gymnasium(self)

    def close(self) -> None:
        """Ends the log of the simulation, if one was begun."""
        self.simulation.end_log()

    def __enter__(self) -> Env:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<hilda.Env {self.simulation.diagram}: {', '.join(self._actions)} -> {', '.join(self._observations)}>"


class VectorEnv:
    """`count` environments of one diagram, stepped together; arrays have one row for each.

    One that has ended is reset by the step that ended it, as Gymnasium's vector environments do; its last observation
    is in info["final_observation"]. threads: how many step at a time (the engine releases Python's lock while it runs).
    batched: the functions `reward` and `terminated` take the arrays of all environments, a row for each, and return an
    array with an element for each. This is faster than a call for each environment.
    """

    def __init__(self, diagram: Any, count: int, *, threads: int | None = None, batched: bool = False, **env: Any) -> None:
        if count < 1:
            raise ValueError(f"count is {count}; there must be at least one environment")
        self.envs = [Env(diagram, **env) for _ in range(count)]
        self.num_envs = count
        self.single_action_space = self.envs[0].action_space
        self.single_observation_space = self.envs[0].observation_space
        workers = min(count, threads if threads is not None else (os.cpu_count() or 1))
        self._stepper: Any = self.envs[0]._stepper_of([each.simulation for each in self.envs], workers)
        self._reward: Any = self._of_each(self.envs[0]._reward, "reward", 0, batched)
        self._terminated: Any = self._of_each(self.envs[0]._terminated, "terminated", -1, batched)

    def _of_each(self, what: Any, name: str, figure: int, batched: bool) -> Any:
        """(observations, actions, figures) -> an array with an element for each environment."""
        one = name == "terminated"
        if isinstance(what, str):
            return lambda seen, acted, figures: figures[:, figure] > 0 if one else figures[:, figure]
        if what is None:
            return lambda seen, acted, figures: np.zeros(self.num_envs, dtype=bool)
        kind: Any = bool if one else float
        if not batched:
            return lambda seen, acted, figures: np.array([what(*each) for each in (zip(seen) if one else zip(seen, acted))], dtype=kind)

        def of_all(seen: Any, acted: Any, figures: Any) -> Any:
            made = np.asarray(what(seen) if one else what(seen, acted))
            if made.shape != (self.num_envs,):
                raise ValueError(f"{name} returned the shape {made.shape}; with batched=True it returns ({self.num_envs},), "
                                 "an element for each environment")
            return made.astype(kind)

        return of_all

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[npt.NDArray[np.float64], dict[str, Any]]:
        """Environment i gets the seed `seed + i`."""
        seeds = [None if seed is None else seed + i for i in range(self.num_envs)]
        made = [env.reset(seed=each, options=options) for env, each in zip(self.envs, seeds)]
        return np.stack([observation for observation, _ in made]), {"time": np.array([info["time"] for _, info in made])}

    def step(self, actions: Any) -> tuple[Any, ...]:
        """actions: one row for each environment."""
        rows = np.asarray(actions, dtype=float).reshape(self.num_envs, -1)
        observations, figures, goes_on, times = self._stepper.step_each(rows, self.envs[0].ticks)
        rewards = self._reward(observations, rows, figures)
        terminated = self._terminated(observations, rows, figures) | ~goes_on
        truncated = times >= self.envs[0]._last
        info: dict[str, Any] = {"time": times}
        over = terminated | truncated
        if over.any():
            finals: list[Any] = [None] * self.num_envs
            for i in np.flatnonzero(over):
                finals[i] = observations[i].copy()
                observations[i] = self.envs[i].reset()[0]
            info["final_observation"] = finals
        return observations, rewards, terminated, truncated, info

    def close(self) -> None:
        for env in self.envs:
            env.close()

    def __enter__(self) -> VectorEnv:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
