// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/plugin/block_code.h"
#include "engine/plugin/floating_point.h"

#include <exception>
#include <stdexcept>
#include <string>

namespace hilda::plugin {

/// What no block may do, where no one takes diagnostics and no tick can fail: an exception has left one of its
/// functions, or another floating-point mode was left behind. The message says which block and function.
class BlockFault : public std::runtime_error {
public:
  BlockFault(const SystemBlock& block, const std::string& did)
      : std::runtime_error(block.path + " (" + block.type->name + "): " + did), did_(did) {}
  /// The same without the block: "an exception leaves stop: boom".
  const std::string& did() const { return did_; }

private:
  std::string did_;
};

/// Calls a block outside of the loop; throws BlockFault. The floating-point mode is then as it was before.
template <typename Body> void call_block(const SystemBlock& block, const char* phase, Body&& body) {
  const RunningMark mark(code_of(block, phase));
  const FloatingPointMode mode = FloatingPointMode::current();
  const auto thrown = [&](const char* what) {
    if (!(FloatingPointMode::current() == mode)) mode.restore();
    return BlockFault(block, std::string("an exception leaves ") + phase + ": " + what);
  };
  try {
    body();
  } catch (const std::exception& fault) { throw thrown(fault.what()); } catch (...) {
    throw thrown("what is not a std::exception");
  }
  if (FloatingPointMode::current() == mode) return;
  mode.restore();
  throw BlockFault(block, std::string(phase) + " changes the processor's floating-point mode (rounding or "
                                               "flush-to-zero), which every other block would compute with");
}

} // namespace hilda::plugin
