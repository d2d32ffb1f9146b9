// SPDX-License-Identifier: BSD-3-Clause
// The functions of FMI 3.0, co-simulation.
#include "tools/fmi/detail/library/component.h"

#include <span>
#include <vector>

using namespace hilda::fmi;

namespace {

const Variable& checked(const Instance& instance, Reference reference, std::initializer_list<Kind> kinds,
                        const char* type) {
  const Variable& variable = instance.variable(reference);
  bool good = variable.reference == reference;
  if (!good)
    throw refusal("fmi-reference",
                  fmt::format("there is no variable with the value reference {}; '{}' has {}", reference, variable.name,
                              variable.reference),
                  "take value references from modelDescription.xml");
  good = false;
  for (const Kind kind : kinds) good = good || variable.kind == kind;
  if (!good)
    throw refusal("fmi-type",
                  fmt::format("'{}' (value reference {}) is not of the type {}", variable.name, reference, type),
                  "take the function of its type in modelDescription.xml");
  return variable;
}

void check_count(std::size_t given, std::size_t wanted) {
  if (given != wanted)
    throw refusal("fmi-count", fmt::format("the array has {} values, and these variables have {}", given, wanted),
                  "give an array of the sum of their sizes");
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

const std::initializer_list<Kind> floats = {Kind::real}, integers = {Kind::integer, Kind::choice},
                                  wholes = {Kind::whole}, booleans = {Kind::boolean}, texts = {Kind::text};

} // namespace

extern "C" {

const char* fmi3GetVersion() { return "3.0"; }
int fmi3SetDebugLogging(void* c, bool, std::size_t, const char* const*) {
  return on(c, __func__, [](Component&) { return Component::ok; });
}

void* fmi3InstantiateCoSimulation(const char* name, const char* token, const char* resources, bool, bool logs,
                                  bool events, bool, const Reference*, std::size_t, void* environment,
                                  LoggerOfThree logger, void*) {
  if (logger == nullptr) return nullptr;
  auto component = std::make_unique<Component>();
  component->log = [logger, environment](int status, const char* category, const std::string& what) {
    logger(environment, status, category, what.c_str());
  };
  if (events) return not_offered(component.get(), __func__), nullptr;
  return component->open(__func__, name, resources, token, logs) == Component::ok ? component.release() : nullptr;
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
  return get(c, __func__, vr, n, values, size, floats, "Float64");
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
  return set(c, __func__, vr, n, values, size, floats, "Float64");
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

int fmi3GetFMUState(void* c, void** state) { return save_state(c, __func__, state); }
int fmi3SetFMUState(void* c, void* state) { return restore_state(c, __func__, state); }
int fmi3FreeFMUState(void* c, void** state) { return free_state(c, __func__, state); }
int fmi3SerializedFMUStateSize(void* c, void* state, std::size_t* size) { return state_size(c, __func__, state, size); }
int fmi3SerializeFMUState(void* c, void* state, std::uint8_t* bytes, std::size_t size) {
  return pack_state(c, __func__, state, bytes, size);
}
int fmi3DeserializeFMUState(void* c, const std::uint8_t* bytes, std::size_t size, void** state) {
  return unpack_state(c, __func__, bytes, size, state);
}

int fmi3DoStep(void* c, double time, double size, bool, bool* event, bool* terminate, bool* early, double* last) {
  return on(c, __func__, [&](Component& its) {
    if (its.ended) throw its.instance->failed_run();
    its.ended = !its.instance->step(time, size);
    if (event != nullptr) *event = false;
    if (terminate != nullptr) *terminate = its.ended;
    if (early != nullptr) *early = false;
    if (last != nullptr) *last = its.instance->time();
    if (its.ended) its.log(Component::ok, "logEvents", its.instance->ending());
    return Component::ok;
  });
}
}
