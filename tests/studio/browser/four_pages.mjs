// SPDX-License-Identifier: BSD-3-Clause
// Four pages on HILDA_PAGE, for docs/results/measurements/looked_on.py: three that watch, and one whose whole browser is stopped by
// SIGSTOP. Says "open" once all do so; when its input ends it prints what the three have seen, and goes.
import { chromium } from "playwright-core";
import { readdirSync, readFileSync } from "node:fs";
import { until } from "./program.mjs";

const { BROWSER, HILDA_PAGE } = process.env;

async function look() {
  const server = await chromium.launchServer({ executablePath: BROWSER, args: ["--no-sandbox", "--disable-gpu"] });
  const browser = await chromium.connect(server.wsEndpoint());
  return { server, browser };
}
async function show(browser) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(HILDA_PAGE);
  await page.waitForURL((url) => url.search === "");
  await until(page, () => window.studio?.session.hello?.diagram !== undefined && window.studio.scopes.active.names().length > 0);
  return page;
}
/** A process and all that it has started. */
function tree(root) {
  const children = new Map();
  for (const each of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = Number(readFileSync(`/proc/${each}/stat`, "utf8").split(") ").pop().split(" ")[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(each)]);
    } catch { /* it has ended meanwhile */ }
  }
  const all = [root];
  for (let i = 0; i < all.length; ++i) all.push(...(children.get(all[i]) ?? []));
  return all;
}
const signal = (processes, name) => processes.forEach((each) => { try { process.kill(each, name); } catch { /* ended */ } });

const seeing = await look(), stopped = await look();
const pages = [];
for (let i = 0; i < 3; ++i) pages.push(await show(seeing.browser));
await show(stopped.browser);
const standing = tree(stopped.server.process().pid);
signal(standing, "SIGSTOP");
process.stdout.write("open\n");
await new Promise((done) => process.stdin.on("end", done).resume());
const seen = await Promise.all(pages.map((page) => page.evaluate(() => Math.max(...[...window.studio.session.series.values()].map((each) => each.count)))));
process.stdout.write(JSON.stringify({ seen, stopped: standing.length }) + "\n");
signal(standing, "SIGKILL");
await seeing.server.close();
process.exit(0);
