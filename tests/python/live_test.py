# SPDX-License-Identifier: BSD-3-Clause
"""Parameters set at the present tick, the way back, edited diagrams: hilda.Simulation while it runs."""

import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

import hilda

LOOP = """<diagram format="1" name="loop" period="1 ms">
  <parameter name="force" value="50 N"/>
  <block name="push" type="sources/Constant" value="${{force}}"/>
  <block name="total" type="math/Sum" signs="+-"/>
  <block name="acceleration" type="math/Gain" gain="0.1 1/kg"/>
  <block name="velocity" type="discrete/DiscreteIntegrator"/>
  <block name="position" type="discrete/DiscreteIntegrator"/>
  <block name="spring" type="math/Gain" gain="4 N/mm"/>
  <block name="delay" type="discrete/Delay" delay="{late} ms"/>
  <connect from="push.y" to="total.u[0]"/>
  <connect from="delay.y" to="total.u[1]"/>
  <connect from="total.y" to="acceleration.u"/>
  <connect from="acceleration.y" to="velocity.u"/>
  <connect from="velocity.y" to="position.u"/>
  <connect from="position.y" to="spring.u"/>
  <connect from="spring.y" to="delay.u"/>
  {more}
</diagram>
"""


class Live(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write()

    def write(self, late=5, more=""):
        self.file = self.folder / "loop.xml"
        self.file.write_text(LOOP.format(late=late, more=more))

    def test_a_live_setting_goes_on_and_another_begins_again(self):
        simulation = hilda.Simulation(self.file)
        simulation.run(0.1, record=[])
        self.assertEqual(simulation.set("force", "20 N", live=True), [])
        self.assertEqual(simulation.tick, 100)
        self.assertEqual(simulation.get("force"), 20)
        self.assertEqual(simulation.get("push.value"), 20)
        simulation.step()
        self.assertEqual(simulation["push.y"], 20)
        self.assertIsNone(simulation.set("force", "30 N") or None)
        self.assertEqual(simulation.tick, 0)

    def test_it_has_the_bits_of_a_diagram_loaded_so_and_given_the_state(self):
        changed, fresh = hilda.Simulation(self.file), hilda.Simulation(self.file, settings={"spring.gain": "5 N/mm"})
        changed.run(0.2, record=[])
        fresh.restore(changed.checkpoint())
        changed.set("spring.gain", "5 N/mm", live=True)
        one, other = changed.run(0.3), fresh.run(0.3)
        for name in one:
            np.testing.assert_array_equal(one[name], other[name], name)

    def test_what_may_not_change_raises_and_nothing_has_changed(self):
        simulation = hilda.Simulation(self.file)
        simulation.run(0.01, record=[])
        for settings, code in [({"delay.delay": "2 ms"}, "live-fixed"),
                               ({"force": "2 m", "spring.gain": 3}, "parameter-units"),
                               ({"sprig.gain": 1}, "unknown-setting")]:
            with self.assertRaises(hilda.DiagramError) as caught:
                simulation.set_many(settings, live=True)
            self.assertIn(code, str(caught.exception))
        self.assertEqual(simulation.get("spring.gain"), 4000)
        self.assertEqual(simulation.tick, 10)
        with self.assertRaises(KeyError):
            simulation.get("sprig.gain")

    def test_back_is_where_it_was(self):
        simulation, straight = hilda.Simulation(self.file), hilda.Simulation(self.file)
        simulation.run(0.3, record=[])
        simulation.set("force", "9 N", live=True)
        simulation.run(0.4, record=[])
        simulation.back(500)
        self.assertEqual(simulation.tick, 200)
        self.assertEqual(simulation.get("force"), 50)
        straight.run(0.2, record=[])
        self.assertEqual(simulation.checkpoint(), straight.checkpoint())
        with self.assertRaises(hilda.Error):
            simulation.back(201)

    def test_logs_begun_within_a_run_replay_alone(self):
        simulation = hilda.Simulation(self.file)
        simulation.set("force", "7 N", live=True)
        simulation.run(0.2, log=self.folder / "first.mcap")
        simulation.set_many({"force": "8 N", "spring.gain": "3 N/mm"}, live=True)
        simulation.run(0.2, log=self.folder / "second.mcap")
        simulation.back(50)
        simulation.run(0.1, log=self.folder / "third.mcap")
        program = pathlib.Path(hilda.__file__).parents[2] / "bin/hilda"
        if not program.exists():
            self.skipTest("the program is not built")
        for name in ("first", "second", "third"):
            done = subprocess.run([program, "run", "--mode", "replay", self.folder / f"{name}.mcap"],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, name + done.stdout + done.stderr)

    def test_reload_keeps_the_states(self):
        simulation = hilda.Simulation(self.file)
        simulation.run(0.1, record=[])
        simulation.set("force", "20 N", live=True)
        before = simulation.checkpoint()
        position = simulation["position.y"]
        self.write(late=7, more='<block name="clock" type="sources/Clock"/>')
        self.assertEqual(simulation.reload(), ["delay.line: another shape"])
        self.assertEqual(simulation.tick, 100)
        self.assertEqual(simulation["position.y"], position)
        self.assertEqual(simulation.get("force"), 20)
        self.file.write_text("<diagram")
        with self.assertRaises(hilda.DiagramError):
            simulation.reload()
        self.assertEqual(simulation.tick, 100)
        with self.assertRaises(hilda.Error):
            simulation.restore(before)  # of the diagram before

    def test_an_overlay_sets_while_it_runs(self):
        overlay = self.folder / "later.xml"
        overlay.write_text('<overlay format="1"><set path="force" value="9 N" at="0.1 s"/></overlay>')
        run = hilda.Simulation(self.file, overlays=[overlay]).run(0.2)
        self.assertEqual(list(run["push.y"][[0, 99, 100, 199]]), [50, 50, 9, 9])

    def test_an_input_from_outside_has_another_value_at_each_tick(self):
        file = self.folder / "pushed.xml"
        file.write_text("""<diagram format="1" name="pushed" period="1 ms">
  <input name="push" default="0 0 N" unit="N"/>
  <block name="sum" type="discrete/DiscreteIntegrator"/>
  <connect from="push" to="sum.u"/>
</diagram>
""")
        simulation = hilda.Simulation(file)
        total = np.zeros(2)
        for force in np.random.default_rng(1).normal(size=(50, 2)):
            simulation.set("push", f"{float(force[0])!r} {float(force[1])!r} N", live=True)
            simulation.step()
            np.testing.assert_array_equal(simulation["push.y"], force)
        run = simulation.run(0.1)
        self.assertTrue((run["push.y"] == force).all())
        total[:] = simulation["sum.y"]
        simulation.back(140)
        self.assertEqual(simulation.tick, 10)
        self.assertTrue((simulation["sum.y"] != total).all())

    def test_in_a_process_of_its_own(self):
        with hilda.Simulation(self.file, isolate=True) as simulation:
            simulation.run(0.1, record=[])
            simulation.set("force", "20 N", live=True)
            self.assertEqual((simulation.tick, simulation.get("force")), (100, 20))
            simulation.back(10)
            self.assertEqual((simulation.tick, simulation.get("force")), (90, 50))


if __name__ == "__main__":
    unittest.main()
