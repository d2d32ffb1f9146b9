// SPDX-License-Identifier: BSD-3-Clause
// The sidebar of the documentation's site, opened from a disk: words.site_menu runs this by node --test, with the built site in SITE.
// HILDA_PICTURES=FOLDER leaves pictures there.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { painted } from "./program.mjs";

const { BROWSER, SITE = "", HILDA_PICTURES } = process.env;
const skip = existsSync(join(SITE, "index.html")) ? false : "no site was built";
const narrow = { width: 480, height: 800 }, wide = { width: 1400, height: 900 };

const onPage = (name, file, size, body) => test(name, { skip }, async () => {
  const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await browser.newPage({ viewport: size });
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("requestfailed", (request) => problems.push(request.url()));
    await page.goto(pathToFileURL(join(SITE, file)).href);
    await body(page);
    assert.deepEqual(problems, [], "the page has errors");
  } finally {
    await browser.close();
  }
});
const left = (page) => page.locator("nav.wy-nav-side").evaluate((side) => side.getBoundingClientRect().left);
const menu = (page) => page.getByRole("button", { name: "Menu" });
const stands = async (page, open) => {
  assert.equal(await menu(page).getAttribute("aria-expanded"), String(open));
  assert.equal(await left(page), open ? 0 : -300);
  assert.equal(await page.locator("nav.wy-nav-side").isVisible(), open);
};
const picture = async (page, name) => {
  if (!HILDA_PICTURES) return;
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await painted(page);
    await page.screenshot({ path: join(HILDA_PICTURES, `site_${name}_${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: "light" });
};

onPage("a narrow page: the button opens the sidebar; a click outside, Escape and the button close it", "docs/install.html", narrow, async (page) => {
  await stands(page, false);
  await picture(page, "narrow");
  await menu(page).click();
  await stands(page, true);
  await picture(page, "open");
  await page.mouse.click(narrow.width - 20, 400);
  await stands(page, false);
  await menu(page).focus();
  await page.keyboard.press("Enter");
  await stands(page, true);
  await page.getByPlaceholder("Search docs").click();
  await stands(page, true);
  await page.keyboard.press("Escape");
  await stands(page, false);
  assert.ok(await menu(page).evaluate((button) => button === document.activeElement), "the button has the focus again");
});

onPage("a link of the open sidebar leads to its page", "index.html", narrow, async (page) => {
  await menu(page).click();
  await page.locator("nav.wy-nav-side").getByRole("link", { name: "Install", exact: true }).click();
  await page.waitForURL(/docs\/install\.html$/);
  await stands(page, false);
});

onPage("a wide page: the sidebar is there, with the page's own entry in sight", "docs/results/measurements/editing.html", wide, async (page) => {
  assert.equal(await left(page), 0);
  assert.ok(await menu(page).isHidden());
  const box = await page.locator("nav.wy-nav-side a.current").first().boundingBox();
  assert.ok(box.y > 0 && box.y + box.height < wide.height, `the entry is at ${box.y}`);
  await picture(page, "wide");
});

onPage("a search from the sidebar finds pages", "docs/install.html", narrow, async (page) => {
  await menu(page).click();
  await page.getByPlaceholder("Search docs").fill("integrator");
  await page.keyboard.press("Enter");
  await page.waitForURL(/search\.html/);
  await page.locator("#mkdocs-search-results article").first().waitFor();
  await picture(page, "search");
});

/** How far its text stands out from what is behind it, as WCAG counts: 1 to 21. */
const contrast = (link) => link.evaluate((each) => {
  const numbers = (text) => (text.match(/[\d.]+/g) ?? []).map(Number), clear = (text) => (numbers(text)[3] ?? 1) === 0;
  let behind = each;
  while (clear(getComputedStyle(behind).backgroundColor) && behind.parentElement) behind = behind.parentElement;
  const light = (text) => numbers(text).slice(0, 3).map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const [a, b] = [light(getComputedStyle(each).color), light(getComputedStyle(behind).backgroundColor)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
});

/** The theme fades colours: the contrast that they end at. */
const readable = async (page, link, where) => {
  let seen = 0;
  for (let look = 0; look < 100 && seen < 4.5; ++look) {
    seen = await contrast(link);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  }
  assert.ok(seen >= 4.5, `${where}: ${seen}`);
};

onPage("Previous and Next can be read, light and dark", "docs/install.html", wide, async (page) => {
  const links = page.locator(".rst-footer-buttons a");
  assert.equal(await links.count(), 2);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    for (const link of await links.all()) {
      await page.mouse.move(5, 5);
      await readable(page, link, colorScheme);
      await link.hover();
      await readable(page, link, `${colorScheme}, with the pointer on it`);
    }
  }
  await links.first().scrollIntoViewIfNeeded();
  await picture(page, "buttons");
});
