# SPDX-License-Identifier: BSD-3-Clause
"""Blocks in Python: the same bits as in C++, through every door, and what a mistake says."""

import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy as np

import hilda

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path.cwd()
PROGRAM = BUILD / "bin" / "hilda"
REFERENCE = BUILD / "tests" / "python"
MISTAKES = HERE / "blocks" / "mistakes"
sys.path.insert(0, str(HERE / "blocks"))
import my_blocks  # noqa: E402

DIAGRAM = """<diagram format="1" name="blocks" period="1 ms" solver="{solver}">
  <parameter name="duration" value="0.3 s"/>
  <block name="sine" type="sources/Sine" amplitude="2 N" frequency="7 Hz"/>
  <block name="filter" type="{kind}/Filter" tau="4 ms"/>
  <block name="push" type="sources/Sine" amplitude="3" frequency="2 Hz"/>
  <block name="swing" type="{kind}/Oscillator"/>
  <block name="both" type="routing/Mux"/>
  <block name="smooth" type="{kind}/Smooth" share="0.125"/>
  <connect from="sine.y" to="filter.u"/>
  <connect from="push.y" to="swing.u"/>
  <connect from="push.y" to="both.u[0]"/>
  <connect from="swing.y" to="both.u[1]"/>
  <connect from="both.y" to="smooth.u"/>
</diagram>
"""
SIGNALS = ("filter.y", "swing.y", "smooth.y")
CLASSES = [my_blocks.Filter, my_blocks.Oscillator, my_blocks.Smooth, my_blocks.Goal]


def program(*words, code=0, **named):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, **named)
    if done.returncode != code:
        raise AssertionError(f"{words}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def diagram(self, kind="python", solver="rk4", name="blocks.xml", text=DIAGRAM):
        file = self.folder / name
        file.write_text(text.format(kind=kind, solver=solver))
        return file

    def beside(self):
        """The file with the blocks next to the diagram."""
        (self.folder / "my_blocks.py").write_text((HERE / "blocks" / "my_blocks.py").read_text())

    def python(self, **named):
        return hilda.Simulation(self.diagram(), blocks=CLASSES, **named)


class Bits(InFolder):
    def same(self, a, b):
        for signal in SIGNALS:
            self.assertEqual(a[signal].tobytes(), b[signal].tobytes(), signal)
            self.assertGreater(np.abs(a[signal]).max(), 0)

    def test_are_those_of_the_same_equations_in_cpp(self):
        for solver in ("rk4", "euler", "dopri5"):
            ours = hilda.Simulation(self.diagram(solver=solver), blocks=CLASSES).run()
            self.same(ours, hilda.Simulation(self.diagram("reference", solver), plugins=[REFERENCE]).run())

    def test_are_the_same_through_each_door(self):
        self.beside()
        process = self.python().run()
        self.same(process, hilda.Simulation(self.diagram()).run())
        log = self.folder / "run.mcap"
        program("run", self.diagram(), "--log", log)
        self.same(process, hilda.Log(log))
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        (self.folder / "my_blocks.py").rename(elsewhere / "my_blocks.py")
        program("run", self.diagram(), "--plugins", elsewhere, "--log", log)
        self.same(process, hilda.Log(log))
        isolated = hilda.Simulation(self.diagram(), plugins=[elsewhere], isolate=True)
        self.same(process, isolated.run())

    def test_are_the_same_after_a_checkpoint_and_after_going_back(self):
        whole = self.python().run(0.3)
        simulation = self.python()
        simulation.run(0.1)
        saved = pickle.loads(pickle.dumps(simulation.checkpoint()))
        first = simulation.run(0.2)
        simulation.restore(saved)
        again = simulation.run(0.2)
        self.same(first, again)
        for signal in SIGNALS:
            self.assertEqual(again[signal].tobytes(), whole[signal][100:].tobytes())
        simulation = self.python()
        simulation.run(0.1)
        first = simulation.step(50) and {signal: simulation[signal] for signal in SIGNALS}
        simulation.back(50)
        simulation.step(50)
        for signal in SIGNALS:
            self.assertTrue(np.array_equal(first[signal], simulation[signal]), signal)
        other = self.python()
        other.restore(saved)
        self.same(other.run(0.2), again)

    def test_of_a_replay_are_those_of_the_log(self):
        self.beside()
        log = self.folder / "run.mcap"
        program("run", self.diagram(), "--log", log)
        self.assertIn("every bit is as recorded", program("run", "--mode", "replay", log))

    def test_with_a_parameter_that_changes_live(self):
        runs = []
        for kind in ("python", "reference"):
            simulation = hilda.Simulation(self.diagram(kind), blocks=CLASSES, plugins=[REFERENCE])
            simulation.run(0.1)
            simulation.set("filter.tau", "20 ms", live=True)
            runs.append(simulation.run(0.1))
        self.same(*runs)


class Doors(InFolder):
    def test_the_program_lists_describes_and_checks_them(self):
        self.beside()
        words = ("--plugins", self.folder)
        self.assertIn("python/Filter  ", program("blocks", "python", *words))
        text = program("describe", "python/Filter", *words)
        for word in ("First-order filter", "@u", "10 ms", "tau", "Time constant", "Not for real time"):
            self.assertIn(word, text)
        self.assertIn("python/Oscillator", program("schema", *words))
        program("check", self.diagram())
        self.assertNotIn("python/", program("blocks"))

    def test_no_interpreter_is_loaded_without_such_a_block(self):
        self.beside()
        file = self.diagram("reference")
        loaded = {}
        for kind in ("python", "reference"):
            done = subprocess.run([PROGRAM, "check", self.diagram(kind), "--plugins", REFERENCE], capture_output=True, text=True,
                                  env={**os.environ, "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(self.folder / kind)})
            self.assertEqual(done.returncode, 0, done.stderr)
            loaded[kind] = "".join(each.read_text() for each in self.folder.glob(kind + ".*"))
        self.assertIn("libpython", loaded["python"])
        self.assertNotIn("libpython", loaded["reference"])

    def test_a_class_that_is_defined_again_is_the_new_one_and_leaves_the_old_simulation_alone(self):
        def scaled(factor):
            @hilda.block
            class Scaled(hilda.Block):
                y = hilda.Output()

                def output(self, t):
                    self.y = factor * (t.time + 1)

            return Scaled

        text = '<diagram format="1" name="d" period="1 ms"><block name="a" type="python/Scaled"/></diagram>'
        simulations = [hilda.Simulation(self.diagram(text=text), blocks=[scaled(k)]) for k in (2, 3)]
        for simulation, factor in zip(simulations, (2, 3)):
            simulation.step()
            self.assertEqual(simulation["a.y"], factor)
        with self.assertRaises(hilda.DiagramError):
            hilda.Simulation(self.diagram(text=text))

    def test_a_changed_file_is_run_again(self):
        text = '<diagram format="1" name="d" period="1 ms"><block name="a" type="python/Level"/></diagram>'
        source = ("import hilda\n@hilda.block\nclass Level(hilda.Block):\n    y = hilda.Output()\n"
                  "    def output(self, t): self.y = {}.0\n")
        for value in (1, 25):
            (self.folder / "level.py").write_text(source.format(value))
            simulation = hilda.Simulation(self.diagram(text=text))
            simulation.step()
            self.assertEqual(simulation["a.y"], value)

    def test_texts_choices_whole_numbers_and_booleans(self):
        text = ('<diagram format="1" name="d" period="1 ms"><block name="ramp" type="sources/Clock"/>'
                '<block name="goal" type="python/Goal" level="0.05 s"/>'
                '<connect from="ramp.time" to="goal.u"/></diagram>')
        run = hilda.Simulation(self.diagram(text=text), blocks=CLASSES).run(1.0)
        self.assertEqual((run.reason, run.text), ("stopped", "goal after 52 ticks"))

    def test_never_together_with_devices(self):
        self.beside()
        text = """<diagram format="1" name="d" period="1 ms">
  <block name="wave" type="sources/Sine" amplitude="1" frequency="1 Hz"/>
  <block name="filter" type="python/Filter"/>
  <block name="peer" type="udp/UdpActuator" port="9999" rest="0"/>
  <limits on="peer.values" magnitude="1" rate="10 1/s" acceleration="1000 1/s2"/>
  <connect from="wave.y" to="filter.u"/>
  <connect from="filter.y" to="peer.values"/>
</diagram>
"""
        got = program("check", self.diagram(text=text), code=2)
        self.assertIn("error[python-on-hardware]", got)


    def test_without_the_library_the_file_is_named(self):
        self.beside()
        prefix = self.folder / "prefix"
        (prefix / "bin").mkdir(parents=True)
        (prefix / "lib" / "hilda").mkdir(parents=True)
        shutil.copy(PROGRAM, prefix / "bin" / "hilda")
        for file in [*(BUILD / "lib" / "hilda").glob("libhilda.so*"), BUILD / "lib" / "hilda" / "plugins"]:
            (prefix / "lib" / "hilda" / file.name).symlink_to(file)
        done = subprocess.run([prefix / "bin" / "hilda", "check", self.diagram()], capture_output=True, text=True)
        self.assertIn("my_blocks.py: error[python-missing]", done.stdout + done.stderr)


@hilda.block
class Slow(hilda.Block):
    y = hilda.Output()
    x = hilda.State()

    def output(self, t):
        self.y = self.x

    def update(self, t):
        self.x += 1
        if t.index == 20:
            import _thread

            self.x += 1
            if not Slow.struck:
                Slow.struck = True
                _thread.interrupt_main()
                for _ in range(1000):
                    pass

    struck = False


class InProcess(InFolder):
    def test_ctrl_c_ends_a_run_between_two_ticks_and_the_state_is_whole(self):
        text = '<diagram format="1" name="d" period="1 ms"><block name="a" type="python/Slow"/></diagram>'
        simulation = hilda.Simulation(self.diagram(text=text), blocks=[Slow])
        with self.assertRaises(KeyboardInterrupt):
            simulation.run(1.0)
        run = simulation.run(0.05)
        self.assertEqual(np.diff(run["a.y"]).tolist(), [1.0] * (len(run) - 1))

    def test_memory_is_the_engines_and_inputs_are_not_written(self):
        seen = {}

        @hilda.block
        class Peek(hilda.Block):
            u = hilda.Input("1", "n")
            y = hilda.Output("1", "n")
            x = hilda.State("1", "n")

            def output(self, t):
                seen["same"] = self.u is not None and np.shares_memory(self.u, self.u)
                seen["u"], seen["x"] = self.u.flags.writeable, self.x.flags.writeable
                self.y[:] = 2 * self.u

            def update(self, t):
                self.x[:] = self.y

        text = """<diagram format="1" name="d" period="1 ms"><block name="a" type="sources/Constant" value="1 2 3"/>
        <block name="peek" type="python/Peek"/><connect from="a.y" to="peek.u"/></diagram>"""
        simulation = hilda.Simulation(self.diagram(text=text), blocks=[Peek])
        simulation.step()
        self.assertEqual(seen, {"same": True, "u": False, "x": False})
        self.assertEqual(simulation["peek.y"].tolist(), [2, 4, 6])

    def test_isolated_simulations_take_files(self):
        with self.assertRaisesRegex(TypeError, "plugins="):
            hilda.Simulation(self.diagram(), blocks=CLASSES, isolate=True)

    def test_many_simulations_leave_nothing(self):
        def resident():
            return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        for _ in range(20):
            self.python().step(2)
        before = resident()
        for _ in range(150):
            self.python().step(2)
        self.assertLess(resident() - before, 2 << 20)


class Mistakes(unittest.TestCase):
    """Each file in blocks/mistakes is run by the program, which prints the lines of the text next to it."""

    def test_each_says_block_phase_and_line(self):
        files = sorted(MISTAKES.glob("*.py"))
        self.assertGreaterEqual(len(files), 15)
        for file in files:
            with self.subTest(file.name), tempfile.TemporaryDirectory() as folder:
                got = self.message(file, pathlib.Path(folder))
                golden = file.with_suffix(".txt").read_text()
                for line in golden.splitlines():
                    self.assertIn(line.strip(), got)
                self.assertRegex(golden, r"blocks\.py:\d+")

    @staticmethod
    def message(file, folder):
        text = file.read_text()
        (folder / "blocks.py").write_text(text)
        wires = text.split("# wires: ")[1].splitlines()[0] if "# wires: " in text else ""
        (folder / "d.xml").write_text(f'<diagram format="1" name="d" period="1 ms">\n  <block name="it" type="python/It"/>\n  {wires}\n</diagram>\n')
        done = subprocess.run([PROGRAM, "run", "d.xml", "--for", "0.01s", "--no-log"], cwd=folder, capture_output=True, text=True)
        if done.returncode == 0:
            raise AssertionError(f"{file.name} runs: {done.stdout}")
        return done.stderr


if __name__ == "__main__":
    warnings.simplefilter("error")
    unittest.main()
