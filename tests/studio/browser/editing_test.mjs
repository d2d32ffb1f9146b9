// Diagrams that are edited on the page, in Debian's Chromium: studio.editing runs this by node --test.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { first, hasElement, hasValue, hasWire, Keyboard, lesson, meaning, Mouse, onPage, saved, text, view, whole } from "./editing.mjs";
import { diagrams, folder, stands, Studio, terminal, until } from "./program.mjs";

const blocks = [
  ["sources/Step", "push", { time: "100 ms", after: "50 N" }], ["math/Sum", "force", { signs: "+-" }], ["math/Gain", "acceleration", { gain: "0.1 1/kg" }],
  ["discrete/DiscreteIntegrator", "velocity", {}], ["discrete/DiscreteIntegrator", "position", {}], ["math/Gain", "spring", { gain: "4 N/mm" }], ["discrete/Delay", "late", { delay: "5 ms" }],
];
const wires = [["push.y", "force.u[0]"], ["late.y", "force.u[1]"], ["force.y", "acceleration.u"], ["acceleration.y", "velocity.u"], ["velocity.y", "position.u"], ["position.y", "spring.u"], ["spring.y", "late.u"]];

onPage("lesson 01 is built by mouse alone", first, ["first.xml"], async (page, studio) => {
  const mouse = new Mouse(page);
  await mouse.begin();
  const places = [[60, 70], [170, 70], [300, 70], [420, 70], [560, 70], [560, 230], [300, 230]];
  for (const [i, [type, name, values]] of blocks.entries()) {
    await mouse.add(type, ...places[i], name);
    for (const [key, value] of Object.entries(values)) await mouse.set(name, key, value);
  }
  for (const [from, to] of wires) await mouse.connect(from, to);
  await until(page, () => window.studio.editor.document_.sound);
  await mouse.button("Save the diagram's files (Ctrl S)");
  await saved(page);
  assert.deepEqual(meaning(text(studio)), meaning(lesson));
  assert.match(text(studio), /name="push".* ui\.x="-?\d+" ui\.y="-?\d+"/);
  await page.screenshot({ path: "pictures/edited_by_mouse.png" });
  terminal(studio.where, "run", "first.xml", "--for", "1s", "--no-log");
});

onPage("lesson 01 is built by keyboard alone", first, ["first.xml"], async (page, studio) => {
  const keys = new Keyboard(page);
  await keys.begin();
  for (const [type, name, values] of blocks) {
    await keys.add(type, name);
    for (const [key, value] of Object.entries(values)) await keys.set(name, key, value);
  }
  for (const [from, to] of wires) await keys.connect(from, to);
  await until(page, () => window.studio.editor.document_.sound);
  await keys.press("Control+s");
  await saved(page);
  assert.deepEqual(text(studio).split("\n").filter(Boolean), lesson.split("\n").filter(Boolean), "to the byte, but for empty lines");
  await keys.press("Escape");
  await keys.press("Space");
  await until(page, () => window.studio.session.state.tick > 50);
  assert.equal(await page.evaluate(() => window.studio.session.blocks.has("spring")), true);
});

onPage("an edit while it runs keeps the state, and is taken back", whole, ["first.xml"], async (page) => {
  await page.keyboard.press("e");
  await hasElement(page, "late");
  await page.keyboard.press("Space");
  await until(page, () => window.studio.session.state.tick > 300);
  const revision = await page.evaluate(() => window.studio.session.hello.revision);
  const reply = await page.evaluate(() => window.studio.editor.document_.edit([["set", "late.delay=8 ms"]]));
  assert.equal(reply.ok, true);
  await until(page, (r) => window.studio.session.hello.revision > r, revision);
  assert.ok((await page.evaluate(() => window.studio.session.state.tick)) > 300, "it goes on");
  assert.equal(await page.evaluate(() => window.studio.session.state.state), "running");
  await page.keyboard.press("Control+z");
  await hasValue(page, "late", "delay", "5 ms");
  await until(page, () => !window.studio.editor.document_.unsaved);
});

onPage("ports that cannot fit are grey before one lets go", whole, ["first.xml"], async (page, studio) => {
  const mouse = new Mouse(page);
  await page.keyboard.press("e");
  await hasWire(page, "late.y", "force.u[1]");
  await page.evaluate(() => window.studio.editor.document_.edit([["disconnect", "force.u[1]"]]));
  await until(page, () => document.querySelector(".knob.free[data-port='force.u[1]']") !== null);
  await page.mouse.move(...(await mouse.knob("velocity.y")));
  await page.mouse.down();
  await page.mouse.move(...(await mouse.knob("force.u[1]")), { steps: 4 });
  await until(page, () => document.querySelector(".knob[data-port='force.u[1]']").classList.contains("cannot"));
  await page.mouse.up();
  await until(page, () => /units differ|does not fit/.test(document.querySelector(".told").textContent));
  assert.ok(!(await view(page)).wires.some((each) => each.to === "force.u[1]"));
  await page.mouse.move(...(await mouse.knob("late.y")));
  await page.mouse.down();
  await page.mouse.move(...(await mouse.knob("force.u[1]")), { steps: 4 });
  await until(page, () => document.querySelector(".knob[data-port='force.u[1]']").classList.contains("fits"));
  await page.mouse.up();
  await hasWire(page, "late.y", "force.u[1]");
  await page.keyboard.press("Control+s");
  await saved(page);
  assert.deepEqual(meaning(text(studio)).sort(), meaning(lesson).sort());
});

onPage("a dragged block is pinned, and no other line of the file changes", whole, ["first.xml"], async (page, studio) => {
  await page.keyboard.press("e");
  await hasElement(page, "late");
  const box = await page.locator(".symbol[data-path=late]").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2 + 40, { steps: 5 });
  await page.mouse.up();
  await until(page, () => window.studio.editor.document_.unsaved);
  await page.keyboard.press("Control+s");
  await saved(page);
  const before = lesson.split("\n"), after = text(studio).split("\n");
  assert.equal(before.length, after.length);
  assert.deepEqual(after.filter((line, i) => line !== before[i]).map((line) => /name="(\w+)".*ui\.x="-?\d+" ui\.y="-?\d+"/.exec(line)?.[1]), ["late"]);
});

onPage("an edit makes nothing anew that it does not mean", whole, ["first.xml"], async (page) => {
  await page.keyboard.press("e");
  await hasElement(page, "late");
  await page.evaluate(() => { for (const each of document.querySelectorAll(".diagram .symbol, .diagram .net, .diagram .knob")) each.wasThere = true; });
  const fresh = (kind) => page.evaluate((k) => [...document.querySelectorAll(`.diagram ${k}`)].filter((each) => !each.wasThere).map((each) => each.dataset.path ?? each.dataset.port ?? ""), kind);
  const edited = (...operation) => page.evaluate((o) => window.studio.editor.document_.edit([o]), operation);
  await edited("set", "spring.gain=5 N/mm");
  await until(page, () => document.querySelector(".symbol[data-path=spring]").textContent.includes("5 N/mm"));
  assert.deepEqual([await fresh(".symbol"), await fresh(".net"), await fresh(".knob")], [["spring"], [], []]);
  await edited("disconnect", "late.y", "force.u[1]");
  await until(page, () => document.querySelector(".knob.free[data-port='force.u[1]']") !== null);
  await page.locator(".symbol[data-path=late].unfinished, .symbol[data-path=force].unfinished").first().waitFor();
  await page.keyboard.press("Control+z");
  await until(page, () => document.querySelector(".unfinished, .wrong, title.finding") === null);
});

onPage("keystrokes in a parameter are checked before anything is taken", whole, ["first.xml"], async (page) => {
  await page.keyboard.press("e");
  await hasElement(page, "spring");
  await page.locator(".symbol[data-path=spring]").click();
  const field = page.locator("#edit-gain");
  await field.fill("4 V");
  await until(page, () => !document.querySelector("[data-attribute=gain] .refused").hidden);
  assert.equal(await page.evaluate(() => window.studio.editor.document_.unsaved), false);
  await field.fill("5 N/mm");
  await until(page, () => document.querySelector("[data-attribute=gain] .refused").hidden);
  await page.keyboard.press("Enter");
  await hasValue(page, "spring", "gain", "5 N/mm");
});

test("a PIDA variant: a delay is inserted, tuned live, saved as an experiment, and the terminal gives the same bits", async () => {
  const studio = await Studio.start(folder(diagrams), "pida.xml");
  try {
    const { where } = studio, page = await studio.look({ width: 1600, height: 1000 }), keys = new Keyboard(page), mouse = new Mouse(page);
    await keys.begin();
    await hasWire(page, "lead.led", "compensator.wrench");
    await page.locator(".symbol[data-path=lead]").click();
    await page.getByRole("button", { name: "Disconnect lead.led from compensator.wrench" }).click();
    await until(page, () => !window.studio.editor.document_.view.wires.some((each) => each.to === "compensator.wrench"));
    await keys.add("discrete/Delay", "late");
    await keys.set("late", "delay", "1 ms");
    await keys.connect("lead.led", "late.u");
    await keys.connect("late.y", "compensator.wrench");
    await until(page, () => window.studio.editor.document_.sound);
    await page.screenshot({ path: "pictures/pida_variant.png" });
    await keys.press("Control+s");
    await saved(page);
    await mouse.button("Edit the diagram (e)");
    await until(page, () => window.studio.session.blocks.has("late"));
    await page.selectOption("select[aria-label=Speed]", "0");
    const run = async (time, tick) => { await page.locator(".until").fill(String(time)); await keys.press("Enter"); await stands(page, tick); };
    await run(1, 1000);
    const reply = await page.evaluate(() => window.studio.session.ask("set", { settings: [{ path: "lead.time_constant", text: "1 ms" }] }));
    assert.equal(reply.ok, true, JSON.stringify(reply));
    await run(3, 3000);
    await page.evaluate(() => document.activeElement.blur());
    await keys.press("Control+s");
    await until(page, () => document.querySelector(".saved code") !== null);
    const command = await page.locator(".saved code").innerText();
    await page.evaluate(() => window.studio.scopes.take(["passivity.controlled.force.x"]));
    await until(page, () => (window.studio.session.series.get("passivity.controlled.force.x")?.end ?? 0) > 2.99);
    const here = await page.evaluate(() => { const { times, values, count } = window.studio.session.series.get("passivity.controlled.force.x"); return [...times.slice(0, count)].map((t, i) => [Math.round(t * 1000), values[i]]); });
    terminal(where, ...command.split(" ").slice(1), "--for", "3s", "--log", "again.mcap");
    terminal(where, "export", "again.mcap", "passivity.controlled.force.x", "--csv", "-o", "again.csv");
    const there = new Map(readFileSync(join(where, "again.csv"), "utf8").trim().split("\n").filter((line) => /^[\d.]/.test(line)).map((line) => line.split(",").map(Number)).map(([t, v]) => [Math.round(t * 1000), v]));
    let compared = 0;
    for (const [t, v] of here) if (there.has(t)) ++compared, assert.ok(Object.is(there.get(t), v), `tick ${t}: ${v} and ${there.get(t)}`);
    assert.ok(compared > 1000, `${compared} samples compared`);
    assert.deepEqual(studio.problems, []);
  } finally {
    await studio.stop();
  }
});

test("a server that is killed loses no edit: they are offered again", async () => {
  const where = folder(), log = join(where, "first.xml");
  writeFileSync(log, lesson);
  const killed = await Studio.start(where, "first.xml");
  const page = await killed.look();
  await page.keyboard.press("e");
  await hasElement(page, "late");
  for (const operation of [["set", "late.delay=7 ms"], ["rename", "spring", "stiffness"], ["add", "math/Gain", "more", "gain=2"]]) assert.equal((await page.evaluate((o) => window.studio.editor.document_.edit([o]), operation)).ok, true);
  killed.child.kill("SIGKILL");
  await killed.ended;
  await killed.browser.close();
  assert.equal(readFileSync(log, "utf8"), lesson);
  const studio = await Studio.start(where, "first.xml");
  try {
    const again = await studio.look();
    await again.keyboard.press("e");
    await again.getByRole("button", { name: "Make these edits again" }).click();
    await hasElement(again, "more");
    await hasElement(again, "stiffness");
    await hasValue(again, "late", "delay", "7 ms");
    await again.keyboard.press("Control+z");
    await until(again, () => !window.studio.editor.document_.view.elements.some((each) => each.name === "more"));
    await again.keyboard.press("Control+s");
    await saved(again);
    assert.match(readFileSync(log, "utf8"), /name="stiffness"/);
    assert.equal(existsSync(join(where, ".first.xml.edits")), false);
    assert.deepEqual(studio.problems, []);
  } finally {
    await studio.stop();
  }
});

onPage("a file that somebody else changes is merged; where it cannot be, both sides are shown", whole, ["first.xml"], async (page, studio) => {
  const file = join(studio.where, "first.xml");
  await page.keyboard.press("e");
  await hasElement(page, "late");
  await page.evaluate(() => window.studio.editor.document_.edit([["set", "late.delay=7 ms"]]));
  const theirs = lesson.replace("50 N", "60 N");
  writeFileSync(file, theirs);
  await hasValue(page, "push", "after", "60 N");
  await hasValue(page, "late", "delay", "7 ms");
  assert.equal(readFileSync(file, "utf8"), theirs);
  const more = theirs.replace('delay="5 ms"', 'delay="9 ms"');
  writeFileSync(file, more);
  await page.locator("dialog[open] .difference").waitFor();
  const seen = await page.locator("dialog[open] .difference").innerText();
  assert.match(seen, /-.*9 ms/);
  assert.match(seen, /\+.*7 ms/);
  assert.equal(readFileSync(file, "utf8"), more);
  await page.getByRole("button", { name: "What was edited here goes into a new file" }).click();
  await hasValue(page, "late", "delay", "9 ms");
  assert.match(text(studio, "first.mine.xml"), /7 ms/);
  assert.equal(readFileSync(file, "utf8"), more);
});

onPage("two pages edit one document, and see each other's edits", whole, ["first.xml"], async (page, studio) => {
  const other = await studio.look();
  for (const each of [page, other]) {
    await each.keyboard.press("e");
    await hasElement(each, "late");
  }
  await page.evaluate(() => window.studio.editor.document_.edit([["rename", "spring", "stiffness"]]));
  await hasElement(other, "stiffness");
  assert.equal((await other.evaluate(() => window.studio.editor.document_.edit([["set", "stiffness.gain=3 N/mm"]]))).ok, true);
  await hasValue(page, "stiffness", "gain", "3 N/mm");
});

onPage("groups, goes inside, extracts, duplicates; markup stays text; nothing outside of the folder is written", whole, ["first.xml"], async (page, studio) => {
  const edit = (...operations) => page.evaluate((o) => window.studio.editor.document_.edit(o), operations);
  await page.keyboard.press("e");
  await hasElement(page, "late");
  await page.locator(".symbol[data-path=spring]").click();
  await page.locator(".symbol[data-path=late]").click({ modifiers: ["Shift"] });
  await page.keyboard.press("Control+g");
  await page.locator("dialog[open] input").fill("contact");
  await page.keyboard.press("Enter");
  await hasElement(page, "contact");
  await page.locator(".symbol[data-path=contact]").dblclick();
  await until(page, () => window.studio.editor.document_.view.inside === "contact" && window.studio.editor.document_.view.elements.some((each) => each.name === "late"));
  await page.locator(".symbol[data-path='contact.late']").click();
  await page.locator("#edit-delay").fill("6 ms");
  await page.keyboard.press("Enter");
  await hasValue(page, "late", "delay", "6 ms");
  await page.locator(".crumbs button").first().click();
  await until(page, () => window.studio.editor.document_.view.inside === "");
  for (const file of ["/tmp/hilda_evil.xml", "../evil.xml"]) assert.equal((await edit(["extract", "contact", "to", file])).ok, false, file);
  assert.equal((await edit(["add", "math/Gain", "<img src=x onerror=alert(1)>", "gain=1"])).ok, false);
  assert.equal((await edit(["add", "math/Gain", "odd", "gain=1", 'doc=<img src=x onerror="document.title=1"><script>document.title=2</script>'])).ok, true);
  await page.locator(".symbol[data-path=odd]").click();
  assert.equal(await page.locator(".edit-sheet img, .edit-sheet script").count(), 0);
  assert.equal(await page.title(), "first: hilda studio");
  await page.keyboard.press("Control+d");
  await hasElement(page, "odd2");
  assert.equal((await edit(["remove", "odd", "odd2"], ["extract", "contact", "to", "contact.xml"])).ok, true);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Control+s");
  await saved(page);
  assert.match(text(studio, "contact.xml"), /delay="6 ms"/);
  assert.match(text(studio), /src="contact.xml"/);
  assert.match(terminal(studio.where, "check", "first.xml"), /sound/);
});

onPage("a plugin from a subsystem that is not saved: saving is offered, and what was edited is written", whole, ["first.xml"], async (page, studio) => {
  await page.keyboard.press("e");
  await hasElement(page, "late");
  await page.evaluate(() => window.studio.editor.document_.edit([["group", "spring", "late", "as", "contact"]]));
  await page.locator(".symbol[data-path=contact] .body").click({ button: "right" });
  await page.keyboard.press("Enter");
  await until(page, () => /not saved|edits are not/.test(document.querySelector(".new-plugin .said").textContent));
  assert.equal(existsSync(join(studio.where, "my_contact")), false);
  await page.getByRole("button", { name: "Save what is edited, and write the plugin from it" }).click();
  await until(page, () => document.querySelector(".new-plugin .said").textContent.includes("my_contact_test.cpp"));
  assert.match(text(studio), /<subsystem name="contact">/);
  assert.equal(existsSync(join(studio.where, "my_contact", "my_contact.cpp")), true);
});

test("a new diagram begins where there is no file", async () => {
  const studio = await Studio.start(folder(), "new.xml");
  try {
    const page = await studio.look(), keys = new Keyboard(page);
    await keys.begin();
    await keys.add("sources/Sine", "wave");
    await keys.set("wave", "frequency", "2 Hz");
    assert.equal(existsSync(join(studio.where, "new.xml")), false);
    await keys.press("Control+s");
    await saved(page);
    assert.match(readFileSync(join(studio.where, "new.xml"), "utf8"), /<diagram format="1" name="new" period="1 ms">/);
    assert.deepEqual(studio.problems, []);
  } finally {
    await studio.stop();
  }
});

/** A generator that gives the same numbers each time. */
const seeded = (seed) => () => { seed = (seed * 1664525 + 1013904223) >>> 0; return seed / 4294967296; };

test("a monkey clicks and types: no error, no lost edit, no dead server", { timeout: 4e6 }, async () => {
  const seconds = Number(process.env.HILDA_MONKEY_SECONDS ?? 25), random = seeded(Number(process.env.HILDA_MONKEY_SEED ?? 1)), pick = (list) => list[Math.floor(random() * list.length)];
  const studio = await Studio.start(folder(diagrams), "pida.xml");
  let done = 0;
  try {
    const page = await studio.look({ width: 1440, height: 900 });
    page.on("dialog", (dialog) => void dialog.dismiss());
    await page.keyboard.press("e");
    await hasElement(page, "lead");
    const keys = ["Escape", "a", "c", "Delete", "Control+z", "Control+y", "Control+d", "Control+g", "Control+c", "Control+x", "Control+v", "F2", "Enter", "Tab", "Space", "ArrowDown", "ArrowRight", "f", "Home", "o", "Backspace", ",", ".", "e", "t", "Alt+ArrowLeft", "Shift+Enter", "1", "5", "F6", "?", "Control+s"];
    const places = [".symbol", ".knob .dot", ".wire .grip", ".palette [role=option]", ".edit-bar button:not(:disabled)", ".edit-sheet input", ".port-row button", ".outline", "[role=tab]", "dialog[open] button", "dialog[open] [role=option]", ".crumbs button", ".transport button:not(:disabled)"];
    const spot = async (selector) => {
      const boxes = await page.locator(selector).evaluateAll((all) => all.map((each) => each.getBoundingClientRect()).filter((b) => b.width && b.right > 0 && b.bottom > 0 && b.x < innerWidth && b.y < innerHeight).map((b) => [b.x + b.width / 2, b.y + b.height / 2]));
      return boxes.length ? pick(boxes) : null;
    };
    for (const end = Date.now() + seconds * 1000; Date.now() < end; ++done) {
      if (done % 40 === 39) { // out of whatever it is in, and on
        for (let i = 0; i < 3; ++i) await page.keyboard.press("Escape");
        await page.evaluate(() => { if (!window.studio.editor.on) return window.studio.editor.toggle(); });
      }
      const what = random();
      if (what < 0.3) await page.keyboard.press(pick(keys));
      else if (what < 0.4) await page.keyboard.type(pick(["gain", "5 ms", "${", "x", "lead.led", "<&\"", "0", "-1e999", "velocity"]));
      else {
        const from = await spot(pick(places)), to = what < 0.65 ? await spot(pick([".symbol", ".knob .dot", ".diagram"])) : null;
        if (!from) continue;
        await page.mouse.move(...from);
        const band = to && random() < 0.15;
        if (to) {
          if (band) await page.keyboard.down("Shift");
          await page.mouse.down();
          await page.mouse.move(to[0] + 30 * random(), to[1] + 30 * random(), { steps: 3 });
          await page.mouse.up();
          if (band) await page.keyboard.up("Shift");
        } else await page.mouse.click(...from, { clickCount: random() < 0.2 ? 2 : 1, modifiers: random() < 0.15 ? ["Shift"] : [] });
      }
      if (studio.child.exitCode !== null) assert.fail(`the server died after ${done} steps:\n${studio.said}`);
      assert.deepEqual(studio.problems, [], `after ${done} steps`);
    }
    // What the page has is what the server has; and what is journalled is what was edited.
    for (let i = 0; i < 5; ++i) await page.keyboard.press("Escape");
    const texts = await page.evaluate(async () => (await window.studio.session.ask("diff", {})).diff);
    const revision = await page.evaluate(async () => (await window.studio.session.ask("documents", {})).documents[0].revision);
    studio.child.kill("SIGKILL");
    await studio.ended;
    const again = await Studio.start(studio.where, "pida.xml");
    try {
      const after = await again.look();
      await after.evaluate(() => window.studio.session.ask("recover", { take: true }, true));
      assert.equal(await after.evaluate(async () => (await window.studio.session.ask("diff", {})).diff), texts, `${done} steps, revision ${revision}`);
    } finally {
      await again.stop();
    }
    console.log(`monkey: ${done} steps in ${seconds} s, revision ${revision}`);
  } finally {
    await studio.stop();
  }
});

test("the editor holds its place from 1280 px to 4K, dark and light", async () => {
  const studio = await Studio.start(folder(), join(diagrams, "pida.xml"));
  try {
    for (const [width, height] of [[1280, 800], [3840, 2160]])
      for (const scheme of ["light", "dark"]) {
        const page = await studio.look({ width, height }, scheme);
        await page.keyboard.press("e");
        await hasElement(page, "lead");
        await page.locator(".symbol[data-path=lead]").click();
        await page.waitForTimeout(300);
        await page.screenshot({ path: `pictures/edit_${width}_${scheme}.png` });
        const over = await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]);
        assert.deepEqual(over, [0, 0]);
        const cut = await page.evaluate(() => { const bar = document.querySelector(".edit-bar").getBoundingClientRect(); return [...document.querySelectorAll(".edit-bar button")].filter((b) => b.getBoundingClientRect().right > bar.right + 1).length; });
        assert.equal(cut, 0);
        assert.deepEqual(studio.problems, []);
        await page.close();
      }
  } finally {
    await studio.stop();
  }
});
