#include "engine/check/infer.h"

#include "engine/check/inference.h"

namespace hilda {

void infer(System& system, Diagnostics& diagnostics, const InferenceHook& hook) {
  Inference inference(system, diagnostics);
  expand_ports(inference);
  find_rates(inference);
  add_unknowns(inference);
  tell_parameters(inference);
  fit_parameters(inference, true);
  ask_callbacks(inference, hook);
  unify(inference);
  report_conflicts(inference);
  report_undriven(inference);
  store_types(inference);
  report_unknown_shapes(inference);
  fit_parameters(inference, false);
  check_guards(inference);
  check_power_ports(inference);
}

} // namespace hilda
