// SPDX-License-Identifier: BSD-3-Clause
// A monkey that types into fields while a file is saved elsewhere, a second tab edits, the run continues and the server starts
// again: what went out is what Enter, Tab or leaving a field sent, in order. studio.typing_monkey runs this by node --test.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { hasElement } from "./editing.mjs";
import { folder, Studio, until } from "./program.mjs";
import { asked } from "./typing.mjs";

const seeded = (seed) => () => { seed = (seed * 1664525 + 1013904223) >>> 0; return seed / 4294967296; };

// without a loop, so that no value ends the run; all of them are whole numbers with a unit that fits
const chain = `<diagram format="1" name="chain" period="1 ms">
  <block name="push" type="sources/Step" time="100 ms" after="50 N"/>
  <block name="spring" type="math/Gain" gain="4 mm/N"/>
  <block name="late" type="discrete/Delay" delay="5 ms"/>
  <block name="stretch" type="math/Gain" gain="3"/>
  <connect from="push.y" to="spring.u"/>
  <connect from="spring.y" to="late.u"/>
  <connect from="late.y" to="stretch.u"/>
</diagram>
`;
const looked = [["spring", "parameter-spring.gain", " mm/N"], ["stretch", "parameter-stretch.gain", ""]];
const edited = [["late", "edit-delay", " ms"], ["push", "edit-after", " N"], ["spring", "edit-gain", " mm/N"], ["push", "edit-time", " ms"], ["stretch", "edit-gain", ""]];

class Monkey {
  constructor(random, studio, page, other) {
    Object.assign(this, { random, studio, page, other, saves: 0, sent: asked(page), expected: [], disturbed: {} });
  }
  pick(list) { return list[Math.floor(this.random() * list.length)]; }
  field() { return this.page.evaluate(() => { const f = document.activeElement; return { id: f.id, text: f.value, from: f.selectionStart, to: f.selectionEnd }; }); }

  /** What a disturbance has come to, before the next key is typed. */
  async disturb(busy) {
    const kinds = { save: () => this.saveElsewhere(), live: () => this.setElsewhere(), edit: () => this.editElsewhere(busy), run: () => this.run(), restart: () => this.restart() };
    const draw = this.random(), kind = draw < 0.3 ? "save" : draw < 0.5 ? "live" : draw < 0.75 ? "edit" : draw < 0.93 ? "run" : "restart";
    this.disturbed[kind] = (this.disturbed[kind] ?? 0) + 1;
    await kinds[kind]();
  }

  async saveElsewhere() { // another hand: a comment, so that all lines move
    const file = join(this.studio.where, "chain.xml"), revision = await this.page.evaluate(() => window.studio.session.hello.revision);
    writeFileSync(file, readFileSync(file, "utf8").replace(/(<diagram [^>]*>\n)(  <!-- \d+ -->\n)*/, (_, head) => head + `  <!-- ${++this.saves} -->\n`.repeat(1 + (this.saves % 3))));
    await until(this.page, (r) => window.studio.session.hello.revision > r, revision);
  }

  async setElsewhere() {
    const value = 1 + Math.floor(this.random() * 90), text = `${value} mm/N`;
    const reply = await this.other.evaluate((t) => window.studio.session.ask("set", { settings: [{ path: "spring.gain", text: t }] }, true), text);
    if (reply.ok) await until(this.page, (t) => window.studio.session.parameters.get("spring.gain").text === t, text);
  }

  async editElsewhere(busy) {
    const name = this.pick(["late", "push", "spring"]), doc = `seen ${Math.floor(this.random() * 1e6)}`;
    const reply = await this.other.evaluate((o) => window.studio.editor.document_.edit([o]), ["set", `${name}.doc=${doc}`]);
    assert.equal(reply.ok, true, JSON.stringify(reply));
    if (busy.edits) await until(this.page, (w) => window.studio.editor.document_.view.elements.find((each) => each.name === w[0])?.attributes.doc === w[1], [name, doc]);
  }

  async run() {
    const running = await this.page.evaluate(() => window.studio.session.state.state === "running");
    const tick = await this.other.evaluate((on) => window.studio.session.ask(on ? "pause" : "run", on ? {} : { speed: 1 }, true).then(() => window.studio.session.state.tick), running);
    await until(this.page, (w) => (window.studio.session.state.state === "running") !== w[0], [running, tick]);
  }

  /** Another server at the same address; edits that were not saved are in the journal, and taken up again. */
  async restart() {
    this.studio.child.kill("SIGKILL");
    await this.studio.ended;
    await until(this.page, () => window.studio.session.line !== "open");
    await this.studio.again("chain.xml");
    for (const each of [this.page, this.other]) await until(each, () => window.studio.session.line === "open" && window.studio.session.state.may?.includes("edit"));
    await this.other.evaluate(async () => { await window.studio.session.ask("recover", { take: true }, true); await window.studio.editor.document_.begin(); });
    await until(this.page, async () => { const told = await window.studio.session.ask("documents", {}, true); return told.ok && told.documents.every((each) => each.recovery === null); });
  }

  async enter(edits) {
    const [name, id, unit] = this.pick(edits ? edited : looked);
    await this.page.keyboard.press("Escape");
    await this.page.evaluate(() => document.querySelectorAll("dialog[open]").forEach((each) => each.close()));
    await this.page.locator(`.symbol[data-path=${name}] .body`).click();
    await this.page.locator(`[id='${id}']`).click();
    await this.page.keyboard.press("Control+a");
    return { name, id, unit };
  }

  async step(edits) {
    const { name, id, unit } = await this.enter(edits), before = (await this.field()).text, text = `${100 + Math.floor(this.random() * 900)}${unit}`;
    const cut = 1 + Math.floor(this.random() * (text.length - 1));
    await this.page.keyboard.type(text.slice(0, cut));
    const half = await this.field();
    assert.equal(half.id, id);
    assert.equal(half.text, text.slice(0, cut));
    for (let i = 0; i < 1 + Math.floor(this.random() * 2); ++i) {
      await this.disturb({ edits });
      assert.deepEqual(await this.field(), half, `after ${JSON.stringify(this.disturbed)}`);
      assert.deepEqual(this.sent, this.expected, "half-typed");
    }
    await this.page.keyboard.type(text.slice(cut));
    assert.equal((await this.field()).text, text);
    const way = this.pick(["Enter", "Tab", "leave", "Escape"]);
    if (way === "leave") await this.page.locator(".brand").hover().then(() => this.page.locator(".diagram").click({ position: { x: 4, y: 4 } }));
    else await this.page.keyboard.press(way);
    if (way !== "Escape" && text !== before) this.expected.push(edits ? `set ${name}.${id.slice(5)}=${text}` : `live ${id.slice(10)}=${text}`);
    await this.arrived();
    assert.deepEqual(this.sent, this.expected, `${way} of ${text}`);
    if (way === "Enter") { // and leaving it sends nothing once more
      await this.page.locator(".diagram").click({ position: { x: 4, y: 4 } });
      await this.page.evaluate(() => window.studio.session.ask("changes", {}, true));
      assert.deepEqual(this.sent, this.expected, `left after Enter of ${text}`);
    }
  }

  /** What was sent before is answered. */
  async arrived() {
    const wanted = this.expected.length;
    for (let looks = 0; looks < 400 && this.sent.length < wanted; ++looks) await this.page.waitForTimeout(10);
    await this.page.evaluate(async () => { await window.studio.editor.document_.settled(); await window.studio.session.ask("changes", {}, true); });
  }
}

test("what a monkey types goes out by Enter, Tab and leaving alone, whatever happens meanwhile", { timeout: 4e6 }, async () => {
  const seed = Number(process.env.HILDA_MONKEY_SEED ?? 1), seconds = Number(process.env.HILDA_MONKEY_SECONDS ?? 0), least = 12;
  process.env.HILDA_STUDIO_TOKEN = "the_token_of_the_next_server_too";
  const where = folder();
  writeFileSync(join(where, "chain.xml"), chain);
  const studio = await Studio.start(where, "chain.xml");
  let steps = 0;
  try {
    const page = await studio.look({ width: 1440, height: 900 }), other = await studio.look();
    for (const each of [page, other]) each.setDefaultTimeout(300_000); // ms: the machine may be busy with other work
    const monkey = new Monkey(seeded(seed), studio, page, other);
    await page.reload();
    await until(page, () => window.studio?.session.hello !== null);
    await other.keyboard.press("e");
    await hasElement(other, "late");
    for (const end = Date.now() + seconds * 1000; steps < least || Date.now() < end; ++steps) {
      const edits = steps % 6 >= 3, on = await page.evaluate(() => window.studio.editor.on);
      if (edits !== on) {
        await page.evaluate(() => window.studio.editor.toggle());
        if (edits) await hasElement(page, "late");
      }
      await monkey.step(edits);
    }
    console.log(`seed ${seed}: ${steps} values, ${monkey.sent.length} sent, ${JSON.stringify(monkey.disturbed)}`);
    const errors = studio.problems.filter((each) => !/WebSocket connection|ERR_CONNECTION|ERR_SOCKET/.test(each)); // of servers that were killed
    assert.deepEqual(errors, []);
  } catch (error) {
    error.message = `seed ${seed}, after ${steps} values: ${error.message}`;
    throw error;
  } finally {
    await studio.stop();
  }
});
