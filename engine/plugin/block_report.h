// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/diagram/system.h"
#include "engine/modules.h"
#include "engine/plugin/block_code.h"
#include "engine/plugin/floating_point.h"

#include <chrono>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace hilda::plugin {

/// Takes what a block says about itself outside of the loop, and makes diagnostics of it that name file and line: of
/// the parameter at fault where it was given, else of the block.
class BlockReport {
public:
  BlockReport(Diagnostics& diagnostics, const SystemBlock& block, const char* code);
  BlockReport(const BlockReport&) = delete;
  BlockReport& operator=(const BlockReport&) = delete;

  /// Sets report, warn and engine of an instance; this object must live as long as it is used.
  void attach(hilda_instance& instance);
  /// Calls the block outside of the loop: body() returns non-zero where it refuses. What the block throws and a
  /// floating-point mode that it leaves behind become errors that name the phase; the mode is then put back. Non-zero
  /// where it refuses or throws.
  template <typename Body> std::int32_t call(const char* phase, Body&& body) {
    const RunningMark mark(code_of(block_, phase));
    const FloatingPointMode mode = FloatingPointMode::current();
    std::int32_t refused = 1;
    try {
      refused = std::forward<Body>(body)();
    } catch (const std::exception& thrown) { threw(phase, thrown.what()); } catch (...) {
      threw(phase, "what is not a std::exception");
    }
    if (!(FloatingPointMode::current() == mode)) mode.restore(), changed_mode(phase);
    count_rest(phase);
    return refused;
  }
  /// An exception left that phase.
  void threw(const char* phase, const char* what);
  /// It did what no block may, in the words of a BlockFault.
  void failed(const std::string& did);
  /// That phase left another floating-point mode behind; it has been put back.
  void changed_mode(const char* phase);
  /// True where the block neither reported nor refused. A refusal without a word is reported as `otherwise`.
  bool settle(bool refused, const char* otherwise);

private:
  void take(const char* slot, const char* text);
  void warn(const char* slot, const char* text);
  void count_rest(const char* phase);
  bool repeats(const char* slot, const char* text);
  Location where(const char* slot) const;
  std::string said(const char* slot, const char* text) const;

  Diagnostics& diagnostics_;
  const SystemBlock& block_;
  const char* code_;
  std::size_t before_;
  std::uint64_t reports_ = 0, warnings_ = 0;
  std::chrono::steady_clock::time_point first_{}; ///< time of the first report
  std::string last_;                              ///< text of the last report
};

} // namespace hilda::plugin
