// SPDX-License-Identifier: BSD-3-Clause
// The pictures of docs/studio.md.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { diagrams, folder, lessons, stands, Studio, until } from "./program.mjs";

const out = join(process.env.SOURCES, "docs", "studio");
mkdirSync(out, { recursive: true });

async function run(page, time, tick) {
  await page.selectOption("select[aria-label=Speed]", "0");
  await page.locator(".until").fill(String(time));
  await page.keyboard.press("Enter");
  await stands(page, tick);
  await page.locator(".until").fill("");
  await page.evaluate(() => document.activeElement.blur());
}

const studio = await Studio.start(folder(), join(diagrams, "pida.xml"));
try {
  for (const scheme of ["light", "dark"]) {
    const page = await studio.look({ width: 1440, height: 900 }, scheme);
    await page.evaluate(() => studio.scopes.active.names().forEach((name) => studio.scopes.active.toggle(name)));
    await page.evaluate(() => studio.scopes.take(["lead.led.force.x", "passivity.controlled.force.x"]));
    await page.evaluate(() => studio.scopes.take(["commanded_tip.velocity[0]"]));
    if (scheme === "light") {
      await run(page, 2.6, 2600);
      await page.locator(".symbol[data-path=lead]").click();
    } else {
      await page.evaluate(() => studio.diagram.toggle("rig"));
      await until(page, () => document.querySelector(".symbol[data-path='rig.sensor']") !== null);
      await page.evaluate(() => { document.activeElement.blur(); studio.scopes.active.zoom([2.35, 2.55]); studio.scopes.active.toggleCursors(); studio.side.show("results"); studio.diagram.view.fit(); });
    }
    await page.mouse.move(5, 5);
    await page.waitForTimeout(600);
    await page.screenshot({ path: join(out, `${scheme}.png`) });
    await page.close();
  }
  const page = await studio.look({ width: 1440, height: 900 });
  await page.keyboard.press("e");
  await until(page, () => document.querySelector(".knob.free") !== null);
  await page.locator(".symbol[data-path=lead]").click();
  await page.locator(".palette input").fill("delay");
  await until(page, () => document.querySelector(".palette [data-type='discrete/Delay']") !== null);
  const knob = await page.locator(".knob[data-port='lead.led'] .dot").boundingBox();
  await page.mouse.move(knob.x + knob.width / 2, knob.y + knob.height / 2);
  await page.mouse.down();
  await page.mouse.move(knob.x - 160, knob.y + 110, { steps: 4 });
  await until(page, () => document.querySelector(".knob.cannot") !== null);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(out, "edit.png") });
  await page.mouse.up();
  await page.close();
} finally {
  await studio.stop();
}

const modes = await Studio.start(folder(join(lessons, "03-subsystems-and-rigs")), "loop.xml");
try {
  const page = await modes.look({ width: 1440, height: 900 });
  await page.keyboard.press("e");
  await page.locator(".symbol[data-path=rig]").click();
  await page.keyboard.press("m");
  await page.locator(".symbol[data-path='rig@late.robot'] .body").click();
  await page.locator(".diagram").click({ position: { x: 6, y: 6 } }); // the sheet lists what differs
  await page.waitForTimeout(600);
  await page.screenshot({ path: join(out, "modes.png") });
} finally {
  await modes.stop();
}
