// SPDX-License-Identifier: BSD-3-Clause
#include "tests/wire/witness/proxy.h"

#include <utility>

namespace witness {

void Proxy::set(const Faults& faults) {
  // What a hold has kept goes out in one burst.
  if (faults_.hold && !faults.hold) {
    std::multimap<Instant, std::string> burst;
    for (const auto& each : on_its_way_) burst.emplace(0, each.second);
    on_its_way_.swap(burst);
  }
  faults_ = faults;
}

void Proxy::put(std::string datagram) {
  if (chance() < faults_.drop) return;
  if (chance() < faults_.corrupt && !datagram.empty())
    for (int i = 0; i < 3; ++i) datagram[random_() % datagram.size()] ^= static_cast<char>(1 + random_() % 255);
  if (overtaken_.empty() && chance() < faults_.reorder) {
    overtaken_ = std::move(datagram);
    return;
  }
  schedule(datagram);
  if (chance() < faults_.duplicate) schedule(datagram);
  if (!overtaken_.empty()) schedule(std::exchange(overtaken_, {}));
}

void Proxy::schedule(const std::string& datagram) {
  const double late = faults_.delay + (faults_.jitter > 0 ? faults_.jitter * chance() : 0);
  on_its_way_.emplace(faults_.hold ? never : now() + static_cast<Instant>(late * 1e6), datagram);
}

Instant Proxy::release() {
  while (!on_its_way_.empty() && on_its_way_.begin()->first <= now()) {
    const std::string datagram = std::move(on_its_way_.begin()->second);
    on_its_way_.erase(on_its_way_.begin());
    out_(datagram);
  }
  return on_its_way_.empty() ? never : on_its_way_.begin()->first;
}

} // namespace witness
