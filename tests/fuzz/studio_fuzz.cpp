// SPDX-License-Identifier: BSD-3-Clause
// What a client of the server says: the first byte chooses the protocol, each line is a message.
#include "tests/modules.h"
#include "tools/studio/hub.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

namespace {
using namespace hilda;
using studio::Json;
using studio::Message;

LogSchema one_signal() {
  LogSchema schema;
  LogField field;
  field.name = "y", field.rows = 3;
  schema.channels.push_back({.path = "wave", .type = "sources/Sine", .fields = {field}});
  return schema;
}

void make_ticks(studio::Hub& hub, const FrameLayout& layout) {
  for (std::int64_t tick = 0; tick < 8; ++tick) {
    std::vector<std::byte> frame(layout.largest);
    const FrameHeader header{.tick = tick};
    std::memcpy(frame.data(), &header, sizeof header);
    hub.frame(frame);
  }
  hub.look();
}

/// Every text is JSON, every binary message as long as its protocol says at least.
void judge(studio::Outbox& outbox) {
  while (const auto message = outbox.take()) {
    if (message->binary && message->bytes.size() < 5) std::abort();
    if (!message->binary && !Json::accept(message->bytes)) std::abort();
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  studio::Hub hub;
  const LogSchema schema = one_signal();
  const FrameLayout layout = frame_layout(schema);
  hub.begin(schema, layout);
  studio::Outbox outbox([] {}, [](std::uint64_t) { return Message{false, "0"}; });
  const auto session = hub.connect(data[0] % 2 == 0 ? "hilda.v1" : "foxglove.sdk.v1", outbox);
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  for (std::string line; std::getline(lines, line);) {
    session->hear(line);
    make_ticks(hub, layout);
    while (const auto request = hub.requests().take()) request->answer({{"ok", line.size() % 2 == 0}, {"error", "no"}});
    judge(outbox);
  }
  session->hear(std::as_bytes(std::span(data, size)));
  judge(outbox);
  return 0;
}
