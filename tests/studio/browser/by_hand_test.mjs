// SPDX-License-Identifier: BSD-3-Clause
// A diagram that is drawn by mouse looks drawn: wires stay wires, nothing overlaps, what is made comes into sight.
// studio.by_hand runs this by node --test. HILDA_PICTURES=FOLDER leaves pictures there.
import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { element, hasElement, hasValue, hasWire, onPage, view } from "./editing.mjs";
import { until } from "./program.mjs";

const begun = { "cart.xml": '<diagram format="1" name="cart" period="1 ms">\n</diagram>\n' };
const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

class Hand {
  constructor(page) { this.page = page; }

  async begin() {
    await this.page.keyboard.press("e");
    await this.page.locator(".palette [role=option]").first().waitFor();
  }

  /** From the palette to a place of the drawing's box, px. */
  async put(type, name, x, y) {
    const { page } = this, item = page.locator(`.palette [data-type='${type}']`);
    await page.locator(".palette input").fill(type.split("/")[1]);
    let seen = null; // the palette may be filled once more by what was typed
    for (let looks = 0; looks < 100 && !seen; ++looks) seen = await item.boundingBox().catch(() => null) ?? void (await page.waitForTimeout(20));
    const from = middle(seen), box = await page.locator(".diagram").boundingBox();
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(box.x + x, box.y + y, { steps: 3 });
    await page.mouse.up();
    await until(page, () => document.activeElement.id === "edit-name");
    await page.keyboard.press("Control+a");
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    await hasElement(page, name);
    await until(page, (n) => document.querySelector(".edit-sheet h2")?.textContent === n, name);
  }

  async set(name, values) {
    const { page } = this;
    await page.locator(`.symbol[data-path='${name}'] .body`).click();
    for (const [key, value] of Object.entries(values)) {
      await page.locator(`#edit-${key}`).fill(value);
      await page.locator(`#edit-${key}`).press("Enter");
      await hasValue(page, name, key, value);
    }
  }

  async join(from, to) {
    const { page } = this, at = async (port) => middle(await page.locator(`.knob[data-port='${port}'] .dot`).boundingBox());
    await until(page, (ports) => ports.every((each) => document.querySelector(`.knob[data-port='${each}']`)), [from, to]);
    await page.mouse.move(...(await at(from)));
    await page.mouse.down();
    await page.mouse.move(...(await at(to)), { steps: 3 });
    await page.mouse.up();
    await hasWire(page, from, to);
  }

  async drag(name, dx, dy) {
    const { page } = this, [x, y] = middle(await page.locator(`.symbol[data-path='${name}'] .body`).boundingBox());
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + dx / 2, y + dy / 2);
    await page.mouse.move(x + dx, y + dy);
    await page.mouse.up();
  }
}

/** Symbols of the drawing that lie on one another. */
const overlaps = (page) => page.evaluate(() => {
  const all = window.studio.diagram.symbols().map(({ symbol }) => symbol);
  return all.flatMap((a, i) => all.slice(0, i).filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height).map((b) => `${a.name} on ${b.name}`));
});
const lines = (page) => page.evaluate(() => { const { wires } = window.studio.editor.document_.view.scene; return { tags: wires.filter((each) => each.tag).map((each) => each.title), wires: wires.filter((each) => each.points.length > 1).length }; });
const settled = async (page) => { await page.evaluate(() => window.studio.editor.document_.settled()); await page.evaluate(() => window.studio.diagram.refresh()); };
const inSight = (page, name) => page.evaluate((n) => {
  const box = document.querySelector(".diagram").getBoundingClientRect(), each = document.querySelector(`.symbol[data-path='${n}'] .body`).getBoundingClientRect();
  return each.left >= box.left && each.right <= box.right && each.top >= box.top && each.bottom <= box.bottom;
}, name);
const picture = async (page, name) => { if (process.env.HILDA_PICTURES) await page.screenshot({ path: join(process.env.HILDA_PICTURES, `${name}.png`) }); };

onPage("a cart with PID, saturation and a disturbance, by mouse: wires and no tags, nothing overlaps, also when values make blocks grow", begun, ["cart.xml"], async (page) => {
  const hand = new Hand(page);
  await hand.begin();
  await hand.put("sources/Step", "wanted", 70, 120);
  await hand.put("discrete/Pid", "pid", 220, 110);
  await hand.put("math/Saturation", "motor", 380, 110);
  await hand.put("math/Sum", "sum", 500, 120);
  await hand.put("continuous/Integrator", "speed", 570, 120);
  await hand.put("continuous/Integrator", "place", 690, 120);
  await hand.put("sources/Pulse", "gust", 380, 240);
  const wires = [["wanted.y", "pid.setpoint"], ["pid.command", "motor.u"], ["motor.y", "sum.u[0]"], ["gust.y", "sum.u[1]"], ["sum.y", "speed.u"], ["speed.y", "place.u"], ["place.y", "pid.measured"]];
  for (const [from, to] of wires) await hand.join(from, to);
  await hand.set("pid", { kp: "120.5", kd: "30.25", ki: "5.125" });
  await hand.set("motor", { upper: "12.5", lower: "-12.5" });
  await hand.set("gust", { high: "2.25", width: "100 ms" });
  await settled(page);
  await picture(page, "by_hand");
  assert.deepEqual(await overlaps(page), []);
  assert.deepEqual(await lines(page), { tags: [], wires: wires.length });
  // nothing that is moved turns a wire into a tag
  await hand.drag("gust", 180, 60);
  await until(page, () => window.studio.editor.document_.view.elements.find((each) => each.name === "gust").attributes["ui.x"] !== undefined);
  await settled(page);
  assert.deepEqual((await lines(page)).tags, []);
  // what is dropped onto another one stands beside it
  await hand.drag("gust", -120, -180);
  await settled(page);
  assert.deepEqual(await overlaps(page), []);
  // a copy, and a group in the middle of its members
  const before = await element(page, "speed");
  await page.locator(".symbol[data-path=speed] .body").click();
  await page.keyboard.press("Control+d");
  await hasElement(page, "speed2");
  await settled(page);
  assert.deepEqual(await overlaps(page), []);
  await page.keyboard.press("Control+z");
  await until(page, () => !window.studio.editor.document_.view.elements.some((each) => each.name === "speed2"));
  const [x0, y0] = await page.evaluate(() => { const at = (n) => window.studio.diagram.symbols().find(({ symbol }) => symbol.path === n).symbol, { origin } = window.studio.editor.document_.view.scene, [a, b] = [at("speed"), at("place")]; return [(a.x + b.x + b.width) / 2 - origin.x, (a.y + b.y + b.height) / 2 - origin.y]; });
  await page.locator(".symbol[data-path=speed] .body").click();
  await page.locator(".symbol[data-path=place] .body").click({ modifiers: ["Shift"] });
  await page.keyboard.press("Control+g");
  await page.locator("dialog[open] input").fill("cart_body");
  await page.keyboard.press("Enter");
  await hasElement(page, "cart_body");
  await until(page, () => document.querySelector(".symbol[data-path=cart_body]") !== null);
  await settled(page);
  await picture(page, "by_hand_group");
  const [x1, y1] = await page.evaluate(() => { const { symbol: s } = window.studio.diagram.symbols().find((each) => each.symbol.path === "cart_body"), { origin } = window.studio.editor.document_.view.scene; return [s.x + s.width / 2 - origin.x, s.y + s.height / 2 - origin.y]; });
  assert.ok(Math.abs(x1 - x0) < 60 && Math.abs(y1 - y0) < 60, `the group stands at ${x1}, ${y1} and its members stood about ${x0}, ${y0}`);
  assert.ok(await inSight(page, "cart_body"));
  assert.deepEqual(await overlaps(page), []);
  assert.deepEqual((await lines(page)).tags, []);
  const inside = await page.evaluate(async () => (await window.studio.session.ask("view", { inside: "cart_body" })).elements.find((each) => each.name === "speed").attributes);
  assert.deepEqual([inside["ui.x"], inside["ui.y"]], [before.attributes["ui.x"], before.attributes["ui.y"]], "its places are kept");
  assert.ok((await view(page)).scene);
});
