// Times of the editor, for docs/results/editing.py: prints JSON. From a keystroke to its diagnostics as the page measures it,
// and from an edit to the new drawing.
import { join } from "node:path";
import { hasElement, Keyboard } from "./editing.mjs";
import { diagrams, folder, Studio, until } from "./program.mjs";

const keystrokes = Number(process.env.HILDA_KEYSTROKES ?? 200);

async function measure(file, block, parameter, values, running) {
  const studio = await Studio.start(folder(diagrams), file);
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
    const drawn = await page.evaluate(async ([name, key, texts]) => {
      const { editor, diagram } = window.studio, all = [];
      for (let i = 0; i < 40; ++i) {
        const begun = performance.now(), done = new Promise((after) => diagram.box.addEventListener("drawn", after, { once: true }));
        await editor.document_.edit([["set", `${name}.${key}=${texts[i % 2]}`]]);
        await done;
        all.push(performance.now() - begun);
      }
      return all;
    }, [block, parameter, values.slice(0, 2)]);
    return { typed, drawn };
  } finally {
    await studio.stop();
  }
}

const found = {
  "pida, paused": await measure("pida.xml", "lead", "time_constant", ["3 ms", "${lead_time}", "2 V"], false),
  "pida, running in real time": await measure("pida.xml", "lead", "time_constant", ["3 ms", "${lead_time}", "2 V"], true),
};
process.stdout.write(JSON.stringify(found) + "\n");
