// SPDX-License-Identifier: BSD-3-Clause
// Reads a log as Foxglove does and prints what it finds as JSON: node decode_log.mjs LOG indexed|stream
// indexed: by the summary at the file's end; stream: record by record, which also takes a log without its end.
import { open, readFile } from "node:fs/promises";
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import decompress from "@foxglove/wasm-lz4";

const [path, way] = process.argv.slice(2);
await decompress.isLoaded;
const decompressHandlers = { lz4: (bytes, size) => decompress(bytes, Number(size)) };
const found = { topics: {}, metadata: {}, attachments: {}, statistics: null, complete: false };
const schemas = new Map();
const channels = new Map();

function takeChannel(channel) {
  if (channels.has(channel.id)) return;
  const schema = schemas.get(channel.schemaId);
  const definition = parse(new TextDecoder().decode(schema.data), { ros2: true });
  const topic = { schema: schema.name, schemaEncoding: schema.encoding, encoding: channel.messageEncoding, messages: [] };
  channels.set(channel.id, { topic, reader: new MessageReader(definition) });
  found.topics[channel.topic] = topic;
}

function takeMessage(message) {
  const { topic, reader } = channels.get(message.channelId);
  topic.messages.push({ time: message.logTime, sequence: message.sequence, value: reader.readMessage(message.data) });
}

async function readIndexed() {
  const file = await open(path);
  const readable = {
    size: async () => BigInt((await file.stat()).size),
    read: async (offset, length) => {
      const bytes = new Uint8Array(Number(length));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, Number(offset));
      if (bytesRead !== bytes.length) throw new Error("the file is shorter than its index says");
      return bytes;
    },
  };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
  for (const [id, schema] of reader.schemasById) schemas.set(id, schema);
  for (const channel of reader.channelsById.values()) takeChannel(channel);
  for await (const message of reader.readMessages()) takeMessage(message);
  for await (const metadata of reader.readMetadata())
    found.metadata[metadata.name] = Object.fromEntries(metadata.metadata);
  for await (const attachment of reader.readAttachments())
    found.attachments[attachment.name] = new TextDecoder().decode(attachment.data);
  found.statistics = {
    messages: reader.statistics.messageCount,
    chunks: reader.statistics.chunkCount,
    channels: reader.statistics.channelCount,
    schemas: reader.statistics.schemaCount,
    start: reader.statistics.messageStartTime,
    end: reader.statistics.messageEndTime,
  };
  found.complete = true;
  await file.close();
}

async function readStream() {
  const reader = new McapStreamReader({ validateCrcs: true, decompressHandlers });
  reader.append(await readFile(path));
  for (let record; (record = reader.nextRecord()); ) {
    if (record.type === "Schema") schemas.set(record.id, record);
    else if (record.type === "Channel") takeChannel(record);
    else if (record.type === "Message") takeMessage(record);
    else if (record.type === "Metadata") found.metadata[record.name] = Object.fromEntries(record.metadata);
    else if (record.type === "Attachment") found.attachments[record.name] = new TextDecoder().decode(record.data);
  }
  found.complete = reader.done();
}

await (way === "stream" ? readStream() : readIndexed());
console.log(
  JSON.stringify(found, (_, value) => {
    if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) return String(value);
    return ArrayBuffer.isView(value) ? Array.from(value) : value;
  }),
);
