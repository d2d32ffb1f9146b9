# SPDX-License-Identifier: BSD-3-Clause
"""Blocks in Python: the same bits as in C++, through every door, and what a mistake says."""

import os
import pathlib
import pickle
import re
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
CLASSES = [my_blocks.Filter, my_blocks.Oscillator, my_blocks.Smooth, my_blocks.Goal, my_blocks.Switch, my_blocks.Ball, my_blocks.Magnitudes]


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


class Events(InFolder):
    """Crossings are located as those of C++."""

    LOCATED = (("dopri5", ""), ("rk4", ' events="located"'), ("cvode", ""))
    DIAGRAM = """<diagram format="1" name="d" period="10 ms" solver="{solver}"{events}>
      <block name="wave" type="sources/Sine" amplitude="1" frequency="1.3 Hz"/>
      <block name="slow" type="continuous/Integrator"/>
      <block name="it" type="{kind}/Switch"/><block name="ball" type="{kind}/Ball"/>
      <connect from="wave.y" to="slow.u"/><connect from="wave.y" to="it.u"/></diagram>"""

    def one(self, kind, solver, events, ticks=130):
        text = self.DIAGRAM.format(kind=kind, solver=solver, events=events)
        simulation = hilda.Simulation(self.diagram(text=text.replace("{", "{{")), blocks=CLASSES, plugins=[REFERENCE])
        return simulation, simulation.run(ticks * 10e-3)

    def test_have_the_bits_of_the_same_block_in_cpp(self):
        for solver, events in self.LOCATED:
            with self.subTest(solver):
                (first, ours), (second, theirs) = self.one("python", solver, events), self.one("reference", solver, events)
                for signal in ("it.on", "ball.y"):
                    self.assertEqual(ours[signal].tobytes(), theirs[signal].tobytes())
                self.assertEqual(first.summary["solver"]["events_by"], second.summary["solver"]["events_by"])
                self.assertEqual(set(first.summary["solver"]["events_by"]), {"it", "ball"})

    def test_are_where_they_belong(self):
        for solver, events in self.LOCATED:
            _, run = self.one("python", solver, events, 60)
            fall = np.sqrt(2 / 9.81)  # s, until the first bounce
            since = run.time - fall
            right = np.where(since < 0, 1 - 9.81 / 2 * run.time**2, 0.5 * 9.81 * fall * since - 9.81 / 2 * since**2)
            np.testing.assert_allclose(run["ball.y"], right, atol=2e-6, err_msg=solver)

    def test_of_a_vector_are_by_element_and_its_sides_hold_within_a_step(self):
        text = """<diagram format="1" name="d" period="10 ms" solver="dopri5"><block name="both" type="routing/Mux"/>
        <block name="a" type="sources/Sine" amplitude="1" frequency="1 Hz"/><block name="b" type="sources/Sine" amplitude="1" frequency="0.7 Hz"/>
        <connect from="a.y" to="both.u[0]"/><connect from="b.y" to="both.u[1]"/>
        <block name="it" type="python/Magnitudes"/><connect from="both.y" to="it.u"/></diagram>"""
        simulation = hilda.Simulation(self.diagram(text=text), blocks=CLASSES)
        run = simulation.run(2.0)
        np.testing.assert_array_equal(run["it.y"], abs(run["both.y"]))
        self.assertGreaterEqual(simulation.summary["solver"]["events"], 4)

    def test_of_a_checkpoint_and_going_back_are_the_same(self):
        _, whole = self.one("python", "dopri5", "")
        simulation, _ = self.one("python", "dopri5", "", 100)
        saved = pickle.loads(pickle.dumps(simulation.checkpoint()))
        first = simulation.run(0.3)
        simulation.restore(saved)
        again = simulation.run(0.3)
        for signal in ("it.on", "ball.y"):
            self.assertEqual(first[signal].tobytes(), again[signal].tobytes())
            self.assertEqual(first[signal].tobytes(), whole[signal][100:].tobytes())


class TestPlugin(InFolder):
    """`hilda test-plugin FILE.py`: the checks of plugins in C++."""

    def test_passes_what_keeps_its_promises_alone_and_with_a_diagram(self):
        self.beside()
        got = program("test-plugin", "my_blocks.py", cwd=self.folder)
        self.assertRegex(got, r"7 blocks: \d+ checks passed, 0 failed, \d+ do not apply\n$")
        for name in ("Filter", "Oscillator", "Smooth", "Goal", "Switch", "Ball", "Magnitudes"):
            self.assertIn("python/" + name, got)
        self.diagram()
        got = program("test-plugin", self.folder / "my_blocks.py", "--diagram", self.folder / "blocks.xml")
        self.assertIn("python/Filter", got)
        self.assertIn(" 0 failed", got)

    def test_finds_what_breaks_them(self):
        (self.folder / "lies.py").write_text("""import hilda, random
KEPT = [0.0]
@hilda.block
class Remembers(hilda.Block):
    u = hilda.Input()
    y = hilda.Output()
    def start_of(self): return KEPT
    def output(self, t):
        KEPT[0] = KEPT[0] + 1
        self.y = self.u + KEPT[0]
@hilda.block
class Dice(hilda.Block):
    y = hilda.Output()
    def output(self, t): self.y = random.random()
@hilda.block
class Default(hilda.Block):
    y = hilda.Output()
    a = hilda.Parameter("m", default="3 s")
    def output(self, t): self.y = self.a
@hilda.block
class Leaves(hilda.Block):
    y = hilda.Output()
    def configure(self):
        import os
        os._exit(0)
    def output(self, t): self.y = 0.0
""")
        got = program("test-plugin", "lies.py", code=3, cwd=self.folder)
        self.assertRegex(got, r"FAILED python/Dice: pure: state_output gives other outputs when it is called twice")
        self.assertRegex(got, r"FAILED python/Remembers: pure: ")
        self.assertRegex(got, r"FAILED python/Default: defaults: the default '3 s' of 'a' has the unit 's'")
        self.assertRegex(got, r"FAILED python/Leaves: \w+: .*configure")

    def test_says_what_is_wrong_with_a_file(self):
        (self.folder / "none.py").write_text("x = 1\n")
        (self.folder / "wrong.py").write_text("import hilda\n@hilda.block\nclass It(hilda.Block):\n    y = hilda.Output()\n")
        for name, said in (("none.py", "none.py: error[python-block]: the file declares no block"),
                           ("absent.py", "absent.py: error[python-block]: there is no such file"),
                           ("wrong.py", "wrong.py:4: error[python-block]: It.y: no output(self, t) writes it")):
            self.assertIn(said, program("test-plugin", name, code=2, cwd=self.folder))


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


class Declared(InFolder):
    """What a class declares is what its instances have."""

    def one(self, cls, wires="", attributes="", ticks=3, **named):
        text = (f'<diagram format="1" name="d" period="2 ms"><block name="clock" type="sources/Clock"/>'
                f'<block name="it" type="python/{cls.__name__}" {attributes}/>{wires}</diagram>')
        simulation = hilda.Simulation(self.diagram(text=text), blocks=[cls], **named)
        simulation.step(ticks)
        return simulation

    def test_the_tick_is_that_of_the_run_and_steps_between_ticks_are_minor(self):
        ticks = []

        @hilda.block
        class Watcher(hilda.Block):
            y = hilda.Output("s")
            x = hilda.State("s", continuous=True)

            def output(self, t):
                self.y = self.x
                ticks.append((t.index, t.time, t.period, t.minor))

            def derivatives(self, t):
                self.x_dot = 1.0

        self.one(Watcher)
        self.assertEqual([each for each in ticks if not each[3]], [(k, k * 2e-3, 2e-3, False) for k in range(3)])
        minor = [each for each in ticks if each[3]]
        self.assertGreater(len(minor), 3)
        self.assertTrue(any(1e-4 < each[1] % 2e-3 < 1.9e-3 for each in minor))

    def test_states_begin_as_declared_and_again_after_a_reset(self):
        @hilda.block
        class Begins(hilda.Block):
            y = hilda.Output("1", "5")
            number = hilda.State(initial=2.5)
            whole = hilda.State(dtype=int, initial=-7)
            yes = hilda.State(dtype=bool, initial=True)
            several = hilda.State("1", "2", initial=0.5)

            def output(self, t):
                self.y[:] = [self.number, self.whole, self.yes, *self.several]

            def update(self, t):
                self.number, self.whole, self.yes = 9.0, 9, False
                self.several[:] = 9.0

        simulation = self.one(Begins, ticks=1)
        self.assertEqual(simulation["it.y"].tolist(), [2.5, -7, 1, 0.5, 0.5])
        simulation.step()
        self.assertEqual(simulation["it.y"].tolist(), [9, 9, 0, 9, 9])
        simulation.reset()
        simulation.step()
        self.assertEqual(simulation["it.y"].tolist(), [2.5, -7, 1, 0.5, 0.5])

    def test_an_instance_knows_its_path_period_seed_and_that_it_is_simulated(self):
        seen = {}

        @hilda.block
        class Who(hilda.Block):
            y = hilda.Output()

            def configure(self):
                seen[self.path] = (self.period, self.seed, self.simulated)

            def output(self, t):
                self.y = 0.0

        two = '<diagram format="1" name="d" period="2 ms"><block name="a" type="python/Who"/><block name="b" type="python/Who" sample_time="4 ms"/></diagram>'
        runs = []
        for _ in range(2):
            seen.clear()
            hilda.Simulation(self.diagram(text=two), blocks=[Who])
            runs.append(dict(seen))
        self.assertEqual(runs[0], runs[1])
        self.assertEqual([runs[0][path][0] for path in "ab"], [2e-3, 4e-3])
        self.assertEqual(len({runs[0][path][1] for path in "ab"} | {0}), 3, "a seed of its own")
        self.assertTrue(runs[0]["a"][2])

    def test_repeated_ports_are_tuples_and_sequences(self):
        @hilda.block
        class Spread(hilda.Block):
            u = hilda.Input("@u", repeated=True)
            w = hilda.Input("1", "n", repeated=True)
            n_out = hilda.Parameter(dtype=int, default=3)
            y = hilda.Output("@u", count="n_out")
            z = hilda.Output("1", "n", count="n_out")

            def output(self, t):
                if type(self.u) is not tuple or any(each.base is None or each.flags.writeable for each in self.w):
                    t.fail("not a tuple of read-only views")
                self.y = [sum(self.u) * (i + 1) for i in range(self.n_out)]
                self.z = tuple(self.w[0] + i * self.w[1] for i in range(self.n_out))

        vector = '<block name="{0}" type="sources/Constant" value="{1}"/>'
        text = ('<diagram format="1" name="d" period="1 ms"><block name="it" type="python/Spread"/>'
                + vector.format("a", "1") + vector.format("b", "2") + vector.format("c", "4") + vector.format("v", "1 2") + vector.format("w", "10 20")
                + "".join(f'<connect from="{name}.y" to="it.u[{i}]"/>' for i, name in enumerate("abc"))
                + '<connect from="v.y" to="it.w[0]"/><connect from="w.y" to="it.w[1]"/></diagram>')
        simulation = hilda.Simulation(self.diagram(text=text), blocks=[Spread])
        simulation.step()
        self.assertEqual([simulation[f"it.y[{i}]"] for i in range(3)], [7, 14, 21])
        self.assertEqual([simulation[f"it.z[{i}]"].tolist() for i in range(3)], [[1, 2], [11, 22], [21, 42]])

    def test_one_wire_connects_a_port_with_parts(self):
        @hilda.block
        class Cart(hilda.Block):
            position = hilda.Output("m", port="state")
            speed = hilda.Output("m/s", port="state")

            def output(self, t):
                self.position, self.speed = 2 * t.time, 2.0

        @hilda.block
        class Ahead(hilda.Block):
            position = hilda.Input("m", port="state")
            speed = hilda.Input("m/s", port="state")
            y = hilda.Output("m")

            def output(self, t):
                self.y = self.position + 0.5 * self.speed

        text = ('<diagram format="1" name="d" period="1 ms"><block name="cart" type="python/Cart"/><block name="it" type="python/Ahead"/>'
                '<connect from="cart.state" to="it.state"/></diagram>')
        run = hilda.Simulation(self.diagram(text=text), blocks=[Cart, Ahead]).run(0.01)
        np.testing.assert_array_equal(run["it.y"], run["cart.state.position"] + 1.0)
        self.assertEqual(run["cart.state.position"][3], 2 * run.time[3])

    def test_a_summary_has_numbers_units_texts_and_tables(self):
        @hilda.block
        class Tells(hilda.Block):
            u = hilda.Input("N")
            largest = hilda.State("N")

            def update(self, t):
                self.largest = max(self.largest, self.u)

            def summary(self):
                return {"largest": (self.largest, "N"), "count": 2, "how": "well", "rows": [{"at": (1.5, "s"), "what": "first"}, {"at": 2}]}

        text = ('<diagram format="1" name="d" period="1 ms"><block name="wave" type="sources/Sine" amplitude="3 N" frequency="100 Hz"/>'
                '<block name="it" type="python/Tells"/><connect from="wave.y" to="it.u"/></diagram>')
        simulation = hilda.Simulation(self.diagram(text=text), blocks=[Tells])
        run = simulation.run(0.1)
        told = simulation.summary
        self.assertAlmostEqual(told["largest"], run["wave.y"][:-1].max())
        self.assertEqual((told["count"], told["how"]), (2, "well"))
        self.assertEqual(told["rows"], [{"at": 1.5, "what": "first"}, {"at": 2}])
        self.assertEqual(told["units"], {"largest": "N", "rows.at": "s"})

    def test_what_a_summary_raises_is_its_text_with_the_line(self):
        for result, said in (("1 / 0", "ZeroDivisionError"), ("3", "returns a dict"), ('{"a": None}', "a is None: summary returns")):
            file = self.folder / "told.py"
            file.write_text("import hilda\n@hilda.block\nclass Told(hilda.Block):\n    y = hilda.Output()\n"
                            f"    def output(self, t): self.y = 0\n    def summary(self): return {result}\n")
            simulation = hilda.Simulation(self.diagram(text='<diagram format="1" name="d" period="1 ms"><block name="it" type="python/Told"/></diagram>'))
            simulation.step()
            self.assertRegex(simulation.summary["summary_error"], r"^block it: summary at .*told\.py:\d+: \w+: ")
            self.assertIn(said, simulation.summary["summary_error"])

    def test_limits_of_a_parameter_are_those_that_are_written(self):
        @hilda.block
        class Limited(hilda.Block):
            y = hilda.Output()
            a = hilda.Parameter(default=1, above=0.0, below=2.0)
            b = hilda.Parameter(default=1, minimum=0.0, maximum=2.0)

            def output(self, t):
                self.y = self.a + self.b

        for name, value, fits in (("a", 0, False), ("a", 2, False), ("a", 1.999, True), ("b", 0, True), ("b", 2, True),
                                  ("b", -0.001, False), ("b", 2.001, False)):
            with self.subTest(f"{name}={value}"):
                if fits:
                    self.one(Limited, attributes=f'{name}="{value}"')
                    continue
                with self.assertRaises(hilda.DiagramError):
                    self.one(Limited, attributes=f'{name}="{value}"')

    def test_output_feeds_through_what_it_reads_by_any_way(self):
        def by_method(self): return self.helper()
        def by_property(self): return self.twice
        def by_comprehension(self): return sum([self.u for _ in range(1)])
        def by_function(self): return (lambda: self.u)()
        def by_name(self): return getattr(self, "u")

        for way in (by_method, by_property, by_comprehension, by_function, by_name):
            class Through(hilda.Block):
                u = hilda.Input("s")
                y = hilda.Output("s")
                read = way

                def helper(self):
                    return self.u

                @property
                def twice(self):
                    return self.u

                def output(self, t):
                    self.y = self.read()

            with self.subTest(way.__name__):
                simulation = self.one(hilda.block(Through), '<connect from="clock.time" to="it.u"/>')
                self.assertEqual(simulation["it.y"], 4e-3)

    def test_an_output_of_one_input_beside_another_for_update_waits_for_it(self):
        @hilda.block
        class Mixed(hilda.Block):
            u = hilda.Input("s")
            v = hilda.Input("s")
            y = hilda.Output("s")
            x = hilda.State("s")

            def output(self, t):
                self.y = self.u + self.x

            def update(self, t):
                self.x = self.v

        text = """<diagram format="1" name="d" period="2 ms"><block name="clock" type="sources/Clock"/>
        <block name="one" type="math/Gain" gain="1"/><block name="a" type="python/Mixed"/>
        <block name="two" type="math/Gain" gain="1"/><block name="b" type="python/Mixed"/>
        <connect from="clock.time" to="one.u"/><connect from="one.y" to="a.u"/><connect from="clock.time" to="a.v"/>
        <connect from="a.y" to="two.u"/><connect from="two.y" to="b.u"/><connect from="clock.time" to="b.v"/></diagram>"""
        simulation = hilda.Simulation(self.diagram(text=text), blocks=[Mixed])
        for k in range(4):
            simulation.step()
            before = 2e-3 * max(k - 1, 0)
            self.assertAlmostEqual(simulation["a.y"], 2e-3 * k + before, 12)
            self.assertAlmostEqual(simulation["b.y"], 2e-3 * k + 2 * before, 12)

    def test_an_optional_input_may_be_left_open_and_is_none(self):
        def cls(optional):
            @hilda.block
            class Open(hilda.Block):
                u = hilda.Input(optional=optional)
                y = hilda.Output()

                def output(self, t):
                    self.y = -1.0 if self.u is None else self.u

            return Open

        self.assertEqual(self.one(cls(True))["it.y"], -1)
        with self.assertRaises(hilda.DiagramError):
            self.one(cls(False))

    def test_what_update_alone_reads_closes_a_loop(self):
        @hilda.block
        class Late(hilda.Block):
            u = hilda.Input()
            y = hilda.Output()
            x = hilda.State(initial=1.0)

            def output(self, t):
                self.y = self.x

            def update(self, t):
                self.x = self.u

        loop = '<block name="g" type="math/Gain" gain="3"/><connect from="it.y" to="g.u"/><connect from="g.y" to="it.u"/>'
        self.assertEqual(self.one(Late, loop)["it.y"], 9)


class Files(InFolder):
    """Which file is run, and which is not."""

    LEVEL = ("import hilda\n@hilda.block\nclass Level(hilda.Block):\n    y = hilda.Output()\n"
             "    def output(self, t): self.y = {}.0\n")
    ONE = '<diagram format="1" name="d" period="1 ms"><block name="a" type="python/Level"/></diagram>'

    def level(self, folder, value, name="level.py"):
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(self.LEVEL.format(value))
        return folder

    def test_that_anyone_may_write_is_not_run(self):
        self.level(self.folder, 1)
        file = self.folder / "level.py"
        file.write_text("import pathlib\npathlib.Path('was_run').touch()\n" + file.read_text())
        file.chmod(0o666)
        got = program("check", self.diagram(text=self.ONE), code=2, cwd=self.folder)
        self.assertIn("level.py: error[plugin-writable]: anyone may write to ", got)
        self.assertIn("it is not run", got)
        self.assertFalse((self.folder / "was_run").exists())
        file.chmod(0o644)
        program("check", self.diagram(text=self.ONE), cwd=self.folder)
        self.assertTrue((self.folder / "was_run").exists())

    def test_with_two_classes_of_a_name_are_refused(self):
        self.level(self.folder, 1), self.level(self.folder, 2, "other.py")
        got = program("check", self.diagram(text=self.ONE), code=2)
        self.assertRegex(got, r"other\.py: error\[python-block\]: the class 'Level' is in '[^']*level\.py' already")
        self.assertIn("rename one of them, or put the files into two folders", got)

    def test_of_one_name_in_two_folders_is_an_error_and_beside_the_diagram_a_warning(self):
        one, two = self.level(self.folder / "one", 1), self.level(self.folder / "two", 2)
        log = self.folder / "run.mcap"

        def value(*words):
            program("run", self.diagram(text=self.ONE), "--for", "1ms", "--log", log, *words)
            return hilda.Log(log)["a.y"][0]

        got = program("check", self.diagram(text=self.ONE), "--plugins", one, "--plugins", two, code=2)
        self.assertRegex(got, r"one/level\.py: error\[python-block\]: the class 'Level' is in '[^']*two/level\.py' already")
        self.assertIn("name only one of the folders (--plugins, HILDA_PLUGIN_PATH)", got)
        got = program("blocks", "python", "--plugins", one, "--plugins", two)
        self.assertRegex(got, r"one/level\.py: warning\[python-twice\]: the class 'Level' is also in '[^']*two/level\.py', and that one is listed")
        self.assertEqual((value("--plugins", one), value("--plugins", one, "--plugins", one)), (1, 1))
        self.level(self.folder, 3)
        self.assertEqual(value("--plugins", one), 3)
        got = program("check", self.diagram(text=self.ONE), "--plugins", one)
        self.assertRegex(got, r"one/level\.py: warning\[python-twice\]: the class 'Level' is also in '[^']*level\.py', next to the diagram, and that one is used")
        self.assertEqual(program("check", self.diagram(text=self.ONE), "--plugins", self.folder).count("python-twice"), 0)

    def test_has_its_class_at_the_top(self):
        (self.folder / "level.py").write_text("import hilda\n@hilda.block\nclass Other(hilda.Block):\n"
                                              "    y = hilda.Output()\n    def output(self, t): self.y = 0.0\nx = '''\n"
                                              "@hilda.block\nclass Level(hilda.Block):\n'''\n")
        got = program("check", self.diagram(text=self.ONE), code=2)
        self.assertIn("level.py: error[python-block]: the class 'Level' is not there when the file has been run", got)
        self.assertIn("declare it at the top of the file", got)

    def test_that_loads_a_diagram_of_its_own_blocks_says_so(self):
        self.level(self.folder, 1)
        file, diagram = self.folder / "level.py", self.diagram(text=self.ONE)
        file.write_text(file.read_text() + f"import hilda\nhilda.Simulation({str(diagram)!r})\n")
        with self.assertRaisesRegex(hilda.DiagramError, "loads a diagram that needs its own blocks while it is run"):
            hilda.Simulation(diagram)

    def test_that_a_log_was_made_with_is_in_it(self):
        self.level(self.folder, 1)
        log, diagram = self.folder / "run.mcap", self.diagram(text=self.ONE)
        program("run", diagram, "--for", "5ms", "--log", log)
        self.assertIn("every bit is as recorded", program("run", "--mode", "replay", log))
        self.level(self.folder, 2)
        got = subprocess.run([PROGRAM, "run", "--mode", "replay", log], capture_output=True, text=True)
        self.assertIn("plugin python:level.py is not the one of the log: ", got.stdout + got.stderr)


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

    # A mistake in a declaration names class and member; one in a call names block and phase; before there is a class, the file.
    NAMED = re.compile(r"^blocks\.py:\d+: error\[python-block\]: (python/)?It[.:]"
                       r"|^blocks\.py:\d+: error\[python-block\]: the file cannot be run: "
                       r"|block it: (output|update|derivatives|event) at blocks\.py:\d+: \w+"
                       r"|: it \(python/It\): (configure|initialize|start|prepare) at blocks\.py:\d+: \w+", re.M)

    def test_each_says_block_phase_and_line(self):
        files = sorted(MISTAKES.glob("*.py"))
        self.assertGreaterEqual(len(files), 40)
        for file in files:
            with self.subTest(file.name), tempfile.TemporaryDirectory() as folder:
                got = self.message(file, pathlib.Path(folder))
                golden = file.with_suffix(".txt").read_text()
                for line in golden.splitlines():
                    self.assertIn(line.strip(), got)
                self.assertRegex(golden, self.NAMED)

    @staticmethod
    def message(file, folder):
        text = file.read_text()
        (folder / "blocks.py").write_text(text)
        wires = text.split("# wires: ")[1].splitlines()[0] if "# wires: " in text else ""
        (folder / "d.xml").write_text(f'<diagram format="1" name="d" period="1 ms">\n  <block name="it" type="python/It"/>\n  {wires}\n</diagram>\n')
        options = text.split("# options: ")[1].splitlines()[0].split() if "# options: " in text else []
        done = subprocess.run([PROGRAM, "run", "d.xml", "--for", "0.01s", "--no-log", *options], cwd=folder, capture_output=True, text=True)
        if done.returncode == 0:
            raise AssertionError(f"{file.name} runs: {done.stdout}")
        return done.stderr


if __name__ == "__main__":
    warnings.simplefilter("error")
    unittest.main()
