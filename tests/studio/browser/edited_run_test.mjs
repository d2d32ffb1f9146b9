// SPDX-License-Identifier: BSD-3-Clause
// What is edited while it runs, and what is made of a run: studio.edited_run runs this by node --test.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { hasElement, hasValue, hasWire, Keyboard, Mouse, onPage, saved, text, whole } from "./editing.mjs";
import { diagrams, folder, stands, Studio, terminal, until } from "./program.mjs";

onPage("an edit while it runs keeps the state, and is taken back", whole, ["first.xml"], async (page) => {
  await page.keyboard.press("e");
  await hasElement(page, "late");
  await page.keyboard.press("Space");
  await until(page, () => window.studio.session.state.tick > 300);
  const revision = await page.evaluate(() => window.studio.session.hello.revision);
  const reply = await page.evaluate(() => window.studio.editor.document_.edit([["set", "late.delay=8 ms"]]));
  assert.equal(reply.ok, true);
  await until(page, (r) => window.studio.session.hello.revision > r, revision);
  assert.ok((await page.evaluate(() => window.studio.session.state.tick)) > 300, "it goes on");
  assert.equal(await page.evaluate(() => window.studio.session.state.state), "running");
  await page.keyboard.press("Control+z");
  await hasValue(page, "late", "delay", "5 ms");
  await until(page, () => !window.studio.editor.document_.unsaved);
});

test("a PIDA variant: a delay is inserted, tuned live, saved as an experiment, and the terminal gives the same bits", async () => {
  const studio = await Studio.start(folder(diagrams), "pida.xml");
  try {
    const { where } = studio, page = await studio.look({ width: 1600, height: 1000 }), keys = new Keyboard(page), mouse = new Mouse(page);
    await keys.begin();
    await hasWire(page, "lead.led", "compensator.wrench");
    await page.locator(".symbol[data-path=lead]").click();
    await page.getByRole("button", { name: "Disconnect lead.led from compensator.wrench" }).click();
    await until(page, () => !window.studio.editor.document_.view.wires.some((each) => each.to === "compensator.wrench"));
    await keys.add("discrete/Delay", "late");
    await keys.set("late", "delay", "1 ms");
    await keys.connect("lead.led", "late.u");
    await keys.connect("late.y", "compensator.wrench");
    await until(page, () => window.studio.editor.document_.sound);
    await page.screenshot({ path: "pictures/pida_variant.png" });
    await keys.press("Control+s");
    await saved(page);
    await mouse.button("Edit the diagram (e)");
    await until(page, () => window.studio.session.blocks.has("late"));
    await page.selectOption("select[aria-label=Speed]", "0");
    const run = async (time, tick) => { await page.locator(".until").fill(String(time)); await keys.press("Enter"); await stands(page, tick); };
    await run(1, 1000);
    const reply = await page.evaluate(() => window.studio.session.ask("set", { settings: [{ path: "lead.time_constant", text: "1 ms" }] }));
    assert.equal(reply.ok, true, JSON.stringify(reply));
    await run(3, 3000);
    await page.evaluate(() => document.activeElement.blur());
    await keys.press("Control+s");
    await until(page, () => document.querySelector(".saved code") !== null);
    const command = await page.locator(".saved code").innerText();
    await page.evaluate(() => window.studio.scopes.take(["passivity.controlled.force.x"]));
    await until(page, () => (window.studio.session.series.get("passivity.controlled.force.x")?.end ?? 0) > 2.99);
    const here = await page.evaluate(() => { const { times, values, count } = window.studio.session.series.get("passivity.controlled.force.x"); return [...times.slice(0, count)].map((t, i) => [Math.round(t * 1000), values[i]]); });
    terminal(where, ...command.split(" ").slice(1), "--for", "3s", "--log", "again.mcap");
    terminal(where, "export", "again.mcap", "passivity.controlled.force.x", "--csv", "-o", "again.csv");
    const there = new Map(readFileSync(join(where, "again.csv"), "utf8").trim().split("\n").filter((line) => /^[\d.]/.test(line)).map((line) => line.split(",").map(Number)).map(([t, v]) => [Math.round(t * 1000), v]));
    let compared = 0;
    for (const [t, v] of here) if (there.has(t)) ++compared, assert.ok(Object.is(there.get(t), v), `tick ${t}: ${v} and ${there.get(t)}`);
    assert.ok(compared > 1000, `${compared} samples compared`);
    assert.deepEqual(studio.problems, []);
  } finally {
    await studio.stop();
  }
});

onPage("a plugin from a subsystem that is not saved: saving is offered, and what was edited is written", whole, ["first.xml"], async (page, studio) => {
  await page.keyboard.press("e");
  await hasElement(page, "late");
  await page.evaluate(() => window.studio.editor.document_.edit([["group", "spring", "late", "as", "contact"]]));
  await page.locator(".symbol[data-path=contact] .body").click({ button: "right" });
  await page.keyboard.press("Enter");
  await until(page, () => /not saved|edits are not/.test(document.querySelector(".new-plugin .said").textContent));
  assert.equal(existsSync(join(studio.where, "my_contact")), false);
  await page.getByRole("button", { name: "Save the edits, and write the plugin from them" }).click();
  await until(page, () => document.querySelector(".new-plugin .said").textContent.includes("my_contact_test.cpp"));
  assert.match(text(studio), /<subsystem name="contact">/);
  assert.equal(existsSync(join(studio.where, "my_contact", "my_contact.cpp")), true);
});
