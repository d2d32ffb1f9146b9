// SPDX-License-Identifier: BSD-3-Clause
// Bytes that claim to be packets of a Net F/T, several in one input: whatever they are, the reader keeps its promises.
// Corpus: tests/fuzz/corpus/rdt_fuzz.
#include "drivers/ati_netft/rdt.h"

#include <algorithm>
#include <cstdlib>

namespace {
using namespace hilda::netft;

void check(bool promise) {
  if (!promise) std::abort();
}

void one_packet(RecordStream& stream, std::span<const std::uint8_t> packet) {
  const RecordStream::Counts before = stream.counts();
  const bool taken = stream.take(packet);
  const RecordStream::Counts& after = stream.counts();
  // Each packet is counted once.
  check(after.received + after.disordered + after.malformed + after.implausible ==
        before.received + before.disordered + before.malformed + before.implausible + 1);
  check(taken == (after.received > before.received));
  check(after.gaps >= before.gaps && after.dropped <= after.received);
  if (const auto record = parse_record(packet)) {
    const auto again = encode(*record);
    check(std::equal(again.begin(), again.end(), packet.begin(), packet.end()));
    check(!status_text(record->status).empty());
    check((worst_error(record->status) != nullptr) == ((record->status & 0xF800000Fu) != 0));
  }
  if (const auto request = parse_request(packet)) {
    const auto again = encode(static_cast<Command>(request->command), request->count);
    check(std::equal(again.begin(), again.end(), packet.begin(), packet.end()));
  }
}

} // namespace

/// Each packet follows a byte with its length.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  RecordStream stream;
  stream.set_limits({1e6, 1e9});
  std::span<const std::uint8_t> left(data, size);
  while (!left.empty()) {
    const std::size_t length = std::min<std::size_t>(left[0], left.size() - 1);
    stream.begin();
    one_packet(stream, left.subspan(1, length));
    left = left.subspan(1 + length);
  }
  return 0;
}
