// SPDX-License-Identifier: BSD-3-Clause
// A client by @foxglove/ws-protocol: node foxglove_client.mjs URL MESSAGES PARAMETER GOOD BAD
// Subscribes to everything, decodes MESSAGES messages of each fast channel, sets PARAMETER to GOOD and then to BAD, and
// prints what it got as JSON. Where the run offers services, it pauses, steps and runs it by them.
import protocol from "@foxglove/ws-protocol";
import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import { WebSocket } from "ws";

const { FoxgloveClient } = protocol;
const [url, count, parameter, good, bad] = process.argv.slice(2);
const found = { channels: {}, status: [], updates: [], answers: {}, times: 0 };
const subscriptions = new Map();
const client = new FoxgloveClient({ ws: new WebSocket(url, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]) });

function enough() {
  const channels = Object.values(found.channels).filter((each) => each.messages > 0);
  return channels.length > 0 && channels.some((each) => each.messages >= Number(count));
}
async function until(condition, what) {
  for (let i = 0; i < 1000; i++) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`nothing came of: ${what}`);
}

client.on("error", (error) => {
  throw error;
});
client.on("serverInfo", (info) => (found.info = info));
client.on("status", (status) => found.status.push(status));
client.on("time", () => found.times++);
client.on("advertise", (channels) => {
  for (const channel of channels) {
    const reader = new MessageReader(parse(channel.schema, { ros2: true }));
    found.channels[channel.topic] = { messages: 0, gaps: 0, last: null };
    subscriptions.set(client.subscribe(channel.id), { topic: channel.topic, reader });
  }
});
client.on("message", ({ subscriptionId, timestamp, data }) => {
  const { topic, reader } = subscriptions.get(subscriptionId);
  const channel = found.channels[topic];
  const value = reader.readMessage(data);
  if (channel.last && topic === "/diagram" && BigInt(value.tick) !== BigInt(channel.last.tick) + 1n) channel.gaps++;
  channel.last = { ...value, time: timestamp };
  channel.messages++;
});
found.services = [];
const replies = {};
let calls = 0;
client.on("advertiseServices", (services) => found.services.push(...services));
client.on("serviceCallResponse", ({ callId, encoding, data }) => (replies[callId] = { encoding, ...JSON.parse(new TextDecoder().decode(data)) }));
client.on("serviceCallFailure", ({ callId, message }) => (replies[callId] = { failure: message }));
client.on("parameterValues", ({ parameters, id }) => {
  if (id) found.answers[id] = parameters;
  else found.updates.push(...parameters);
});

await until(() => found.info && Object.keys(found.channels).length > 0, "advertise");
client.getParameters([], "all");
client.subscribeParameterUpdates([parameter]);
await until(() => enough() && found.answers.all, "messages");
client.setParameters([{ name: parameter, value: Number(good) }], "good");
await until(() => found.answers.good && found.updates.length > 0, "a good value");
found.before_bad = found.status.length;
client.setParameters([{ name: parameter, value: bad }], "bad");
await until(() => found.answers.bad && found.status.length > found.before_bad, "a bad value");
found.all = found.answers.all.length;
const ticks = found.channels["/diagram"].last.tick;
await until(() => found.channels["/diagram"].last.tick > ticks, "the run goes on");

// the run's requests as services
const call = (name, body) => {
  const service = found.services.find((each) => each.name === name), callId = ++calls;
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  client.sendServiceCallRequest({ serviceId: service.id, callId, encoding: "json", data: new DataView(bytes.buffer) });
  return until(() => replies[callId], name).then(() => replies[callId]);
};
found.calls = {};
if (found.services.length > 0) {
  const lastTick = () => Number(found.channels["/diagram"].last.tick);
  found.calls.pause = await call("hilda/pause", {});
  await new Promise((resolve) => setTimeout(resolve, 300));
  const paused = lastTick();
  found.calls.step = await call("hilda/step", { n: 7 });
  await until(() => lastTick() >= paused + 7, "seven ticks");
  await new Promise((resolve) => setTimeout(resolve, 300));
  found.stepped = lastTick() - paused;
  found.calls.run = await call("hilda/run", { for: 0.5, speed: 0 });
  await until(() => lastTick() >= paused + 507, "half a second");
  await new Promise((resolve) => setTimeout(resolve, 300));
  found.ran = lastTick() - paused - 7;
  found.calls.wrong = await call("hilda/step", { m: 7 });
  found.calls.refused = await call("hilda/run", { until: 1e-3 });
}
client.close();
console.log(JSON.stringify(found, (_, value) => (typeof value === "bigint" ? String(value) : value)));
process.exit(0);
