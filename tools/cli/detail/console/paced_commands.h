// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/session/paced_attendant.h"
#include "tools/cli/detail/console/console.h"
#include "tools/cli/detail/program/interrupt.h"
#include "tools/modules.h"

#include <memory>
#include <string>
#include <vector>

namespace hilda::cli {

/// The commands of `hilda run --console` where the loop is paced by a timer or a device and waits for no one: set, get,
/// changes, quit. Looked at ten times a second, on the thread that attends the run.
class PacedCommands final : public PacedAttendant {
public:
  /// `armed`: the loop comes to its first tick.
  PacedCommands(Runtime& runtime, Interrupt& interrupt, bool armed);

  Tuning& tuning() override { return tuning_; }
  /// Takes the lines that are there, and says what became of earlier ones.
  void look(const PacedProgress& now) override;
  void end(const PacedResult& result) override;

private:
  void command(const std::string& line, OperatorState state);
  void set(const std::string& rest, OperatorState state);
  void tell();

  Tuning tuning_;
  Interrupt& interrupt_;
  const Rational base_;
  const bool armed_;
  Console console_;
  int number_ = 0;
  std::vector<std::shared_ptr<const LiveRequest>> asked_;
};

} // namespace hilda::cli
