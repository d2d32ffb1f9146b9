// SPDX-License-Identifier: BSD-3-Clause
// A field that the user types into, while files, tabs and the server change: studio.typing runs this by node --test.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { hasElement, hasValue, lesson } from "./editing.mjs";
import { folder, Studio, until } from "./program.mjs";
import { asked } from "./typing.mjs";

/** A page from whose first message on is heard what it asks. */
async function listen(studio, size = { width: 1440, height: 900 }) {
  const page = await studio.look(size), list = asked(page);
  await page.reload();
  await until(page, () => window.studio?.session.hello !== null);
  return [page, list];
}

const field = (page) => page.evaluate(() => { const f = document.activeElement; return { id: f.id, text: f.value, from: f.selectionStart, to: f.selectionEnd }; });
const choose = async (page, name) => { await page.locator(`.symbol[data-path=${name}] .body`).click(); };
const onRun = (page, path) => page.locator(`[id='parameter-${path}']`);

const typing = (name, body) => test(name, async () => {
  const where = folder();
  writeFileSync(join(where, "first.xml"), lesson);
  const studio = await Studio.start(where, "first.xml");
  try {
    await body(studio, join(where, "first.xml"));
    assert.deepEqual(studio.problems, [], "the page has errors");
  } finally {
    await studio.stop();
  }
});

typing("a half-typed value of a run stays in its field when the file is saved elsewhere, and is not sent", async (studio, file) => {
  const [page, sent] = await listen(studio);
  await choose(page, "spring");
  await onRun(page, "spring.gain").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("1");
  const before = await field(page), revision = await page.evaluate(() => window.studio.session.hello.revision);
  writeFileSync(file, lesson.replace("50 N", "60 N").replace("4 N/mm", "7 N/mm"));
  await until(page, (r) => window.studio.session.hello.revision > r, revision);
  assert.deepEqual(await field(page), before);
  assert.deepEqual(sent, []);
  await until(page, () => /the run now has 7 N\/mm/.test(document.querySelector("[data-path='spring.gain'] .elsewhere").textContent));
  await page.keyboard.type("00 N/m");
  await page.keyboard.press("Enter");
  await until(page, () => window.studio.session.parameters.get("spring.gain").value === 100);
  assert.deepEqual(sent, ["live spring.gain=100 N/m"]);
  await page.keyboard.type("9");
  await page.keyboard.press("Escape");
  assert.deepEqual(sent, ["live spring.gain=100 N/m"]);
});

typing("a second tab that edits the block neither sends what is half-typed nor moves the caret", async (studio) => {
  const [page, sent] = await listen(studio), other = await studio.look();
  for (const each of [page, other]) {
    await each.keyboard.press("e");
    await hasElement(each, "late");
  }
  await choose(page, "late");
  await page.locator("#edit-delay").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("77");
  await page.keyboard.press("ArrowLeft");
  const before = await field(page);
  await other.evaluate(() => window.studio.editor.document_.edit([["set", "late.delay=9 ms"]]));
  await until(page, () => /the file now says 9 ms/.test(document.querySelector("[data-attribute=delay] .elsewhere").textContent));
  await other.evaluate(() => window.studio.editor.document_.edit([["set", "late.doc=of the line"]]));
  await until(page, () => window.studio.editor.document_.element("late")?.attributes.doc === "of the line");
  await other.evaluate(() => window.studio.editor.document_.edit([["remove", "late"]]));
  await until(page, () => !window.studio.editor.document_.view.elements.some((each) => each.name === "late"));
  await other.evaluate(() => window.studio.editor.document_.undo());
  await hasElement(page, "late");
  assert.deepEqual(await field(page), before);
  assert.deepEqual(sent, []);
  await page.keyboard.press("End");
  await page.keyboard.type(" ms");
  await page.keyboard.press("Tab");
  await hasValue(page, "late", "delay", "77 ms");
  assert.deepEqual(sent, ["set late.delay=77 ms"]);
});

typing("the choice of what is chosen takes nothing from a field: Esc, or 'Take it', takes what came from elsewhere", async (studio) => {
  const [page, sent] = await listen(studio);
  await page.keyboard.press("e");
  await hasElement(page, "late");
  await choose(page, "late");
  await page.locator("#edit-delay").click();
  await page.keyboard.type("1");
  const session = await studio.look();
  await session.keyboard.press("e");
  await hasElement(session, "late");
  await session.evaluate(() => window.studio.editor.document_.edit([["set", "late.delay=9 ms"]]));
  await page.getByRole("button", { name: "Take the value from elsewhere (Esc)" }).click();
  assert.equal((await field(page)).text, "9 ms");
  await page.keyboard.press("Tab");
  assert.deepEqual(sent, []);
});

typing("a file changed on the same line asks in the banner while somebody types, and not by a dialog", async (studio, file) => {
  const [page, sent] = await listen(studio);
  await page.keyboard.press("e");
  await hasElement(page, "late");
  await page.evaluate(() => window.studio.editor.document_.edit([["set", "late.delay=7 ms"]]));
  await choose(page, "late");
  await page.locator("#edit-delay").click();
  await page.keyboard.type("1");
  const before = await field(page);
  writeFileSync(file, lesson.replace('delay="5 ms"', 'delay="9 ms"'));
  await page.getByRole("button", { name: "Show both sides, and choose" }).waitFor();
  assert.deepEqual(await field(page), before);
  assert.deepEqual(sent, ["set late.delay=7 ms"]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Show both sides, and choose" }).click();
  await page.locator("dialog[open] .difference").waitFor();
});

typing("a rename by Enter is one request and brings no error; what is typed into the next field goes to the new name", async (studio) => {
  const [page, sent] = await listen(studio);
  await page.keyboard.press("e");
  await hasElement(page, "late");
  await choose(page, "late");
  await page.keyboard.press("F2");
  await page.keyboard.type("deadtime");
  await page.keyboard.press("Enter");
  await hasElement(page, "deadtime");
  await page.locator("#edit-name").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("lag");
  await page.keyboard.press("Tab"); // at once, before the server has answered
  await page.locator("#edit-delay").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("6 ms");
  await page.keyboard.press("Enter");
  await hasValue(page, "lag", "delay", "6 ms");
  assert.deepEqual(sent, ["rename late deadtime", "rename deadtime lag", "set lag.delay=6 ms"]);
  assert.equal(await page.locator(".told.shown .bad").count(), 0);
  assert.equal(await page.locator(".edit-sheet h2").innerText(), "lag");
});

typing("keys right after F2 write the name, also where nobody edits yet, and after a new block", async (studio) => {
  const [page, sent] = await listen(studio);
  await choose(page, "spring");
  await page.keyboard.press("F2");
  await page.keyboard.type("disturbance");
  await page.keyboard.press("Enter");
  await hasElement(page, "disturbance");
  assert.deepEqual(sent, ["rename spring disturbance"]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("a");
  await until(page, () => document.activeElement.closest(".palette") !== null);
  await page.keyboard.type("sine");
  await page.keyboard.press("Enter");
  await page.keyboard.type("wave");
  await page.keyboard.press("Enter");
  await hasElement(page, "wave");
  assert.equal(sent.length, 3, sent.join("; "));
  assert.match(sent[2], /^rename sine wave$/);
});

typing("letters that miss a field do nothing; after a click on the drawing they are commands again", async (studio) => {
  const [page, sent] = await listen(studio);
  await page.keyboard.press("e");
  await hasElement(page, "late");
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  const before = await theme();
  await page.keyboard.press("F2"); // nothing is chosen
  await page.keyboard.type("disturbance");
  await choose(page, "late");
  await page.locator(".edit-sheet h2").click();
  await page.keyboard.type("tea");
  await page.keyboard.press("Delete");
  assert.equal(await theme(), before);
  assert.equal(await page.evaluate(() => window.studio.editor.on && document.activeElement.closest(".palette") === null), true);
  assert.deepEqual(sent, []);
  await choose(page, "late");
  await page.keyboard.press("t");
  assert.notEqual(await theme(), before);
});
