// SPDX-License-Identifier: BSD-3-Clause
// How fast a drawing follows the mouse, for docs/results/measurements/studio.py: prints JSON. Frames while a symbol is moved, and from its drop to
// the drawing with all wires routed again.
import { readFileSync } from "node:fs";
import { hasElement } from "./editing.mjs";
import { middle } from "./hand.mjs";
import { chains, Studio, until } from "./program.mjs";

const drops = Number(process.env.HILDA_STUDIO_DROPS ?? 20), moves = 25; // of each drop
const way = 72; // px, there and back

/** In the page: times between frames while the button is down; of each drop, ms until it was drawn, and until the frame after that. */
const watch = () => {
  const found = { frames: [], drawn: [], painted: [], moved: 0 };
  let last = 0;
  const frame = (time) => {
    if (last) found.frames.push(time - last);
    last = time;
    if (found.held) requestAnimationFrame(frame); else last = 0;
  };
  addEventListener("pointerdown", () => { found.held = true; requestAnimationFrame(frame); }, true);
  addEventListener("pointermove", () => { if (found.held) ++found.moved; }, true);
  addEventListener("pointerup", () => {
    const begun = performance.now();
    found.held = false;
    window.studio.diagram.box.addEventListener("drawn", () => {
      found.drawn.push(performance.now() - begun);
      requestAnimationFrame(() => setTimeout(() => found.painted.push(performance.now() - begun)));
    }, { once: true });
  }, true);
  window.found = found;
};

/** ms of processor time that a process has had, threads that have ended included; in steps of 10 ms. */
const spent = (pid) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ").slice(11, 13).reduce((sum, each) => sum + 10 * Number(each), 0);

async function measure(count) {
  const { where, words } = chains(count), studio = await Studio.start(where, ...words);
  try {
    const page = await studio.look({ width: 1440, height: 900 }, "light", false);
    await page.keyboard.press("e");
    await hasElement(page, "c0_5");
    const name = await page.evaluate(() => {
      const box = window.studio.diagram.box.getBoundingClientRect(), inside = (b) => b.left > box.left + 200 && b.right < box.right - 200 && b.top > box.top + 100 && b.bottom < box.bottom - 100;
      return [...document.querySelectorAll(".symbol")].find((each) => inside(each.querySelector(".body").getBoundingClientRect()))?.dataset.path;
    });
    await page.locator(`.symbol[data-path='${name}'] .body`).click();
    await page.evaluate(watch);
    const inside = await page.context().newCDPSession(page), work = { move: [], page: [], server: [] };
    await inside.send("Performance.enable", { timeDomain: "threadTicks" });
    const busy = async () => 1000 * (await inside.send("Performance.getMetrics")).metrics.find((each) => each.name === "TaskDuration").value;
    for (let i = 0; i < drops; ++i) {
      const [x, y] = middle(await page.locator(`.symbol[data-path='${name}'] .body`).boundingBox()), side = i % 2 ? -way : way;
      await page.mouse.move(x, y);
      await page.mouse.down();
      const begun = await busy();
      for (let m = 1; m <= moves; ++m) await page.mouse.move(x + (side * m) / moves, y + (side * m) / (2 * moves));
      const held = await busy(), server = spent(studio.child.pid);
      await page.mouse.up();
      await until(page, (n) => window.found.painted.length > n, i);
      work.move.push((held - begun) / moves), work.page.push((await busy()) - held), work.server.push(spent(studio.child.pid) - server);
    }
    return { ...(await page.evaluate(() => window.found)), work };
  } finally {
    await studio.stop();
  }
}

const found = {};
for (const count of [300, 1000]) found[count] = await measure(count);
process.stdout.write(JSON.stringify(found) + "\n");
