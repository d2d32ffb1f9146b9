// SPDX-License-Identifier: BSD-3-Clause
// Looks at a page whose plots are static: node look_at_still_page.mjs BROWSER PAGE FOLDER prints what it finds as JSON.
import { chromium } from "playwright-core";
import { pathToFileURL } from "node:url";

const [browserPath, pagePath, folder] = process.argv.slice(2);
const found = { errors: [], requests: [], overhang: {}, strokes: {}, grounds: {} };
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
page.on("pageerror", (error) => found.errors.push(String(error)));
page.on("console", (message) => message.type() === "error" && found.errors.push(message.text()));
page.on("request", (request) => found.requests.push(request.url().slice(0, 60)));
await page.goto(pathToFileURL(pagePath).href);
await page.evaluate(() => report.ready);
for (const scheme of ["light", "dark"]) {
  await page.emulateMedia({ colorScheme: scheme });
  for (const width of [480, 1400]) {
    await page.setViewportSize({ width, height: 1000 });
    found.overhang[`${scheme} ${width}`] = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await page.screenshot({ path: `${folder}/${scheme}_${width}.png`, fullPage: true });
  }
  found.strokes[scheme] = await page.evaluate(() => [...document.querySelectorAll("#plots svg polyline")].map((line) => getComputedStyle(line).stroke));
  found.grounds[scheme] = await page.evaluate(() => getComputedStyle(document.querySelector("#plots svg rect")).fill);
}
// How wide a curve is within its plot: each is clipped by its own figure's axes.
found.curves = await page.evaluate(() =>
  [...document.querySelectorAll("#plots svg")].map((svg) => {
    const group = svg.querySelector("g[clip-path]"), name = group.getAttribute("clip-path").slice(5, -1);
    return { own: svg.contains(document.getElementById(name)), curves: group.querySelectorAll("polyline").length };
  }),
);
found.texts = await page.evaluate(() => [...document.querySelectorAll("#plots svg")].map((svg) => [...svg.querySelectorAll("text")].map((text) => text.textContent)));
found.lacking = await page.evaluate(() => document.querySelector(".lacking").innerText);
await page.fill("#search", "satellites.service.twist.linear.x");
found.listed = await page.evaluate(() => [...document.querySelectorAll("#list li")].map((item) => item.innerText));
found.errors.push(...(await page.evaluate(() => report.problems)));
await browser.close();
console.log(JSON.stringify(found));
