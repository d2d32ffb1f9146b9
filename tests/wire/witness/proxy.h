// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/wire/witness/script.h"

#include <functional>
#include <map>
#include <random>

namespace witness {

/// One direction of the wire between robot and program: what goes in comes out, or does not, as the script says.
class Proxy {
public:
  using Out = std::function<void(const std::string&)>;
  Proxy(std::uint64_t seed, Out out) : random_(seed), out_(std::move(out)) {}

  void set(const Faults& faults);
  void put(std::string datagram);
  /// Lets out what is due; returns when the next one is.
  Instant release();

private:
  double chance() { return std::uniform_real_distribution<>(0, 1)(random_); }
  void schedule(const std::string& datagram);

  std::mt19937_64 random_;
  Out out_;
  Faults faults_;
  std::multimap<Instant, std::string> on_its_way_;
  std::string overtaken_; ///< waits for the next one, behind which it comes
};

} // namespace witness
