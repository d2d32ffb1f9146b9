// SPDX-License-Identifier: BSD-3-Clause
// Times of the page that looks at a run, for docs/results/measurements/live.py: prints JSON. From a sample to its pixel, scrolling through
// a million samples, and the opening of a diagram of a thousand blocks.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder, Studio, thousand, until } from "./program.mjs";

const seconds = Number(process.env.HILDA_LIVE_SECONDS ?? 60), opened = Number(process.env.HILDA_LIVE_OPENED ?? 10);
const levels = 8, width = 101; // of the stair: steps, ms
const size = { width: 1440, height: 900 };

/** The stair, and seven waves below it, at 1 kHz. */
function eight() {
  const blocks = [`<block name="stair" type="wall_stair/Stair" width="${width} ms" steps="${levels}"/>`], wires = [];
  for (let i = 1; i < 8; ++i) {
    blocks.push(`<block name="wave${i}" type="sources/Sine" amplitude="0.4" frequency="${0.3 + 0.37 * i} Hz"/>`, `<block name="low${i}" type="math/Bias" bias="-2"/>`);
    wires.push(`<connect from="wave${i}.y" to="low${i}.u"/>`);
  }
  const where = folder();
  writeFileSync(join(where, "eight.xml"), ['<diagram format="1" name="eight" period="1 ms">', ...blocks, ...wires, "</diagram>", ""].join("\n"));
  return where;
}
const signals = ["stair.y", ...[1, 2, 3, 4, 5, 6, 7].map((i) => `low${i}.y`)];

async function scope(page, names) {
  await page.evaluate((all) => {
    const { scopes } = window.studio;
    scopes.active.names().forEach((name) => scopes.active.toggle(name));
    all.forEach((name) => scopes.active.toggle(name));
  }, names);
  await until(page, (n) => window.studio.scopes.active.panels[0]?.curves.length === n, names.length);
}

/** In the page: at each frame the newest pixel of the stair is looked for in the canvas. What it shows was drawn before this
    frame began at the latest; the time is that of the next frame. */
const watchPixels = ({ levels, width, seconds }) => new Promise((done) => {
  const { plot } = window.studio.scopes.active.panels[0], { ctx } = plot, found = [];
  ctx.save();
  ctx.fillStyle = getComputedStyle(document.querySelector("tr[data-signal='stair.y'] .swatch")).getPropertyValue("--pen");
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(ctx.fillStyle.slice(i, i + 2), 16));
  ctx.restore();
  const newest = () => {
    const { left, width: wide } = plot.bbox, top = Math.round(plot.valToPos(levels - 0.5, "y", true)), bottom = Math.round(plot.valToPos(-0.5, "y", true));
    const from = Math.round(left + wide - 200), { data } = ctx.getImageData(from, top, 200, bottom - top);
    for (let x = 199; x >= 0; --x) {
      const rows = [];
      for (let y = 0; y < bottom - top; ++y) {
        const i = 4 * (200 * y + x);
        if (Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 90) rows.push(y);
      }
      if (!rows.length) continue;
      const level = (y) => levels - 0.5 - (y / (bottom - top)) * levels, high = level(rows[0]), low = level(rows[rows.length - 1]);
      return Math.round(high - low > 2 ? low : high); // within a step it goes up by one, or down to the least
    }
    return null;
  };
  let last = null, waiting = [], end = performance.now() + seconds * 1000;
  const look = (time) => {
    const now = Date.now();
    for (const step of waiting) found.push(now - step * width);
    waiting = [];
    const level = newest(), latest = Math.floor(now / width);
    if (level !== null) {
      const step = latest - ((((latest - level) % levels) + levels) % levels);
      for (let each = last === null ? step + 1 : last + 1; each <= step; ++each) waiting.push(each);
      last = Math.max(last ?? step, step);
    }
    if (time < end) requestAnimationFrame(look);
    else done(found);
  };
  requestAnimationFrame(look);
});

async function toPixel(studio, start) {
  try {
    const page = await studio.look(size);
    await scope(page, signals);
    if (start) await page.evaluate(() => window.studio.session.ask("run", { speed: 1 }));
    await page.waitForTimeout(6000); // the scope is full
    return { found: await page.evaluate(watchPixels, { levels, width, seconds }), steps: Math.floor((seconds * 1000) / width) };
  } finally {
    await studio.stop();
  }
}

const plugins = ["--plugins", process.env.HILDA_LIVE_PLUGINS];

/** A million samples of each of `names`, through which the user scrolls by the wheel, at several spans. */
async function scroll(names) {
  const studio = await Studio.start(eight(), "eight.xml", ...plugins);
  try {
    const page = await studio.look(size), all = {};
    await scope(page, names);
    await page.evaluate(() => window.studio.session.ask("run", { until: 1000, speed: 40 }));
    for (let i = 0; i < 40 && (await page.evaluate(() => window.studio.session.state.state)) !== "paused"; ++i) await page.waitForTimeout(1000);
    const kept = await page.evaluate((n) => window.studio.session.series.get(n).count, names[0]);
    const box = await page.locator(".u-over").first().boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    for (const span of [5, 50, 500]) {
      await page.evaluate((s) => window.studio.scopes.active.zoom([990 - s, 990]), span);
      const measured = page.evaluate((s) => new Promise((done) => {
        const frames = [], { scopes } = window.studio, ranges = new Set();
        const look = (time) => {
          frames.push(time);
          ranges.add(scopes.active.range[0]);
          if (time - frames[0] < s * 1000) requestAnimationFrame(look);
          else done({ frames: frames.slice(1).map((each, i) => each - frames[i]), moved: ranges.size });
        };
        requestAnimationFrame(look);
      }), 6);
      let over = false;
      void measured.then(() => (over = true));
      const way = (i) => (i % 400 < 200 ? -8 : 8); // back and forth, px
      for (let i = 0; !over; i += 3) await Promise.all([0, 1, 2].map((j) => page.mouse.wheel(way(i + j), 0))); // one is answered a frame
      all[span] = await measured;
    }
    return { kept, all };
  } finally {
    await studio.stop();
  }
}

/** From the command in a terminal, and from the address in a browser that is there already, to the picture. */
async function open() {
  const started = [], shown = [];
  for (let i = 0; i < opened; ++i) {
    const { where, words } = thousand(), begun = Date.now(), studio = await Studio.start(where, ...words);
    const listens = Date.now() - begun;
    try {
      const page = await (await studio.launch()).newPage({ viewport: size });
      await page.addInitScript(() => {
        const look = () => document.querySelectorAll(".symbol").length === 1000 ? requestAnimationFrame(() => (window.shownAt = Date.now())) : requestAnimationFrame(look);
        requestAnimationFrame(look);
      });
      const asked = Date.now();
      await page.goto(studio.url);
      await page.waitForURL((url) => url.search === "");
      await until(page, () => window.shownAt !== undefined);
      const took = (await page.evaluate(() => window.shownAt)) - asked;
      shown.push(took);
      started.push(listens + took);
    } finally {
      await studio.stop();
    }
  }
  return { started, shown };
}

const found = {
  pixel: {
    "`hilda studio`, in real time": await toPixel(await Studio.start(eight(), "eight.xml", ...plugins), true),
    "`hilda run --realtime --serve`": await toPixel(await Studio.of(eight(), "run", "eight.xml", ...plugins, "--for", "1000s", "--realtime", "--no-log", "--serve", "0"), false),
  },
  scroll: { 1: await scroll(signals.slice(1, 2)), 8: await scroll(signals) },
  open: await open(),
};
process.stdout.write(JSON.stringify(found) + "\n");
