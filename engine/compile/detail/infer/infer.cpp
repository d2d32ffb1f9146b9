// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/infer.h"

#include "engine/compile/detail/infer/inference.h"

#include <utility>

namespace hilda::compile {

std::vector<std::string> infer(System& system, Diagnostics& diagnostics, const InferenceHook& hook) {
  using namespace inference;
  Inference state(system, diagnostics);
  expand_ports(state);
  find_rates(state);
  add_unknowns(state);
  tell_parameters(state);
  fit_parameters(state, true);
  ask_callbacks(state, hook);
  unify(state);
  report_conflicts(state);
  report_undriven(state);
  store_types(state);
  report_unknown_shapes(state);
  fit_parameters(state, false);
  check_guards(state);
  check_power_ports(state);
  check_promises(state);
  check_wire_shapes(state);
  find_observed(state);
  return std::move(state.remarks);
}

} // namespace hilda::compile
