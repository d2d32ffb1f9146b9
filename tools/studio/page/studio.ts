// SPDX-License-Identifier: BSD-3-Clause
// The page of `hilda studio`: the parts, and which notifies which.
import "uplot/dist/uPlot.min.css";
import "./base.css";
import "./diagram/diagram.css";
import "./scope/scope.css";
import "./side/side.css";
import "./edit/edit.css";
import { button, element } from "./parts/dom";
import { Diagram } from "./diagram/diagram";
import { Editor } from "./edit/editor";
import { Finder } from "./parts/finder";
import { Hover } from "./diagram/hover";
import { Inspector } from "./side/inspector";
import { Keys } from "./parts/keys";
import { ModelTree } from "./parts/model_tree";
import { Changes, Problems, Results } from "./side/results";
import { RunList } from "./side/runs";
import { Scopes } from "./scope/scopes";
import { Session } from "./run/session";
import { StateLine } from "./parts/state_line";
import { splitter } from "./parts/splitter";
import { Tabs } from "./side/tabs";
import { themeButton } from "./parts/theme";
import { takeDroppedFiles } from "./parts/dropped_files";
import { Transport } from "./parts/transport";
import { typesIn } from "./parts/typing";

const session = new Session(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
const theme = themeButton(() => { scopes.rebuild(); runList.show(); });
const side = new Tabs("About the run");
const scopes: Scopes = new Scopes(session, (colours) => diagram.highlight(colours));
const inspector: Inspector = new Inspector(session, { scope: (signals) => scopes.take(signals), open: (path) => void diagram.go(path), write: (parameter) => void editor?.write(parameter) });
const diagram: Diagram = new Diagram(session, {
  choose: (path) => { inspector.show(path); if (path && !typesIn(side.box)) side.show(editor?.on ? "edit" : "block"); },
  scope: (signals) => scopes.take(signals),
});
const transport = new Transport(session), results = new Results(session), changes = new Changes(session), runList = new RunList(session, { scope: (signals) => scopes.take(signals), open: (files) => openLogs(files) });
const problems = new Problems(session, { look: (each) => edit.lookAt(each), fix: (each) => void edit.fix(each) }, (errors, all) => {
  side.count("problems", all, errors > 0);
  if (errors && !editor?.on && !typesIn(side.box)) side.show("problems");
});
let editor: Editor | null = null;
editor = new Editor(session, diagram, (on) => side.show(on ? "edit" : "block"));
const edit = editor, typing = (e: KeyboardEvent) => (e.target as Element).matches("input, textarea, select"), inDiagram = (e: KeyboardEvent) => edit.on && !typing(e) && !(e.target as Element).closest(".scope");
const plain = (key: string, e: KeyboardEvent) => e.key === key && !e.ctrlKey && !e.metaKey && !e.altKey, control = (key: string, e: KeyboardEvent) => e.key.toLowerCase() === key && (e.ctrlKey || e.metaKey);
new Hover(session, diagram);
const finder = new Finder(session, {
  scope: (names) => scopes.take(names),
  edited: () => editor?.found() ?? [],
  look: (path, parameter) => {
    if (path && editor?.on) void diagram.find(path).then(() => editor?.select(path));
    else if (path) void diagram.find(path).then(() => focusParameter(parameter));
    else { diagram.choose(null); side.show("block"); focusParameter(parameter); }
  },
});

const tree = new ModelTree(session, { look: (path) => void diagram.find(path).then(() => { if (edit.on) edit.select(path); tree.keep(); }), open: (path) => void diagram.go(path), replace: (text) => void edit.replace(text) });
diagram.box.before(tree.box);
diagram.box.querySelector(".tools")?.prepend(tree.toggleButton);

function focusParameter(path?: string): void {
  if (path) document.getElementById(`parameter-${path}`)?.focus();
}

side.add("block", "Block", inspector.box);
side.add("results", "Results", results.box);
side.add("runs", "Runs", runList.box);
side.add("changes", "Experiment", changes.box);
side.add("problems", "Diagnostics", problems.box);
side.add("edit", "Element", edit.sheet.box);

const told = element("div", { className: "told", role: "status", "aria-live": "polite" });
const keys = new Keys([
  { keys: "Space", what: "run or pause", matches: (e) => e.key === " " && !e.ctrlKey, act: () => transport.toggle() },
  { keys: ".", what: "one tick; with Shift half a second", matches: (e) => e.code === "Period" && !e.ctrlKey, act: (e) => transport.step(e.shiftKey ? transport.leap : 1) },
  { keys: ",", what: "one tick back; with Shift half a second", matches: (e) => e.code === "Comma" && !e.ctrlKey, act: (e) => transport.back(e.shiftKey ? transport.leap : 1) },
  { keys: "Home", what: "to t = 0", act: () => transport.restart() },
  { keys: "g", what: "run to a time", act: () => { transport.until.focus(); transport.until.select(); } },
  { keys: "/", what: "search signals, blocks, parameters", act: () => finder.open() },
  { keys: "Ctrl S", what: "save files that were edited; where none are, the experiment", matches: (e) => e.key === "s" && (e.ctrlKey || e.metaKey), act: () => { if (edit.on || edit.document_.unsaved) return void edit.save(); side.show("changes"); void changes.save(); } },
  { keys: "r", what: "load the files again, states kept", act: () => void session.ask("reload").then((reply) => reply.ok && session.say("loaded again")) },
  { keys: "o", what: "the model as a tree", matches: (e) => plain("o", e) && !typing(e) && !(e.target as Element).closest(".scope"), act: () => tree.toggle() },
  { keys: "n", what: "another scope", act: () => scopes.add() },
  { keys: "1 2 3 4 5 6", what: "block, results, experiment, diagnostics, element, runs", matches: (e) => /^[1-6]$/.test(e.key) && !e.ctrlKey && !e.altKey, act: (e) => side.show(["block", "results", "changes", "problems", "edit", "runs"][Number(e.key) - 1], true) },
  { keys: "e", what: "edit the diagram, or view it", matches: (e) => plain("e", e) && !typing(e) && !(e.target as Element).closest(".scope"), act: () => void edit.toggle() },
  { keys: "a", what: "edit: add a block", matches: (e) => inDiagram(e) && plain("a", e), act: () => edit.openPalette() },
  { keys: "c", what: "edit: connect the block", matches: (e) => inDiagram(e) && plain("c", e), act: () => void edit.commands.connect() },
  { keys: "Delete", what: "edit: delete the selection", matches: (e) => inDiagram(e) && plain("Delete", e), act: () => void edit.commands.remove() },
  { keys: "F2", what: "edit: rename", matches: (e) => !typing(e) && plain("F2", e), act: () => { if (!edit.nameChosen()) keys.rest(); } },
  { keys: "Ctrl D", what: "edit: duplicate", matches: (e) => inDiagram(e) && control("d", e), act: () => void edit.commands.duplicate() },
  { keys: "Ctrl C", what: "edit: copy the selection; Ctrl X: cut it; Ctrl V: paste", matches: (e) => inDiagram(e) && !getSelection()?.toString() && (control("c", e) || control("x", e)), act: (e) => void (control("c", e) ? edit.commands.copy() : edit.commands.cut()) },
  { keys: "Ctrl G", what: "edit: group into a subsystem", matches: (e) => inDiagram(e) && control("g", e), act: () => void edit.commands.group() },
  { keys: "y", what: "edit: tidy up the selection, or all", matches: (e) => inDiagram(e) && plain("y", e), act: () => void edit.commands.tidy() },
  { keys: "m", what: "edit: two modes side by side", matches: (e) => inDiagram(e) && plain("m", e), act: () => void edit.modes() },
  { keys: "x", what: "edit: to the other side of two modes", matches: (e) => inDiagram(e) && plain("x", e), act: () => void edit.across() },
  { keys: "Ctrl Z", what: "edit: undo; with Shift, or Ctrl Y: redo", matches: (e) => inDiagram(e) && (control("z", e) || control("y", e)), act: (e) => void (control("y", e) || e.shiftKey ? edit.document_.redo() : edit.document_.undo()) },
  { keys: "F6", what: "diagram, scope, side, top: the next part", act: () => nextPart() },
  { keys: "t", what: "dark or light", act: () => theme.toggle() },
  { keys: "?", what: "this sheet", act: () => keys.help() },
]);

/** To the next part of the page, without all that lies between. */
function nextPart(): void {
  const parts: (() => HTMLElement | SVGElement | null)[] = [
    () => diagram.box.querySelector<SVGElement>(".symbol[tabindex='0']"), () => scopes.active.box, () => side.box.querySelector<HTMLElement>("[role=tab][tabindex='0']"), () => header.querySelector("button:not(:disabled)")];
  const boxes = [diagram.box, scopes.box, side.box, header], at = boxes.findIndex((each) => each.contains(document.activeElement));
  for (let i = 1; i <= parts.length; ++i) {
    const next = parts[(at + i) % parts.length]();
    if (next) return next.focus();
  }
}

const header = element("header", { className: "top" },
  element("h1", { className: "unseen" }, "hilda studio"), element("a", { className: "brand", href: "/", "aria-label": "hilda studio" }, element("img", { src: "icon.svg", alt: "", width: 22, height: 22 })), diagram.crumbs, transport.box,
  element("div", { className: "actions" }, edit.toggleButton, button("Search", "Signals, blocks, parameters (/)", () => finder.open()), 
          theme.box, button("?", "Keys (?)", () => keys.help(), { className: "plain" })));
const left = element("div", { className: "left" }), main = element("main", {}, left);
const border = (name: string, share: number, kind: string) => { const bar = splitter(left, name, false, share, "Border between diagram and scopes"); bar.classList.add(kind); return bar; };
left.append(edit.stage, border("--diagram-height", 0.47, "looking"), border("--edit-height", 0.68, "drawing"), scopes.box); // who draws needs more of the page
main.append(splitter(main, "--left-width", true, 0.74, "Border of the side"), element("aside", { "aria-label": "Block, results, experiment, diagnostics" }, side.box));
const state = new StateLine(session, edit.document_, { save: () => void edit.save(), again: () => void transport.again() });
document.body.append(header, state.box, main, told, state.alert);

document.addEventListener("paste", (event) => { // Ctrl V: the event has the text without a question to the user
  const target = event.target as Element;
  if (!edit.on || target.closest?.("input, textarea, select, dialog, .scope")) return;
  event.preventDefault();
  void edit.paste(event.clipboardData?.getData("text/plain") ?? "");
});
function openLogs(files: File[]): void {
  void session.logs.open(files).then((all) => side.show(all ? "runs" : "problems"));
}
takeDroppedFiles("Logs open as runs", openLogs);
diagram.box.addEventListener("drawn", () => scopes.coloured());
let quiet: ReturnType<typeof setTimeout>;
session.on("told", ({ text, bad }) => {
  told.replaceChildren(element("p", { className: bad ? "bad" : "" }, text));
  told.classList.add("shown");
  clearTimeout(quiet);
  quiet = setTimeout(() => told.classList.remove("shown"), bad ? 9000 : 4000);
});

/** For tests. */
Object.assign(window, { studio: { session, diagram, scopes, side, editor: edit } });
