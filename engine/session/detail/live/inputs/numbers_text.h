// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::session {

/// Numbers from outside as the event "numbers" has them in logs that do not have its inputs (see event_message.h):
/// "push=4014000000000000", for each input its path and the bits of each of its elements in 16 hexadecimal digits. A
/// blank is between inputs. One that was longer than an event continues in the next: "push@120=...", from that element
/// on. All events of one tick are one change.
struct NumbersOfInput {
  std::string path;
  std::size_t first = 0; ///< element
  std::vector<std::uint64_t> words;
};
/// None where the text is something else.
std::optional<std::vector<NumbersOfInput>> numbers_from_text(std::string_view text);

} // namespace hilda::session
