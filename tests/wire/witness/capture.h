// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/wire/witness/instant.h"

#include <cstdio>
#include <string>
#include <string_view>

namespace witness {

/// What an entry of the capture is about. Upper case: at an end; lower case: on its way, at the proxy.
enum class Seen : char {
  telegram_sent = 'R',    ///< by the robot, into the proxy: a cycle of the robot begins
  telegram_passed = 'r',  ///< by the proxy to the program
  answer_arrived = 'a',   ///< from the program, at the proxy
  answer_delivered = 'A', ///< by the proxy to the robot
  record_sent = 'S',      ///< by the sensor's box
  foreign_sent = 'F',     ///< by a second robot
  note = 'N',             ///< what the script did, what the robot or the program did, as text
};

/// Every datagram of a run with the time at which it was seen, in the order in which things happened.
/// The file: `u64 time, u8 kind, u8 x 3 zero, u32 length` little-endian, then the bytes, over and over.
class Capture {
public:
  explicit Capture(const std::string& path);
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  bool open() const { return file_ != nullptr; }
  void add(Seen kind, std::string_view bytes);
  void note(const std::string& text) { add(Seen::note, text); }

private:
  std::FILE* file_;
};

} // namespace witness
