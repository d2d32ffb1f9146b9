# SPDX-License-Identifier: BSD-3-Clause
"""How simulations, runs, logs and models show themselves: repr, HTML for notebooks, plots."""

from __future__ import annotations

import os
import subprocess
import tempfile
from html import escape
from pathlib import Path
from typing import Any, Iterable, Sequence
from xml.etree import ElementTree

import numpy as np

from . import exchange, sweep
from ._engine import Diagram, LinearModel, Log, Run, Simulation
from .errors import Error
from .isolated import IsolatedRun, IsolatedSimulation
from .unavailable import needed

_ROWS = 40  # of a table in a notebook; the rows left out are counted


class _Html(str):
    """Markup, which a table takes as it is."""


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]], caption: str) -> str:
    all_rows = list(rows)
    cells = "".join("<tr>" + "".join(f"<td>{each if isinstance(each, _Html) else escape(str(each))}</td>" for each in row) + "</tr>" for row in all_rows[:_ROWS])
    more = f"<tr><td colspan={len(head)}>... {len(all_rows) - _ROWS} more</td></tr>" if len(all_rows) > _ROWS else ""
    titles = "".join(f"<th>{escape(each)}</th>" for each in head)
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{titles}</tr></thead><tbody>{cells}{more}</tbody></table>"


def _figure(value: Any) -> str:
    array = np.asarray(value)
    if array.ndim == 0:
        return f"{array[()]:.6g}" if array.dtype.kind == "f" else str(array[()])
    return np.array2string(array, precision=6, threshold=12, separator=", ")


def _span(array: Any) -> str:
    finite = np.asarray(array, dtype=float)[np.isfinite(np.asarray(array, dtype=float))]
    return f"{finite.min():.6g} to {finite.max():.6g}" if finite.size else "no finite number"


def _curve(array: Any) -> _Html:
    """A small plot of each element over the samples: lowest and highest of each column of pixels."""
    rows = np.asarray(array, dtype=float).reshape(len(array), -1)
    finite = rows[np.isfinite(rows)]
    if len(rows) < 2 or not finite.size:
        return _Html("")
    low, height = finite.min(), float(np.ptp(finite)) or 1.0
    lines = []
    for column in rows.T[:12]:
        parts = [part[np.isfinite(part)] for part in np.array_split(column, min(len(column), 160))]
        points = " ".join(f"{160 * i / len(parts):.1f},{29 - 28 * (y - low) / height:.1f}" for i, part in enumerate(parts) if part.size for y in (part.min(), part.max()))
        lines.append(f'<polyline points="{points}" fill="none" stroke="currentColor"/>')
    return _Html(f'<svg width="160" height="30" viewBox="0 0 160 30">{"".join(lines)}</svg>')


def _picture(file: str, mode: str = "", text: str | None = None) -> str:
    """The diagram as SVG, by `hilda draw`; "" where it cannot be drawn so: without the program, or with classes of this process."""
    with tempfile.TemporaryDirectory() as folder:
        out, source = Path(folder) / "diagram.svg", Path(file)
        if text is not None:
            source = Path(folder) / "diagram.xml"
            source.write_text(text, encoding="utf-8")
        try:
            done = subprocess.run([sweep.program(), "draw", os.fspath(source), "-o", os.fspath(out), *(["--mode", mode] if mode else [])],
                                  capture_output=True, timeout=20)
        except (Error, OSError, subprocess.TimeoutExpired):
            return ""
        drawn = out.read_text(encoding="utf-8") if done.returncode == 0 and out.is_file() else ""
        return drawn[max(drawn.find("<svg"), 0):]


def _of_run(run: Any) -> str:
    end = f" to {run.time[-1]:g} s" if len(run) else ""
    return f"<hilda.Run {len(run)} samples{end}, {len(run.signals)} signals, {run.reason}>"


def _html_of_run(run: Any) -> str:
    rows = ((name, run.unit(name), "x".join(map(str, np.shape(run[name])[1:])) or "scalar", _span(run[name]), _curve(run[name]))
            for name in run.signals)
    return _table(("signal", "unit", "shape", "range", "curve"), rows, _of_run(run).strip("<>"))


def _of_simulation(simulation: Any) -> str:
    return f"<hilda.Simulation {simulation.diagram} at {simulation.time:g} s, tick {simulation.tick} of {simulation.period:g} s>"


def _html_of_simulation(simulation: Any) -> str:
    rows = ((name, _figure(value)) for name, value in simulation.parameters.items())
    drawing = _picture(simulation.diagram, simulation.mode) if Path(simulation.diagram).is_file() else ""
    last = _html_of_run(simulation.last_run) if getattr(simulation, "last_run", None) is not None else ""
    return drawing + _table(("parameter", "value in SI"), rows, _of_simulation(simulation).strip("<>")) + last


def _of_log(log: Any) -> str:
    state = "complete" if log.complete else f"damaged: {'; '.join(log.problems)}"
    return f"<hilda.Log of {log.metadata.get('diagram', 'a run')}: {len(log.signals)} signals, {state}>"


def _html_of_log(log: Any) -> str:
    return _table(("signal", "unit"), ((name, log.unit(name)) for name in log.signals), _of_log(log).strip("<>"))


def _of_model(model: Any) -> str:
    kind = f"sampled at {model.period:g} s" if model.period > 0 else "continuous"
    return f"<hilda.LinearModel {len(model.states)} states, {len(model.inputs)} inputs, {len(model.outputs)} outputs, {kind}>"


def _html_of_model(model: Any) -> str:
    rows = ((f"{pole:.6g}", f"{error:.1g}") for pole, error in zip(model.poles, model.pole_errors))
    return _table(("pole", "error at most"), rows, _of_model(model).strip("<>"))


def _axes(ax: Any, count: int) -> Any:
    if ax is not None:
        return np.atleast_1d(np.asarray(ax, dtype=object))
    pyplot = needed("matplotlib.pyplot", "plot()")
    return np.atleast_1d(pyplot.subplots(count, 1, sharex=True, squeeze=False)[1][:, 0])


def plot_run(run: Any, signals: Any = None, *, ax: Any = None) -> Any:
    """Draws signals over time with matplotlib, a panel for each; gives the axes. `ax`: panels to draw into."""
    names = list(run.signals) if signals is None else [signals] if isinstance(signals, str) else list(signals)
    panels = _axes(ax, len(names))
    for panel, name in zip(panels, names):
        array: Any = np.asarray(run[name])
        time = run.time if isinstance(run, (Run, IsolatedRun)) else run.time(name)
        for index in np.ndindex(*array.shape[1:]):
            panel.plot(time, array[(slice(None), *index)], label="".join(f"[{i}]" for i in index) or None)
        unit = run.unit(name)
        panel.set_ylabel(f"{name} [{unit}]" if unit else name)
        if array.ndim > 1:
            panel.legend()
    panels[-1].set_xlabel("time [s]")
    return panels


def plot_simulation(simulation: Any, signals: Any = None, *, ax: Any = None) -> Any:
    """Draws the last run as Run.plot does. Error: there was none."""
    run = getattr(simulation, "last_run", None)
    if run is None:
        raise Error("plot() draws the last run, and there was none: call run() first")
    return plot_run(run, signals, ax=ax)


def _html_of_study(study: Any) -> str:
    """The axes, draws and figures of its file; and the results, if there are some."""
    caption = repr(study).strip("<>")
    try:
        root = ElementTree.parse(study.file).getroot()
    except (OSError, ElementTree.ParseError) as why:
        return f"<p>{escape(caption)}: {escape(str(why))}</p>"
    rows = []
    for each in root:
        words = dict(each.attrib)
        doc, name = words.pop("doc", ""), words.pop("name", None) or words.pop("path", None) or ("diagram" if "diagram" in words else "")
        if isinstance(each.tag, str):
            rows.append((each.tag, name, ", ".join(f"{key} {value}" for key, value in words.items()), doc))
    results = _html_of_results(study.results) if study.results is not None else ""
    return _table(("element", "of", "how", "for"), rows, caption) + results


def plot_study(study: Any, figure: str, *, ax: Any = None, **at: Any) -> Any:
    """Draws a figure of the results that `run` gave, as Results.plot does."""
    if study.results is None:
        raise Error("plot() draws the results of run(), and there are none: call run(store) first, or hilda.sweep.read(store).plot(figure)")
    return plot_results(study.results, figure, ax=ax, **at)


def _html_of_results(results: Any) -> str:
    rows = ([column[i] for column in results.columns.values()] for i in range(len(results)))
    return _table(tuple(results.columns), rows, repr(results).strip("<>"))


def plot_results(results: Any, figure: str, *, ax: Any = None, **at: Any) -> Any:
    """Draws a figure over the axes of the study with matplotlib, averaged over draws: a line for one axis, a map for two. `at`: values of
    other axes, as for `mean`; gives the axes."""
    values = results.mean(figure, **at)
    axes = {name: points for name, points in results.axes.items() if name.replace(".", "_") not in at}
    if values.ndim not in (1, 2):
        raise ValueError(f"{figure} depends on {values.ndim} axes ({', '.join(axes)}): give values to all but one or two of them")
    panel = _axes(ax, 1)[0]
    names = list(axes)
    if values.ndim == 1:
        panel.plot(axes[names[0]], values, marker="o")
        panel.set_ylabel(figure)
    else:
        mesh = panel.pcolormesh(range(len(axes[names[1]])), range(len(axes[names[0]])), values, shading="nearest")
        panel.set_xticks(range(len(axes[names[1]])), [str(each) for each in axes[names[1]]])
        panel.set_yticks(range(len(axes[names[0]])), [str(each) for each in axes[names[0]]])
        panel.set_ylabel(names[0])
        panel.figure.colorbar(mesh, label=figure)
    panel.set_xlabel(names[-1])
    return panel


def plot_model(model: Any, frequency: Any = None, *, ax: Any = None) -> Any:
    """Draws the Bode diagram of each input to each output with matplotlib: magnitude in dB and phase in degrees."""
    if frequency is None:
        moduli = np.abs(np.log(model.poles.astype(complex)) / model.period if model.period > 0 else model.poles)
        moduli = moduli[np.isfinite(moduli) & (moduli > 0)]
        low, high = (moduli.min(), moduli.max()) if moduli.size else (1.0, 1.0)
        top = min(high * 100, np.pi / model.period) if model.period > 0 else high * 100
        frequency = np.geomspace(low / 100, top, 400)
    response = model.response(frequency)
    panels = _axes(ax, 2)
    for i, output in enumerate(model.outputs):
        for k, source in enumerate(model.inputs):
            panels[0].semilogx(frequency, 20 * np.log10(np.abs(response[:, i, k])), label=f"{source} to {output}")
            panels[1].semilogx(frequency, np.degrees(np.unwrap(np.angle(response[:, i, k]))))
    panels[0].set_ylabel("magnitude [dB]")
    panels[0].legend()
    panels[1].set_ylabel("phase [deg]")
    panels[1].set_xlabel("frequency [rad/s]")
    return panels


def _give(types: Sequence[Any], **members: Any) -> None:
    for each in types:
        for name, member in members.items():
            setattr(each, name, member)


def install() -> None:
    """Gives the engine's types their Python faces; called once, when the package is imported."""
    keys = lambda self: list(self.signals)  # noqa: E731
    keys.__doc__ = "Names of the signals: `dict(run)` and `for name in run.keys()` work."
    _give((Run, IsolatedRun), __repr__=_of_run, _repr_html_=_html_of_run, keys=keys, plot=plot_run, to_pandas=exchange.to_pandas,
          to_xarray=exchange.to_xarray)
    _give((Simulation, IsolatedSimulation), __repr__=_of_simulation, _repr_html_=_html_of_simulation, keys=keys, plot=plot_simulation)
    _give((Log,), __repr__=_of_log, _repr_html_=_html_of_log, keys=keys, plot=plot_run)
    _give((LinearModel,), __repr__=_of_model, _repr_html_=_html_of_model, plot=plot_model, to_scipy=exchange.to_scipy,
          to_control=exchange.to_control)
    _give((Diagram,), __repr__=lambda self: f"<hilda.Diagram of {self.text.count(chr(10))} lines>",
          _repr_html_=lambda self: _picture("", text=self.text) or f"<pre>{escape(self.text)}</pre>")
    _give((sweep.Results,), _repr_html_=_html_of_results, plot=plot_results)
    _give((sweep.Study,), _repr_html_=_html_of_study, plot=plot_study)
