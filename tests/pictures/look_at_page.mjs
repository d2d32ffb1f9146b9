// SPDX-License-Identifier: BSD-3-Clause
// Looks at a page of hilda report in a browser: node look_at_page.mjs BROWSER PAGE FOLDER
// Prints what it finds as JSON, for page_test.cpp; leaves a picture of each state in FOLDER.
import { chromium } from "playwright-core";
import { pathToFileURL } from "node:url";

const [browserPath, pagePath, folder] = process.argv.slice(2);
const found = { errors: [], requests: [] };
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
page.on("pageerror", (error) => found.errors.push(String(error)));
page.on("console", (message) => message.type() === "error" && found.errors.push(message.text()));
page.on("request", (request) => found.requests.push(request.url().slice(0, 60)));
const picture = (name, options = {}) => page.screenshot({ path: `${folder}/${name}.png`, ...options });
const range = () => page.evaluate(() => Array.from(report.range));
/** What the table under the first panel says: name to value at the cursor. */
const readings = () =>
  page.evaluate(() =>
    report.panels[0].curves.map((c, i) => ({
      name: c.signal.name,
      text: report.panels[0].cells[i].textContent,
      time: report.panels[0].time.textContent,
    })),
  );

// waitForFunction would look again by eval, which the page forbids: it fails where the first look comes too early.
const until = async (holds, argument) => {
  for (let looks = 0; looks < 300; ++looks) {
    if (await page.evaluate(holds, argument)) return;
    await page.waitForTimeout(100);
  }
  throw new Error(`the page does not come to: ${holds}`);
};

const began = Date.now();
await page.goto(pathToFileURL(pagePath).href);
await page.evaluate(() => report.ready);
found.load_ms = Date.now() - began;
found.title = await page.title();
found.panels = await page.evaluate(() =>
  report.panels.map((p) => ({ unit: p.unit, signals: p.names, drawn: p.plot.data[0].length })),
);
found.tables = await page.evaluate(() =>
  Object.fromEntries([...document.querySelectorAll("table[data-table]")].map((t) => [t.dataset.table, t.rows.length - 1])),
);
found.diagram = await page.evaluate(() => document.querySelectorAll("#diagram svg text").length);
found.comparison = await page.evaluate(() =>
  document.getElementById("comparison").hidden ? "" : document.getElementById("differences").innerText.slice(0, 4000),
);
found.results = await page.evaluate(() => document.getElementById("tables").innerText.slice(0, 6000));
found.units = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll("#values tr")].map((row) => [row.cells[0].textContent, row.cells[1].textContent])));
found.whole = await range();
await picture("whole");

// The cursor reads values of recorded samples; the middle of the plot is the middle of the time axis.
const over = page.locator("#plots .u-over").first();
const box = await over.boundingBox();
const at = (x) => [box.x + x * box.width, box.y + box.height / 2];
await page.mouse.move(...at(0.5));
await page.waitForTimeout(60);
found.cursor = await readings();
found.cursor_in_others = await page.evaluate(() => report.panels.slice(1).map((p) => p.time.textContent));
await picture("cursor");

// Dragging zooms every plot.
await page.mouse.move(...at(0.25));
await page.mouse.down();
await page.mouse.move(...at(0.5), { steps: 8 });
await page.mouse.up();
await page.waitForTimeout(120);
found.dragged = await range();
found.scales = await page.evaluate(() => report.panels.map((p) => [p.plot.scales.x.min, p.plot.scales.x.max]));
await page.mouse.move(...at(0.5));
await page.waitForTimeout(60);
found.cursor_zoomed = await readings();
await picture("zoomed");
await page.mouse.wheel(0, -100);
await page.waitForTimeout(120);
found.wheeled = await range();
await page.mouse.dblclick(...at(0.5));
await page.waitForTimeout(120);
found.back = await range();

// Values are zoomed by dragging up and by the wheel with Shift, in this plot alone; a double click undoes it.
const heights = () => page.evaluate(() => report.panels.map((p) => [p.plot.scales.y.min, p.plot.scales.y.max]));
found.heights = await heights();
const up = (y) => [box.x + box.width / 2, box.y + y * box.height];
await page.mouse.move(...up(0.25));
await page.mouse.down();
await page.mouse.move(...up(0.75), { steps: 8 });
await page.mouse.up();
await page.waitForTimeout(120);
found.heights_dragged = await heights();
found.range_after = await range();
await page.keyboard.down("Shift");
await page.mouse.wheel(0, -100);
await page.keyboard.up("Shift");
await page.waitForTimeout(120);
found.heights_wheeled = await heights();
await page.mouse.dblclick(...at(0.5));
await page.waitForTimeout(120);
found.heights_back = await heights();

// Which are distinguished by what.
const pens = () => page.evaluate(() => report.panels[0].curves.map((c, i) => ({ run: c.run, name: c.signal.name, held: c.signal.held === true, stepped: report.panels[0].plot.series[i + 1].paths.toString() !== report.panels[0].plot.series[0].paths?.toString(), ...report.panels[0].pen(i) })));
found.pens = await pens();

// A signal on request, if there is one then one that no figure shows; then it goes again.
const shown = new Set(found.panels.flatMap((p) => p.signals));
const wanted = await page.evaluate(
  (names) => {
    const moving = [...report.every.values()].filter((s) => s.data !== undefined);
    return (moving.find((s) => !names.includes(s.name)) ?? moving[0]).name;
  },
  [...shown],
);
found.wanted = wanted;
await page.fill("#search", wanted);
found.listed = await page.locator("#list li").count();
await page.locator(`#list li[data-name="${wanted}"]`).click();
await until((name) => report.panels.some((p) => p.custom && p.names.includes(name) && p.plot), wanted);
found.asked = await page.evaluate(() => report.panels.filter((p) => p.custom).map((p) => p.names));
await page.locator("#signals").scrollIntoViewIfNeeded();
await picture("asked");
await page.locator(`#list li[data-name="${wanted}"]`).click();
await until(() => !report.panels.some((p) => p.custom));

// A curve is switched off and on again.
const check = page.locator("#plots .readings input").first();
await check.uncheck();
found.switched_off = await page.evaluate(() => report.panels[0].plot.series[1].show);
await check.check();
found.switched_on = await page.evaluate(() => report.panels[0].plot.series[1].show);

// How long all plots take to be drawn again while the user zooms: the median of some steps, in the page's own processor
// time, which other programs do not lengthen.
const browserTools = await page.context().newCDPSession(page);
await browserTools.send("Performance.enable");
const worked = async () => {
  const { metrics } = await browserTools.send("Performance.getMetrics");
  return 1000 * metrics.find((m) => m.name === "ThreadTime").value;
};
const zooms = [];
for (let i = 1; i <= 15; ++i) {
  const before = await worked();
  await page.evaluate(async (part) => {
    window.zoomedFrom ??= Array.from(report.range);
    const [from, to] = window.zoomedFrom;
    report.show([from, from + (to - from) * part]);
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }, 1 - i / 20);
  zooms.push((await worked()) - before);
}
await page.evaluate(() => report.show(window.zoomedFrom));
found.zoom_ms = zooms.sort((a, b) => a - b)[7];
await picture("page", { fullPage: true });

// Three sizes, light and dark: nothing reaches over the edge of the page.
found.overhang = {};
for (const scheme of ["light", "dark"])
  for (const [width, height] of [[480, 900], [1024, 768], [1600, 900]]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(250);
    found.overhang[`${scheme} ${width}`] = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await picture(`${scheme}_${width}`);
  }
found.dark_ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
found.dark_pens = await pens();
found.errors.push(...(await page.evaluate(() => report.problems)));

// The printed page: a page of A4 without its margins, 182 mm.
await page.emulateMedia({ media: "print" });
await page.setViewportSize({ width: 688, height: 1000 });
found.printed = await page.evaluate(() => {
  const seen = (each) => each.checkVisibility();
  const wide = [...document.querySelectorAll("table, #printed svg, #diagram svg")].filter(seen).map((each) => each.getBoundingClientRect().right);
  return { pictures: [...document.querySelectorAll("#printed svg")].filter(seen).length, canvases: [...document.querySelectorAll("canvas")].filter(seen).length,
           overhang: Math.max(...wide) - document.documentElement.clientWidth };
});
await picture("printed", { fullPage: true });
await browser.close();
console.log(JSON.stringify(found));
