// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace hilda {

/// What the input of a block with a memory was before the first sample: what it is then, or 0. `unsaid` is as `input`,
/// and hilda warns where a step at t = 0 would be taken for a state of rest.
enum class StartsAt { unsaid, input, zero };

inline constexpr const char* starts_at_doc = "What the input was before the start. input: as its first value, at rest. "
                                             "zero: 0, so that a step at t = 0 is seen. "
                                             "unsaid: as input, with a warning where a step at t = 0 meets it";

} // namespace hilda
