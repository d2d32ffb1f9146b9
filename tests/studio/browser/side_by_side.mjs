// SPDX-License-Identifier: BSD-3-Clause
// The demonstration of README: a simulated cell and the loop that is its hardware's other end, each with its own page, as one
// moving picture. Writes docs/studio/side_by_side.webp; requires img2webp of Debian's package webp.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { createSocket } from "node:dgram";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { diagrams, folder, Studio, until } from "./program.mjs";

const { BROWSER, SOURCES } = process.env;
const size = { width: 960, height: 760 }, wide = 1440, head = 40; // px: of a page, of the picture
const seconds = 7, pause = 30; // s of the run that are shown; ms between two frames, in addition to what they take
const largest = 1.5e6; // bytes

const freeTcp = (host) => new Promise((done) => { const s = createServer(); s.listen(0, host, () => { const { port } = s.address(); s.close(() => done(port)); }); });
const freeUdp = (host) => new Promise((done) => { const s = createSocket("udp4"); s.bind(0, host, () => { const { port } = s.address(); s.close(() => done(port)); }); });
const ports = { robot_port: await freeUdp("127.0.0.1"), sensor_port: await freeUdp("127.0.0.2"), sensor_http_port: await freeTcp("127.0.0.2") };
const sets = (prefix) => Object.entries(ports).flatMap(([name, port]) => ["--set", `${prefix}${name}=${port}`]);

/** A page without its side, with these signals in its scope. */
async function show(browser, studio, ...panels) {
  const page = await (await browser.newContext({ viewport: size, colorScheme: "dark" })).newPage();
  await page.goto(studio.url);
  await page.waitForURL((url) => url.search === "");
  await until(page, () => window.studio?.session.state.tick > 20); // it runs: its scope can follow
  await page.evaluate((wanted) => {
    const { scopes, diagram } = window.studio;
    document.querySelector("main").style.setProperty("--left-width", "100%");
    document.querySelector("aside").style.display = "none";
    scopes.active.names().forEach((name) => scopes.active.toggle(name));
    wanted.flat().forEach((name) => scopes.active.toggle(name));
    const { time } = window.studio.session.state;
    scopes.active.zoom([time - 4, time]);
    diagram.view.fit();
  }, panels);
  return page;
}

const cell = await Studio.of(folder(), "run", join(diagrams, "cells", "kuka_ati.xml"), "--no-log", "--serve", "0", ...sets(""));
const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox", "--disable-gpu"] });
const left = await show(browser, cell, "room.wrench.force.x", "tool.pose.position.x");
const run = await Studio.of(folder(), "run", join(diagrams, "pida.xml"), "--mode", "hardware", "--overlay", join(diagrams, "rigs", "kuka_ati_loopback.xml"), "--arm", "--no-log",
  "--for", "30s", "--set", "contacts=0", "--set", "response_delay=12ms", "--set", "contact_threshold=2N", "--serve", "0", ...sets("rig."));
const frames = join(tmpdir(), `hilda_frames_${process.pid}`);
try {
  const right = await show(browser, run, "lead.led.force.x", "passivity.controlled.force.x", "commanded_tip.velocity[0]");
  await left.evaluate(() => window.studio.diagram.view.fit());
  mkdirSync(frames);
  const shots = [], begun = Date.now();
  for (let at = 0; at < seconds * 1000; at = Date.now() - begun) {
    shots.push({ at, pictures: await Promise.all([left, right].map((page) => page.screenshot({ type: "png" }))) });
    await right.waitForTimeout(pause);
  }
  const scale = wide / 2 / size.width, sheet = await browser.newPage({ viewport: { width: wide, height: head + Math.round(size.height * scale) } });
  await sheet.setContent(`<style>body { margin: 0; background: #15181d; color: #e8eaed; font: 600 17px system-ui, "DejaVu Sans", sans-serif; display: grid; grid-template-columns: 1fr 1fr; }
    p { margin: 0; height: ${head}px; line-height: ${head}px; padding: 0 14px; } span { font-weight: 400; opacity: .7; } p + p, img + img { border-left: 1px solid #3a3f47; box-sizing: border-box; }
    img { width: ${wide / 2}px; display: block; }</style>
    <p>The cell <span>plays robot, walls and force sensor</span></p><p>The loop <span>PIDA at 4 ms, over UDP, as on a real robot</span></p><img><img>`);
  const words = ["-loop", "0", "-lossy", "-q", "72", "-m", "6"];
  for (const [i, { at, pictures }] of shots.entries()) {
    await sheet.evaluate(async (all) => {
      for (const [k, img] of document.querySelectorAll("img").entries()) {
        img.src = `data:image/png;base64,${all[k]}`;
        await img.decode();
      }
    }, pictures.map((each) => each.toString("base64")));
    const file = join(frames, `${String(i).padStart(3, "0")}.png`);
    writeFileSync(file, await sheet.screenshot({ type: "png" }));
    const next = shots[i + 1]?.at ?? at + 1500;
    words.push("-d", String(Math.max(20, next - at)), file);
  }
  const out = join(SOURCES, "docs", "studio", "side_by_side.webp");
  execFileSync("img2webp", [...words, "-o", out]);
  const bytes = statSync(out).size;
  process.stdout.write(`${out}: ${shots.length} frames, ${bytes} bytes\n`);
  if (bytes > largest) throw new Error(`it is larger than ${largest} bytes`);
} catch (error) {
  throw new Error(`${error.message}\n${cell.said}\n${run.said}`);
} finally {
  await browser.close();
  await run.stop();
  await cell.stop();
  if (process.env.HILDA_KEEP_FRAMES) process.stdout.write(`${frames}\n`);
  else rmSync(frames, { recursive: true, force: true });
}
