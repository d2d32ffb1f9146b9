# SPDX-License-Identifier: BSD-3-Clause
"""hilda.Simulation: load, set, run, step, checkpoint, errors."""

import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

import numpy as np

import hilda

LOOP = """<diagram format="1" name="loop" period="1 ms">
  <parameter name="force" value="50 N"/>
  <parameter name="matrix" value="1 2 3; 4 5 6"/>
  <parameter name="late" value="5 ms"/>
  {more}
  <block name="push" type="sources/Step" time="0 s" after="${{force}}"/>
  <block name="total" type="math/Sum" signs="+-"/>
  <block name="acceleration" type="math/Gain" gain="0.1 1/kg"/>
  <block name="velocity" type="discrete/DiscreteIntegrator"/>
  <block name="position" type="discrete/DiscreteIntegrator"/>
  <block name="spring" type="math/Gain" gain="4 N/mm"/>
  <block name="delay" type="discrete/Delay" delay="${{late}}"/>
  <block name="table" type="sources/Constant" value="${{matrix}}"/>
  <block name="slow" type="sources/Clock" sample_time="3 ms"/>
  <connect from="push.y" to="total.u[0]"/>
  <connect from="delay.y" to="total.u[1]"/>
  <connect from="total.y" to="acceleration.u"/>
  <connect from="acceleration.y" to="velocity.u"/>
  <connect from="velocity.y" to="position.u"/>
  <connect from="position.y" to="spring.u"/>
  <connect from="spring.y" to="delay.u"/>
</diagram>
"""


def reference(ticks, force=50.0, late=5):
    """The same loop, by hand: positions."""
    velocity = position = 0.0
    forces, positions = [0.0] * late, []
    for tick in range(ticks):
        positions.append(position)
        forces.append(4000.0 * position)
        acceleration = 0.1 * (force - forces[tick])
        position, velocity = position + 1e-3 * velocity, velocity + 1e-3 * acceleration
    return np.array(positions)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text, name="loop.xml"):
        file = self.folder / name
        file.write_text(text)
        return file

    def loop(self, more="", **options):
        return hilda.Simulation(self.write(LOOP.format(more=more)), **options)


class Running(Case):
    def test_a_run_gives_what_the_equations_give(self):
        run = self.loop().run(0.5)
        np.testing.assert_allclose(run["position.y"], reference(500), rtol=1e-12)
        np.testing.assert_array_equal(run.time, np.arange(500) / 1000)
        self.assertEqual((run.reason, len(run)), ("duration", 500))
        self.assertEqual((run.unit("position.y"), run.unit("spring.y")), ("m", "N"))

    def test_the_end_of_a_run_is_the_time_that_it_has_reached(self):
        simulation = self.loop()
        here = simulation.checkpoint()
        for _ in range(60):  # each is rounded up to whole ticks
            run = simulation.run(1 / 60, record=[])
        self.assertEqual((run.end, simulation.time), (1.02, 1.02))
        simulation.restore(here)
        run = simulation.run(0.5)
        self.assertEqual((run.end, run.time[-1]), (0.5, 0.499))
        value = simulation["position.y"]
        simulation.step()
        self.assertNotEqual(simulation["position.y"], value)
        self.assertAlmostEqual(simulation["position.y"], reference(501)[-1], delta=1e-12)

    def test_fixed_steps_say_what_they_miss(self):
        """[T3, T4] Each kind once, and again for another simulation."""
        file = self.folder / "late.xml"
        file.write_text("""<diagram format="1" name="late" period="100 ms">
  <block name="u" type="sources/Step" time="0.537 s" after="1 1/s"/>
  <block name="x" type="continuous/Integrator"/>
  <block name="lag" type="continuous/TransferFunction" numerator="1" denominator="0.01 1"/>
  <connect from="u.y" to="x.u"/>
  <connect from="x.y" to="lag.u"/>
</diagram>
""")
        simulation = hilda.Simulation(file)
        for again in range(2):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                simulation.run(0.5)
                early = [str(each.message) for each in caught]
                simulation.run(0.5)
                while simulation.time < 1.5:
                    simulation.step()
            self.assertTrue(all(each.category is RuntimeWarning for each in caught))
            said = [str(each.message) for each in caught]
            self.assertEqual(len(said), 2)
            self.assertEqual(early, said[:1])
            self.assertIn("late.xml:4: warning[step-too-long]: rk4 with one step a tick of 100 ms is too coarse for 'lag.w'", said[0])
            self.assertIn("late.xml:2: warning[event-late]: rk4 with one step a tick of 100 ms acts on events at the next tick: "
                          "'u' (sources/Step) switched once, 63 ms late", said[1])
            self.assertEqual([each.code for each in simulation.warnings], ["event-late", "step-too-long"])
            self.assertEqual(simulation.summary["solver"]["late_events"]["u"]["count"], 1)
            simulation.reset()

    def test_a_source_that_is_held_is_a_remark(self):
        file = self.folder / "held.xml"
        file.write_text("""<diagram format="1" name="held">
  <block name="u" type="sources/Sine" amplitude="1 1/s" frequency="1 Hz"/>
  <block name="x" type="continuous/Integrator"/>
  <connect from="u.y" to="x.u"/>
</diagram>
""")
        self.assertIn("half a tick (0.5 ms) late in the mean", "".join(hilda.Simulation(file).remarks))
        self.assertEqual(list(hilda.Simulation(file, solver="dopri5").remarks), [])

    def test_shapes_are_those_of_the_signals(self):
        simulation = self.loop()
        run = simulation.run(0.01)
        self.assertEqual(run["table.y"].shape, (10, 2, 3))
        np.testing.assert_array_equal(run["table.y"][7], [[1, 2, 3], [4, 5, 6]])
        np.testing.assert_array_equal(simulation["table.y"], [[1, 2, 3], [4, 5, 6]])
        self.assertEqual(simulation["table.y[1,2]"], 6)
        self.assertEqual(run["table.y[1,0]"].tolist(), [4] * 10)
        self.assertIsInstance(simulation["push.y"], float)

    def test_a_block_is_no_signal_and_an_empty_log_is_none(self):
        simulation = self.loop()
        with self.assertRaisesRegex(KeyError, "'spring' is a block or a subsystem and no signal"):
            simulation["spring"]
        with self.assertRaisesRegex(ValueError, "names no file"):
            simulation.run(0.01, log="")

    def test_arrays_of_no_or_three_dimensions(self):
        simulation = self.loop()
        simulation.set("force", np.array(20.0))
        self.assertEqual(simulation.get("force"), 20)
        with self.assertRaisesRegex(TypeError, "rows of numbers"):
            simulation.set("matrix", np.zeros((2, 2, 2)))
        self.assertEqual(simulation.get("matrix"), [[1, 2, 3], [4, 5, 6]])

    def test_a_matrix_of_one_row_is_one(self):
        simulation = self.loop('<block name="row" type="sources/Constant" value="1 2 3;"/>')
        self.assertEqual(simulation.run(0.002)["row.y"].tolist(), [[[1, 2, 3]]] * 2)
        self.assertEqual(simulation["row.y"].tolist(), [[1, 2, 3]])

    def test_slower_signals_hold(self):
        run = self.loop().run(0.009, record=["slow"])
        np.testing.assert_allclose(run[run.signals[0]], np.repeat([0, 0.003, 0.006], 3))

    def test_runs_go_on_where_the_last_one_ended(self):
        simulation = self.loop()
        first, second = simulation.run(0.2), simulation.run(0.3)
        np.testing.assert_allclose(np.concatenate([first["position.y"], second["position.y"]]), reference(500), rtol=1e-12)
        self.assertEqual((simulation.tick, simulation.time, second.time[0]), (500, 0.5, 0.2))

    def test_the_diagrams_duration_counts_where_none_is_given(self):
        simulation = self.loop('<parameter name="duration" value="50 ms"/>')
        self.assertEqual(len(simulation.run()), 50)
        self.assertEqual(len(simulation.run()), 0)
        with self.assertRaisesRegex(hilda.Error, "how long"):
            self.loop().run()
        with self.assertRaises(ValueError):
            simulation.run(0)

    def test_only_what_is_asked_for_is_recorded(self):
        simulation = self.loop()
        run = simulation.run(0.01, record=["*ion.y", "push"])
        self.assertEqual(set(run.signals), {"acceleration.y", "position.y", "push.y"})
        with self.assertRaisesRegex(KeyError, "was not recorded"):
            run["spring.y"]
        self.assertEqual(simulation.run(0.01, record=[]).signals, [])
        with self.assertRaisesRegex(KeyError, "did you mean 'position.y'"):
            simulation.run(0.01, record=["positon.y"])

    def test_arrays_are_copies(self):
        simulation = self.loop()
        run = simulation.run(0.01)
        run["table.y"][:] = 7
        np.testing.assert_array_equal(run["table.y"][0], [[1, 2, 3], [4, 5, 6]])
        simulation["table.y"][:] = 7
        simulation.step()
        self.assertEqual(simulation["table.y[0,0]"], 1)

    def test_steps_give_the_same_bits_as_a_run(self):
        run = self.loop().run(0.1)
        simulation = self.loop()
        stepped = []
        for _ in range(100):
            self.assertTrue(simulation.step())
            stepped.append(simulation["position.y"])
        np.testing.assert_array_equal(stepped, run["position.y"])
        simulation.step(900)
        self.assertEqual(simulation.tick, 1000)
        with self.assertRaises(ValueError):
            simulation.step(0)

    def test_limits_and_quality_are_told(self):
        self.assertEqual((self.loop().limits, self.loop().quality), ({}, {}))
        simulation = hilda.Simulation(hilda.library_file("pida.xml"), settings={"rig.speed_limit": "0.3 m/s"})
        limits = simulation.limits["rig.robot.command_pose"]
        self.assertEqual(limits["speed"], 0.3)
        self.assertGreater(limits["stop_time"], 0)
        simulation.run(0.01, log=self.folder / "limits.mcap")
        self.assertEqual(hilda.Log(self.folder / "limits.mcap").limits, simulation.limits)
        self.assertEqual(hilda.Log(self.folder / "limits.mcap").quality, {})

    def test_a_log_is_that_of_the_program(self):
        simulation = self.loop()
        run = simulation.run(0.1, log=self.folder / "run.mcap")
        log = hilda.Log(self.folder / "run.mcap")
        self.assertTrue(log.complete)
        self.assertEqual(log.problems, [])
        self.assertEqual(sorted(log.signals), sorted(run.signals))
        np.testing.assert_array_equal(log["position.y"], run["position.y"])
        np.testing.assert_array_equal(log["table.y"], run["table.y"])
        np.testing.assert_array_equal(log.time("position.y"), run.time)
        slow = next(name for name in log.signals if name.startswith("slow."))
        np.testing.assert_array_equal(log.time(slow), np.arange(0, 100, 3) / 1000)
        self.assertEqual(log.metadata["reason"], "duration")
        self.assertEqual(log.parameters["spring.gain"], 4000)
        self.assertEqual(log.summary["steps"], 100)
        self.assertEqual(log.unit("spring.y"), "N")
        with self.assertRaisesRegex(KeyError, "position.y"):
            log["positon.y"]

    def test_a_log_tells_what_its_diagram_wants_to_be_seen(self):
        file = self.write("""<diagram format="1" name="it" period="1 ms">
          <block name="wave" type="sources/Sine" amplitude="2 N" frequency="1 Hz"/>
          <figure title="The wave" signals="wave.y"/></diagram>""", "shown.xml")
        hilda.Simulation(file).run(0.01, log=self.folder / "shown.mcap")
        log = hilda.Log(self.folder / "shown.mcap")
        self.assertEqual(log.figures, [("The wave", ["wave.y"])])
        self.assertNotIn("figures", log.metadata)

    def test_what_is_no_log_is_refused(self):
        with self.assertRaises(hilda.Error):
            hilda.Log(self.write("no log", "no.mcap"))
        with self.assertRaises(hilda.Error):
            hilda.Log(self.folder / "nowhere.mcap")


class Parameters(Case):
    def test_are_listed_in_si(self):
        parameters = self.loop().parameters
        self.assertEqual(parameters["late"], 0.005)
        self.assertEqual(parameters["spring.gain"], 4000)
        self.assertEqual(parameters["position.upper"], np.inf)
        self.assertEqual(parameters["total.signs"], "+-")
        np.testing.assert_array_equal(parameters["table.value"], [[1, 2, 3], [4, 5, 6]])

    def test_are_set_by_text_numbers_and_sequences(self):
        simulation = self.loop(settings={"force": "0.02 kN"})
        np.testing.assert_allclose(simulation.run(0.1)["position.y"], reference(100, force=20), rtol=1e-12)
        simulation.set("push.after", 10)
        self.assertEqual(simulation.tick, 0)
        np.testing.assert_allclose(simulation.run(0.1)["position.y"], reference(100, force=10), rtol=1e-12)
        simulation.set_many({"late": "2 ms", "table.value": [[1.5, 2], [3, 4]]})
        run = simulation.run(0.1)
        np.testing.assert_allclose(run["position.y"], reference(100, force=10, late=2), rtol=1e-12)
        np.testing.assert_array_equal(run["table.y"][0], [[1.5, 2], [3, 4]])
        simulation.set("table.value", np.array([7.0, 8.0]))
        simulation.step()
        np.testing.assert_array_equal(simulation["table.y"], [7, 8])

    def test_that_are_wrong_change_nothing(self):
        simulation = self.loop()
        simulation.step(10)
        with self.assertRaises(hilda.DiagramError) as caught:
            simulation.set_many({"force": "5 N", "late": "2 kg", "nothing": 1})
        self.assertEqual({each.code for each in caught.exception.diagnostics}, {"unit-mismatch", "unknown-setting"})
        self.assertEqual((simulation.tick, simulation.parameters["force"]), (10, 50))
        with self.assertRaises(TypeError):
            simulation.set("late", {})

    def test_overlays_and_settings(self):
        overlay = self.write('<overlay format="1"><set path="force" value="1 N"/><set path="late" value="1 ms"/></overlay>', "o.xml")
        parameters = self.loop(overlays=[overlay], settings={"late": "3 ms"}).parameters
        self.assertEqual((parameters["force"], parameters["late"]), (1, 0.003))


class Checkpoints(Case):
    def test_what_follows_has_the_same_bits(self):
        simulation = hilda.Simulation(hilda.library_file("pida.xml"))
        simulation.run(0.8, record=[])
        checkpoint = pickle.loads(pickle.dumps(simulation.checkpoint()))
        first = simulation.run(0.2)
        simulation.restore(checkpoint)
        self.assertEqual(simulation.tick, 800)
        again = simulation.run(0.2)
        for name in first.signals:
            np.testing.assert_array_equal(first[name], again[name], err_msg=name)
        self.assertGreater(abs(first["rig.wrench.force.x"]).max(), 100)

    def test_with_a_byte_flipped_never_restore_something_else(self):
        simulation = self.loop()
        simulation.run(0.01, record=[])
        checkpoint = simulation.checkpoint()
        sound = pickle.dumps(checkpoint)
        state = checkpoint.__reduce_ex__(2)[2]
        refused = 0
        for part in range(len(sound)):
            for flip in (1, 0x80, 0xFF):
                try:
                    again = pickle.loads(sound[:part] + bytes([sound[part] ^ flip]) + sound[part + 1 :])
                    if not isinstance(again, hilda.Checkpoint):
                        refused += 1
                        continue
                except Exception as error:  # of pickle itself, or ours
                    self.assertTrue(str(error) or isinstance(error, EOFError))
                    refused += 1
                    continue
                self.assertEqual(again, checkpoint, f"byte {part}")  # what pickle needs not, such as its version
        self.assertGreater(refused, 2.9 * len(state[1]))
        with self.assertRaisesRegex(ValueError, "damaged"):
            hilda.Checkpoint.__new__(hilda.Checkpoint).__setstate__((state[0] + 1,) + state[1:])
        with self.assertRaisesRegex(ValueError, "no checksum"):
            hilda.Checkpoint.__new__(hilda.Checkpoint).__setstate__(state[:2])

    def test_of_another_diagram_are_refused(self):
        checkpoint = self.loop().checkpoint()
        with self.assertRaisesRegex(hilda.Error, "another diagram"):
            hilda.Simulation(hilda.library_file("pida.xml")).restore(checkpoint)


class Errors(Case):
    def test_all_mistakes_come_at_once_with_file_and_line(self):
        file = self.write(LOOP.format(more="").replace("math/Sum", "math/Som").replace('"delay.u"', '"dely.u"'))
        with self.assertRaises(hilda.DiagramError) as caught:
            hilda.Simulation(file)
        lines = {each.code: (each.file, each.line, each.severity) for each in caught.exception.diagnostics}
        self.assertEqual(lines["unknown-type"][1:], (7, "error"))
        self.assertIn("unknown-name", lines)
        self.assertIn("did you mean 'math/Sum'?", str(caught.exception))
        self.assertIsInstance(caught.exception, hilda.Error)

    def test_a_loop_without_delay_is_found(self):
        with self.assertRaisesRegex(hilda.DiagramError, "algebraic-loop"):
            hilda.Simulation(self.write(LOOP.format(more="").replace('from="delay.y"', 'from="total.y"')))

    def test_a_run_that_fails_says_when_and_where_and_keeps_what_was_recorded(self):
        simulation = self.loop(settings={"late": "500 ms", "spring.gain": "1e9 N/m"})
        with self.assertRaises(hilda.RunError) as caught:
            simulation.run(1000)
        error = caught.exception
        self.assertEqual(error.run.reason, "failed")
        self.assertEqual(len(error.run), round(error.time / 1e-3) + 1)
        self.assertTrue(error.signal)
        with self.assertRaisesRegex(hilda.Error, "reset"):
            simulation.step()
        simulation.reset()
        self.assertTrue(simulation.step())

    def test_a_block_may_end_a_run(self):
        simulation = hilda.Simulation(hilda.library_file("uncompensated.xml"), settings={"contacts": 1})
        run = simulation.run()
        self.assertEqual(run.reason, "stopped")
        self.assertTrue(run.text)
        self.assertAlmostEqual(simulation.summary["contacts"][0]["cov"], 1.474, places=3)
        with self.assertRaisesRegex(hilda.Error, "ended by a block"):
            simulation.run()

    def test_devices_are_refused(self):
        file = self.write('<diagram format="1" name="d" period="1 ms">'
                          '<block name="s" type="udp/UdpSource" size="1" port="0"/></diagram>')
        with self.assertRaisesRegex(hilda.Error, "simulates only"):
            hilda.Simulation(file)

    def test_names_that_are_not_there(self):
        simulation = self.loop()
        for ask in (lambda: simulation["positon.y"], lambda: simulation.unit("positon.y")):
            with self.assertRaisesRegex(KeyError, "did you mean 'position.y'"):
                ask()
        with self.assertRaises(FileNotFoundError):
            hilda.library_file("nothing.xml")
        with self.assertRaisesRegex(hilda.Error, "solver"):
            self.loop(solver="magic")

    def test_subsystem_ports_name_their_signals(self):
        simulation = hilda.Simulation(hilda.library_file("pida.xml"))
        simulation.step(900)
        self.assertEqual(simulation["rig.wrench"].shape, (6,))
        self.assertEqual(simulation["rig.wrench.force.x"], simulation["rig.wrench"][0])
        self.assertEqual((simulation.unit("rig.wrench.force.x"), simulation.unit("rig.wrench")), ("N", ""))


class Threads(Case):
    def test_other_threads_run_meanwhile_and_may_not_touch_it(self):
        simulation = self.loop(settings={"force": 0})
        refused = []
        for _ in range(20):
            thread = threading.Thread(target=lambda: simulation.run(2000, record=[]))
            thread.start()
            while thread.is_alive() and not refused:
                try:
                    simulation.tick
                except hilda.Error as error:
                    refused.append(str(error))
            thread.join()
            if refused:
                break
        self.assertIn("another thread", refused[0])

    def test_an_interrupt_ends_a_run_between_two_ticks(self):
        file = self.write(LOOP.format(more="").replace('"50 N"', '"0 N"'))
        program = (f"import hilda\nsimulation = hilda.Simulation({str(file)!r})\nprint('ready', flush=True)\n"
                   "try:\n    simulation.run(1e9, record=[])\n"
                   "except KeyboardInterrupt:\n    print(simulation.step(), simulation.tick > 1)\n")
        child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=os.environ)
        self.assertEqual(child.stdout.readline(), "ready\n")
        threading.Event().wait(0.3)
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.communicate(timeout=30)[0], "True True\n")


class Package(Case):
    def test_everything_has_a_docstring_and_a_stub(self):
        stub = (pathlib.Path(hilda.__file__).parent / "_engine.pyi").read_text()
        for name in hilda.__all__:
            self.assertTrue(getattr(hilda, name).__doc__, name)
        for each in (hilda.Simulation, hilda.Run, hilda.Log, hilda.Checkpoint, hilda.Diagnostic, hilda.LinearModel,
                     hilda.BlockType, hilda.Slot):
            self.assertIn(f"class {each.__name__}:", stub)
            for member, value in vars(each).items():
                of_package = getattr(value, "__module__", "") == "hilda" or member in hilda.Simulation.__annotations__
                if not member.startswith("_") and not of_package:  # those have their types themselves
                    self.assertIn(f"def {member}(", stub, f"{each.__name__}.{member}")

    def test_help_shows_the_arguments_of_each_function(self):
        engine = sys.modules["hilda._engine"]
        functions = [(each.__name__, member, value) for each in vars(engine).values() if isinstance(each, type) for member, value in vars(each).items()]
        functions = [(owner, name, value) for owner, name, value in functions if type(value).__name__ == "instancemethod" and not name.startswith("__")]
        self.assertGreater(len(functions), 40)
        for owner, name, value in functions:
            self.assertRegex(value.__doc__ or "", rf"^{name}\(self: [\w.]+|^{name}\(\*args", f"{owner}.{name}")


if __name__ == "__main__":
    unittest.main()
