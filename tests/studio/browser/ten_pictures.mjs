// SPDX-License-Identifier: BSD-3-Clause
// docs/studio/ten.png: the ten diagrams of ten.mjs as the page draws them, built by mouse.
import { chromium } from "playwright-core";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder, Studio, until } from "./program.mjs";
import { build, empty, ten } from "./ten.mjs";

const pictures = [];
for (const each of ten) {
  const where = folder();
  writeFileSync(join(where, `${each.name}.xml`), empty(each.name));
  const studio = await Studio.start(where, `${each.name}.xml`);
  try {
    const page = await studio.look({ width: 1920, height: 1080 });
    await build(page, each);
    await page.keyboard.press("Control+s");
    await page.keyboard.press("Escape");
    await page.keyboard.press("e");
    await until(page, (n) => !window.studio.editor.on && document.querySelector(".knob") === null && window.studio.diagram.symbols().length === n, each.blocks.length);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.evaluate(() => window.studio.diagram.view.fit());
    await page.mouse.move(3, 3);
    await page.waitForTimeout(200);
    pictures.push([each.name, (await page.locator(".diagram").screenshot()).toString("base64")]);
  } finally {
    await studio.stop();
  }
}
const browser = await chromium.launch({ executablePath: process.env.BROWSER, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 1500, height: 400 } });
await page.setContent(`<body style="margin:6px;background:#d5dae1;font:15px sans-serif"><div style="display:grid;grid-template-columns:1fr 1fr;gap:6px">${pictures.map(([name, data]) =>
  `<figure style="margin:0;background:#fff"><figcaption style="padding:6px 10px">${name.replaceAll("_", " ")}</figcaption><img style="width:100%;display:block" src="data:image/png;base64,${data}"></figure>`).join("")}</div>`);
await page.waitForTimeout(400);
await page.screenshot({ path: join(process.env.SOURCES, "docs", "studio", "ten.png"), fullPage: true });
await browser.close();
