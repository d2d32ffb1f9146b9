// SPDX-License-Identifier: BSD-3-Clause
// The functions of FMI 3.0 that an FMU of co-simulation without events, clocks and derivatives does not have. Importers
// ask for every symbol of the standard: each is there, with the standard's arguments, and answers with an error.
#include "tools/fmi/detail/library/component.h"

#include <cstddef>
#include <cstdint>

using hilda::fmi::Component;
using hilda::fmi::not_offered;

using hilda::fmi::Reference;

namespace {

/// An instance of a kind that there is none of.
void* no_instance(const char* function, void* environment, hilda::fmi::LoggerOfThree logger) noexcept {
  if (logger == nullptr) return nullptr;
  Component none;
  try {
    none.log = [=](int status, const char* category, const std::string& text) {
      logger(environment, status, category, text.c_str());
    };
  } catch (...) { return nullptr; }
  not_offered(&none, function);
  return nullptr;
}

} // namespace

extern "C" {

void* fmi3InstantiateModelExchange(const char*, const char*, const char*, bool, bool, void* environment,
                                   hilda::fmi::LoggerOfThree logger) {
  return no_instance(__func__, environment, logger);
}
void* fmi3InstantiateScheduledExecution(const char*, const char*, const char*, bool, bool, void* environment,
                                        hilda::fmi::LoggerOfThree logger, void (*)(void*), void (*)(), void (*)()) {
  return no_instance(__func__, environment, logger);
}

int fmi3EnterStepMode(void* c) { return not_offered(c, __func__); }
int fmi3EnterConfigurationMode(void* c) { return not_offered(c, __func__); }
int fmi3ExitConfigurationMode(void* c) { return not_offered(c, __func__); }
int fmi3GetNumberOfVariableDependencies(void* c, Reference, std::size_t*) { return not_offered(c, __func__); }
int fmi3GetVariableDependencies(void* c, Reference, std::size_t*, Reference*, std::size_t*, int*, std::size_t) {
  return not_offered(c, __func__);
}
int fmi3GetOutputDerivatives(void* c, const Reference*, std::size_t, const std::int32_t*, double*, std::size_t) {
  return not_offered(c, __func__);
}
int fmi3GetDirectionalDerivative(void* c, const Reference*, std::size_t, const Reference*, std::size_t, const double*,
                                 std::size_t, double*, std::size_t) {
  return not_offered(c, __func__);
}
int fmi3GetAdjointDerivative(void* c, const Reference*, std::size_t, const Reference*, std::size_t, const double*,
                             std::size_t, double*, std::size_t) {
  return not_offered(c, __func__);
}

// of clocks and scheduled execution
int fmi3GetIntervalDecimal(void* c, const Reference*, std::size_t, double*, int*) { return not_offered(c, __func__); }
int fmi3GetIntervalFraction(void* c, const Reference*, std::size_t, std::uint64_t*, std::uint64_t*, int*) {
  return not_offered(c, __func__);
}
int fmi3GetShiftDecimal(void* c, const Reference*, std::size_t, double*) { return not_offered(c, __func__); }
int fmi3GetShiftFraction(void* c, const Reference*, std::size_t, std::uint64_t*, std::uint64_t*) {
  return not_offered(c, __func__);
}
int fmi3SetIntervalDecimal(void* c, const Reference*, std::size_t, const double*) { return not_offered(c, __func__); }
int fmi3SetIntervalFraction(void* c, const Reference*, std::size_t, const std::uint64_t*, const std::uint64_t*) {
  return not_offered(c, __func__);
}
int fmi3SetShiftDecimal(void* c, const Reference*, std::size_t, const double*) { return not_offered(c, __func__); }
int fmi3SetShiftFraction(void* c, const Reference*, std::size_t, const std::uint64_t*, const std::uint64_t*) {
  return not_offered(c, __func__);
}
int fmi3EvaluateDiscreteStates(void* c) { return not_offered(c, __func__); }
int fmi3ActivateModelPartition(void* c, Reference, double) { return not_offered(c, __func__); }

// of model exchange and events
int fmi3EnterEventMode(void* c) { return not_offered(c, __func__); }
int fmi3UpdateDiscreteStates(void* c, bool*, bool*, bool*, bool*, bool*, double*) { return not_offered(c, __func__); }
int fmi3EnterContinuousTimeMode(void* c) { return not_offered(c, __func__); }
int fmi3CompletedIntegratorStep(void* c, bool, bool*, bool*) { return not_offered(c, __func__); }
int fmi3SetTime(void* c, double) { return not_offered(c, __func__); }
int fmi3SetContinuousStates(void* c, const double*, std::size_t) { return not_offered(c, __func__); }
int fmi3GetContinuousStateDerivatives(void* c, double*, std::size_t) { return not_offered(c, __func__); }
int fmi3GetEventIndicators(void* c, double*, std::size_t) { return not_offered(c, __func__); }
int fmi3GetContinuousStates(void* c, double*, std::size_t) { return not_offered(c, __func__); }
int fmi3GetNominalsOfContinuousStates(void* c, double*, std::size_t) { return not_offered(c, __func__); }
int fmi3GetNumberOfEventIndicators(void* c, std::size_t*) { return not_offered(c, __func__); }
int fmi3GetNumberOfContinuousStates(void* c, std::size_t*) { return not_offered(c, __func__); }
}
