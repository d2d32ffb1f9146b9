# SPDX-License-Identifier: BSD-3-Clause
"""hilda.Diagram and hilda.edit: diagrams built and changed by program."""
import os
import pathlib
import tempfile
import unittest

import hilda

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BY_HAND = """\
<diagram format="1" name="swing" period="1 ms" doc="A mass on a spring">
  <parameter name="stiffness" value="4 N/mm"/>

  <block name="push" type="sources/Step" time="100 ms" after="50 N"/>
  <block name="force" type="math/Sum" signs="+-"/>
  <block name="acceleration" type="math/Gain" gain="0.1 1/kg"/>
  <block name="velocity" type="discrete/DiscreteIntegrator"/>
  <block name="position" type="discrete/DiscreteIntegrator"/>
  <block name="spring" type="math/Gain" gain="${stiffness}"/>

  <connect from="push.y" to="force.u[0]"/>
  <connect from="spring.y" to="force.u[1]"/>
  <connect from="force.y" to="acceleration.u"/>
  <connect from="acceleration.y" to="velocity.u"/>
  <connect from="velocity.y" to="position.u"/>
  <connect from="position.y" to="spring.u"/>
</diagram>
"""


def swing():
    d = hilda.Diagram(name="swing", period="1 ms", doc="A mass on a spring")
    d.add("parameter", "stiffness", value="4 N/mm")
    d.add("sources/Step", "push", time="100 ms", after="50 N")
    d.add("math/Sum", "force", signs="+-")
    d.add("math/Gain", "acceleration", gain="0.1 1/kg")
    d.add("discrete/DiscreteIntegrator", "velocity")
    d.add("discrete/DiscreteIntegrator", "position")
    d.add("math/Gain", "spring", gain="${stiffness}")
    for source, destination in [("push.y", "force.u[0]"), ("spring.y", "force.u[1]"), ("force.y", "acceleration.u"),
                                ("acceleration.y", "velocity.u"), ("velocity.y", "position.u"),
                                ("position.y", "spring.u")]:
        d.connect(source, destination)
    return d


class Edit(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.before = os.getcwd()
        os.chdir(self.folder.name)

    def tearDown(self):
        os.chdir(self.before)
        self.folder.cleanup()

    def test_what_is_built_reads_as_if_by_hand_and_runs(self):
        d = swing()
        self.assertEqual(d.text, BY_HAND)
        d.write("swing.xml")
        self.assertEqual(pathlib.Path("swing.xml").read_text(), BY_HAND)
        run = hilda.Simulation("swing.xml").run(0.5)
        self.assertGreater(run["position.y"].max(), 0.01)

    def test_a_file_keeps_every_byte_that_is_not_meant(self):
        text = next(SOURCE.glob("examples/01*/first.xml")).read_text()
        pathlib.Path("first.xml").write_text(text)
        d = hilda.edit("first.xml")
        d.set("spring.gain", "5 N/mm")
        d.write()
        self.assertEqual(pathlib.Path("first.xml").read_text(), text.replace('"4 N/mm"', '"5 N/mm"'))
        self.assertIn('-  <block name="spring" type="math/Gain" gain="4 N/mm"/>\n', d.diff())
        d.rename("late", "delayed")
        self.assertTrue(d.undo())
        self.assertTrue(d.undo())
        self.assertFalse(d.undo())
        self.assertEqual(d.text, text)
        self.assertTrue(d.redo())
        self.assertIn("5 N/mm", str(d))

    def test_several_operations_are_one_step(self):
        d = swing()
        with self.assertRaises(hilda.DiagramError):
            d.apply([["set", "stiffness=5 N/mm"], ["remove", "nobody"]])
        self.assertEqual(d.text, BY_HAND)
        said = d.apply([["set", "stiffness=5 N/mm"], ["remove", "spring"]])
        self.assertEqual(len(said), 2, said)
        self.assertTrue(d.undo())
        self.assertEqual(d.text, BY_HAND)

    def test_nothing_is_overwritten(self):
        d = swing()
        d.write("swing.xml")
        pathlib.Path("swing.xml").write_text(BY_HAND + "<!-- by another -->\n")
        d.set("stiffness", "5 N/mm")
        with self.assertRaisesRegex(hilda.Error, "has changed since"):
            d.write()
        pathlib.Path("other.xml").write_text("mine")
        with self.assertRaisesRegex(hilda.Error, "is there already"):
            d.write("other.xml")
        self.assertEqual(pathlib.Path("other.xml").read_text(), "mine")
        self.assertTrue(pathlib.Path("swing.xml").read_text().endswith("<!-- by another -->\n"))

    def test_mistakes_have_advice(self):
        d = swing()
        with self.assertRaisesRegex(hilda.DiagramError, "did you mean 'spring'"):
            d.remove("sprin")
        with self.assertRaisesRegex(hilda.DiagramError, "driven already"):
            d.connect("push.y", "spring.u")
        with self.assertRaises(hilda.DiagramError):
            hilda.edit("nothing.xml")
        with self.assertRaises(TypeError):
            d.set("stiffness", object())

    def test_a_part_is_grouped_and_extracted(self):
        d = swing()
        d.write("swing.xml")
        whole = hilda.Simulation("swing.xml").run(0.5)["position.y"]
        d.group(["spring", "force"], "plant")
        d.extract("plant", "plant.xml")
        d.write()
        self.assertIn('<parameter name="stiffness"/>', pathlib.Path("plant.xml").read_text())
        self.assertIn('src="plant.xml" stiffness="${stiffness}"/>', d.text)
        again = hilda.Simulation("swing.xml").run(0.5)["position.y"]
        self.assertTrue((whole == again).all())
        d.set("plant.stiffness", "8 N/mm")
        d.write()
        self.assertLess(hilda.Simulation("swing.xml").run(0.5)["position.y"].max(), whole.max())


if __name__ == "__main__":
    unittest.main()
