// SPDX-License-Identifier: BSD-3-Clause
// Reads a scene by other people's programs and prints it as JSON: node read_scene.mjs SCENE. Each message is checked
// against the schema of Foxglove's own package, and the schema in the file is compared with it.
import { open } from "node:fs/promises";
import { McapIndexedReader } from "@mcap/core";
import * as schemas from "@foxglove/schemas/jsonschema.js";
import Ajv from "ajv";
import decompress from "@foxglove/wasm-lz4";

await decompress.isLoaded;
const texts = new Set(["title", "description", "$comment"]);
/// Without what is for people; the order of names does not count.
function bare(schema) {
  if (Array.isArray(schema)) return schema.map(bare);
  if (schema === null || typeof schema !== "object") return schema;
  const kept = Object.entries(schema).filter(([name, value]) => !(texts.has(name) && typeof value === "string"));
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, bare(value)]));
}
function sorted(schema) {
  const copy = JSON.parse(JSON.stringify(schema));
  const walk = (part) => {
    if (part === null || typeof part !== "object") return;
    if (Array.isArray(part.required)) part.required.sort();
    Object.values(part).forEach(walk);
  };
  walk(copy);
  return JSON.stringify(bare(copy));
}

const file = await open(process.argv[2]);
const readable = {
  size: async () => BigInt((await file.stat()).size),
  read: async (offset, length) => {
    const bytes = new Uint8Array(Number(length));
    await file.read(bytes, 0, bytes.length, Number(offset));
    return bytes;
  },
};
const reader = await McapIndexedReader.Initialize({
  readable,
  decompressHandlers: { lz4: (bytes, size) => decompress(bytes, Number(size)) },
});
const ajv = new Ajv({ strict: false, validateFormats: false });
const channels = new Map();
const found = { topics: {}, faults: [] };
for (const channel of reader.channelsById.values()) {
  const schema = reader.schemasById.get(channel.schemaId);
  const own = schemas[schema.name.replace("foxglove.", "")];
  const inFile = JSON.parse(new TextDecoder().decode(schema.data));
  const topic = { schema: schema.name, schemaEncoding: schema.encoding, encoding: channel.messageEncoding,
                  sameSchema: sorted(own) === sorted(inFile), messages: [] };
  channels.set(channel.id, { topic, valid: ajv.compile(own) });
  found.topics[channel.topic] = topic;
}
for await (const message of reader.readMessages()) {
  const { topic, valid } = channels.get(message.channelId);
  const value = JSON.parse(new TextDecoder().decode(message.data));
  if (!valid(value)) found.faults.push(ajv.errorsText(valid.errors));
  topic.messages.push({ time: message.logTime.toString(), value });
}
await file.close();
console.log(JSON.stringify(found));
