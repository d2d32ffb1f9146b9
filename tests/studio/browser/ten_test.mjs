// SPDX-License-Identifier: BSD-3-Clause
// Ten diagrams of textbooks, drawn by mouse from nothing: nothing overlaps, no wire is a tag, and crossings are those of the
// automatic layout or one more. studio.ten runs this by node --test. HILDA_PICTURES=FOLDER leaves pictures there.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onPage, saved, text } from "./editing.mjs";
import { lines, overlaps } from "./hand.mjs";
import { painted, terminal, until } from "./program.mjs";
import { build, empty, ten } from "./ten.mjs";

const crossings = (where, file) => Number(/crossings (\d+)/.exec(terminal(where, "draw", file, "--measure", "-o", "measured.svg"))[1]);
const only = process.env.HILDA_TEN; // names, for a reader who looks at one of them

async function pictures(page, name, made) {
  const to = process.env.HILDA_PICTURES;
  if (!to) return;
  writeFileSync(join(to, `${name}.xml`), made);
  for (const [width, height] of [[1280, 720], [1440, 900], [1920, 1080]])
    for (const scheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height });
      await page.evaluate(() => window.studio.diagram.view.fit());
      await page.mouse.move(3, 3);
      await painted(page);
      await page.locator(".diagram").screenshot({ path: join(to, `ten_${name}_${width}_${scheme}.png`) });
    }
}

for (const each of ten.filter(({ name }) => !only || only.split(",").includes(name)))
  onPage(`${each.name}, by mouse from nothing`, { [`${each.name}.xml`]: empty(each.name) }, [`${each.name}.xml`], async (page, studio) => {
    await build(page, each).finally(() => process.env.HILDA_PICTURES && page.screenshot({ path: join(process.env.HILDA_PICTURES, `built_${each.name}.png`) }));
    assert.deepEqual(await overlaps(page), []);
    assert.deepEqual(await lines(page), { tags: [], wires: each.wires.length });
    await page.keyboard.press("Control+s");
    await saved(page);
    const file = `${each.name}.xml`, made = text(studio, file);
    terminal(studio.where, "check", file);
    writeFileSync(join(studio.where, "automatic.xml"), made.replace(/ ui\.[xy]="[^"]*"/g, ""));
    const [here, automatic] = [crossings(studio.where, file), crossings(studio.where, "automatic.xml")];
    console.log(`# ${each.name}: ${here} crossings, ${automatic} of the automatic layout`);
    assert.ok(here <= automatic + 1, `${here} crossings, and ${automatic} of the automatic layout`);
    assert.ok(readFileSync(join(studio.where, "measured.svg"), "utf8").includes("<svg"));
    // who does not edit sees the same
    await page.keyboard.press("Escape");
    await page.keyboard.press("e");
    await until(page, (n) => !window.studio.editor.on && document.querySelector(".knob") === null && window.studio.diagram.symbols().length === n, each.blocks.length);
    await pictures(page, each.name, made);
    assert.deepEqual(await page.locator(".picture .tag").count(), 0, "while nobody edits, too");
  }, { width: 1920, height: 1080 });
