// SPDX-License-Identifier: BSD-3-Clause
// The functions of FMI 2.0 that an FMU of co-simulation without pending steps does not have. Importers ask for every
// symbol of the standard: each is there, with the standard's arguments, and answers with an error.
#include "tools/fmi/detail/library/component.h"

using hilda::fmi::not_offered;

using hilda::fmi::Reference;

extern "C" {

int fmi2CancelStep(void* c) { return not_offered(c, __func__); }
int fmi2GetStatus(void* c, int, int*) { return not_offered(c, __func__); }
int fmi2GetIntegerStatus(void* c, int, int*) { return not_offered(c, __func__); }
int fmi2GetStringStatus(void* c, int, const char**) { return not_offered(c, __func__); }
int fmi2SetRealInputDerivatives(void* c, const Reference*, std::size_t, const int*, const double*) {
  return not_offered(c, __func__);
}
int fmi2GetRealOutputDerivatives(void* c, const Reference*, std::size_t, const int*, double*) {
  return not_offered(c, __func__);
}
int fmi2GetDirectionalDerivative(void* c, const Reference*, std::size_t, const Reference*, std::size_t, const double*,
                                 double*) {
  return not_offered(c, __func__);
}

// of model exchange
int fmi2EnterEventMode(void* c) { return not_offered(c, __func__); }
int fmi2NewDiscreteStates(void* c, void*) { return not_offered(c, __func__); }
int fmi2EnterContinuousTimeMode(void* c) { return not_offered(c, __func__); }
int fmi2CompletedIntegratorStep(void* c, int, int*, int*) { return not_offered(c, __func__); }
int fmi2SetTime(void* c, double) { return not_offered(c, __func__); }
int fmi2SetContinuousStates(void* c, const double*, std::size_t) { return not_offered(c, __func__); }
int fmi2GetDerivatives(void* c, double*, std::size_t) { return not_offered(c, __func__); }
int fmi2GetEventIndicators(void* c, double*, std::size_t) { return not_offered(c, __func__); }
int fmi2GetContinuousStates(void* c, double*, std::size_t) { return not_offered(c, __func__); }
int fmi2GetNominalsOfContinuousStates(void* c, double*, std::size_t) { return not_offered(c, __func__); }
}
