// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/wire/witness/instant.h"

#include <map>
#include <string>
#include <vector>

namespace witness {

/// What the proxy does to the datagrams of one direction. Probabilities, and milliseconds.
struct Faults {
  double drop = 0, duplicate = 0, reorder = 0, corrupt = 0;
  double delay = 0, jitter = 0; ///< each datagram is late by delay plus an even share of jitter; order may change
  bool hold = false;            ///< kept until this ends, then all at once
};

/// One line `at T [until T2] ACTION words...`.
struct Event {
  Instant at = 0, until = never; ///< since motion began, or since the program's start with `boot`
  bool boot = false;
  std::string action;
  std::vector<std::string> words;
};

/// A scenario: settings `name value` and events, one a line; # begins a comment.
class Script {
public:
  /// The error in the file, or nothing.
  std::string read(const std::string& path);

  double number(const std::string& name, double otherwise) const;
  std::string text(const std::string& name, const std::string& otherwise) const;
  const std::vector<Event>& events() const { return events_; }

private:
  std::map<std::string, std::string> settings_;
  std::vector<Event> events_;
};

/// `drop=0.3 delay=5 hold` as faults. False: a word is not known.
bool read_faults(const std::vector<std::string>& words, Faults& faults);

} // namespace witness
