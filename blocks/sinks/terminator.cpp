// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Terminator : Block {
  static constexpr std::uint32_t type_flags = HILDA_SINK;
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape", in_update};
};

HILDA_BLOCK(Terminator, "Takes a signal and does nothing with it, but has it tested for NaN.")
} // namespace
