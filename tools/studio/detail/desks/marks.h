// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/output_limits.h"
#include "engine/diagram/system.h"
#include "tools/modules.h"
#include "tools/studio/detail/clients/signal_reader.h"
#include "tools/studio/hub.h"

#include <string>
#include <vector>

namespace hilda::studio {

/// Which blocks hold their outputs, are at a limit or have failed: the message `marks`, out of the run's samples, so
/// that it is the same for a simulation and for a loop that waits for no one.
class Marks final : public FrameWatcher {
public:
  explicit Marks(Hub& hub) : hub_(hub) { hub_.watch(this); }
  ~Marks() override { hub_.watch(nullptr); }
  Marks(const Marks&) = delete;
  Marks& operator=(const Marks&) = delete;

  /// What there is to look at in a system, with its parameters as they are now.
  void look_at(const System& system);
  /// The block that ended the run; an empty path: none has.
  void fail(const std::string& path, const std::string& text);

  // The hub, with its lock held.
  void begin(const ServedSignals& signals) override;
  void take(const TickSamples& samples) override;
  std::optional<Json> news() override;

private:
  /// A signal that says something of a block.
  struct Rule {
    std::string path, signal;
    bool enable = false; ///< holds while the signal is false; else: at a limit where an element is at one of these
    OutputLimits limits;
    std::vector<double> lower, upper; ///< numbers of the parameters that limit
    FrameReader reader = {};
    bool seen = false; ///< since the last news
    std::string text = {};
  };
  static std::vector<Rule> rules_of(const System& system);
  static void judge(Rule& rule);
  /// The marks to show now; none where they were reported.
  std::optional<Json> message();

  Hub& hub_;
  std::vector<Rule> rules_;
  Json failed_ = nullptr, told_ = nullptr;
  bool samples_came_ = false;
  int looks_ = 0;
};

} // namespace hilda::studio
