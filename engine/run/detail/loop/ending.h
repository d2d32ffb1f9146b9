// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstdint>
#include <string>

namespace hilda::run {

/// Why a run came to its end: the first cause, whatever came of it on the way to rest.
struct Ending {
  enum class Kind {
    none,
    stopped,   ///< by a block, as planned
    requested, ///< by request_stop
    failed
  } kind = Kind::none;
  std::int64_t tick = 0;
  double time = 0;    ///< s, of that tick
  std::string block;  ///< path
  std::string signal; ///< path, where a signal is at fault
  std::string text;
  double value = 0; ///< NaN: nothing to show
};

} // namespace hilda::run
