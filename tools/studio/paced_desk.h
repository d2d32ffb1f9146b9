// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/session/paced_attendant.h"
#include "tools/modules.h"
#include "tools/studio/detail/desks/desk.h"
#include "tools/studio/detail/desks/facts.h"
#include "tools/studio/detail/desks/marks.h"

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hilda::studio {

/// A run that is paced by a timer or a device: clients watch, and where they may, change parameters between two
/// ticks.
class PacedDesk final : public Desk, public PacedAttendant {
public:
  /// @param read_only  why no one may change anything; empty: they may
  PacedDesk(Runtime& runtime, Hub& hub, DeskHooks hooks, ServedDiagram diagram, std::string read_only);

  Tuning& tuning() override { return tuning_; }
  void look(const PacedProgress& now) override;
  void end(const PacedResult& result) override;

private:
  Json reply_to(const ClientRequest& request, const std::string& op) override;
  std::vector<std::string> may() const override;
  std::string why_not(const std::string& op) const override;
  Json set(const ClientRequest& request);
  Json get(const Json& request);
  Json changes_json();
  void tell_taken();
  void tell_state(Json state);
  void tell_progress(const PacedProgress& now);

  Tuning tuning_;
  ServedDiagram diagram_;
  const std::string read_only_;
  std::vector<std::pair<std::shared_ptr<const LiveRequest>, ClientRequest>> waiting_;
  Json state_;
  Drawings drawings_;
  Marks marks_;
  std::chrono::steady_clock::time_point summed_up_;
};

} // namespace hilda::studio
