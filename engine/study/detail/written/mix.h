// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/fnv.h"
#include "engine/modules.h"

#include <cstdint>
#include <hilda/random.h>
#include <string_view>

namespace hilda::study {

/// One round of SplitMix64: every bit of the result depends on every bit of `z`.
inline std::uint64_t mixed(std::uint64_t z) { return Generator(z).bits(); }

/// A word that follows from bytes and words in their order (FNV-1a, then mixed): the same on every machine.
class Mix {
public:
  Mix& add(std::string_view text) {
    h_ = Fnv(h_).text(text).value();
    return add(text.size()); // so that "ab" "c" is not "a" "bc"
  }
  Mix& add(std::uint64_t word) {
    h_ = mixed(h_ ^ word);
    return *this;
  }
  std::uint64_t word() const { return mixed(h_); }

private:
  std::uint64_t h_ = Fnv().value();
};

/// Evenly in (0, 1), from a word.
inline double unit_interval(std::uint64_t word) { return (static_cast<double>(word >> 11) + 0.5) * 0x1p-53; }

} // namespace hilda::study
