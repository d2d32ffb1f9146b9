// The functions of FMI 3.0, co-simulation.
#include "tools/fmi/library/component.h"
#include "tools/fmi/package.h"

#include <cmath>
#include <cstring>
#include <span>
#include <vector>

using namespace hilda::fmi;

namespace {

using Reference = std::uint32_t;
using Logger = void (*)(void*, int, const char*, const char*);

const Variable& checked(const Instance& instance, Reference reference, std::initializer_list<Kind> kinds,
                        const char* type) {
  const Variable& variable = instance.variable(reference);
  bool good = variable.reference == reference;
  if (!good)
    throw Refused{fmt::format("the value reference {} is not one of the description: '{}' has {}", reference,
                              variable.name, variable.reference)};
  good = false;
  for (const Kind kind : kinds) good = good || variable.kind == kind;
  if (!good) throw Refused{fmt::format("'{}' (value reference {}) is not of the type {}", variable.name, reference, type)};
  return variable;
}

void check_count(std::size_t given, std::size_t wanted) {
  if (given != wanted)
    throw Refused{fmt::format("there is room for {} values, and these variables have {}", given, wanted)};
}

template <class T>
int get(void* component, const char* function, const Reference* references, std::size_t count, T* values,
        std::size_t size, std::initializer_list<Kind> kinds, const char* type) {
  return on(component, function, [&](Component& its) {
    const std::span<const Reference> asked(needed(references, count, "valueReferences"), count);
    const std::span<T> to(needed(values, size, "values"), size);
    std::size_t all = 0, next = 0;
    for (const Reference each : asked) all += checked(*its.instance, each, kinds, type).size();
    check_count(size, all);
    std::vector<double> numbers;
    for (const Reference each : asked) {
      numbers.resize(its.instance->variable(each).size());
      its.instance->read(each, numbers);
      const Variable& variable = its.instance->variable(each);
      for (std::size_t i = 0; i < numbers.size(); ++i) to[next++] = static_cast<T>(numbers[column_order(variable, i)]);
    }
    return Component::ok;
  });
}

template <class T>
int set(void* component, const char* function, const Reference* references, std::size_t count, const T* values,
        std::size_t size, std::initializer_list<Kind> kinds, const char* type) {
  return on(component, function, [&](Component& its) {
    const std::span<const Reference> asked(needed(references, count, "valueReferences"), count);
    std::span<const T> from(needed(values, size, "values"), size);
    std::size_t all = 0;
    for (const Reference each : asked) all += checked(*its.instance, each, kinds, type).size();
    check_count(size, all);
    for (const Reference each : asked) {
      const Variable& variable = its.instance->variable(each);
      std::vector<double> numbers(variable.size());
      for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[column_order(variable, i)] = static_cast<double>(from[i]);
      from = from.subspan(numbers.size());
      its.instance->write(each, numbers);
    }
    return Component::ok;
  });
}

const std::initializer_list<Kind> reals = {Kind::real}, integers = {Kind::integer, Kind::choice}, wholes = {Kind::whole},
                                  booleans = {Kind::boolean}, texts = {Kind::text};

} // namespace

extern "C" {

const char* fmi3GetVersion() { return "3.0"; }
int fmi3SetDebugLogging(void* c, bool, std::size_t, const char* const*) {
  return on(c, __func__, [](Component&) { return Component::ok; });
}

void* fmi3InstantiateCoSimulation(const char* name, const char* token, const char* resources, bool, bool, bool events,
                                  bool, const Reference*, std::size_t, void* environment, Logger logger, void*) {
  if (logger == nullptr) return nullptr;
  const auto text = [](const char* t) { return std::string(t != nullptr ? t : ""); };
  auto component = std::make_unique<Component>();
  component->log = [logger, environment](int status, const char* category, const std::string& what) {
    logger(environment, status, category, what.c_str());
  };
  const int status = component->guarded(__func__, [&] {
    if (name == nullptr || *name == '\0') throw Refused{"the instance has no name"};
    if (events) throw Refused{"the importer uses event mode, which this FMU does not have (hasEventMode)"};
    component->instance = open_instance(text(resources), text(token));
    return Component::ok;
  });
  return status == Component::ok ? component.release() : nullptr;
}
void* fmi3InstantiateModelExchange(const char*, const char*, const char*, bool, bool, void* environment, Logger logger) {
  if (logger != nullptr)
    logger(environment, Component::error, "logStatusError",
           "fmi3InstantiateModelExchange: this FMU is for co-simulation");
  return nullptr;
}
void* fmi3InstantiateScheduledExecution(const char*, const char*, const char*, bool, bool, void* environment,
                                        Logger logger, void*, void*, void*) {
  if (logger != nullptr)
    logger(environment, Component::error, "logStatusError",
           "fmi3InstantiateScheduledExecution: this FMU is for co-simulation");
  return nullptr;
}
void fmi3FreeInstance(void* c) { delete static_cast<Component*>(c); }

int fmi3EnterInitializationMode(void* c, bool, double, double start, bool, double) {
  return on(c, __func__, [&](Component& its) {
    its.instance->set_start(start);
    its.instance->begin_initialisation();
    return Component::ok;
  });
}
int fmi3ExitInitializationMode(void* c) {
  return on(c, __func__, [](Component& its) {
    its.instance->end_initialisation();
    return Component::ok;
  });
}
int fmi3Terminate(void* c) {
  return on(c, __func__, [](Component& its) {
    its.instance->terminate();
    return Component::ok;
  });
}
int fmi3Reset(void* c) {
  return on(c, __func__, [](Component& its) {
    its.instance->reset();
    its.ended = false;
    return Component::ok;
  });
}

int fmi3GetFloat64(void* c, const Reference* vr, std::size_t n, double* values, std::size_t size) {
  return get(c, __func__, vr, n, values, size, reals, "Float64");
}
int fmi3GetInt64(void* c, const Reference* vr, std::size_t n, std::int64_t* values, std::size_t size) {
  return get(c, __func__, vr, n, values, size, integers, "Int64");
}
int fmi3GetUInt64(void* c, const Reference* vr, std::size_t n, std::uint64_t* values, std::size_t size) {
  return get(c, __func__, vr, n, values, size, wholes, "UInt64");
}
int fmi3GetBoolean(void* c, const Reference* vr, std::size_t n, bool* values, std::size_t size) {
  return get(c, __func__, vr, n, values, size, booleans, "Boolean");
}
int fmi3GetString(void* c, const Reference* vr, std::size_t n, const char** values, std::size_t size) {
  return on(c, __func__, [&](Component& its) {
    const std::span<const Reference> asked(needed(vr, n, "valueReferences"), n);
    const std::span<const char*> to(needed(values, size, "values"), size);
    check_count(size, n);
    for (std::size_t i = 0; i < n; ++i) {
      checked(*its.instance, asked[i], texts, "String");
      to[i] = its.instance->read_text(asked[i]).c_str();
    }
    return Component::ok;
  });
}
int fmi3SetFloat64(void* c, const Reference* vr, std::size_t n, const double* values, std::size_t size) {
  return set(c, __func__, vr, n, values, size, reals, "Float64");
}
int fmi3SetInt64(void* c, const Reference* vr, std::size_t n, const std::int64_t* values, std::size_t size) {
  return set(c, __func__, vr, n, values, size, integers, "Int64");
}
int fmi3SetUInt64(void* c, const Reference* vr, std::size_t n, const std::uint64_t* values, std::size_t size) {
  return set(c, __func__, vr, n, values, size, wholes, "UInt64");
}
int fmi3SetBoolean(void* c, const Reference* vr, std::size_t n, const bool* values, std::size_t size) {
  return set(c, __func__, vr, n, values, size, booleans, "Boolean");
}
int fmi3SetString(void* c, const Reference* vr, std::size_t n, const char* const* values, std::size_t size) {
  return on(c, __func__, [&](Component& its) {
    const std::span<const Reference> asked(needed(vr, n, "valueReferences"), n);
    const std::span<const char* const> from(needed(values, size, "values"), size);
    check_count(size, n);
    for (std::size_t i = 0; i < n; ++i) {
      checked(*its.instance, asked[i], texts, "String");
      its.instance->write_text(asked[i], needed(from[i], 1, "a string"));
    }
    return Component::ok;
  });
}

int fmi3GetFMUState(void* c, void** state) {
  return on(c, __func__, [&](Component& its) {
    auto saved = std::make_unique<State>(its.instance->state());
    if (needed(state, 1, "FMUstate"); *state != nullptr) delete static_cast<State*>(*state);
    *state = saved.release();
    return Component::ok;
  });
}
int fmi3SetFMUState(void* c, void* state) {
  return on(c, __func__, [&](Component& its) {
    its.instance->put(*static_cast<const State*>(needed(state, 1, "FMUState")));
    its.ended = false;
    return Component::ok;
  });
}
int fmi3FreeFMUState(void* c, void** state) {
  return on(c, __func__, [&](Component&) {
    if (state != nullptr) delete static_cast<State*>(std::exchange(*state, nullptr));
    return Component::ok;
  });
}
int fmi3SerializedFMUStateSize(void* c, void* state, std::size_t* size) {
  return on(c, __func__, [&](Component&) {
    *needed(size, 1, "size") = static_cast<const State*>(needed(state, 1, "FMUState"))->packed().size();
    return Component::ok;
  });
}
int fmi3SerializeFMUState(void* c, void* state, unsigned char* bytes, std::size_t size) {
  return on(c, __func__, [&](Component&) {
    const std::string packed = static_cast<const State*>(needed(state, 1, "FMUState"))->packed();
    if (size < packed.size())
      throw Refused{fmt::format("the serialized state takes {} bytes, and there is room for {}", packed.size(), size)};
    std::memcpy(needed(bytes, size, "serializedState"), packed.data(), packed.size());
    return Component::ok;
  });
}
int fmi3DeserializeFMUState(void* c, const unsigned char* bytes, std::size_t size, void** state) {
  return on(c, __func__, [&](Component&) {
    const auto* text = reinterpret_cast<const char*>(needed(bytes, size, "serializedState"));
    auto read = std::make_unique<State>(State::unpacked({text, size}));
    *needed(state, 1, "FMUState") = read.release();
    return Component::ok;
  });
}

int fmi3DoStep(void* c, double time, double size, bool, bool* event, bool* terminate, bool* early, double* last) {
  return on(c, __func__, [&](Component& its) {
    if (its.ended) throw Refused{its.instance->ending()};
    its.ended = !its.instance->step(time, size);
    if (event != nullptr) *event = false;
    if (terminate != nullptr) *terminate = its.ended;
    if (early != nullptr) *early = false;
    if (last != nullptr) *last = its.instance->time();
    if (its.ended) its.log(Component::ok, "logEvents", its.instance->ending());
    return Component::ok;
  });
}
int fmi3EnterStepMode(void* c) { return not_offered(c, __func__); }

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
int fmi3EnterConfigurationMode(void* c) { return not_offered(c, __func__); }
int fmi3ExitConfigurationMode(void* c) { return not_offered(c, __func__); }

// of variables that no diagram has: the caller's other arguments are not looked at
int fmi3GetFloat32(void* c) { return not_offered(c, __func__); }
int fmi3GetInt8(void* c) { return not_offered(c, __func__); }
int fmi3GetUInt8(void* c) { return not_offered(c, __func__); }
int fmi3GetInt16(void* c) { return not_offered(c, __func__); }
int fmi3GetUInt16(void* c) { return not_offered(c, __func__); }
int fmi3GetInt32(void* c) { return not_offered(c, __func__); }
int fmi3GetUInt32(void* c) { return not_offered(c, __func__); }
int fmi3GetBinary(void* c) { return not_offered(c, __func__); }
int fmi3GetClock(void* c) { return not_offered(c, __func__); }
int fmi3SetFloat32(void* c) { return not_offered(c, __func__); }
int fmi3SetInt8(void* c) { return not_offered(c, __func__); }
int fmi3SetUInt8(void* c) { return not_offered(c, __func__); }
int fmi3SetInt16(void* c) { return not_offered(c, __func__); }
int fmi3SetUInt16(void* c) { return not_offered(c, __func__); }
int fmi3SetInt32(void* c) { return not_offered(c, __func__); }
int fmi3SetUInt32(void* c) { return not_offered(c, __func__); }
int fmi3SetBinary(void* c) { return not_offered(c, __func__); }
int fmi3SetClock(void* c) { return not_offered(c, __func__); }

// of clocks and scheduled execution
int fmi3GetIntervalDecimal(void* c) { return not_offered(c, __func__); }
int fmi3GetIntervalFraction(void* c) { return not_offered(c, __func__); }
int fmi3GetShiftDecimal(void* c) { return not_offered(c, __func__); }
int fmi3GetShiftFraction(void* c) { return not_offered(c, __func__); }
int fmi3SetIntervalDecimal(void* c) { return not_offered(c, __func__); }
int fmi3SetIntervalFraction(void* c) { return not_offered(c, __func__); }
int fmi3SetShiftDecimal(void* c) { return not_offered(c, __func__); }
int fmi3SetShiftFraction(void* c) { return not_offered(c, __func__); }
int fmi3EvaluateDiscreteStates(void* c) { return not_offered(c, __func__); }
int fmi3UpdateDiscreteStates(void* c) { return not_offered(c, __func__); }
int fmi3ActivateModelPartition(void* c) { return not_offered(c, __func__); }

// of model exchange and events
int fmi3EnterEventMode(void* c) { return not_offered(c, __func__); }
int fmi3EnterContinuousTimeMode(void* c) { return not_offered(c, __func__); }
int fmi3CompletedIntegratorStep(void* c) { return not_offered(c, __func__); }
int fmi3SetTime(void* c) { return not_offered(c, __func__); }
int fmi3SetContinuousStates(void* c) { return not_offered(c, __func__); }
int fmi3GetContinuousStateDerivatives(void* c) { return not_offered(c, __func__); }
int fmi3GetEventIndicators(void* c) { return not_offered(c, __func__); }
int fmi3GetContinuousStates(void* c) { return not_offered(c, __func__); }
int fmi3GetNominalsOfContinuousStates(void* c) { return not_offered(c, __func__); }
int fmi3GetNumberOfEventIndicators(void* c) { return not_offered(c, __func__); }
int fmi3GetNumberOfContinuousStates(void* c) { return not_offered(c, __func__); }
}
