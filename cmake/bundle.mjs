// SPDX-License-Identifier: BSD-3-Clause
// Bundles a script with the packages next to it: node bundle.mjs FOLDER ENTRY writes NAME.js, NAME.css (NAME is ENTRY's) and
// licences.txt there, the licences of all packages of which the bundle holds anything.
import { build } from "esbuild";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const [folder, entry] = process.argv.slice(2);
const made = await build({
  entryPoints: [entry], outdir: folder, bundle: true, minify: true, format: "iife", target: "es2020",
  charset: "ascii", metafile: true, write: false, logLevel: "error",
});

/** The nearest folder above a file that is a package. */
const packageOf = (file) => {
  let at = dirname(file);
  while (!existsSync(join(at, "package.json"))) at = dirname(at);
  return at;
};
const foreign = Object.keys(made.metafile.inputs).filter((file) => file.includes("node_modules/"));
const licences = [...new Set(foreign.map(packageOf))].sort().map((at) => {
  const { name, version } = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
  const file = readdirSync(at).find((each) => /^licen[cs]e/i.test(each));
  if (!file) throw new Error(`${name} ${version} comes without its licence`);
  return `${name} ${version}\n\n${readFileSync(join(at, file), "utf8").trim()}\n`;
});
for (const { path, contents } of made.outputFiles) writeFileSync(path, contents);
writeFileSync(join(folder, "licences.txt"), licences.join("\n\n"));
