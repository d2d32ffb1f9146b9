// SPDX-License-Identifier: BSD-3-Clause
// What is selected on the page is moved into wires, copied and pasted: studio.selecting runs this by node --test.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { begun, hasElement, hasValue, hasWire, lesson, onPage, text, view, whole } from "./editing.mjs";
import { still, Studio, until } from "./program.mjs";

/** Presses at one place, and lets go at another. */
const drag = async (page, from, to) => {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 });
  await page.mouse.move(...to, { steps: 3 });
  await page.mouse.up();
};
/** The middle of the longest piece of a wire that lies. */
const onWire = (page, from, to) => page.evaluate(([f, t]) => {
  const line = document.querySelector(`.wire[data-from='${f}'][data-target='${t}'] path.line`), { a, d, e, f: down } = line.getScreenCTM();
  const corners = line.getAttribute("d").slice(1).split("L").map((each) => each.split(" ").map(Number));
  let best = null, longest = 0;
  for (let i = 0; i + 1 < corners.length; ++i) {
    const [[x0, y0], [x1, y1]] = [corners[i], corners[i + 1]];
    if (y0 === y1 && Math.abs(x1 - x0) > longest) longest = Math.abs(x1 - x0), best = [((x0 + x1) / 2) * a + e, y0 * d + down];
  }
  return best;
}, [from, to]);

onPage("a block that is dropped onto a wire is put into it, from the palette and from the drawing", whole, ["first.xml"], async (page, studio) => {
  await page.keyboard.press("e");
  await hasWire(page, "push.y", "force.u[0]");
  const list = page.locator(".palette [data-type='math/Saturation']");
  await page.locator(".palette input").fill("saturation");
  await until(page, () => document.querySelector(".palette [data-type='math/Gain']") === null); // the list is the shorter one
  await list.waitFor();
  const box = await still(page, () => list.boundingBox());
  await drag(page, [box.x + 40, box.y + 8], await still(page, () => onWire(page, "push", "force")));
  await hasWire(page, "push.y", "saturation.u");
  await hasWire(page, "saturation.y", "force.u[0]");
  assert.ok(!(await view(page)).wires.some((each) => each.from === "push.y" && each.to === "force.u[0]"));
  await page.evaluate(() => window.studio.editor.document_.edit([["add", "discrete/UnitDelay", "later"]]));
  await page.locator(".symbol[data-path=later]").waitFor();
  await page.evaluate(() => window.studio.diagram.view.fit());
  const later = await still(page, () => page.locator(".symbol[data-path=later] .body").boundingBox());
  await drag(page, [later.x + later.width / 2, later.y + 4], await still(page, () => onWire(page, "force", "acceleration")));
  await hasWire(page, "force.y", "later.u");
  await hasWire(page, "later.y", "acceleration.u");
  const revision = () => page.evaluate(() => window.studio.editor.document_.view.revision);
  const before = await revision();
  const push = await page.locator(".symbol[data-path=push] .body").boundingBox();
  await drag(page, [push.x + push.width / 2, push.y + 5], await onWire(page, "velocity", "position"));
  await until(page, () => /not put into the wire/.test(document.querySelector(".told").textContent));
  await until(page, (r) => window.studio.editor.document_.view.revision > r, before); // it is still there
  await hasWire(page, "velocity.y", "position.u");
  for (let i = 0; i < 4; ++i) assert.equal((await page.evaluate(() => window.studio.editor.document_.undo())).ok, true, `${i}`);
  await until(page, () => !window.studio.editor.document_.unsaved);
  assert.equal(text(studio), lesson);
});

onPage("a rubber band selects; what is selected is moved, copied, cut and pasted, here and into another file", whole, ["first.xml"], async (page, studio) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.keyboard.press("e");
  await hasElement(page, "late");
  const boxes = await page.locator(".symbol .body").evaluateAll((all) => all.map((each) => each.getBoundingClientRect()).map((b) => [b.left, b.top, b.right, b.bottom]));
  const edge = (i, f) => f(...boxes.map((each) => each[i])), ground = [edge(0, Math.min) - 12, edge(1, Math.min) - 12], end = [edge(2, Math.max) + 12, edge(3, Math.max) + 12];
  await page.keyboard.down("Shift");
  await drag(page, ground, end);
  await page.keyboard.up("Shift");
  await until(page, () => document.querySelectorAll(".symbol.selected").length === 7);
  assert.equal(await page.locator(".band").count(), 0);
  await page.keyboard.press("Control+c");
  await until(page, () => /7 elements copied/.test(document.querySelector(".told").textContent));
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^<diagram format="1">[^]*<connect from="late.y" to="force.u\[1\]"/);
  await page.keyboard.press("Control+v");
  await hasWire(page, "late2.y", "force2.u[1]");
  await until(page, () => document.querySelectorAll(".symbol.selected").length === 7 && document.querySelector(".symbol.selected[data-path=push2]") !== null);
  await until(page, () => window.studio.editor.document_.sound);
  await page.keyboard.press("Delete");
  await until(page, () => !window.studio.editor.document_.view.elements.some((each) => each.name === "late2"));
  await page.locator(".symbol[data-path=spring]").click();
  await page.locator(".symbol[data-path=late]").click({ modifiers: ["Shift"] });
  await page.keyboard.press("Control+x");
  await until(page, () => window.studio.editor.document_.view.elements.length === 5);
  writeFileSync(join(studio.where, "other.xml"), begun);
  const other = await Studio.start(studio.where, "other.xml");
  try {
    const there = await other.look();
    await there.keyboard.press("e");
    await there.locator(".palette [role=option]").first().waitFor();
    await there.evaluate((clip) => window.studio.editor.paste(clip), await page.evaluate(() => navigator.clipboard.readText()));
    await hasWire(there, "spring.y", "late.u");
    await there.evaluate(() => window.studio.editor.paste("<diagram><block name='<script>' type='math/Gain'/></diagram>"));
    await until(there, () => document.querySelector(".told .bad") !== null);
    assert.equal((await view(there)).elements.length, 2);
    assert.deepEqual(other.problems, []);
  } finally {
    await other.browser?.close();
    other.child.kill("SIGKILL");
  }
});

onPage("a subsystem that is open in place is edited there", whole, ["first.xml"], async (page, studio) => {
  await page.keyboard.press("e");
  await hasElement(page, "late");
  await page.evaluate(() => window.studio.editor.document_.edit([["group", "spring", "late", "as", "contact"]]));
  await page.locator(".symbol[data-path=contact]").focus();
  await page.keyboard.press("o");
  const inner = page.locator(".symbol[data-path='contact.late'] .body");
  await inner.click();
  await until(page, () => window.studio.editor.document_.view.inside === "contact" && document.querySelector(".symbol.selected[data-path='contact.late']") !== null);
  await page.locator("#edit-delay").fill("6 ms");
  await page.keyboard.press("Enter");
  await hasValue(page, "late", "delay", "6 ms");
  assert.equal(await page.locator(".symbol.entered[data-path=contact]").count(), 1);
  const box = await inner.boundingBox();
  await drag(page, [box.x + box.width / 2, box.y + 4], [box.x + box.width / 2 + 60, box.y + 44]);
  await until(page, () => window.studio.editor.document_.element("contact.late")?.attributes["ui.x"] !== undefined);
  await page.locator(".symbol[data-path='contact.spring']").click();
  await page.locator(".symbol[data-path=push] .body").click();
  await until(page, () => window.studio.editor.document_.view.inside === "" && document.querySelector(".symbol.selected[data-path=push]") !== null);
  await page.keyboard.press("Control+s");
  await until(page, () => !window.studio.editor.document_.unsaved);
  assert.match(text(studio), /<subsystem name="contact">[^]*delay="6 ms"[^>]*ui.x="-?\d+"[^]*<\/subsystem>/);
});
