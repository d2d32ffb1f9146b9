// SPDX-License-Identifier: BSD-3-Clause
// An audit from the page: what it finds is a diagnostic, and a mark at the block; a half-typed time stays.
// studio.audit runs this by node --test. HILDA_PICTURES=FOLDER leaves pictures there.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { folder, picture, Studio, until } from "./program.mjs";

const plugins = join(dirname(process.env.HILDA), "..", "tests", "cli", "plugins"); // those of tests/cli/faulty
const diagram = (type) => `<diagram format="1" name="faulty" period="1 ms">
  <block name="tone" type="sources/Sine" amplitude="1" frequency="5 Hz"/>
  <block name="part" type="${type}"/>
  <connect from="tone.y" to="part.u"/>
</diagram>
`;
const onPart = (name, type, body, period = "1 ms") => test(name, async () => {
  const where = folder();
  writeFileSync(join(where, "faulty.xml"), diagram(type).replace("1 ms", period));
  const studio = await Studio.start(where, "faulty.xml", "--plugins", plugins);
  try {
    const page = await studio.look({ width: 1440, height: 900 });
    await page.getByRole("tab", { name: /^Diagnostics/ }).click();
    await body(page, studio);
    assert.deepEqual(studio.problems, [], "the page has errors");
  } finally {
    await studio.stop();
  }
});

onPart("an audit marks the block that keeps memory outside of its states, and goes with an edit that mends it", "faulty/Remembers", async (page, { where }) => {
  await page.getByRole("button", { name: /^Audit/ }).click();
  await until(page, () => document.querySelector(".problem.error code")?.textContent === "audit");
  assert.match(await page.locator(".problem.error").first().innerText(), /faulty\.xml:3[^]*block part \(faulty\/Remembers\)[^]*memory that is not a state/);
  assert.match(await page.locator(".audit p").innerText(), /faulty, mode sim: audited 1000 steps, \d+ calls, \d findings?/);
  await until(page, () => document.querySelector(".symbol[data-path='part']").dataset.mark === "audit");
  assert.match(await page.locator(".symbol[data-path='part'] .badge title").textContent(), /not a state/);
  assert.equal(await page.evaluate(() => document.querySelector(".symbol[data-path='tone']").dataset.mark), undefined);
  assert.equal(await page.evaluate(() => window.studio.session.state.tick), 0, "the run here is not touched");
  await picture(page, "audit");
  await page.locator(".problem.error .place").first().click();
  await until(page, () => document.querySelector(".symbol.chosen, .symbol.selected")?.dataset.path === "part" || document.activeElement?.dataset?.path === "part");
  writeFileSync(join(where, "faulty.xml"), diagram("math/Abs"));
  await until(page, () => window.studio.session.blocks.get("part")?.type === "math/Abs");
  await until(page, () => document.querySelectorAll(".problem").length === 0 && !document.querySelector(".symbol[data-mark='audit']"));
});

onPart("a sound diagram has no findings; the time is chosen by keys; unsaved edits are said", "math/Abs", async (page) => {
  const field = page.getByLabel("Simulated time of the audit in s");
  await field.fill("0.2");
  await page.evaluate(() => window.studio.session.found(window.studio.session.diagnostics)); // news from the server
  assert.equal(await page.evaluate(() => document.activeElement.value), "0.2", "what is typed stays");
  await page.keyboard.press("Enter");
  await until(page, () => /faulty, mode sim: audited 200 steps, \d+ calls, 0 findings/.test(document.querySelector(".audit p").textContent));
  await page.evaluate(() => window.studio.editor.toggle());
  await until(page, () => window.studio.editor.document_.view !== null);
  await page.evaluate(() => { const { document_: d } = window.studio.editor; return d.edit([["set", "tone.amplitude=3"]]); });
  await page.getByRole("tab", { name: /^Diagnostics/ }).click();
  await page.getByRole("button", { name: /^Audit/ }).click();
  await until(page, () => /an audit runs the files as they are saved/.test(document.querySelector(".audit p").textContent));
});

onPart("one audit runs at a time; it ends by its button, and with the page that asked for it", "math/Abs", async (page, studio) => {
  const { pid } = studio.child, children = () => readdirSync(`/proc/${pid}/task`).flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").trim().split(" ").filter(Boolean));
  const ends = async () => { for (let i = 0; i < 100 && children().length; ++i) await new Promise((done) => setTimeout(done, 50)); assert.deepEqual(children(), []); };
  const begin = async () => {
    await page.getByLabel("Simulated time of the audit in s").fill("1000");
    await page.keyboard.press("Enter");
    await until(page, () => document.querySelector(".audit button").textContent === "Stop");
    await until(page, async () => { const { error } = await window.studio.session.ask("audit", { for: 1 }, true); return error === "an audit is running already"; });
    assert.equal(children().length, 1);
  };
  await begin();
  await page.keyboard.press("Enter"); // in the field: it runs already
  await page.getByRole("button", { name: "Stop the audit" }).click();
  await until(page, () => document.querySelector(".audit p").textContent === "the audit was stopped");
  assert.equal(await page.getByRole("button", { name: /^Audit/ }).textContent(), "Audit");
  await ends();
  await begin();
  await page.reload();
  await ends();
}, "1 us"); // so that the audit takes long

onPart("what an audit found of a diagram that has changed meanwhile is not shown", "faulty/Remembers", async (page, { where }) => {
  await page.evaluate(() => { const { session } = window.studio, ask = session.ask.bind(session); session.ask = async (op, ...rest) => { const reply = await ask(op, ...rest); if (op === "audit") await new Promise((done) => (window.release = done)); return reply; }; });
  await page.getByRole("button", { name: /^Audit/ }).click();
  await until(page, () => window.release !== undefined);
  writeFileSync(join(where, "faulty.xml"), diagram("math/Abs"));
  await until(page, () => window.studio.session.blocks.get("part")?.type === "math/Abs");
  await page.evaluate(() => window.release());
  await until(page, () => /the diagram has changed meanwhile/.test(document.querySelector(".audit p").textContent));
  assert.equal(await page.locator(".problem").count(), 0);
});
