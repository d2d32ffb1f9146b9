// SPDX-License-Identifier: BSD-3-Clause
// Logs that are dropped onto the page, or chosen by its button, are runs: drawn, compared, removed; broken ones are diagnostics.
// studio.logs runs this by node --test. HILDA_PICTURES=FOLDER leaves pictures there.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { folder, lessons, picture, pressInScope, samples, stands, Studio, terminal, until } from "./program.mjs";

const other = `<diagram format="1" name="bench" period="1 ms">
  <block name="tone" type="sources/Sine" amplitude="2 N" frequency="3 Hz"/>
  <block name="position" type="sources/Sine" amplitude="2 N" frequency="5 Hz"/>
</diagram>`;

const onLoop = (name, body) => test(name, async () => {
  const where = folder(join(lessons, "14-tune-live")), own = folder();
  writeFileSync(join(where, "bench.xml"), other);
  terminal(where, "run", "loop.xml", "--for", "600 ms", "--set", "controller.kd=300 N s/m", "--log", "soft.mcap");
  terminal(where, "run", "bench.xml", "--for", "400 ms", "--log", "bench.mcap");
  process.env.TMPDIR = own; // uploaded files are there, and nowhere else
  const studio = await Studio.start(where, "loop.xml");
  delete process.env.TMPDIR;
  try {
    const page = await studio.look({ width: 1440, height: 900 });
    await page.evaluate(() => { const { scopes } = window.studio; scopes.active.names().forEach((each) => scopes.active.toggle(each)); scopes.take(["velocity.y"]); });
    await until(page, () => window.studio.session.logs.available);
    await body(page, studio, own);
    assert.deepEqual(studio.problems, [], "the page has errors");
  } finally {
    await studio.stop();
  }
  assert.deepEqual(existsSync(own) ? readdirSync(own) : [], [], "what was handed over goes with the program");
});
const listed = (page) => page.evaluate(() => window.studio.session.runs.list.map((each) => each.name));
/** As from a window of files. */
const drop = async (page, name, bytes) => {
  await page.evaluate(([file, text]) => {
    const data = new DataTransfer(), all = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
    data.items.add(new File([all], file));
    for (const kind of ["dragover", "drop"]) {
      document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
      if (kind === "dragover" && document.querySelector(".dropping").hidden) throw new Error("the page does not say that it takes files");
    }
  }, [name, bytes.toString("base64")]);
};
const choose = async (page, ...files) => {
  await page.getByRole("tab", { name: "Runs" }).click();
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: /^Open a log/ }).click()]);
  await chooser.setFiles(files);
};

onLoop("a dropped log is a run: its samples are the log's, and it says what it has otherwise", async (page, studio, own) => {
  const { where } = studio;
  await drop(page, "soft.mcap", readFileSync(join(where, "soft.mcap")));
  await until(page, () => window.studio.session.runs.list[0]?.series.get("velocity.y")?.count > 0);
  assert.deepEqual(await listed(page), ["soft.mcap"]);
  const [place] = readdirSync(own);
  assert.deepEqual(readdirSync(join(own, place)), ["1.mcap"]);
  await until(page, () => /^soft\.mcap: .*kd = 300 N s\/m/.test(document.querySelector(".readings tr.run .who")?.textContent ?? ""));
  terminal(where, "export", "soft.mcap", "velocity.y", "--csv", "--out", "soft.csv");
  const wanted = readFileSync(join(where, "soft.csv"), "utf8").trim().split("\n").filter((each) => /^[-\d]/.test(each)).map((each) => each.split(",").map(Number));
  const found = await page.evaluate(() => { const { times, values, count } = window.studio.session.runs.list[0].series.get("velocity.y"); return [...times.subarray(0, count)].map((t, i) => [t, values[i]]); });
  assert.equal(found.length, wanted.length);
  assert.equal(found.length, 600);
  wanted.forEach(([t, v], i) => assert.ok(Math.abs(t - found[i][0]) < 1e-9 && v === found[i][1], `${i}: ${found[i]} and ${t}, ${v}`));
  await picture(page, "log");
  // the run here is compared with it
  await page.evaluate(() => window.studio.session.ask("step", { n: 600 }));
  await stands(page, 600);
  await until(page, () => (window.studio.session.series.get("velocity.y")?.count ?? 0) === 600);
  await pressInScope(page, /^Difference/);
  await until(page, () => document.querySelector(".readings tr[data-signal='velocity.y'] .who").textContent === "velocity.y \u2212 soft.mcap");
  const worst = await page.evaluate(() => {
    const { session, scopes } = window.studio, log = session.runs.list[0].series.get("velocity.y"), now = session.series.get("velocity.y"), less = scopes.active.source("velocity.y").now;
    return [less.count, ...[...less.values.subarray(0, less.count)].map((each, i) => Math.abs(each - (now.values[i] - log.values[i]))).sort((a, b) => b - a).slice(0, 1)];
  });
  assert.deepEqual(worst, [600, 0]);
  assert.ok((await samples(page, "velocity.y")).end > 0.59);
});

onLoop("a log of another diagram has signals of its own; the same name in another unit is not the same signal", async (page, studio) => {
  await choose(page, join(studio.where, "bench.mcap"));
  await until(page, () => window.studio.session.runs.list.length === 1);
  await page.locator(".runs summary").click();
  await page.getByRole("button", { name: /^tone\.y/ }).click();
  await page.getByRole("button", { name: /^position\.y/ }).click();
  await until(page, () => ["tone.y", "position.y (bench.mcap)"].every((each) => (window.studio.scopes.active.source(each).now?.count ?? 0) === 400));
  assert.deepEqual(await page.evaluate(() => window.studio.scopes.active.names().sort()), ["position.y (bench.mcap)", "tone.y", "velocity.y"]);
  assert.equal(await page.evaluate(() => window.studio.session.scalars.get("position.y").unit), "m");
  const worst = await page.evaluate(() => { const { times, values, count } = window.studio.scopes.active.source("tone.y").now; let most = 0; for (let i = 0; i < count; ++i) most = Math.max(most, Math.abs(values[i] - 2 * Math.sin(6 * Math.PI * times[i]))); return most; });
  assert.ok(worst < 1e-9, String(worst));
  await picture(page, "bench");
  // what a reload finds again; a log that is removed takes its curves along
  await page.reload();
  await until(page, () => window.studio?.session.runs.list.length === 1 && window.studio.scopes.active.names().includes("tone.y"));
  await page.getByRole("tab", { name: "Runs" }).click();
  await page.getByRole("button", { name: "Remove bench.mcap" }).click();
  await until(page, () => !window.studio.scopes.active.names().includes("tone.y") && window.studio.session.runs.list.length === 0);
  await until(page, async () => (await (await fetch("logs")).json()).logs.length === 0);
});

onLoop("a file that is no log, or a broken one, is a diagnostic; one that is too large is not sent", async (page, studio) => {
  await drop(page, "notes.mcap", Buffer.from("these are no samples"));
  await until(page, () => document.querySelector(".problem.error code")?.textContent === "opened-log");
  assert.match(await page.locator(".problem.error").innerText(), /notes\.mcap[^]*this file does not open as a run: it is neither a log \(MCAP\)[^]*'hilda recover'/);
  assert.ok(!(await page.locator(".problem.error").innerText()).includes("hilda-studio-"), "the place where it lies is nobody's concern");
  const bytes = readFileSync(join(studio.where, "soft.mcap"));
  bytes.fill(0x55, Math.floor(bytes.length / 2) - 200, Math.floor(bytes.length / 2) + 200);
  await drop(page, "hurt.mcap", bytes);
  await until(page, () => window.studio.session.runs.list.length === 1 && [...document.querySelectorAll(".problem.warning .place")].some((each) => each.textContent === "hurt.mcap"));
  await page.evaluate(() => { const file = new File(["x"], "huge.mcap"); Object.defineProperty(file, "size", { value: 300 * 2 ** 20 }); return window.studio.session.logs.open([file]); });
  await page.getByRole("tab", { name: "Diagnostics" }).click();
  await until(page, () => [...document.querySelectorAll(".problem.error")].some((each) => /huge\.mcap[^]*it has 300 MB, and 256 MB is the most/.test(each.innerText)));
  assert.equal(await page.evaluate(async () => (await (await fetch("logs")).json()).logs.length), 1);
});

onLoop("a MAT file and a table are runs as a log is: drawn, compared, in SI; what is wrong in one is said with its line", async (page, { where }) => {
  terminal(where, "export", "soft.mcap", "--mat", "--out", "soft.mat");
  terminal(where, "export", "soft.mcap", "velocity.y", "position.y", "--csv", "--out", "soft.csv");
  const table = readFileSync(join(where, "soft.csv"), "utf8").trim().split("\n").map((each) => each.split(","));
  const rows = table.slice(1).map(([t, v, p]) => [Number(t) * 1000, v, Number(p) * 1000].join(";"));
  await drop(page, "soft.mat", readFileSync(join(where, "soft.mat")));
  await drop(page, "soft.csv", Buffer.from(["time [ms];velocity.y [m/s];position.y [mm]", "# of a bench", ...rows, ""].join("\r\n")));
  await until(page, () => window.studio.session.runs.list.length === 2 && window.studio.session.runs.list.every((each) => each.series.get("velocity.y")?.count === 600));
  await page.evaluate(() => window.studio.scopes.take(["position.y"]));
  await until(page, () => window.studio.session.runs.list.every((each) => each.series.get("position.y")?.count === 600));
  const found = await page.evaluate(() => window.studio.session.runs.list.map(({ name, end, series }) => [name, end, [...series.get("velocity.y").values.subarray(0, 600)], [...series.get("position.y").values.subarray(0, 600)]]));
  for (const [name, end, velocity, position] of found) {
    assert.ok(Math.abs(end - 0.599) < 1e-9, `${name} ends at ${end}`);
    table.slice(1).forEach(([, v, p], i) => assert.ok(Number(v) === velocity[i] && Math.abs(Number(p) - position[i]) <= 1e-12 * Math.abs(p), `${name} ${i}`));
  }
  assert.match(await page.locator(".runs").innerText(), /soft\.csv|a file/);
  await picture(page, "tables");
  // by the button, and wrong ones
  writeFileSync(join(where, "bad.csv"), "time [s],velocity.y [m/s]\n0,1\n0.1,fast\n");
  writeFileSync(join(where, "back.csv"), "time [s],velocity.y [m/s]\n0.2,1\n0.1,2\n");
  writeFileSync(join(where, "bad.mat"), readFileSync(join(where, "soft.mat")).subarray(0, 300));
  await choose(page, join(where, "bad.csv"), join(where, "back.csv"), join(where, "bad.mat"));
  await until(page, () => document.querySelectorAll(".problem.error").length === 3);
  const said = (await page.locator(".problem.error").allInnerTexts()).join("\n");
  assert.match(said, /bad\.csv:3[^]*'velocity\.y' is 'fast'/);
  assert.match(said, /back\.csv:3[^]*its time 0\.1 is not later than that of line 2/);
  assert.match(said, /bad\.mat[^]*this MAT file/);
  assert.equal(await page.evaluate(() => window.studio.session.runs.list.length), 2);
});
