// SPDX-License-Identifier: BSD-3-Clause
// Times of the editor, for docs/results/measurements/editing.py: prints JSON. From a keystroke to its diagnostics as the page measures it,
// and from an edit to the new drawing.
import { hasElement, Keyboard } from "./editing.mjs";
import { diagrams, folder, Studio, thousand, until } from "./program.mjs";

const keystrokes = Number(process.env.HILDA_KEYSTROKES ?? 200);

/** ms from each edit to its drawing: `drawn` in the page, and `painted` by the browser. */
const edits = (page, operations) => page.evaluate(async (list) => {
  const { editor, diagram } = window.studio, drawn = [], painted = [];
  for (const operation of list) {
    const begun = performance.now(), done = new Promise((after) => diagram.box.addEventListener("drawn", after, { once: true }));
    await editor.document_.edit([operation]);
    await done;
    drawn.push(performance.now() - begun);
    await new Promise((after) => requestAnimationFrame(() => setTimeout(after)));
    painted.push(performance.now() - begun);
    await new Promise((after) => setTimeout(after, 500)); // a run takes the edit meanwhile
  }
  return { drawn, painted };
}, operations);

async function measure(diagram, block, parameter, values, running) {
  const studio = await Studio.start(diagram.where, ...diagram.words);
  try {
    const page = await studio.look({ width: 1440, height: 900 }), keys = new Keyboard(page);
    await keys.begin();
    await hasElement(page, block);
    await page.locator(`.symbol[data-path=${block}]`).click();
    if (running) {
      await page.evaluate(() => window.studio.session.ask("run", { speed: 1 }));
      await until(page, () => window.studio.session.state.state === "running");
    }
    await page.locator(`#edit-${parameter}`).focus();
    const count = () => page.evaluate(() => window.studio.editor.sheet.times.length);
    for (let i = 0; (await count()) < keystrokes; ++i) {
      await page.keyboard.press("Control+a");
      for (const letter of values[i % values.length]) {
        const before = await count();
        await page.keyboard.type(letter);
        await until(page, (n) => window.studio.editor.sheet.times.length > n, before);
      }
    }
    const typed = await page.evaluate(() => window.studio.editor.sheet.times);
    return { typed, ...(await edits(page, Array.from({ length: 40 }, (_, i) => ["set", `${block}.${parameter}=${values[i % 2]}`]))) };
  } finally {
    await studio.stop();
  }
}

/** Wires of a thousand blocks that are cut, and drawn again. */
async function wires() {
  const diagram = thousand(), studio = await Studio.start(diagram.where, ...diagram.words);
  try {
    const page = await studio.look({ width: 1440, height: 900 }), keys = new Keyboard(page);
    await keys.begin();
    await hasElement(page, "c19_49");
    const wire = (i) => [`c${3 + i}_20.y`, `c${3 + i}_21.u`];
    return await edits(page, Array.from({ length: 20 }, (_, i) => [i % 2 ? "connect" : "disconnect", ...wire(i >> 1)]));
  } finally {
    await studio.stop();
  }
}

const pida = () => ({ where: folder(diagrams), words: ["pida.xml"] }), lead = ["lead", "time_constant", ["3 ms", "${lead_time}", "2 V"]];
const found = {
  "pida, paused": await measure(pida(), ...lead, false),
  "pida, running in real time": await measure(pida(), ...lead, true),
  "1000 blocks, paused, a value": await measure(thousand(), "c3_4", "gain", ["1.02", "1.03", "2 V"], false),
  "1000 blocks, paused, a wire": await wires(),
};
process.stdout.write(JSON.stringify(found) + "\n");
