# SPDX-License-Identifier: BSD-3-Clause
"""How the package's objects show themselves and what they become in other packages."""

import asyncio
import importlib.util
import pathlib
import re
import tempfile
import unittest
import warnings

import numpy as np

import hilda
from hilda import shown

LAG = """<diagram format="1" name="lag" period="1 ms">
  <parameter name="gain" value="2 N/m"/>
  <parameter name="time_constant" value="0.1 s"/>
  <block name="step" type="sources/Constant" value="1 m"/>
  <block name="spring" type="math/Gain" gain="${gain}"/>
  <block name="error" type="math/Sum" signs="+-"/>
  <block name="rate" type="math/Gain" gain="${1 / time_constant}"/>
  <block name="lag" type="continuous/Integrator" initial="0 N"/>
  <block name="pair" type="routing/Mux"/>
  <connect from="step.y" to="spring.u"/>
  <connect from="spring.y" to="error.u[0]"/>
  <connect from="lag.y" to="error.u[1]"/>
  <connect from="error.y" to="rate.u"/>
  <connect from="rate.y" to="lag.u"/>
  <connect from="spring.y" to="pair.u[0]"/>
  <connect from="lag.y" to="pair.u[1]"/>
</diagram>
"""


def there(name):
    return importlib.util.find_spec(name) is not None


class Shown(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "lag.xml"
        self.file.write_text(LAG)

    def model(self):
        """Of the lag alone, without the vector, which is sampled."""
        file = self.folder / "alone.xml"
        file.write_text("\n".join(line for line in LAG.splitlines() if "pair" not in line))
        return hilda.linearize(file, "spring.y", "lag.y")

    def test_each_says_what_it_is(self):
        simulation = hilda.Simulation(self.file)
        self.assertRegex(repr(simulation), r"^<hilda\.Simulation .*lag\.xml at 0 s, tick 0 of 0\.001 s>$")
        run = simulation.run(0.01, log=self.folder / "a.mcap")
        self.assertEqual(repr(run), "<hilda.Run 10 samples to 0.009 s, 6 signals, duration>")
        self.assertIn('<td>spring.y</td><td>N</td><td>scalar</td><td>2 to 2</td><td><svg width="160"', run._repr_html_())
        self.assertIn("<td>gain</td><td>2</td>", simulation._repr_html_())
        self.assertIn("6 signals, complete", repr(hilda.Log(self.folder / "a.mcap")))
        model = self.model()
        self.assertEqual(repr(model), "<hilda.LinearModel 1 states, 1 inputs, 1 outputs, sampled at 0.001 s>")
        self.assertIn("<td>0.99005+0j</td>", model._repr_html_())

    def test_a_diagram_is_a_picture_in_a_notebook(self):
        simulation = hilda.Simulation(self.file)
        for page in (simulation._repr_html_(), hilda.edit(self.file)._repr_html_()):
            self.assertTrue(page.startswith("<svg"), page[:80])
            self.assertIn("spring", page)
        self.assertIn("<td>gain</td><td>2</td>", simulation._repr_html_())
        broken = hilda.Diagram(name="broken", period="1 ms")
        broken.add("python/NotThere", "it")
        self.assertTrue(broken._repr_html_().startswith("<pre>&lt;diagram"))

    def test_a_curve_follows_the_samples(self):
        curve = shown._curve(np.array([0.0, 1.0, np.nan, 3.0]))
        self.assertEqual(re.findall(r"[\d.]+,[\d.]+", curve), ["0.0,29.0", "0.0,29.0", "40.0,19.7", "40.0,19.7", "120.0,1.0", "120.0,1.0"])
        self.assertEqual(shown._curve(np.zeros((5, 3))).count("<polyline"), 3)
        self.assertEqual(shown._curve(np.full(4, np.inf)), "")

    def test_markup_in_names_stays_text(self):
        self.file.write_text(LAG.replace('name="gain" value="2 N/m"', 'name="gain" value="2 N/m" doc="&lt;b&gt;"'))
        self.assertNotIn("<b>", hilda.Simulation(self.file)._repr_html_())

    def test_a_run_is_a_mapping(self):
        run = hilda.Simulation(self.file).run(0.003)
        self.assertEqual(run.keys(), run.signals)
        self.assertEqual(set(dict(run)), set(run.signals))
        isolated = hilda.Simulation(self.file, isolate=True)
        self.assertEqual(isolated.run(0.003).keys(), run.keys())
        isolated.close()

    def test_with_ends_the_log(self):
        with hilda.Simulation(self.file) as simulation:
            simulation.begin_log(self.folder / "b.mcap")
            simulation.step(5)
        log = hilda.Log(self.folder / "b.mcap")
        self.assertTrue(log.complete)
        self.assertEqual(len(log["lag.y"]), 5)

    def test_it_runs_while_other_tasks_go_on(self):
        async def both():
            simulation, seen = hilda.Simulation(self.file), []

            async def other():
                for i in range(3):
                    seen.append(i)
                    await asyncio.sleep(0)

            run, _ = await asyncio.gather(simulation.run_async(0.5), other())
            return run, seen

        run, seen = asyncio.run(both())
        self.assertEqual((len(run), seen), (500, [0, 1, 2]))

    def test_a_diagram_runs_without_a_file(self):
        diagram = hilda.Diagram(name="made", period="1 ms")
        diagram.add("sources/Constant", "one", value="3 N")
        diagram.add("math/Gain", "twice", gain=2)
        diagram.connect("one.y", "twice.u")
        for isolate in (False, True):
            simulation = hilda.Simulation(diagram, isolate=isolate)
            simulation.step()
            self.assertEqual(simulation["twice.y"], 6)
        edited = hilda.edit(self.file)
        edited.set("gain", "5 N/m")
        simulation = hilda.Simulation(edited)
        simulation.step()
        self.assertEqual(simulation["spring.y"], 5)
        self.assertEqual(hilda.Simulation(self.file).get("gain"), 2, "the file is as it was")

    def test_a_slip_in_a_type_is_answered_when_it_is_added(self):
        diagram = hilda.Diagram()
        with self.assertRaisesRegex(hilda.Error, "no plugin has a block of type 'math/Gian'; did you mean 'math/Gain'?"):
            diagram.add("math/Gian", "g")
        self.assertNotIn("Gian", diagram.text)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            diagram.add("my_filters/LowPass", "own")
        self.assertIn("so Simulation needs plugins=[...]", str(said[0].message))
        self.assertIn("my_filters/LowPass", diagram.text)

    def test_state_space_of_another_package_becomes_settings(self):
        class Foreign:
            A, B, C, D = [[0, 1], [-4, -0.4]], [[0], [1]], [[1, 0]], [[0]]

        diagram = hilda.Diagram(name="plant", period="1 ms")
        diagram.add("sources/Constant", "one", value=[1.0])
        diagram.add("continuous/StateSpace", "plant", **hilda.state_space(Foreign()))
        diagram.connect("one.y", "plant.u")
        run = hilda.Simulation(diagram).run(1.0)
        w, zeta = 2.0, 0.1
        wd = w * np.sqrt(1 - zeta ** 2)
        exact = (1 - np.exp(-zeta * w * run.time) * (np.cos(wd * run.time) + zeta * w / wd * np.sin(wd * run.time))) / 4
        np.testing.assert_allclose(np.ravel(run["plant.y"]), exact, atol=1e-9)
        with self.assertRaisesRegex(TypeError, "has no matrices A, B, C, D"):
            hilda.state_space(3)

    @unittest.skipUnless(there("pandas"), "no pandas")
    def test_pandas_has_a_column_for_each_element(self):
        run = hilda.Simulation(self.file).run(0.005)
        frame = run.to_pandas()
        self.assertEqual(set(frame.columns), {"step.y", "spring.y", "error.y", "rate.y", "lag.y", "pair.y[0]", "pair.y[1]"})
        np.testing.assert_array_equal(frame["pair.y[1]"], run["pair.y"][:, 1])
        np.testing.assert_array_equal(frame.index, run.time)
        self.assertEqual(frame.attrs["units"]["spring.y"], "N")
        self.assertEqual(list(run.to_pandas("lag.y").columns), ["lag.y"])

    @unittest.skipUnless(there("xarray"), "no xarray")
    def test_xarray_has_units_and_dimensions(self):
        run = hilda.Simulation(self.file).run(0.005)
        data = run.to_xarray()
        self.assertEqual(data["pair.y"].dims, ("time", "pair.y.row"))
        self.assertEqual(data["spring.y"].attrs["units"], "N")

    @unittest.skipUnless(there("scipy"), "no scipy")
    def test_scipy_goes_there_and_back(self):
        from scipy import signal

        model = self.model()
        system = model.to_scipy()
        _, response = signal.dfreqresp(system, [10.0 * model.period])
        self.assertAlmostEqual(abs(response[0] - model.response(10.0)[0, 0]), 0, places=9)
        settings = hilda.state_space(signal.lti([3], [1, 3]))
        self.assertEqual({name: float(value[0, 0]) for name, value in settings.items()}, {"A": -3, "B": 1, "C": 3, "D": 0})

    @unittest.skipUnless(there("matplotlib"), "no matplotlib")
    def test_plots_have_units_and_a_panel_each(self):
        import matplotlib
        matplotlib.use("Agg")
        run = hilda.Simulation(self.file).run(0.1)
        panels = run.plot(["spring.y", "pair.y"])
        self.assertEqual([panel.get_ylabel() for panel in panels], ["spring.y [N]", "pair.y [N]"])
        self.assertEqual([len(panel.lines) for panel in panels], [1, 2])
        model = self.model()
        magnitude, _ = model.plot()
        self.assertAlmostEqual(magnitude.lines[0].get_ydata()[0], 0, places=2)

    def test_sensitivity_is_that_of_the_closed_form(self):
        simulation = hilda.Simulation(self.file)
        found = hilda.sensitivity(simulation, lambda s: s["lag.y"], ["gain", "time_constant"], duration=0.2)
        # y(t) = k (1 - exp(-t / T)) at the last tick computed, 0.199 s
        t, k, T = 0.199, 2.0, 0.1
        exact = {"gain": 1 - np.exp(-t / T), "time_constant": -k * t / T ** 2 * np.exp(-t / T)}
        for name, value in exact.items():
            self.assertAlmostEqual(found[name].value, value, delta=max(found[name].error, 1e-6))
            self.assertLess(found[name].error, 1e-3 * abs(value))
        self.assertEqual(simulation.get("gain"), 2)
        with self.assertRaisesRegex(KeyError, "the summary has no 'contacts.0.cov'"):
            hilda.sensitivity(simulation, "contacts.0.cov", ["gain"], duration=0.01)
        self.assertEqual(simulation.get("gain"), 2, "also after a mistake")


if __name__ == "__main__":
    unittest.main()
