# SPDX-License-Identifier: BSD-3-Clause
"""What a plugin does to its process is an exception, `in` and iteration work, and a slip in a part's name is found."""
import copy
import gc
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
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


def third(one=1.0, three=3.0):
    """As the processor rounds now; what the parser has folded says what it should be."""
    return one / three


class Case(unittest.TestCase):
    def diagram(self, text):
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


KEEPS = """<diagram format="1" name="keeps" period="1 ms">
  <parameter name="duration" value="20 ms"/>
  <block name="it" type="ways/Keeps" way="{way}" in="{phase}"/>
</diagram>
"""
CONNECTED = """<diagram format="1" name="connected" period="1 ms">
  <parameter name="duration" value="20 ms"/>
  <block name="it" type="ways/Connected" way="throw"/>
</diagram>
"""


@unittest.skipUnless((WAYS / "ways.so").exists(), "the plugin of tests/cli is not built")
class InThisProcess(Case):
    def keeps(self, way, phase):
        return hilda.Simulation(self.diagram(KEEPS.format(way=way, phase=phase)), plugins=[WAYS])

    def test_a_state_that_is_not_given_or_taken_is_an_error_that_names_the_block(self):
        kept = self.keeps("", "").checkpoint()
        for phase, ask in (("save_state", lambda s: s.run()), ("save_state", lambda s: s.checkpoint()),
                           ("save_state", lambda s: s.reload()), ("load_state", lambda s: s.reload()),
                           ("load_state", lambda s: s.restore(kept)),
                           ("load_state", lambda s: (s.step(3), s.back(2)))):
            for way, said in (("throw", f"an exception leaves {phase}: too hot"),
                              ("throw int", f"an exception leaves {phase}: what is not a std::exception"),
                              ("round", f"{phase} changes the processor's floating-point mode")):
                with self.subTest(phase=phase, way=way):
                    simulation = self.keeps(way, phase)
                    with self.assertRaisesRegex(hilda.Error, "it .ways/Keeps.: " + said):
                        ask(simulation)
                    self.assertEqual(third(), 1.0 / 3.0)

    def test_what_a_destructor_leaves_behind_is_put_back(self):
        simulation = self.keeps("", "destructor")
        simulation.step()
        before = simulation["it.y"]
        simulation.reset()
        self.assertEqual(third(), 1.0 / 3.0)
        simulation.step()
        self.assertEqual(simulation["it.y"], before)
        self.assertEqual(before, 1.0 / 3.0)

    def test_a_block_that_fails_while_it_is_stopped_is_told_and_ends_nothing(self):
        simulation = hilda.Simulation(self.diagram(CONNECTED), plugins=[WAYS])
        simulation.run()
        with self.assertWarnsRegex(RuntimeWarning, "block it failed: an exception leaves stop: too hot"):
            simulation.reset()
        with self.assertWarnsRegex(RuntimeWarning, "block it failed"):
            simulation.step()
            del simulation


LEAVING = """
import hilda, sys
hilda.Simulation(sys.argv[1], plugins=[sys.argv[2]]).run()
"""


@unittest.skipUnless((WAYS / "ways.so").exists(), "the plugin of tests/cli is not built")
class Leaving(Case):
    def test_a_plugin_that_calls_exit_is_named_and_no_success(self):
        for phase, code in (("configure", 2), ("output", 3)):
            for way in ("exit", "quick_exit"):
                with self.subTest(phase=phase, way=way):
                    file = self.diagram(DIAGRAM.format(way=way, phase=phase))
                    done = subprocess.run([sys.executable, "-c", LEAVING, str(file), str(WAYS)], capture_output=True,
                                          text=True)
                    self.assertEqual(done.returncode, code, done.stderr)
                    self.assertIn(f"the plugin ends the program by {way} in block it (ways/Misbehaves), in ",
                                  done.stderr)
                    self.assertIn(phase, done.stderr)


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


LONG = """<diagram format="1" name="long" period="1 ms">
  <block name="c" type="sources/Constant" value="1"/>
  <block name="g" type="math/Gain" gain="2.5"/>
  <connect from="c.y" to="g.u"/>
</diagram>
"""
INTERRUPTED = """
import hilda, os, signal, sys, threading
simulation = hilda.Simulation(sys.argv[1], isolate=True)
simulation.step(3)
group = sys.argv[2] == "group"
threading.Timer(0.3, lambda: os.killpg(0, signal.SIGINT) if group else os.kill(os.getpid(), signal.SIGINT)).start()
try:
    simulation.run(1e9, record=[])
except KeyboardInterrupt:
    tick = simulation.tick
    assert tick > 3 and simulation["g.y"] == 2.5 and simulation.period == 0.001
    assert simulation.step(2) and simulation.tick == tick + 2
    assert len(simulation.run(0.01)) == 10
    print("goes on")
"""


class Interrupted(Case):
    """What a signal raises while the other process is asked: its run ends, and each later answer is that to its
    question."""

    def simulation(self, **named):
        simulation = hilda.Simulation(self.diagram(LONG), isolate=True, **named)
        self.addCleanup(simulation.close)
        return simulation

    def alarm(self, seconds):
        def late(*_):
            raise TimeoutError("late")
        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, late))
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_REAL, seconds)

    def test_by_ctrl_c_of_the_process_or_of_a_terminal_it_goes_on(self):
        file = self.diagram(LONG)
        for whom in ("process", "group"):
            done = subprocess.run([sys.executable, "-c", INTERRUPTED, str(file), whom], capture_output=True, text=True,
                                  timeout=60, start_new_session=True)
            self.assertEqual((done.stdout, done.stderr), ("goes on\n", ""), whom)

    def test_by_the_handler_of_an_alarm_it_goes_on_at_once(self):
        simulation = self.simulation()
        self.alarm(0.3)
        with self.assertRaisesRegex(TimeoutError, "late"):
            simulation.run(1e9, record=[])
        # What was asked for takes longer than any caller waits: an answer says that it was given up.
        self.assertEqual((simulation["g.y"], simulation.period, simulation.mode), (2.5, 0.001, "sim"))

    def test_anywhere_and_often_every_answer_is_that_to_its_question(self):
        simulation = self.simulation()
        self.alarm(0)
        late = 0
        for k in range(1, 300):
            try:
                signal.setitimer(signal.ITIMER_REAL, k % 40 * 1e-4 + 1e-5)
                try:
                    simulation.set("g.gain", k, live=True)
                    simulation.step(1000)
                    simulation.period
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
            except TimeoutError:
                late += 1
            simulation.set("g.gain", k, live=True)
            simulation.step()
            self.assertEqual((simulation["g.y"], simulation.period, simulation.mode), (k, 0.001, "sim"))
        self.assertGreater(late, 10)

    def test_what_was_set_meanwhile_is_what_a_new_process_begins_with(self):
        simulation = self.simulation()
        self.alarm(1e-4)
        try:
            simulation.set("g.gain", 7)
            time.sleep(1)
        except TimeoutError:
            pass
        kept = simulation.get("g.gain")
        os.kill(simulation._child._process.pid, signal.SIGKILL)
        with self.assertRaises(hilda.CrashError):
            simulation.step()
        simulation.reset()
        self.assertEqual(simulation.get("g.gain"), kept)

    def test_another_thread_is_kept_out(self):
        simulation = self.simulation()
        thread = threading.Thread(target=lambda: simulation.run(500, record=[]))
        thread.start()
        refused = ""
        while thread.is_alive() and not refused:
            try:
                simulation.tick
            except hilda.Error as error:
                refused = str(error)
        thread.join()
        self.assertIn("another thread", refused)
        self.assertEqual(simulation["g.y"], 2.5)

    def test_a_copy_is_refused_and_the_original_lives(self):
        simulation = self.simulation()
        for how in (copy.copy, copy.deepcopy):
            with self.assertRaisesRegex(TypeError, "cannot be copied"):
                how(simulation)
        gc.collect()
        self.assertTrue(simulation.step())

    def test_it_ends_with_what_refers_to_it(self):
        simulation = hilda.Simulation(self.diagram(LONG), isolate=True)
        simulation.set("g.gain", 3)
        process = simulation._child._process
        del simulation
        gc.collect()
        self.assertIsNotNone(process.returncode)


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
