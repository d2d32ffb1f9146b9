// SPDX-License-Identifier: BSD-3-Clause
// The functions of FMI 2.0, co-simulation.
#include "tools/fmi/detail/library/component.h"

#include <climits>
#include <span>

using namespace hilda::fmi;

namespace {

using LoggerOfTwo = void (*)(void*, const char*, int, const char*, const char*, ...);

struct Callbacks {
  LoggerOfTwo logger;
  void* (*allocate)(std::size_t, std::size_t);
  void (*release)(void*);
  void (*step_finished)(void*, int);
  void* environment;
};

constexpr int co_simulation = 1, last_successful_time = 2, terminated = 3; // the standard's numbers

bool is(Kind kind, std::initializer_list<Kind> kinds) {
  for (const Kind each : kinds)
    if (kind == each) return true;
  return false;
}

void check_kind(Instance& instance, Reference reference, std::initializer_list<Kind> kinds, const char* type) {
  const Variable& variable = instance.variable(reference);
  if (!is(variable.kind, kinds))
    throw refusal("fmi-type",
                  fmt::format("'{}' (value reference {}) is not of the type {}", variable.name, reference, type),
                  "take the function of its type in modelDescription.xml");
}

template <class T, class Convert>
int get(void* component, const char* function, const Reference* references, std::size_t count, T* values,
        std::initializer_list<Kind> kinds, const char* type, Convert convert) {
  return on(component, function, [&](Component& its) {
    const std::span<const Reference> asked(needed(references, count, "vr"), count);
    const std::span<T> to(needed(values, count, "value"), count);
    for (std::size_t i = 0; i < count; ++i) {
      check_kind(*its.instance, asked[i], kinds, type);
      double number = 0;
      its.instance->read(asked[i], {&number, 1});
      to[i] = convert(number);
    }
    return Component::ok;
  });
}

template <class T>
int set(void* component, const char* function, const Reference* references, std::size_t count, const T* values,
        std::initializer_list<Kind> kinds, const char* type) {
  return on(component, function, [&](Component& its) {
    const std::span<const Reference> asked(needed(references, count, "vr"), count);
    const std::span<const T> from(needed(values, count, "value"), count);
    for (std::size_t i = 0; i < count; ++i) {
      check_kind(*its.instance, asked[i], kinds, type);
      const auto number = static_cast<double>(from[i]);
      its.instance->write(asked[i], {&number, 1});
    }
    return Component::ok;
  });
}

const std::initializer_list<Kind> reals = {Kind::real}, integers = {Kind::integer, Kind::whole, Kind::choice},
                                  booleans = {Kind::boolean}, texts = {Kind::text};

} // namespace

extern "C" {

const char* fmi2GetTypesPlatform() { return "default"; }
const char* fmi2GetVersion() { return "2.0"; }
int fmi2SetDebugLogging(void* c, int, std::size_t, const char* const*) {
  return on(c, __func__, [](Component&) { return Component::ok; });
}

void* fmi2Instantiate(const char* name, int type, const char* guid, const char* resources, const Callbacks* callbacks,
                      int, int logs) {
  if (callbacks == nullptr || callbacks->logger == nullptr) return nullptr;
  auto component = std::make_unique<Component>();
  component->log = [logger = callbacks->logger, environment = callbacks->environment,
                    name = std::string(name != nullptr ? name : "")](int status, const char* category,
                                                                     const std::string& what) {
    logger(environment, name.c_str(), status, category, "%s", what.c_str());
  };
  if (type != co_simulation) return not_offered(component.get(), __func__), nullptr;
  return component->open(__func__, name, resources, guid, logs != 0) == Component::ok ? component.release() : nullptr;
}
void fmi2FreeInstance(void* c) { delete static_cast<Component*>(c); }

int fmi2SetupExperiment(void* c, int, double, double start, int, double) {
  return on(c, __func__, [&](Component& its) {
    its.instance->set_start(start);
    return Component::ok;
  });
}
int fmi2EnterInitializationMode(void* c) {
  return on(c, __func__, [](Component& its) {
    its.instance->begin_initialisation();
    return Component::ok;
  });
}
int fmi2ExitInitializationMode(void* c) {
  return on(c, __func__, [](Component& its) {
    its.instance->end_initialisation();
    return Component::ok;
  });
}
int fmi2Terminate(void* c) {
  return on(c, __func__, [](Component& its) {
    its.instance->terminate();
    return Component::ok;
  });
}
int fmi2Reset(void* c) {
  return on(c, __func__, [](Component& its) {
    its.instance->reset();
    its.ended = false;
    return Component::ok;
  });
}

int fmi2GetReal(void* c, const Reference* vr, std::size_t n, double* values) {
  return get(c, __func__, vr, n, values, reals, "Real", [](double number) { return number; });
}
int fmi2GetInteger(void* c, const Reference* vr, std::size_t n, int* values) {
  return get(c, __func__, vr, n, values, integers, "Integer", [](double number) {
    if (number < INT_MIN || number > INT_MAX)
      throw refusal("fmi-value",
                    fmt::format("the value {} does not fit an Integer of FMI 2.0, which has 32 bits", number),
                    "export the diagram with --fmi 3");
    return static_cast<int>(number);
  });
}
int fmi2GetBoolean(void* c, const Reference* vr, std::size_t n, int* values) {
  return get(c, __func__, vr, n, values, booleans, "Boolean", [](double number) { return number != 0 ? 1 : 0; });
}
int fmi2GetString(void* c, const Reference* vr, std::size_t n, const char** values) {
  return on(c, __func__, [&](Component& its) {
    const std::span<const Reference> asked(needed(vr, n, "vr"), n);
    const std::span<const char*> to(needed(values, n, "value"), n);
    for (std::size_t i = 0; i < n; ++i) {
      check_kind(*its.instance, asked[i], texts, "String");
      to[i] = its.instance->read_text(asked[i]).c_str();
    }
    return Component::ok;
  });
}
int fmi2SetReal(void* c, const Reference* vr, std::size_t n, const double* values) {
  return set(c, __func__, vr, n, values, reals, "Real");
}
int fmi2SetInteger(void* c, const Reference* vr, std::size_t n, const int* values) {
  return set(c, __func__, vr, n, values, integers, "Integer");
}
int fmi2SetBoolean(void* c, const Reference* vr, std::size_t n, const int* values) {
  return set(c, __func__, vr, n, values, booleans, "Boolean");
}
int fmi2SetString(void* c, const Reference* vr, std::size_t n, const char* const* values) {
  return on(c, __func__, [&](Component& its) {
    const std::span<const Reference> asked(needed(vr, n, "vr"), n);
    const std::span<const char* const> from(needed(values, n, "value"), n);
    for (std::size_t i = 0; i < n; ++i) {
      check_kind(*its.instance, asked[i], texts, "String");
      its.instance->write_text(asked[i], needed(from[i], 1, "a string"));
    }
    return Component::ok;
  });
}

int fmi2GetFMUstate(void* c, void** state) { return save_state(c, __func__, state); }
int fmi2SetFMUstate(void* c, void* state) { return restore_state(c, __func__, state); }
int fmi2FreeFMUstate(void* c, void** state) { return free_state(c, __func__, state); }
int fmi2SerializedFMUstateSize(void* c, void* state, std::size_t* size) { return state_size(c, __func__, state, size); }
int fmi2SerializeFMUstate(void* c, void* state, char* bytes, std::size_t size) {
  return pack_state(c, __func__, state, bytes, size);
}
int fmi2DeSerializeFMUstate(void* c, const char* bytes, std::size_t size, void** state) {
  return unpack_state(c, __func__, bytes, size, state);
}

int fmi2DoStep(void* c, double time, double size, int) {
  return on(c, __func__, [&](Component& its) {
    if (its.ended) throw its.instance->failed_run();
    if (its.instance->step(time, size)) return Component::ok;
    its.ended = true;
    its.log(Component::discard, "logEvents", its.instance->ending());
    return Component::discard;
  });
}
int fmi2GetRealStatus(void* c, int kind, double* value) {
  if (kind != last_successful_time) return not_offered(c, __func__);
  return on(c, __func__, [&](Component& its) {
    *needed(value, 1, "value") = its.instance->time();
    return Component::ok;
  });
}
int fmi2GetBooleanStatus(void* c, int kind, int* value) {
  if (kind != terminated) return not_offered(c, __func__);
  return on(c, __func__, [&](Component& its) {
    *needed(value, 1, "value") = its.ended ? 1 : 0;
    return Component::ok;
  });
}
}
