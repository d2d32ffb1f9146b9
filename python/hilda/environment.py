# SPDX-License-Identifier: BSD-3-Clause
"""Diagrams as environments for learning: the interface of Gymnasium, without a dependency on it."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from ._engine import Simulation

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
        self._actions, self._observations, self._seeds = list(actions), list(observations), list(seeds)
        self._reward: Any = reward
        self._terminated: Any = terminated
        import hilda  # its Simulation takes a Diagram and isolate=True, too

        self.simulation: Simulation = hilda.Simulation(diagram, **simulation)
        self._take_handles()
        self.action_space = _space(_limits(action_low, self._action_size, -math.inf, "action_low"),
                                   _limits(action_high, self._action_size, math.inf, "action_high"))
        size = self._observe().size
        self.observation_space = _space(_limits(observation_low, size, -math.inf, "observation_low"),
                                        _limits(observation_high, size, math.inf, "observation_high"))

    def _take_handles(self) -> None:
        simulation = self.simulation
        self._inputs = [simulation.input(name) for name in self._actions]
        self._sizes = [int(np.prod(each.shape)) for each in self._inputs]
        self._action_size = sum(self._sizes)
        self._outputs = [simulation.output(name) for name in self._observations]
        self._reward_signal = simulation.output(self._reward) if isinstance(self._reward, str) else None
        self._terminated_signal = simulation.output(self._terminated) if isinstance(self._terminated, str) else None
        self._rest = [simulation.get(name) for name in self._actions]
        self._start = simulation.checkpoint()
        self._reads = [each.read for each in self._outputs]
        self._scalar = all(np.ndim(read()) == 0 for read in self._reads)

    def _observe(self) -> npt.NDArray[np.float64]:
        if self._scalar:
            return np.array([read() for read in self._reads], dtype=float)
        seen: npt.NDArray[np.float64] = np.concatenate([np.ravel(read()) for read in self._reads]).astype(float)
        return seen

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[npt.NDArray[np.float64], dict[str, Any]]:
        """To t = 0. options={"settings": {...}} are values of parameters from here on."""
        settings = dict((options or {}).get("settings", {}))
        if seed is not None:
            settings.update({path: seed for path in self._seeds})
        if settings:
            self.simulation.set_many(settings)
            self._take_handles()
        else:
            self.simulation.restore(self._start)
            for each, value in zip(self._inputs, self._rest):
                each.write(value)
        return self._observe(), {"time": self.simulation.time}

    def _write(self, action: npt.NDArray[np.float64]) -> None:
        at = 0
        for each, size in zip(self._inputs, self._sizes):
            each.write(float(action[at]) if each.shape == () else action[at:at + size].reshape(each.shape))
            at += size

    def step(self, action: Any) -> tuple[npt.NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        """Writes the action, runs `ticks` ticks and looks. RunError: the run failed."""
        array = np.ravel(np.asarray(action, dtype=float))
        if array.size != self._action_size:
            raise ValueError(f"the action has {array.size} numbers; {', '.join(self._actions)} take {self._action_size}")
        self._write(array)
        goes_on = self.simulation.step(self.ticks)
        observation = self._observe()
        reward = self._reward_signal.read() if self._reward_signal else self._reward(observation, array)
        if self._terminated_signal is not None:
            ended = self._terminated_signal.read() > 0
        else:
            ended = self._terminated is not None and self._terminated(observation)
        time = self.simulation.time
        return observation, float(reward), bool(ended or not goes_on), time >= self.duration * (1 - 1e-12), {"time": time}

    def render(self) -> None:
        """Nothing: `hilda run --serve` shows a run, and a log can be looked at afterwards."""

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
    """

    def __init__(self, diagram: Any, count: int, *, threads: int | None = None, **env: Any) -> None:
        if count < 1:
            raise ValueError(f"count is {count}; there must be at least one environment")
        self.envs = [Env(diagram, **env) for _ in range(count)]
        self.num_envs = count
        self.single_action_space = self.envs[0].action_space
        self.single_observation_space = self.envs[0].observation_space
        workers = min(count, threads if threads is not None else (os.cpu_count() or 1))
        self._pool = ThreadPoolExecutor(workers) if workers > 1 else None

    def _each(self, call: Callable[..., Any], *arguments: Sequence[Any]) -> list[Any]:
        return list(self._pool.map(call, *arguments) if self._pool else map(call, *arguments))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[npt.NDArray[np.float64], dict[str, Any]]:
        """Environment i gets the seed `seed + i`."""
        seeds = [None if seed is None else seed + i for i in range(self.num_envs)]
        made = self._each(lambda env, each: env.reset(seed=each, options=options), self.envs, seeds)
        return np.stack([observation for observation, _ in made]), {"time": np.array([info["time"] for _, info in made])}

    @staticmethod
    def _step(env: Env, action: Any) -> tuple[Any, ...]:
        observation, reward, terminated, truncated, info = env.step(action)
        final = None
        if terminated or truncated:
            final = observation
            observation, _ = env.reset()
        return observation, reward, terminated, truncated, info["time"], final

    def step(self, actions: Any) -> tuple[Any, ...]:
        """actions: one row for each environment."""
        rows = np.asarray(actions, dtype=float).reshape(self.num_envs, -1)
        made = self._each(self._step, self.envs, list(rows))
        observations, rewards, terminated, truncated, times, finals = zip(*made)
        info: dict[str, Any] = {"time": np.array(times)}
        if any(final is not None for final in finals):
            info["final_observation"] = list(finals)
        return np.stack(observations), np.array(rewards), np.array(terminated), np.array(truncated), info

    def close(self) -> None:
        for env in self.envs:
            env.close()
        if self._pool:
            self._pool.shutdown()

    def __enter__(self) -> VectorEnv:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
