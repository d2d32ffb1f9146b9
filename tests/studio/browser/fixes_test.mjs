// SPDX-License-Identifier: BSD-3-Clause
// Units are converted and wires added where the help of a diagnostic names them; names and values are replaced from the tree.
// studio.fixes runs this by node --test. HILDA_PICTURES=FOLDER leaves pictures there.
import assert from "node:assert/strict";
import { hasValue, hasWire, onPage, text } from "./editing.mjs";
import { picture, until } from "./program.mjs";

const begin = async (page) => { await page.keyboard.press("e"); await until(page, () => window.studio.editor.on && window.studio.editor.document_.view); };

const measures = `<diagram format="1" name="measures" period="1 ms">
  <parameter name="late" value="2 mm"/>
  <block name="push" type="sources/Constant" value="3 N"/>
  <block name="way" type="sources/Constant" value="1 m"/>
  <block name="line" type="discrete/Delay" delay="\${late}"/>
  <block name="sum" type="math/Sum"/>
  <block name="end" type="sinks/Terminator"/>
  <connect from="push.y" to="line.u"/>
  <connect from="line.y" to="sum.u[0]"/>
  <connect from="way.y" to="sum.u[1]"/>
</diagram>
`;
onPage("a unit is converted and a missing wire is added where the help names them", { "measures.xml": measures }, ["measures.xml"], async (page) => {
  await begin(page);
  await page.keyboard.press("4");
  await page.getByRole("button", { name: "Write '2 s'" }).click(); // in the parameter, from which the value comes
  await hasValue(page, "late", "value", "2 s");
  await page.getByRole("button", { name: "Insert a Gain of 1 N/m" }).click();
  await hasWire(page, "way.y", "gain.u");
  await hasWire(page, "gain.y", "sum.u[1]");
  await hasValue(page, "gain", "gain", "1 N/m");
  await page.locator("#tab-problems").click();
  await page.getByRole("button", { name: "Connect end.u" }).click();
  const choices = page.getByRole("dialog", { name: /Connect end.u with/ }); // several outputs fit
  await choices.getByRole("option", { name: "sum.y" }).click();
  await hasWire(page, "sum.y", "end.u");
  await until(page, () => window.studio.editor.document_.sound);
  await page.keyboard.press("Escape");
  for (let i = 0; i < 3; ++i) await page.keyboard.press("Control+z");
  await hasValue(page, "late", "value", "2 mm");
});

const alone = measures.replace(/ {2}<block name="(way|line|sum)".*\n/g, "").replace(/ {2}<connect.*\n/g, "");
onPage("a missing wire comes from the only output that fits", { "alone.xml": alone }, ["alone.xml"], async (page) => {
  await begin(page);
  await page.keyboard.press("4");
  await page.getByRole("button", { name: "Connect end.u" }).click();
  await hasWire(page, "push.y", "end.u");
});

const repeated = `<diagram format="1" name="repeated" period="1 ms">
  <parameter name="left_gain" value="2" doc="of the left one"/>
  <block name="left" type="sources/Constant" value="1 N"/>
  <subsystem name="left_part">
    <input name="u"/>
    <output name="y"/>
    <block name="left" type="math/Gain" gain="\${left_gain}"/>
    <connect from="u" to="left.u"/>
    <connect from="left.y" to="y"/>
  </subsystem>
  <block name="end" type="sinks/Terminator" doc="what is left"/>
  <connect from="left.y" to="left_part.u"/>
  <connect from="left_part.y" to="end.u"/>
</diagram>
`;
onPage("names and values are replaced from the tree as one step, after a list of what will change", { "repeated.xml": repeated }, ["repeated.xml"], async (page, studio) => {
  await begin(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Tree/ }).click();
  await page.getByLabel("Search the tree").fill("left");
  await page.getByRole("button", { name: /^Replace/ }).click();
  const form = page.getByRole("dialog", { name: "Replace in repeated.xml" }), changes = form.locator("li");
  await changes.nth(3).waitFor();
  assert.deepEqual(await changes.allTextContents(), ["left_gain left_gain _gain", "left left ", "left_part left_part _part", "left_part.left left "]); // and nothing replaces it
  await form.getByLabel("Replace with").fill("right");
  assert.match(await changes.nth(2).textContent(), /left_part right_part/);
  await form.getByText("4 of 4 will change.").waitFor();
  await form.getByLabel("Values").check();
  await changes.nth(6).waitFor();
  await form.getByLabel(/^left_part\.left\.gain/).uncheck(); // its reference is renamed with the parameter
  await form.getByLabel(/^end\.doc/).uncheck();
  await form.getByText("5 of 7 will change.").waitFor();
  await picture(page, "replace");
  await form.getByRole("button", { name: "Replace: " }).click();
  await form.waitFor({ state: "hidden" });
  await hasWire(page, "right_part.y", "end.u");
  await page.keyboard.press("Control+s");
  await until(page, () => !window.studio.editor.document_.unsaved);
  const expected = repeated.replaceAll("left", "right").replace("what is right", "what is left");
  assert.equal(text(studio, "repeated.xml"), expected);
  await page.keyboard.press("Control+z");
  await hasWire(page, "left_part.y", "end.u");
  await page.keyboard.press("Control+s");
  await until(page, () => !window.studio.editor.document_.unsaved);
  assert.equal(text(studio, "repeated.xml"), repeated, "one step of undo takes all of it back");
});

onPage("a replacement that would be refused says why and changes nothing", { "repeated.xml": repeated }, ["repeated.xml"], async (page, studio) => {
  await begin(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Tree/ }).click();
  await page.getByLabel("Search the tree").fill("left_part");
  await page.getByRole("button", { name: /^Replace/ }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Replace with").fill("end");
  await form.locator(".warning").waitFor();
  assert.match(await form.locator(".warning").textContent(), /end/);
  assert.ok(await form.getByRole("button", { name: /^Replace: / }).isDisabled());
  await page.keyboard.press("Escape");
  assert.equal(text(studio, "repeated.xml"), repeated);
});

const promoted = `<diagram format="1" name="promoted" period="1 ms">
  <block name="push" type="sources/Constant" value="1 N"/>
  <subsystem name="part">
    <parameter name="late" value="3 ms"/>
    <input name="u"/>
    <output name="y"/>
    <block name="line" type="discrete/Delay" delay="\${late}"/>
    <connect from="u" to="line.u"/>
    <connect from="line.y" to="y"/>
  </subsystem>
  <block name="end" type="sinks/Terminator"/>
  <connect from="push.y" to="part.u"/>
  <connect from="part.y" to="end.u"/>
</diagram>
`;
onPage("the form of a subsystem has its parameters, with doc and range of the block that uses them", { "promoted.xml": promoted }, ["promoted.xml"], async (page, studio) => {
  await begin(page);
  await page.evaluate(() => window.studio.editor.select("part"));
  const row = page.locator("[data-attribute='late']"), field = row.locator("input");
  await field.waitFor();
  const told = await page.evaluate(() => window.studio.session.parameters.get("part.late"));
  assert.equal(told.minimum, 0);
  assert.ok(told.doc.length > 5, "the doc of the delay");
  assert.ok((await row.textContent()).includes(told.doc));
  assert.match(await row.textContent(), /0 s to/);
  await field.fill("5 ms");
  await page.keyboard.press("Enter");
  await until(page, () => window.studio.session.parameters.get("part.late").text === "5 ms");
  await until(page, () => document.querySelector("[data-attribute='late'] input").value === "5 ms");
  await page.keyboard.press("Control+s");
  await until(page, () => !window.studio.editor.document_.unsaved);
  assert.equal(text(studio, "promoted.xml"), promoted.replace("3 ms", "5 ms"));
});
