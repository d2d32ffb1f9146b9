// SPDX-License-Identifier: BSD-3-Clause
// Bends by hand: a piece of a wire is dragged aside and stays there, also where its block is moved; a double click removes it.
// studio.bends runs this by node --test. HILDA_PICTURES=FOLDER leaves pictures there.
import assert from "node:assert/strict";
import { join } from "node:path";
import { hasElement, onPage, saved, text } from "./editing.mjs";
import { Hand, settled } from "./hand.mjs";
import { terminal, until } from "./program.mjs";

const loop = `<diagram format="1" name="loop" period="1 ms">
  <block name="wanted" type="sources/Step" time="0.1 s" before="0" after="1" ui.x="0" ui.y="48"/>
  <block name="error" type="math/Sum" signs="+-" ui.x="156" ui.y="60"/>
  <block name="gain" type="math/Gain" gain="4 1/s" ui.x="300" ui.y="54"/>
  <block name="plant" type="continuous/Integrator" ui.x="480" ui.y="48"/>
  <block name="watch" type="math/Gain" gain="2" ui.x="660" ui.y="66"/>
  <connect from="wanted.y" to="error.u[0]"/>
  <connect from="plant.y" to="error.u[1]"/>
  <connect from="error.y" to="gain.u"/>
  <connect from="gain.y" to="plant.u"/>
  <connect from="plant.y" to="watch.u"/>
</diagram>
`;
const picture = async (page, name) => { if (process.env.HILDA_PICTURES) await page.screenshot({ path: join(process.env.HILDA_PICTURES, `${name}.png`) }); };
/** Corners of a wire, from the drawing's origin on. */
const line = (page, from, to) => page.evaluate(([f, t]) => { const { origin, wires } = window.studio.editor.document_.view.scene; return wires.find((each) => each.from === f && each.to === t).points.map(([x, y]) => [x - origin.x, y - origin.y]); }, [from, to]);
const bend = (page, to) => page.evaluate((t) => window.studio.editor.document_.view.wires.find((each) => each.to === t).bend, to);
/** Drags the middle of the n-th piece of a wire. */
async function pull(page, from, to, piece, dx, dy) {
  const [x, y] = await page.evaluate(([f, t, n]) => {
    const { wires } = window.studio.editor.document_.view.scene, { view, box } = window.studio.diagram, { left, top } = box.getBoundingClientRect();
    const { points } = wires.find((each) => each.from === f && each.to === t), [a, b] = points.slice(n);
    return [left + view.x + ((a[0] + b[0]) / 2) * view.scale, top + view.y + ((a[1] + b[1]) / 2) * view.scale];
  }, [from, to, piece]);
  const scale = await page.evaluate(() => window.studio.diagram.view.scale);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + (dx * scale) / 2, y + (dy * scale) / 2, { steps: 3 });
  await page.mouse.move(x + dx * scale, y + dy * scale, { steps: 3 });
  await page.mouse.up();
}

onPage("a piece of a wire is dragged and stays; it moves along with its blocks; a double click removes it", { "loop.xml": loop }, ["loop.xml"], async (page, studio) => {
  const hand = new Hand(page);
  await hand.begin();
  await hasElement(page, "watch");
  await settled(page);
  // the feedback, lower by 60
  const before = await line(page, "plant", "error"), deepest = (points) => Math.max(...points.map((each) => each[1]));
  const lying = before.findIndex((each, i) => i > 0 && before[i - 1][1] === each[1] && each[1] === deepest(before)) - 1;
  await pull(page, "plant", "error", lying, 0, 60);
  await until(page, () => window.studio.editor.document_.view.wires.find((each) => each.to === "error.u[1]").bend !== "");
  await settled(page);
  assert.equal(deepest(await line(page, "plant", "error")), deepest(before) + 60);
  await picture(page, "bend");
  // the blocks are moved: the bend goes along
  const kept = await bend(page, "error.u[1]");
  await page.locator(".symbol[data-path=plant] .body").click();
  await hand.drag("plant", 0, 40);
  await until(page, () => window.studio.editor.document_.called("plant").attributes["ui.y"] !== "48");
  await settled(page);
  const down = await page.evaluate(() => Number(window.studio.editor.document_.called("plant").attributes["ui.y"]) - 48);
  assert.equal(await bend(page, "error.u[1]"), kept);
  assert.equal(deepest(await line(page, "plant", "error")), deepest(before) + 60 + down);
  // a wire that was straight
  await page.keyboard.press("Control+z");
  await until(page, () => window.studio.editor.document_.called("plant").attributes["ui.y"] === "48");
  await settled(page);
  assert.equal((await line(page, "plant", "watch")).length, 2);
  await pull(page, "plant", "watch", 0, 0, -36);
  await until(page, () => window.studio.editor.document_.view.wires.find((each) => each.to === "watch.u").bend !== "");
  await settled(page);
  const jog = await line(page, "plant", "watch");
  assert.equal(jog.length, 6, JSON.stringify(jog));
  assert.equal(Math.min(...jog.map((each) => each[1])), jog[0][1] - 36);
  await picture(page, "bend_jog");
  // as the terminal draws it
  await page.keyboard.press("Control+s");
  await saved(page);
  assert.match(text(studio, "loop.xml"), /<connect from="plant.y" to="watch.u" ui.bend="12 -36 \d+ 36"\/>|<connect from="plant.y" to="watch.u" ui.bend="12 -36 \d+"\/>/);
  assert.equal(terminal(studio.where, "draw", "loop.xml", "-o", "loop.svg", "--measure").includes("NaN"), false);
  // off by a double click, and by Unpin
  const at = await page.evaluate(() => { const { view, box } = window.studio.diagram, { left, top } = box.getBoundingClientRect(), { points } = window.studio.editor.document_.view.scene.wires.find((each) => each.to === "watch"), [a, b] = points.slice(2); return [left + view.x + ((a[0] + b[0]) / 2) * view.scale, top + view.y + a[1] * view.scale]; });
  await page.mouse.dblclick(...at);
  await until(page, () => window.studio.editor.document_.view.wires.find((each) => each.to === "watch.u").bend === "");
  await settled(page);
  assert.equal((await line(page, "plant", "watch")).length, 2);
  await page.evaluate(() => 0);
  await page.keyboard.press("Control+z");
  await until(page, () => window.studio.editor.document_.view.wires.find((each) => each.to === "watch.u").bend !== "");
  // where the line would run through a symbol the drawing goes its own way, and says so
  await pull(page, "plant", "error", (await line(page, "plant", "error")).findIndex((each, i, all) => i > 0 && all[i - 1][1] === each[1] && each[1] === deepest(all)) - 1, 0, -(deepest(await line(page, "plant", "error")) - 72));
  await until(page, () => document.querySelector(".told.shown p")?.textContent.includes("through a symbol"));
});

onPage("a wire is shown as a tag, and as a line again", { "loop.xml": loop }, ["loop.xml"], async (page, studio) => {
  const hand = new Hand(page);
  await hand.begin();
  await hasElement(page, "watch");
  const tag = page.getByRole("button", { name: /^Draw the selected wire/ }), drawn = (t) => page.evaluate((to) => { const { tag: has, points } = window.studio.editor.document_.view.scene.wires.find((each) => each.from === "plant" && each.to === to); return has ? "tag" : points.length > 1 ? "line" : "nothing"; }, t);
  assert.equal(await tag.isDisabled(), true);
  const choose = async () => {
    const [x, y] = await page.evaluate(() => { const { wires } = window.studio.editor.document_.view.scene, { view, box } = window.studio.diagram, { left, top } = box.getBoundingClientRect(), { points } = wires.find((each) => each.from === "plant" && each.to === "watch"), [a, b] = points.slice(-2); return [left + view.x + ((a[0] + b[0]) / 2) * view.scale, top + view.y + ((a[1] + b[1]) / 2) * view.scale]; });
    await page.mouse.click(x, y);
    await until(page, () => window.studio.editor.selection.wire?.to === "watch.u");
  };
  await choose();
  assert.equal(await tag.getAttribute("aria-pressed"), "false");
  await tag.click();
  await until(page, () => window.studio.editor.document_.view.scene.wires.some((each) => each.to === "watch" && each.tag));
  assert.deepEqual([await drawn("watch"), await drawn("error")], ["tag", "line"], "the other wire of the output stays a line");
  await until(page, () => document.querySelector(".edit-bar [title^='Draw the selected']").ariaPressed === "true");
  await picture(page, "tag");
  await page.keyboard.press("Escape");
  await page.locator(".tag[data-target=watch]").click();
  await until(page, () => window.studio.editor.selection.wire?.to === "watch.u");
  await tag.click();
  await until(page, () => window.studio.editor.document_.view.scene.wires.some((each) => each.to === "watch" && each.points.length > 1));
  await page.keyboard.press("Control+s");
  await saved(page);
  assert.match(text(studio, "loop.xml"), /<connect from="plant\.y" to="watch\.u" ui\.draw="wire"\/>/);
});
