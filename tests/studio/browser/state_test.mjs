// SPDX-License-Identifier: BSD-3-Clause
// What the page says of its state: values that are not the file's, files that are not saved, a log that is lost, a server that
// is gone, a run that has ended. studio.state runs this by node --test.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { hasElement, lesson } from "./editing.mjs";
import { folder, stands, Studio, until } from "./program.mjs";

const onState = (name, words, body) => test(name, async () => {
  const where = folder();
  writeFileSync(join(where, "first.xml"), lesson);
  const studio = words.limit ? await Studio.limited(where, words.limit, "studio", "first.xml", ...words.more) : await Studio.start(where, "first.xml", ...words);
  try {
    await body(await studio.look({ width: 1440, height: 900 }), studio);
    assert.deepEqual(studio.problems.filter((each) => !/WebSocket connection|ERR_CONNECTION|ERR_SOCKET|401/.test(each)), [], "the page has errors");
  } finally {
    await studio.stop();
  }
});
const says = (page, state, words) => until(page, (w) => new RegExp(w[1]).test(document.querySelector(`.state-line [data-state='${w[0]}']`)?.textContent ?? ""), [state, words]);
const nothing = (page, state) => until(page, (s) => !document.querySelector(`.state-line [data-state='${s}']`), state);
const symbol = (page, name) => page.evaluate((n) => [...document.querySelectorAll(`.symbol[data-path=${n}] text`)].map((each) => each.textContent), name);

onState("a symbol shows the value in use with the file's beside it; back to the file's, and into the file", [], async (page, studio) => {
  const file = join(studio.where, "first.xml");
  assert.ok((await symbol(page, "spring")).includes("4 N/mm"));
  await page.evaluate(() => window.studio.session.ask("set", { settings: [{ path: "spring.gain", text: "7 N/mm" }] }));
  await until(page, () => document.querySelector(".symbol[data-path=spring] .in-file")?.textContent === "file 4 N/mm");
  assert.equal(await page.locator(".symbol[data-path=spring] .used").textContent(), "7 N/mm");
  const colours = await page.evaluate(() => [".used", ".in-file"].map((each) => getComputedStyle(document.querySelector(`.symbol[data-path=spring] ${each}`)).fill));
  assert.notEqual(colours[0], colours[1]);
  await says(page, "tuned", "spring.gain = 7 N/mm \\(file 4 N/mm\\)");
  await page.locator(".symbol[data-path=spring] .body").click();
  await page.getByRole("button", { name: "Back to the file's gain" }).click();
  await nothing(page, "tuned");
  assert.ok((await symbol(page, "spring")).includes("4 N/mm"));
  // the file is edited while another value is in use
  await page.evaluate(() => window.studio.session.ask("set", { settings: [{ path: "spring.gain", text: "7 N/mm" }] }));
  await says(page, "tuned", "7 N/mm");
  await page.keyboard.press("Escape");
  await page.locator(".symbol[data-path=spring] .body").click();
  await page.keyboard.press("e");
  await hasElement(page, "spring");
  await page.locator(".symbol[data-path=spring] .body").click();
  await page.locator("#edit-gain").fill("3 N/mm");
  await page.locator("#edit-gain").press("Enter");
  await says(page, "tuned", "spring.gain = 7 N/mm \\(file 3 N/mm\\)");
  await until(page, () => document.querySelector(".symbol[data-path=spring] .in-file")?.textContent === "file 3 N/mm");
  assert.equal(await page.evaluate(() => window.studio.session.parameters.get("spring.gain").value), 7000);
  // the field is left while the button is pressed, which draws the sheet again
  await page.locator("#edit-gain").focus();
  await page.getByRole("button", { name: /^Write into the file: gain 7/ }).first().hover();
  await page.mouse.down();
  await page.evaluate(() => new Promise((resume) => setTimeout(resume, 50)));
  await page.mouse.up();
  await nothing(page, "tuned");
  await page.keyboard.press("Control+s");
  await nothing(page, "unsaved");
  assert.match(readFileSync(file, "utf8"), /name="spring"[^>]*gain="7 N\/mm"/);
});

onState("what is not saved is said on top and in the title, also where nobody edits; before leaving one is asked, and the terminal says where it lies", [], async (page, studio) => {
  await page.keyboard.press("e");
  await hasElement(page, "late");
  await page.locator(".symbol[data-path=late] .body").click();
  await page.locator("#edit-delay").fill("7 ms");
  await page.locator("#edit-delay").press("Enter");
  await says(page, "unsaved", "Not saved: first.xml");
  await page.keyboard.press("Escape");
  await page.keyboard.press("e");
  await until(page, () => !window.studio.editor.on);
  await says(page, "unsaved", "Not saved");
  assert.match(await page.title(), /^not saved: first/);
  let asked = 0;
  page.on("dialog", (dialog) => { asked += dialog.type() === "beforeunload"; void dialog.accept(); });
  await page.reload();
  await until(page, () => window.studio?.session.hello !== null);
  assert.equal(asked, 1);
  await says(page, "unsaved", "Not saved: first.xml");
  studio.child.kill("SIGINT");
  await studio.ended;
  assert.match(studio.said, /first\.xml has edits that are not saved: they lie in \S*\.first\.xml\.edits/);
  assert.ok(readFileSync(join(studio.where, ".first.xml.edits"), "utf8").includes("7 ms"));
  await studio.again("first.xml");
  await page.goto(studio.url);
  await page.getByRole("button", { name: "Apply these edits again" }).click();
  await says(page, "unsaved", "Not saved: first.xml");
  await page.keyboard.press("Control+s");
  await nothing(page, "unsaved");
  assert.match(readFileSync(join(studio.where, "first.xml"), "utf8"), /delay="7 ms"/);
  assert.doesNotMatch(await page.title(), /not saved/);
});

onState("a log that is lost is told with its reason", { limit: 64, more: ["--log", "full.mcap"] }, async (page) => {
  await page.selectOption("select[aria-label=Speed]", "0");
  await page.evaluate(() => window.studio.session.ask("run", { until: 60, speed: 0 }));
  await says(page, "log", "the log ends here, it cannot be written|File too large");
  assert.match(await page.title(), /log lost/);
});

onState("a run that has ended says so, and Again begins it once more", ["--for", "0.2 s"], async (page) => {
  await page.selectOption("select[aria-label=Speed]", "0");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Space");
  await says(page, "ended", "The run has ended at 0.2");
  const epoch = await page.evaluate(() => window.studio.session.state.epoch);
  await page.getByRole("button", { name: "Again from t = 0", exact: true }).click();
  await until(page, (e) => window.studio.session.state.epoch !== e && window.studio.session.state.state === "ended", epoch);
  const next = await page.evaluate(() => window.studio.session.state.epoch);
  await page.keyboard.press("Space"); // Run does so, too: there is nothing else that it could do
  await until(page, (e) => window.studio.session.state.epoch !== e && window.studio.session.state.state === "ended", next);
});

onState("a server that is gone, and one with another token, are told; what was typed meanwhile stays, and goes out by Enter", [], async (page, studio) => {
  await page.locator(".symbol[data-path=spring] .body").click();
  const field = page.locator("[id='parameter-spring.gain']");
  studio.child.kill("SIGKILL");
  await studio.ended;
  await says(page, "gone", "hilda does not answer");
  assert.match(await page.title(), /hilda is gone/);
  await field.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("9 N/mm");
  await page.keyboard.press("Enter");
  await until(page, () => /not sent/.test(document.querySelector("[data-path='spring.gain'] .refused").textContent));
  const cookie = await page.context().cookies();
  await studio.again("first.xml"); // its token is another one
  await says(page, "token", "another token: open the address");
  await page.context().addCookies(cookie.map((each) => ({ ...each, value: new URL(studio.url).searchParams.get("token") })));
  await until(page, () => window.studio.session.line === "open" && window.studio.session.may("set"));
  await nothing(page, "token");
  assert.equal(await field.inputValue(), "9 N/mm");
  await page.keyboard.press("Enter");
  await until(page, () => window.studio.session.parameters.get("spring.gain").value === 9000);
});

test("HEAD is answered as GET, without what follows", async () => {
  const where = folder();
  writeFileSync(join(where, "first.xml"), lesson);
  const studio = await Studio.start(where, "first.xml");
  try {
    const [head, get] = [await fetch(studio.url, { method: "HEAD" }), await fetch(studio.url)];
    assert.equal(head.status, 200);
    assert.equal(head.headers.get("content-length"), String((await get.text()).length));
    assert.equal((await fetch(new URL("/", studio.url), { method: "HEAD" })).status, 401);
  } finally {
    await studio.stop();
  }
});
