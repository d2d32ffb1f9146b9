// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/loaded_diagram.h"
#include "engine/compile/parameter_change.h"
#include "engine/modules.h"
#include "engine/run/plan.h"
#include "engine/study/detail/written/design.h"
#include "engine/study/loaded_study.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hilda::study {

/// Diagram, rig and overlays of a point, as a key.
std::string files_of(const RunPoint& point);

/// A diagram that has been loaded for one run of a study, and serves for those that differ from it in values alone: in
/// parameters that no shape, unit or feedthrough depends on. One thread.
class PreparedDiagram {
public:
  /// Null after errors.
  static std::unique_ptr<PreparedDiagram> load(const LoadedStudy& study, const RunPoint& point,
                                               Diagnostics& diagnostics);
  PreparedDiagram(const PreparedDiagram&) = delete;
  PreparedDiagram& operator=(const PreparedDiagram&) = delete;

  /// The same files, and nothing that differs is settled by loading.
  bool serves(const RunPoint& point);
  /// The system with the point's settings; none where they are wrong, which loading will say, or where a block feeds
  /// through with one of them and not with the other. Only where it serves.
  std::optional<System> with(const RunPoint& point) const;

  /// Of the first run, for all of them; null until it is kept.
  const std::shared_ptr<const Plan>& plan() const { return plan_; }
  void keep(std::shared_ptr<const Plan> plan) { plan_ = std::move(plan); }

  const Sources& sources() const { return diagram_.sources(); }

private:
  PreparedDiagram(const LoadedStudy& study, const RunPoint& point);
  const Attribute* setting(const std::string& path) const;
  bool follows(const std::string& path);

  const std::string files_;               ///< diagram, rig, overlays
  const std::vector<Attribute> settings_; ///< it was loaded with
  LoadedDiagram diagram_;                 ///< keeps what places point to
  std::optional<System> system_;
  std::optional<ParameterDependencies> dependencies_;
  std::shared_ptr<const Plan> plan_;
  std::map<std::string, bool> follows_;         ///< by path, as far as it has been asked
  std::map<std::string, ParameterText> places_; ///< of those
};

} // namespace hilda::study
