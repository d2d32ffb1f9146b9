// SPDX-License-Identifier: BSD-3-Clause
// A hilda studio for one test, and a browser's page that looks at it.
import { chromium } from "playwright-core";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { HILDA, SOURCES, BROWSER } = process.env;

export const diagrams = join(SOURCES, "diagrams");
export const lessons = join(SOURCES, "examples");

/** A separate folder, with copies of files or folders. */
export function folder(...copies) {
  const made = mkdtempSync(join(tmpdir(), "hilda_studio_"));
  for (const each of copies) cpSync(each, made, { recursive: true });
  return made;
}

/** Chains of fifty blocks, so many in all. */
export const chains = (count) => {
  const where = folder(), blocks = [], wires = [];
  for (let chain = 0; chain < count / 50; ++chain)
    for (let i = 0; i < 50; ++i) {
      const type = i === 0 ? 'sources/Sine" amplitude="1" frequency="1 Hz' : i % 2 ? "discrete/UnitDelay" : 'math/Gain" gain="1.01';
      blocks.push(`  <block name="c${chain}_${i}" type="${type}"/>`);
      if (i > 0) wires.push(`  <connect from="c${chain}_${i - 1}.y" to="c${chain}_${i}.u"/>`);
    }
  writeFileSync(join(where, "thousand.xml"), ['<diagram format="1" name="thousand" period="1 ms">', ...blocks, ...wires, "</diagram>", ""].join("\n"));
  return { where, words: ["thousand.xml", "--for", "1 s"] };
};
export const thousand = () => chains(1000);

/** What a command in a terminal says. */
export const terminal = (where, ...words) => execFileSync(HILDA, words, { cwd: where, encoding: "utf8" });

export class Studio {
  static start(where, ...words) { return Studio.of(where, "studio", ...words, "--no-open", "--port", "0"); }

  /** Any command that serves a page. */
  static async of(where, ...words) {
    const made = new Studio();
    made.where = where;
    await made.spawn(words);
    return made;
  }

  /** One whose files may have no more than so many kB, as on a full disk. */
  static async limited(where, kilobytes, ...words) {
    const made = new Studio();
    made.where = where;
    await made.spawn([...words, "--no-open", "--port", "0"], ["bash", "-c", `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$0" "$@"`]);
    return made;
  }

  /** Another server at the address of one that has ended. HILDA_STUDIO_TOKEN gives it the same token. */
  again(...words) { return this.spawn(["studio", ...words, "--no-open", "--port", new URL(this.url).port]); }

  async spawn(words, [first, ...before] = []) {
    this.child = first ? spawn(first, [...before, HILDA, ...words], { cwd: this.where }) : spawn(HILDA, words, { cwd: this.where });
    this.said = "";
    this.ended = new Promise((done) => this.child.on("exit", done));
    this.url = await new Promise((found, fail) => {
      const take = (data) => {
        this.said += data;
        const url = /http:\/\/127\.0\.0\.1:\d+\/(\?token=\S+)?/.exec(this.said);
        if (url) found(url[0]);
      };
      this.child.stdout.on("data", take);
      this.child.stderr.on("data", take);
      this.child.on("exit", () => fail(new Error(`hilda ${words[0]} ended:\n${this.said}`)));
    });
  }

  async launch() { return (this.browser ??= await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox", "--disable-gpu"] })); }

  /** A page on it, in sight of what it does wrong. */
  async look(size = { width: 1280, height: 800 }, colorScheme = "light", whole = true) {
    await this.launch();
    const page = await this.browser.newPage({ viewport: size, colorScheme, acceptDownloads: true });
    this.problems = [];
    page.on("pageerror", (error) => this.problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && this.problems.push(message.text()));
    await page.goto(this.url);
    await page.waitForURL((url) => url.search === ""); // the token is in a cookie by then, and out of the address
    await until(page, () => window.studio?.session.hello !== null);
    if (whole) await page.evaluate(() => window.studio.diagram.view.fit()); // all of it can be clicked
    return page;
  }

  async stop() {
    await this.browser?.close();
    this.child.kill("SIGINT");
    await Promise.race([this.ended, new Promise((done) => setTimeout(done, 5000))]);
    this.child.kill("SIGKILL");
    rmSync(this.where, { recursive: true, force: true });
  }
}

/** waitForFunction would look again by eval, which the page forbids. */
export async function until(page, holds, argument) {
  for (let looks = 0; looks < 400; ++looks) {
    if (await page.evaluate(holds, argument)) return;
    await page.waitForTimeout(50);
  }
  throw new Error(`the page does not come to: ${holds} ${JSON.stringify(argument ?? "")}\n${await page.evaluate(() => document.body.innerText.slice(0, 2000))}`);
}

/** Drawn again since something was done: a user sees it on the page. */
export const painted = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
/** What it gives once it has come to rest: twice the same, each after the page was drawn again. */
export async function still(page, where) {
  for (let before = await where(), same = 0; ;) {
    await painted(page);
    const now = await where();
    same = JSON.stringify(now) === JSON.stringify(before) ? same + 1 : 0;
    if (same === 3) return now;
    before = now;
  }
}
/** Pictures for a person, light and dark, wide and narrow, where HILDA_PICTURES names a folder. */
export async function picture(page, name, widths = [1400, 800]) {
  const to = process.env.HILDA_PICTURES, before = page.viewportSize();
  if (!to) return;
  for (const colorScheme of ["light", "dark"])
    for (const width of widths) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await painted(page);
      await page.screenshot({ path: join(to, `${name}_${colorScheme}_${width}.png`) });
    }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(before);
}
export const state = (page) => page.evaluate(() => ({ ...window.studio.session.state }));
export const stands = (page, tick) => until(page, (wanted) => { const s = window.studio.session.state; return s.tick === wanted && s.state !== "running"; }, tick);
/** A button of the first scope, also where it is in the menu. */
export async function pressInScope(page, name) {
  const scope = page.locator(".scope").first(), wanted = scope.getByRole("button", { name });
  if ((await wanted.count()) === 0) await scope.getByRole("button", { name: /^More/ }).click();
  await wanted.first().click();
}
/** How much of the run a scope has of a signal: samples, and its last time. */
export const samples = (page, name) => page.evaluate((n) => { const s = window.studio.session.series.get(n); return { count: s?.count ?? 0, end: s?.end ?? -1 }; }, name);
