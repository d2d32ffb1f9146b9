// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace hilda::log {

struct ChildLimits {
  double seconds = 60;      ///< of the clock
  std::uint64_t memory = 0; ///< bytes that it may take next to what is there; 0: no limit
  std::uint64_t answer = 0; ///< bytes that it may say
};

/// Sends bytes to who waits for the answer.
using Tell = std::function<void(std::span<const std::byte>)>;

/// Does work in a copy of this process, for code that no one needs to crash with. Neither its output nor its exit are
/// seen. False, with a reason, where it did not come to its end within its limits; what it reported is kept
/// nevertheless.
bool answer_of_child(const std::function<void(const Tell&)>& work, const ChildLimits& limits, std::string& answer,
                     std::string& error);

} // namespace hilda::log
