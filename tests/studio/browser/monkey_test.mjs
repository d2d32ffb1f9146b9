// SPDX-License-Identifier: BSD-3-Clause
// A monkey at the editor: studio.monkey runs this by node --test.
import assert from "node:assert/strict";
import test from "node:test";
import { hasElement } from "./editing.mjs";
import { diagrams, folder, Studio } from "./program.mjs";

const seeded = (seed) => () => { seed = (seed * 1664525 + 1013904223) >>> 0; return seed / 4294967296; };

test("a monkey clicks and types: no error, no lost edit, no dead server", { timeout: 4e6 }, async () => {
  const seconds = Number(process.env.HILDA_MONKEY_SECONDS ?? 25), seed = Number(process.env.HILDA_MONKEY_SEED ?? 1), random = seeded(seed), pick = (list) => list[Math.floor(random() * list.length)];
  const studio = await Studio.start(folder(diagrams), "pida.xml");
  let done = 0;
  try {
    const page = await studio.look({ width: 1440, height: 900 });
    page.on("dialog", (dialog) => void dialog.dismiss());
    await page.keyboard.press("e");
    await hasElement(page, "lead");
    const keys = ["Escape", "a", "c", "Delete", "Control+z", "Control+y", "Control+d", "Control+g", "Control+c", "Control+x", "Control+v", "F2", "Enter", "Tab", "Space", "ArrowDown", "ArrowRight", "f", "Home", "o", "m", "x", "Backspace", ",", ".", "e", "t", "Alt+ArrowLeft", "Shift+Enter", "1", "5", "F6", "?", "Control+s"];
    const places = [".symbol", ".knob .dot", ".wire .grip", ".palette [role=option]", ".edit-bar button:not(:disabled)", ".edit-sheet input", ".port-row button", ".outline", "[role=tab]", "dialog[open] button", "dialog[open] [role=option]", ".crumbs button", ".transport button:not(:disabled)"];
    const spot = async (selector) => {
      const boxes = await page.locator(selector).evaluateAll((all) => all.map((each) => each.getBoundingClientRect()).filter((b) => b.width && b.right > 0 && b.bottom > 0 && b.x < innerWidth && b.y < innerHeight).map((b) => [b.x + b.width / 2, b.y + b.height / 2]));
      return boxes.length ? pick(boxes) : null;
    };
    for (const end = Date.now() + seconds * 1000; Date.now() < end; ++done) {
      if (done % 40 === 39) { // out of whatever it is in, and on
        for (let i = 0; i < 3; ++i) await page.keyboard.press("Escape");
        await page.evaluate(() => { if (!window.studio.editor.on) return window.studio.editor.toggle(); });
      }
      const what = random();
      if (what < 0.3) await page.keyboard.press(pick(keys));
      else if (what < 0.4) await page.keyboard.type(pick(["gain", "5 ms", "${", "x", "lead.led", "<&\"", "0", "-1e999", "velocity"]));
      else {
        const from = await spot(pick(places)), to = what < 0.65 ? await spot(pick([".symbol", ".knob .dot", ".diagram"])) : null;
        if (!from) continue;
        await page.mouse.move(...from);
        const band = to && random() < 0.15;
        if (to) {
          if (band) await page.keyboard.down("Shift");
          await page.mouse.down();
          await page.mouse.move(to[0] + 30 * random(), to[1] + 30 * random(), { steps: 3 });
          await page.mouse.up();
          if (band) await page.keyboard.up("Shift");
        } else await page.mouse.click(...from, { clickCount: random() < 0.2 ? 2 : 1, modifiers: random() < 0.15 ? ["Shift"] : [] });
      }
      if (studio.child.exitCode !== null) assert.fail(`the server died after ${done} steps:\n${studio.said}`);
      assert.deepEqual(studio.problems, [], `after ${done} steps`);
    }
    // What the page has is what the server has; and what is journalled is what was edited.
    for (let i = 0; i < 5; ++i) await page.keyboard.press("Escape");
    const texts = await page.evaluate(async () => (await window.studio.session.ask("diff", {})).diff);
    const revision = await page.evaluate(async () => (await window.studio.session.ask("documents", {})).documents[0].revision);
    studio.child.kill("SIGKILL");
    await studio.ended;
    const again = await Studio.start(studio.where, "pida.xml");
    try {
      const after = await again.look();
      await after.evaluate(() => window.studio.session.ask("recover", { take: true }, true));
      assert.equal(await after.evaluate(async () => (await window.studio.session.ask("diff", {})).diff), texts, `${done} steps, revision ${revision}`);
    } finally {
      await again.stop();
    }
    console.log(`seed ${seed}: ${done} steps in ${seconds} s, revision ${revision}`);
  } finally {
    await studio.stop();
  }
});
