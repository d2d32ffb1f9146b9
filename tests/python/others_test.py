# SPDX-License-Identifier: BSD-3-Clause
"""What hilda gives to packages that need not be there: with stand-ins for them, without them, and with the packages where they are."""

import contextlib
import importlib.util
import pathlib
import sys
import tempfile
import types
import unittest
import warnings
from unittest import mock

import numpy as np

import hilda
from hilda import shown

LAG = """<diagram format="1" name="lag" period="1 ms">
  <parameter name="gain" value="2 N/m"/>
  <block name="step" type="sources/Constant" value="1 m"/>
  <block name="spring" type="math/Gain" gain="${gain}"/>
  <block name="pair" type="routing/Mux"/>
  <connect from="step.y" to="spring.u"/>
  <connect from="spring.y" to="pair.u[0]"/>
  <connect from="spring.y" to="pair.u[1]"/>
</diagram>
"""
LOOP = """<diagram format="1" name="loop" period="1 ms" solver="rk4">
  <input name="push" default="0"/>
  <block name="lag" type="continuous/TransferFunction" numerator="2" denominator="0.1 1"/>
  <block name="out" type="math/Gain" gain="1"/>
  <connect from="push" to="lag.u"/><connect from="lag.y" to="out.u"/>
</diagram>
"""
STUDY = """<study format="1" name="gains" mode="sim">
  <set path="duration" value="10 ms"/>
  <axis path="gain" values="1 2 4" unit="N/m" doc="Of the &lt;spring&gt;"/>
  <axis path="length" values="1 2" unit="m"/>
  <figure name="force" from="largest"/>
</study>
"""


class Panel:
    """Of matplotlib: notes what is drawn."""

    def __init__(self):
        self.calls = []
        self.figure = self

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *arguments, **named: self.calls.append((name, arguments, named)) or self

    def drawn(self, name):
        return [arguments for called, arguments, _ in self.calls if called == name]


class Table(dict):
    """A run of these arrays."""

    def __init__(self, arrays, **members):
        super().__init__(arrays)
        vars(self).update(members)


def subplots(rows, columns, sharex, squeeze):
    assert (columns, sharex, squeeze) == (1, True, False)
    panels = np.empty((rows, 1), dtype=object)
    for i in range(rows):
        panels[i, 0] = Panel()
    return Panel(), panels


@contextlib.contextmanager
def modules(**named):
    """These are imported, or None: they are not there. "__" is a dot."""
    made = {}
    for name, members in named.items():
        name = name.replace("__", ".")
        parts = name.split(".")
        for i in range(1, len(parts) + 1):
            made.setdefault(".".join(parts[:i]), None if members is None else types.ModuleType(".".join(parts[:i])))
        if members is not None:
            vars(made[name]).update(members)
    with mock.patch.dict(sys.modules, made):
        yield


def there(name):
    return importlib.util.find_spec(name) is not None


class Others(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "lag.xml"
        self.file.write_text(LAG)
        (self.folder / "loop.xml").write_text(LOOP)

    def model(self):
        return hilda.linearize(self.folder / "loop.xml", "push", "out.y")

    def results(self):
        """Of a study, as if the program had made it."""
        made = hilda.sweep.Results.__new__(hilda.sweep.Results)
        gains, lengths = np.array([1.0, 1, 2, 2, 4, 4]), np.array([1.0, 2] * 3)
        made.name, made.figures, made.draws, made.units = "gains", ["force"], [], {}
        made.columns = {"run": np.arange(6), "gain": gains, "length": lengths, "force": gains * lengths}
        made.axes = {"gain": np.array([1.0, 2, 4]), "length": np.array([1.0, 2])}
        made._place, made._shape = (np.arange(6), np.zeros(6, dtype=np.int64)), (3, 2, 1)
        return made

    def test_a_simulation_plots_its_last_run(self):
        simulation = hilda.Simulation(self.file)
        with self.assertRaisesRegex(hilda.Error, r"plot\(\) draws the last run, and there was none: call run\(\) first"):
            simulation.plot()
        self.assertNotIn("<th>signal</th>", simulation._repr_html_())
        run = simulation.run(0.01)
        with modules(matplotlib__pyplot={"subplots": subplots}):
            panels = simulation.plot(["spring.y", "pair.y"])
            self.assertEqual([panel.drawn("set_ylabel") for panel in panels], [[("spring.y [N]",)], [("pair.y",)]] if run.unit("pair.y") == "" else
                             [[("spring.y [N]",)], [("pair.y [N]",)]])
            times, values = panels[0].drawn("plot")[0]
            np.testing.assert_array_equal(times, run.time)
            np.testing.assert_array_equal(values, np.full(10, 2.0))
            self.assertEqual(len(panels[1].drawn("plot")), 2)
            self.assertEqual(panels[-1].drawn("set_xlabel"), [("time [s]",)])
            self.assertEqual(len(simulation.plot()), len(run.signals))
            own = Panel()
            simulation.plot("spring.y", ax=own)
            self.assertEqual(len(own.drawn("plot")), 1)
        self.assertIn("<th>signal</th>", simulation._repr_html_())
        self.assertIn("<polyline", simulation._repr_html_())
        simulation.reset()
        self.assertIs(simulation.last_run, run)
        isolated = hilda.Simulation(self.file, isolate=True)
        with modules(matplotlib__pyplot={"subplots": subplots}):
            with self.assertRaises(hilda.Error):
                isolated.plot()
            isolated.run(0.01)
            self.assertEqual(len(isolated.plot("spring.y")[0].drawn("plot")), 1)
        isolated.close()

    def test_a_signal_of_a_log_has_its_own_times(self):
        times = {"fast": np.arange(4) * 0.5, "slow": np.arange(2) * 1.0}
        log = Table({"fast": np.arange(4.0), "slow": np.arange(2.0)}, time=times.get, signals=list(times), unit=lambda name: "")
        with modules(matplotlib__pyplot={"subplots": subplots}):
            for name, panel in zip(times, shown.plot_run(log)):
                np.testing.assert_array_equal(panel.drawn("plot")[0], [times[name], log[name]])

    def test_the_phase_of_a_bode_diagram_is_unwrapped(self):
        delay = types.SimpleNamespace(inputs=["u"], outputs=["y"], response=lambda w: 10 * np.exp(-1j * np.asarray(w)).reshape(-1, 1, 1))
        with modules(matplotlib__pyplot={"subplots": subplots}):
            magnitude, phase = shown.plot_model(delay, np.linspace(0.1, 10, 100))
        np.testing.assert_allclose(magnitude.drawn("semilogx")[0][1], 20)
        np.testing.assert_allclose(phase.drawn("semilogx")[0][1][[0, -1]], np.degrees([-0.1, -10]))

    def test_a_failed_run_is_the_last_one(self):
        @hilda.block(doc="Fails.")
        class Fails(hilda.Block):
            u = hilda.Input("@u")
            y = hilda.Output("@u")

            def output(self, t):
                self.y = self.u
                if t.index == 4:
                    t.fail("enough")

        diagram = hilda.edit(self.file)
        diagram.add("python/Fails", "fails")
        diagram.connect("spring.y", "fails.u")
        simulation = hilda.Simulation(diagram, blocks=[Fails])
        with self.assertRaises(hilda.RunError) as raised:
            simulation.run(0.01)
        self.assertIs(simulation.last_run, raised.exception.run)
        self.assertEqual(len(simulation.last_run), 5)

    def test_a_study_shows_its_file_and_plots_its_results(self):
        file = self.folder / "study.xml"
        file.write_text(STUDY)
        study = hilda.Study(file)
        page = study._repr_html_()
        self.assertIn("<td>axis</td><td>gain</td><td>values 1 2 4, unit N/m</td><td>Of the &lt;spring&gt;</td>", page)
        self.assertIn("<td>figure</td><td>force</td>", page)
        self.assertNotIn("hilda.Results", page)
        with self.assertRaisesRegex(hilda.Error, r"plot\(\) draws the results of run\(\), and there are none: call run\(store\) first"):
            study.plot("force")
        study.results = self.results()
        self.assertIn("hilda.Results gains: 6 runs", study._repr_html_())
        with modules(matplotlib__pyplot={"subplots": subplots}):
            panel = study.plot("force", length=2)
            (axis, values), = panel.drawn("plot")
            np.testing.assert_array_equal(axis, [1, 2, 4])
            np.testing.assert_array_equal(values, [2, 4, 8])
            self.assertEqual((panel.drawn("set_xlabel"), panel.drawn("set_ylabel")), ([("gain",)], [("force",)]))
            panel = study.plot("force")
            np.testing.assert_array_equal(panel.drawn("pcolormesh")[0][2], [[1, 2], [2, 4], [4, 8]])
        file.write_text("<study")
        self.assertRegex(study._repr_html_(), "^<p>hilda.Study .*study.xml: unclosed token")
        file.unlink()
        self.assertIn("No such file", study._repr_html_())

    def test_without_the_package_the_error_says_which_and_how_to_get_it(self):
        simulation = hilda.Simulation(self.file)
        run, model = simulation.run(0.002), self.model()
        for call, what, package in ((run.plot, "plot()", "matplotlib"), (simulation.plot, "plot()", "matplotlib"), (model.plot, "plot()", "matplotlib"),
                                    (run.to_pandas, "to_pandas()", "pandas"), (self.results().to_pandas, "to_pandas()", "pandas"),
                                    (run.to_xarray, "to_xarray()", "xarray"), (model.to_scipy, "to_scipy()", "scipy"),
                                    (model.to_control, "to_control()", "control")):
            with self.subTest(what, package=package), modules(matplotlib__pyplot=None, pandas=None, xarray=None, scipy__signal=None, control=None):
                with self.assertRaises(ImportError) as raised:
                    call()
                text = str(raised.exception)
                self.assertTrue(text.startswith(f"{what} needs {package}: "), text)
                self.assertIn(f"help: pip install {package}", text)
                self.assertEqual("apt-get install python3-" + package in text, package != "control")

    def test_stand_ins_get_what_the_packages_take(self):
        run, model = hilda.Simulation(self.file).run(0.003), self.model()
        frame = types.SimpleNamespace(attrs={}, columns=[])

        def data_frame(columns, index):
            frame.columns, frame.values, frame.index = list(columns), columns, index
            return frame

        with modules(pandas={"DataFrame": data_frame, "Index": lambda values, name: (name, list(values))}):
            made = run.to_pandas(["pair.y"])
        self.assertEqual((made.columns, made.index[0], made.attrs["units"]), (["pair.y[0]", "pair.y[1]"], "time [s]", {name: run.unit("pair.y") for name in made.columns}))
        matrix = np.arange(12.0).reshape(2, 2, 3)
        whole = Table({"m": matrix}, time=np.array([0.0, 1.0]), signals=["m"], unit=lambda name: "N" if name == "m" else "")
        with modules(pandas={"DataFrame": data_frame, "Index": lambda values, name: (name, list(values))}):
            made = hilda.exchange.to_pandas(whole)
        self.assertEqual({name: column.tolist() for name, column in made.values.items()},
                         {f"m[{i}][{k}]": matrix[:, i, k].tolist() for i in range(2) for k in range(3)})
        self.assertEqual(set(made.attrs["units"].values()), {"N"})
        with modules(xarray={"Dataset": lambda variables, coords: (variables, coords)}):
            variables, coords = run.to_xarray("pair.y")
        self.assertEqual((variables["pair.y"][0], variables["pair.y"][1].shape, coords["time"][2]), (("time", "pair.y.row"), (3, 2), {"units": "s"}))
        with modules(scipy__signal={"StateSpace": lambda *matrices, **named: (matrices, named)}):
            matrices, named = model.to_scipy()
        self.assertIs(type(matrices), tuple)
        self.assertEqual(([each.shape for each in matrices], named), ([(1, 1)] * 4, {"dt": model.period} if model.period > 0 else {}))
        base = type("Env", (), {"reset": lambda self, seed=None, options=None: setattr(self, "seeded", seed)})
        env = hilda.Env(self.folder / "loop.xml", actions=["push"], observations=["lag.y"], reward="lag.y")
        with modules(gymnasium={"Env": base}):
            same = env.to_gymnasium()
        self.assertIsInstance(same, base)
        self.assertEqual((same.reset(seed=4)[0].tolist(), same.seeded, same.action_space), ([0], 4, env.action_space))
        self.assertEqual(same.step([1.0])[4], {"time": 0.001})
        with modules(gymnasium=None), self.assertRaisesRegex(ImportError, r"to_gymnasium\(\) needs gymnasium: .*\nhelp: pip install gymnasium$"):
            env.to_gymnasium()
        with modules(control={"ss": lambda *matrices, **named: (matrices, named)}):
            matrices, named = model.to_control()
        self.assertEqual(named, {"states": ["lag_w"], "inputs": ["push_y"], "outputs": ["out_y"]})

    @unittest.skipUnless(there("control"), "no python-control")
    def test_python_control_goes_there_and_back(self):
        import control

        model = self.model()
        system = model.to_control()
        self.assertEqual((system.input_labels, system.output_labels), (["push_y"], ["out_y"]))
        self.assertAlmostEqual(complex(system(np.exp(10j * model.period))), model.response(10.0)[0, 0], places=9)
        diagram = hilda.Diagram(name="plant", period="1 ms")
        diagram.add("sources/Constant", "one", value=[1.0])
        diagram.add("continuous/StateSpace", "plant", **hilda.state_space(control.tf([2], [0.1, 1])))
        diagram.connect("one.y", "plant.u")
        run = hilda.Simulation(diagram).run(0.3)
        np.testing.assert_allclose(np.ravel(run["plant.y"]), 2 * (1 - np.exp(-run.time / 0.1)), atol=1e-9)

    @unittest.skipUnless(there("gymnasium"), "no Gymnasium")
    def test_gymnasium_finds_nothing_wrong_with_an_environment(self):
        from gymnasium.spaces import Box
        from gymnasium.utils.env_checker import check_env
        from gymnasium.wrappers import TimeLimit

        env = hilda.Env(self.folder / "loop.xml", actions=["push"], observations=["lag.y"], reward=lambda seen, action: -float(seen[0]) ** 2,
                        action_low=-1, action_high=1, ticks=3, duration=0.1)
        self.assertIsInstance(env.action_space, Box)
        self.assertTrue(env.action_space.contains(env.action_space.sample()))
        self.assertTrue(env.observation_space.contains(env.reset(seed=1)[0]))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", message=".*(spec|Box observation space|no render modes).*")
            check_env(env.to_gymnasium(), skip_render_check=True)
        limited = TimeLimit(env.to_gymnasium(), 2)
        limited.reset(seed=3)
        self.assertEqual([limited.step(np.array([0.5]))[3] for _ in range(2)], [False, True])
        self.assertEqual(env.simulation.tick, 6)

    @unittest.skipUnless(there("matplotlib"), "no matplotlib")
    def test_matplotlib_draws_each_kind(self):
        import matplotlib

        matplotlib.use("Agg")
        simulation = hilda.Simulation(self.file)
        simulation.run(0.01)
        study = hilda.Study("study.xml")
        study.results = self.results()
        for drawn in (simulation.plot("pair.y")[0], self.model().plot()[0], study.plot("force", gain=1), study.plot("force")):
            picture = self.folder / "a.png"
            drawn.figure.savefig(picture)
            self.assertGreater(picture.stat().st_size, 2000)

    @unittest.skipUnless(there("pandas"), "no pandas")
    def test_pandas_takes_results(self):
        frame = self.results().to_pandas()
        self.assertEqual((list(frame.columns), frame.loc[5, "force"]), (["gain", "length", "force"], 8))


if __name__ == "__main__":
    unittest.main()
