"""What a plugin does to its process is an exception, `in` and iteration work, and a slip in a part's name is found."""
import pathlib
import unittest

import hilda

WAYS = pathlib.Path.cwd() / "tests" / "cli" / "ways_plugins"
DIAGRAM = """<diagram format="1" name="ways" period="1 ms">
  <parameter name="duration" value="20 ms"/>
  <block name="wave" type="sources/Sine" amplitude="1 2 3" frequency="2 Hz"/>
  <block name="it" type="ways/Misbehaves" way="{way}" in="{phase}"/>
</diagram>
"""
TWIST = """<diagram format="1" name="twist" period="1 ms">
  <block name="v" type="sources/Constant" value="1 2 3 m/s"/>
  <block name="w" type="sources/Constant" value="0 0 1 rad/s"/>
  <block name="make" type="kinematics/MakeTwist"/>
  <connect from="v.y" to="make.linear"/>
  <connect from="w.y" to="make.angular"/>
</diagram>
"""


class Case(unittest.TestCase):
    def diagram(self, text):
        import tempfile
        folder = tempfile.TemporaryDirectory(prefix="hilda_isolated_")
        self.addCleanup(folder.cleanup)
        file = pathlib.Path(folder.name) / "ways.xml"
        file.write_text(text)
        return file

    def isolated(self, way="", phase="", **named):
        simulation = hilda.Simulation(self.diagram(DIAGRAM.format(way=way, phase=phase)), plugins=[WAYS], isolate=True,
                                      **named)
        self.addCleanup(simulation.close)
        return simulation


@unittest.skipUnless((WAYS / "ways.so").exists(), "the plugin of tests/cli is not built")
class Isolation(Case):
    def test_gives_what_the_same_process_gives(self):
        here = hilda.Simulation(self.diagram(DIAGRAM.format(way="", phase="")), plugins=[WAYS])
        there = self.isolated()
        one, other = here.run(), there.run()
        self.assertEqual(one.signals, other.signals)
        for signal in one.signals:
            self.assertEqual(one[signal].tobytes(), other[signal].tobytes())
            self.assertEqual(one.unit(signal), other.unit(signal))
        self.assertEqual(one["wave.y[2]"].tobytes(), other["wave.y[2]"].tobytes())
        self.assertEqual(here["wave.y"].tolist(), there["wave.y"].tolist())
        self.assertEqual(here.parameters["wave.frequency"], there.parameters["wave.frequency"])
        self.assertIn("wave.y", there)
        there.restore(there.checkpoint())

    def test_a_crash_is_an_exception_that_names_the_block(self):
        for way in ("segv", "fpe", "abort", "overflow", "exit"):
            with self.subTest(way=way):
                simulation = self.isolated(way, "output")
                with self.assertRaises(hilda.CrashError) as raised:
                    simulation.run()
                self.assertEqual(raised.exception.block, "it")
                self.assertIn("output", raised.exception.phase)
                self.assertIn("ways/Misbehaves", str(raised.exception))
                with self.assertRaisesRegex(hilda.Error, "is gone"):
                    simulation.step()
                simulation.set("it.way", "")  # begins again in a new process
                self.assertEqual(len(simulation.run()), 20)

    def test_a_crash_while_it_is_loaded_is_one_too(self):
        with self.assertRaises(hilda.CrashError) as raised:
            self.isolated("segv", "configure")
        self.assertEqual((raised.exception.block, raised.exception.phase), ("it", "configure"))

    def test_a_hang_is_one_too(self):
        simulation = self.isolated("hang", "output", call_limit=1.0)
        with self.assertRaisesRegex(hilda.CrashError, "did not come back within 1 s"):
            simulation.run()

    def test_errors_are_as_in_the_same_process(self):
        with self.assertRaises(hilda.DiagramError) as raised:
            self.isolated("throw", "configure")
        self.assertEqual(raised.exception.diagnostics[0].code, "block-configure")
        simulation = self.isolated("throw", "output")
        with self.assertRaises(hilda.RunError) as failed:
            simulation.run()
        self.assertEqual(failed.exception.block, "it")
        self.assertIn("wave.y", failed.exception.run)
        with self.assertRaises(TypeError):
            hilda.Simulation("x.xml", call_limit=1)


class Names(Case):
    def test_in_and_iteration(self):
        simulation = hilda.Simulation(self.diagram(TWIST))
        run = simulation.run(0.005)
        for each in (simulation, run):
            self.assertIn("v.y", each)
            self.assertIn("make.twist.linear.x", each)
            self.assertNotIn("v.z", each)
            self.assertNotIn(5, each)
            self.assertEqual(sorted(each), sorted(each.signals))
        log = self.diagram("").parent / "l.mcap"
        simulation.run(0.005, log=log)
        recorded = hilda.Log(log)
        self.assertIn("make.twist.linear.x", recorded)
        self.assertNotIn("make.twist.linear.q", recorded)
        self.assertEqual(list(recorded), recorded.signals)

    def test_a_slip_in_a_part(self):
        simulation = hilda.Simulation(self.diagram(TWIST))
        for slip, meant in (("make.twist.linaer.x", "make.twist.linear.x"), ("make.twist.linear.q", "make.twist.linear."),
                            ("make.twits", "make.twist"), ("v.y[3]", "v.y[")):
            with self.assertRaisesRegex(KeyError, meant.replace("[", r"\[")):
                simulation[slip]
        with self.assertRaisesRegex(KeyError, "single number"):
            hilda.Simulation(self.diagram(DIAGRAM.format(way="", phase="")), plugins=[WAYS])["it.y.x"]


if __name__ == "__main__":
    unittest.main()
