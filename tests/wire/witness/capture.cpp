// SPDX-License-Identifier: BSD-3-Clause
#include "tests/wire/witness/capture.h"

#include <cstring>

namespace witness {

Capture::Capture(const std::string& path) : file_(std::fopen(path.c_str(), "wb")) {
  // A run of seconds fits: the disk is not asked while the robot's clock ticks.
  if (file_ != nullptr) std::setvbuf(file_, nullptr, _IOFBF, 16 << 20);
}

Capture::~Capture() {
  if (file_ != nullptr) std::fclose(file_);
}

void Capture::add(Seen kind, std::string_view bytes) {
  char head[16] = {};
  const Instant time = now();
  const auto length = static_cast<std::uint32_t>(bytes.size());
  std::memcpy(head, &time, 8);
  head[8] = static_cast<char>(kind);
  std::memcpy(head + 12, &length, 4);
  std::fwrite(head, 1, sizeof head, file_);
  std::fwrite(bytes.data(), 1, bytes.size(), file_);
}

} // namespace witness
