// SPDX-License-Identifier: BSD-3-Clause
// A diagram that is drawn by mouse looks drawn: wires stay wires, nothing overlaps, what is made comes into sight.
// studio.by_hand runs this by node --test. HILDA_PICTURES=FOLDER leaves pictures there.
import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { element, hasElement, onPage, view } from "./editing.mjs";
import { Hand, lines, middle, overlaps, settled } from "./hand.mjs";
import { until } from "./program.mjs";

const begun = { "cart.xml": '<diagram format="1" name="cart" period="1 ms">\n</diagram>\n' };
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
  // a block dropped onto another one is put next to it
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

onPage("a dragged block snaps to where its wire is straight and borders are level, and a line shows it; with Alt it does not", begun, ["cart.xml"], async (page) => {
  const hand = new Hand(page), { mouse, keyboard } = page;
  await hand.begin();
  await hand.put("sources/Step", "wanted", 120, 120);
  await hand.put("continuous/Integrator", "place", 420, 240);
  await hand.join("wanted.y", "place.u");
  await settled(page);
  const ends = () => page.evaluate(() => window.studio.editor.document_.view.scene.wires[0].points), guide = () => page.evaluate(() => document.querySelector(".above .guide")?.getAttribute("d") ?? null);
  const symbol = (name) => page.evaluate((n) => { const { symbol: { x, y, width, height } } = window.studio.diagram.symbols().find((each) => each.symbol.path === n); return { x, y, width, height, scale: window.studio.diagram.view.scale }; }, name);
  assert.ok((await ends()).length > 2);
  const points = await ends(), { scale, ...before } = await symbol("place"), [x, y] = middle(await page.locator(".symbol[data-path=place] .body").boundingBox());
  const level = points[0][1] - points[points.length - 1][1]; // px of the drawing, that make the wire straight
  await mouse.move(x, y);
  await mouse.down();
  await mouse.move(x + 40 * scale, y + (level / 2) * scale);
  assert.equal(await guide(), "", "nothing is near");
  await mouse.move(x + 40 * scale, y + (level + 4) * scale);
  assert.ok((await guide()).includes(` ${points[0][1]}H`), await guide());
  assert.ok(await page.evaluate(([top, s]) => Math.abs(document.querySelector(".above .symbol").transform.baseVal[0].matrix.f - top) < 1e-6 && s > 0, [before.y + level, scale]), "it is drawn where it will lie");
  await picture(page, "guides");
  await mouse.up();
  await until(page, () => window.studio.editor.document_.view.scene.wires[0].points.length === 2);
  assert.equal((await symbol("place")).y, before.y + level);
  assert.equal(await guide(), null, "the line has gone");
  // left borders of two blocks
  await hand.put("math/Abs", "other", 430, 380);
  await settled(page);
  const [place, other] = [await symbol("place"), await symbol("other")], [ox, oy] = middle(await page.locator(".symbol[data-path=other] .body").boundingBox());
  const far = async (alt) => {
    await mouse.move(ox, oy);
    await mouse.down();
    if (alt) await keyboard.down("Alt");
    await mouse.move(ox + 60 * scale, oy + 20 * scale);
    await mouse.move(ox + (place.x - other.x + 3) * scale, oy + 30 * scale);
    const line = await guide();
    await mouse.up();
    if (alt) await keyboard.up("Alt");
    await settled(page);
    return line;
  };
  assert.equal(await far(true), "");
  assert.notEqual((await symbol("other")).x, place.x);
  await keyboard.press("Control+z");
  await until(page, (was) => window.studio.diagram.symbols().find((each) => each.symbol.path === "other").symbol.x === was, other.x);
  const line = await far(false);
  assert.ok(line.includes(`M${place.x} `), `${line} has no ${place.x}, ${JSON.stringify([place, other])}`);
  assert.equal((await symbol("other")).x, place.x);
});

onPage("what is said about a block under the mouse goes when the drawing has it elsewhere", begun, ["cart.xml"], async (page) => {
  const hand = new Hand(page);
  await hand.begin();
  await hand.put("sources/Step", "wanted", 200, 120);
  await settled(page);
  const [x, y] = middle(await page.locator(".symbol[data-path=wanted] .body").boundingBox());
  await page.mouse.move(x - 150, y);
  await page.mouse.move(x, y, { steps: 2 });
  await until(page, () => document.querySelector(".hover")?.hidden === false);
  await page.evaluate(() => window.studio.diagram.refresh());
  assert.equal(await page.evaluate(() => document.querySelector(".hover").hidden), false, "where it stays, so does what is said");
  await page.evaluate(() => { const { document_: d } = window.studio.editor; return d.edit([["set", "wanted.ui.x=600"], ["set", "wanted.ui.y=300"]]); });
  await until(page, () => document.querySelector(".hover").hidden);
});
