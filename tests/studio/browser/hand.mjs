// SPDX-License-Identifier: BSD-3-Clause
// A person who draws a diagram: blocks from the palette to places, values into the sheet, wires from port to port.
import { hasElement, hasValue, hasWire } from "./editing.mjs";
import { until } from "./program.mjs";

export const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

export class Hand {
  constructor(page) { this.page = page; }

  async begin() {
    await this.page.keyboard.press("e");
    await this.page.locator(".palette [role=option]").first().waitFor();
  }

  /** From the palette to a place of the drawing's box, px. */
  async drop(type, x, y) {
    const { page } = this, item = page.locator(`.palette [data-type='${type}']`);
    await page.locator(".palette input").fill(type.split("/").pop());
    await page.evaluate(() => window.studio.editor.palette.answered); // until then it shows what was searched before
    const from = middle(await item.boundingBox()), box = await page.locator(".diagram").boundingBox();
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(box.x + x, box.y + y, { steps: 3 });
    await page.mouse.up();
  }

  async put(type, name, x, y) {
    const { page } = this;
    await this.drop(type, x, y);
    await until(page, () => document.activeElement.id === "edit-name");
    await page.keyboard.press("Control+a");
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    await hasElement(page, name);
    await until(page, (n) => document.querySelector(".edit-sheet h2")?.textContent === n, name);
  }

  async set(name, values) {
    const { page } = this;
    await page.locator(`.symbol[data-path='${name}'] .body`).click();
    for (const [key, value] of Object.entries(values)) {
      await page.locator(`#edit-${key}`).fill(value);
      await page.locator(`#edit-${key}`).press("Enter");
      await hasValue(page, name, key, value);
    }
  }

  async join(from, to) {
    const { page } = this, at = async (port) => middle(await page.locator(`.knob[data-port='${port}'] .dot`).boundingBox());
    await until(page, (ports) => ports.every((each) => document.querySelector(`.knob[data-port='${each}']`)), [from, to]);
    await page.mouse.move(...(await at(from)));
    await page.mouse.down();
    await page.mouse.move(...(await at(to)), { steps: 3 });
    await page.mouse.up();
    await hasWire(page, from, to);
  }

  /** Drags the longest lying piece of a wire between two blocks up or down, px of the drawing. */
  async pull(from, to, dy) {
    const { page } = this, [x, y, scale] = await page.evaluate(([f, t]) => {
      const { view, box } = window.studio.diagram, { left, top } = box.getBoundingClientRect(), { points } = window.studio.editor.document_.view.scene.wires.find((each) => each.from === f && each.to === t);
      const lying = points.slice(1).map((b, i) => [points[i], b]).filter(([a, b]) => a[1] === b[1]).sort((one, other) => Math.abs(other[1][0] - other[0][0]) - Math.abs(one[1][0] - one[0][0]))[0], [a, b] = lying;
      return [left + view.x + (0.4 * a[0] + 0.6 * b[0]) * view.scale, top + view.y + a[1] * view.scale, view.scale];
    }, [from, to]);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + (dy * scale) / 2, { steps: 3 });
    await page.mouse.move(x, y + dy * scale, { steps: 3 });
    await page.mouse.up();
    await until(page, ([f, t]) => window.studio.editor.document_.view.wires.some((each) => each.from.startsWith(`${f}.`) && each.to.startsWith(`${t}.`) && each.bend), [from, to]);
  }

  async drag(name, dx, dy) {
    const { page } = this, [x, y] = middle(await page.locator(`.symbol[data-path='${name}'] .body`).boundingBox());
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + dx / 2, y + dy / 2);
    await page.mouse.move(x + dx, y + dy);
    await page.mouse.up();
  }
}

/** Symbols of the drawing that lie on one another. */
export const overlaps = (page) => page.evaluate(() => {
  const all = window.studio.diagram.symbols().map(({ symbol }) => symbol);
  return all.flatMap((a, i) => all.slice(0, i).filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height).map((b) => `${a.name} on ${b.name}`));
});
export const lines = (page) => page.evaluate(() => { const { wires } = window.studio.editor.document_.view.scene; return { tags: wires.filter((each) => each.tag).map((each) => each.title), wires: wires.filter((each) => each.points.length > 1).length }; });
export const settled = async (page) => { await page.evaluate(() => window.studio.editor.document_.settled()); await page.evaluate(() => window.studio.diagram.refresh()); };
