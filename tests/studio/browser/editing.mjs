// SPDX-License-Identifier: BSD-3-Clause
// What a person does to edit: by mouse alone, or by keys alone.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { folder, lessons, Studio, until } from "./program.mjs";

export const lesson = readFileSync(join(lessons, "01-first-diagram", "first.xml"), "utf8");
export const begun = lesson.split("\n")[0] + "\n</diagram>\n";
/** A test with its own studio and page, on a folder with these files. */
export const onPage = (name, files, words, body, size = { width: 1440, height: 900 }) =>
  test(name, async () => {
    const where = folder();
    for (const [file, text] of Object.entries(files)) writeFileSync(join(where, file), text);
    const studio = await Studio.start(where, ...words);
    try {
      await body(await studio.look(size), studio);
      assert.deepEqual(studio.problems, [], "the page has errors");
    } finally {
      await studio.stop();
    }
  });
export const first = { "first.xml": begun }, whole = { "first.xml": lesson };
export const text = ({ where }, file = "first.xml") => readFileSync(join(where, file), "utf8");

export const view = (page) => page.evaluate(() => window.studio.editor.document_.view);
export const element = async (page, name) => (await view(page)).elements.find((each) => each.name === name);
export const hasElement = (page, name) => until(page, (n) => window.studio.editor.document_.view?.elements.some((each) => each.name === n), name);
export const hasWire = (page, from, to) => until(page, (w) => window.studio.editor.document_.view?.wires.some((each) => each.from === w[0] && each.to === w[1]), [from, to]);
export const hasValue = (page, name, key, value) => until(page, (w) => window.studio.editor.document_.view?.elements.some((each) => each.name === w[0] && each.attributes[w[1]] === w[2]), [name, key, value]);
export const saved = (page) => until(page, () => window.studio.editor.document_.states.length > 0 && !window.studio.editor.document_.unsaved);

/** Lines of a diagram, without places of the drawing and empty lines. */
export const meaning = (text) => text.split("\n").map((line) => line.replace(/ ui\.[xy]="[^"]*"/g, "").trim()).filter(Boolean);

const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];

export class Mouse {
  constructor(page) { this.page = page; }

  async click(locator) {
    const box = await locator.boundingBox();
    await this.page.mouse.click(...middle(box));
  }
  button(name) { return this.click(this.page.getByRole("button", { name, exact: true }).first()); }

  async begin() {
    await this.button("Edit the diagram (e)");
    await this.page.locator(".palette [role=option]").first().waitFor();
    await this.button("Letters and digits to click");
  }

  /** Clicks keys on the screen. */
  async write(text, clear = true) {
    const pad = this.page.locator(".keypad");
    if (clear) await this.click(pad.getByRole("button", { name: "Empty the field" }));
    const units = [" ms", " s", " mm", " m", " N/mm", " N/m", " N", " 1/kg", " kg"];
    for (let at = 0; at < text.length;) {
      const unit = units.find((each) => text.slice(at) === each), piece = unit ?? text[at];
      await this.click(pad.getByRole("button", { name: piece === " " ? "space: Write a blank" : unit ? `Write the unit ${unit.trim()}` : `Write ${piece}`, exact: true }));
      at += piece.length;
    }
    await this.click(pad.getByRole("button", { name: "Enter" }));
  }

  /** From the palette into the diagram, px of its box. */
  async add(type, x, y, name) {
    const { page } = this, item = page.locator(`.palette [data-type='${type}']`).last(), list = page.locator("#palette-list"), frame = await list.boundingBox();
    await page.mouse.move(...middle(frame));
    for (let i = 0; i < 80; ++i) {
      const box = await item.boundingBox();
      if (box && box.y > frame.y && box.y + box.height < frame.y + frame.height) break;
      await page.mouse.wheel(0, box && box.y < frame.y ? -150 : 150);
      await page.waitForTimeout(15);
    }
    const from = middle(await item.boundingBox()), box = await page.locator(".diagram").boundingBox();
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(box.x + x - 20, box.y + y - 10, { steps: 4 });
    await page.mouse.move(box.x + x, box.y + y, { steps: 2 });
    await page.mouse.up();
    await until(page, () => document.activeElement.id === "edit-name");
    await this.write(name);
    await hasElement(page, name);
  }

  async set(name, key, value) {
    await this.click(this.page.locator(`#edit-${key}`));
    await this.write(value);
    await hasValue(this.page, name, key, value);
  }

  async knob(port) { return middle(await this.page.locator(`.knob[data-port='${port}'] .dot`).boundingBox()); }

  async connect(from, to) {
    const { page } = this;
    await page.mouse.move(...(await this.knob(from)));
    await page.mouse.down();
    await page.mouse.move(...(await this.knob(to)), { steps: 5 });
    await page.mouse.up();
    await hasWire(page, from, to);
  }
}

export class Keyboard {
  constructor(page) { this.page = page; }
  press(key) { return this.page.keyboard.press(key); }
  type(text) { return this.page.keyboard.type(text); }

  async begin() {
    await this.press("e");
    await this.page.locator(".palette [role=option]").first().waitFor();
  }

  async add(type, name) {
    await this.press("Escape");
    await this.press("a");
    await until(this.page, () => document.activeElement.closest(".palette") !== null);
    await this.press("Control+a");
    await this.type(type.split("/")[1]);
    await until(this.page, (t) => document.querySelector(`.palette [data-type='${t}']`) !== null && document.querySelectorAll(".palette [role=option]").length < 60, type);
    const way = () => this.page.evaluate((t) => { // the list of the last letter may come between two keys
      const all = [...document.querySelectorAll(".palette [role=option]")], at = all.findIndex((each) => each.ariaSelected === "true"), to = all.findIndex((each) => each.dataset.type === t);
      return Math.sign(to - at);
    }, type);
    for (let i = 0, to = await way(); i < 80 && to !== 0; ++i, to = await way()) await this.press(to > 0 ? "ArrowDown" : "ArrowUp");
    await this.press("Enter");
    await until(this.page, () => document.activeElement.id === "edit-name");
    await this.type(name);
    await this.press("Enter");
    await hasElement(this.page, name);
  }

  async set(name, key, value) {
    await until(this.page, (n) => document.querySelector(".edit-sheet h2")?.textContent === n, name);
    for (let i = 0; i < 30 && (await this.page.evaluate(() => document.activeElement.id)) !== `edit-${key}`; ++i) await this.press("Tab");
    await this.press("Control+a");
    await this.type(value);
    await this.press("Enter");
    await hasValue(this.page, name, key, value);
  }

  async connect(from, to) {
    await this.press("Escape");
    await this.press("c");
    for (const port of [from, to]) {
      await until(this.page, (p) => [...document.querySelectorAll("dialog[open] [role=option]")].some((each) => each.dataset.value === p), port);
      await this.type(port);
      await until(this.page, (p) => document.querySelector("dialog[open] [aria-selected=true]")?.dataset.value === p, port);
      await this.press("Enter");
    }
    await hasWire(this.page, from, to);
  }
}
