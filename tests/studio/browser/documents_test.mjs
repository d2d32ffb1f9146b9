// SPDX-License-Identifier: BSD-3-Clause
// Files under edit: two pages, another hand, a server that is killed, a file that is not there: studio.documents runs this by
// node --test.
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { hasElement, hasValue, Keyboard, lesson, onPage, saved, text, whole } from "./editing.mjs";
import { folder, Studio, until } from "./program.mjs";

test("a server that is killed loses no edit: they are offered again", async () => {
  const where = folder(), log = join(where, "first.xml");
  writeFileSync(log, lesson);
  const killed = await Studio.start(where, "first.xml");
  const page = await killed.look();
  await page.keyboard.press("e");
  await hasElement(page, "late");
  for (const operation of [["set", "late.delay=7 ms"], ["rename", "spring", "stiffness"], ["add", "math/Gain", "more", "gain=2"]]) assert.equal((await page.evaluate((o) => window.studio.editor.document_.edit([o]), operation)).ok, true);
  killed.child.kill("SIGKILL");
  await killed.ended;
  await killed.browser.close();
  assert.equal(readFileSync(log, "utf8"), lesson);
  const studio = await Studio.start(where, "first.xml");
  try {
    const again = await studio.look();
    await again.keyboard.press("e");
    await again.getByRole("button", { name: "Apply these edits again" }).click();
    await hasElement(again, "more");
    await hasElement(again, "stiffness");
    await hasValue(again, "late", "delay", "7 ms");
    await again.keyboard.press("Control+z");
    await until(again, () => !window.studio.editor.document_.view.elements.some((each) => each.name === "more"));
    await again.keyboard.press("Control+s");
    await saved(again);
    assert.match(readFileSync(log, "utf8"), /name="stiffness"/);
    assert.equal(existsSync(join(where, ".first.xml.edits")), false);
    assert.deepEqual(studio.problems, []);
  } finally {
    await studio.stop();
  }
});

const including = `<diagram format="1" name="m" period="1 ms">
  <block name="s" type="sources/Sine" amplitude="1" frequency="1 Hz"/>
  <subsystem name="a" src="sub.xml"/>
  <connect from="s.y" to="a.u"/>
</diagram>
`, included = `<diagram format="1" name="sub">
  <input name="u"/>
  <output name="y"/>
  <block name="g" type="math/Gain" gain="2"/>
  <connect from="u" to="g.u"/>
  <connect from="g.y" to="y"/>
</diagram>
`;

test("edits of an included file are offered before anybody edits, and those of a file that is gone are kept", async () => {
  const where = folder(), file = join(where, "m.xml"), sub = join(where, "sub.xml");
  writeFileSync(file, including);
  writeFileSync(sub, included);
  const killed = await Studio.start(where, "m.xml");
  const page = await killed.look();
  await page.keyboard.press("e");
  await hasElement(page, "a");
  await page.evaluate(() => window.studio.diagram.go("a"));
  await hasElement(page, "g");
  await page.evaluate(() => window.studio.editor.document_.edit([["set", "g.gain=5"]]));
  killed.child.kill("SIGKILL");
  await killed.ended;
  await killed.browser.close();
  const studio = await Studio.start(where, "m.xml");
  try {
    assert.match(studio.said, /1 edit of sub.xml was not saved/);
    const again = await studio.look();
    await again.getByText("1 edit of sub.xml was not saved when hilda ended.").waitFor();
    await again.getByRole("button", { name: "Apply these edits again" }).click();
    await until(again, () => window.studio.editor.document_.states.some((each) => each.document.endsWith("sub.xml") && each.unsaved));
    rmSync(sub);
    await again.locator(".banner").getByText("sub.xml is gone from the disk.").waitFor();
    await again.getByRole("button", { name: "The diagram as it is edited here becomes that file" }).click();
    await until(again, () => window.studio.editor.document_.states.every((each) => !each.gone && !each.unsaved));
    assert.match(readFileSync(sub, "utf8"), /gain="5"/);
    assert.deepEqual(studio.problems, []);
  } finally {
    await studio.stop();
  }
});

onPage("a file that somebody else changes is merged; where it cannot be, both sides are shown", whole, ["first.xml"], async (page, studio) => {
  const file = join(studio.where, "first.xml");
  await page.keyboard.press("e");
  await hasElement(page, "late");
  await page.evaluate(() => window.studio.editor.document_.edit([["set", "late.delay=7 ms"]]));
  const theirs = lesson.replace("50 N", "60 N");
  writeFileSync(file, theirs);
  await hasValue(page, "push", "after", "60 N");
  await hasValue(page, "late", "delay", "7 ms");
  assert.equal(readFileSync(file, "utf8"), theirs);
  const more = theirs.replace('delay="5 ms"', 'delay="9 ms"');
  writeFileSync(file, more);
  await page.locator("dialog[open] .difference").waitFor();
  const seen = await page.locator("dialog[open] .difference").innerText();
  assert.match(seen, /-.*9 ms/);
  assert.match(seen, /\+.*7 ms/);
  assert.equal(readFileSync(file, "utf8"), more);
  await page.getByRole("button", { name: "The edits made here go into a new file" }).click();
  await hasValue(page, "late", "delay", "9 ms");
  assert.match(text(studio, "first.mine.xml"), /7 ms/);
  assert.equal(readFileSync(file, "utf8"), more);
});

onPage("two pages edit one document, and see each other's edits", whole, ["first.xml"], async (page, studio) => {
  const other = await studio.look();
  for (const each of [page, other]) {
    await each.keyboard.press("e");
    await hasElement(each, "late");
  }
  await page.evaluate(() => window.studio.editor.document_.edit([["rename", "spring", "stiffness"]]));
  await hasElement(other, "stiffness");
  assert.equal((await other.evaluate(() => window.studio.editor.document_.edit([["set", "stiffness.gain=3 N/mm"]]))).ok, true);
  await hasValue(page, "stiffness", "gain", "3 N/mm");
});

test("a new diagram begins where there is no file", async () => {
  const studio = await Studio.start(folder(), "new.xml");
  try {
    const page = await studio.look(), keys = new Keyboard(page);
    await keys.begin();
    await keys.add("sources/Sine", "wave");
    await keys.set("wave", "frequency", "2 Hz");
    assert.equal(existsSync(join(studio.where, "new.xml")), false);
    await keys.press("Control+s");
    await saved(page);
    assert.match(readFileSync(join(studio.where, "new.xml"), "utf8"), /<diagram format="1" name="new" period="1 ms">/);
    assert.deepEqual(studio.problems, []);
  } finally {
    await studio.stop();
  }
});

/** A generator that gives the same numbers each time. */
