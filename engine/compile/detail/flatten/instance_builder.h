// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/detail/flatten/flatten.h"
#include "engine/modules.h"

namespace hilda::compile {

/// Makes the tree of instances with their parameters, nothing evaluated yet.
class InstanceBuilder {
public:
  InstanceBuilder(Flattened& flat, const FlattenOptions& options, FlattenContext& context)
      : flat_(flat), options_(options), context_(context) {}

  /// Codes: nested-too-deep, too-large, unknown-parameter, no-rig, period-ignored.
  std::unique_ptr<Instance> top(const DiagramDecl& diagram);
  /// The subsystem `rig` of the top diagram, if it fixes the period; else null.
  const Instance* period_rig() const { return period_rig_; }

private:
  void fill(Instance& instance, int depth);
  const DiagramDecl* repeat(const Instance& parent, const SubsystemDecl& element, const DiagramDecl& body);
  std::unique_ptr<Instance> child(Instance& parent, const SubsystemDecl& element, int depth);
  void declare_parameters(Instance& instance);
  void declare_inputs(Instance& instance);
  void compare_units(ParameterIndex set, const std::string& before);
  void report_missing(const Instance& instance, ParameterIndex missing);
  void check_forwarded(const Instance& instance);
  bool count(std::size_t elements, Location where);

  Flattened& flat_;
  const FlattenOptions& options_;
  FlattenContext& context_;
  const Instance* period_rig_ = nullptr;
  std::size_t elements_ = 0;
  bool too_large_ = false;
};

} // namespace hilda::compile
