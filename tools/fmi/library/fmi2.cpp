// The functions of FMI 2.0, co-simulation.
#include "tools/fmi/library/component.h"
#include "tools/fmi/package.h"

#include <climits>
#include <cstring>
#include <span>

using namespace hilda::fmi;

namespace {

using Reference = unsigned int;
using Logger = void (*)(void*, const char*, int, const char*, const char*, ...);

struct Callbacks {
  Logger logger;
  void* (*allocate)(std::size_t, std::size_t);
  void (*release)(void*);
  void (*step_finished)(void*, int);
  void* environment;
};

constexpr int terminated_status = 3; ///< of GetBooleanStatus

bool is(Kind kind, std::initializer_list<Kind> kinds) {
  for (const Kind each : kinds)
    if (kind == each) return true;
  return false;
}

void check_kind(Instance& instance, Reference reference, std::initializer_list<Kind> kinds, const char* type) {
  const Variable& variable = instance.variable(reference);
  if (!is(variable.kind, kinds))
    throw Refused{fmt::format("'{}' (value reference {}) is not of the type {}", variable.name, reference, type)};
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
                      int, int) {
  if (callbacks == nullptr || callbacks->logger == nullptr) return nullptr;
  const auto text = [](const char* t) { return std::string(t != nullptr ? t : ""); };
  auto component = std::make_unique<Component>();
  component->log = [logger = callbacks->logger, environment = callbacks->environment,
                    name = text(name)](int status, const char* category, const std::string& what) {
    logger(environment, name.c_str(), status, category, "%s", what.c_str());
  };
  const int status = component->guarded(__func__, [&] {
    if (name == nullptr || *name == '\0') throw Refused{"the instance has no name"};
    if (type != 1) throw Refused{"the importer asks for model exchange, and this FMU is for co-simulation"};
    component->instance = open_instance(text(resources), text(guid));
    return Component::ok;
  });
  return status == Component::ok ? component.release() : nullptr;
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
      throw Refused{fmt::format("the value {} does not fit an Integer of FMI 2.0, which has 32 bits", number)};
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

int fmi2GetFMUstate(void* c, void** state) {
  return on(c, __func__, [&](Component& its) {
    auto saved = std::make_unique<State>(its.instance->state());
    if (needed(state, 1, "FMUstate"); *state != nullptr) delete static_cast<State*>(*state);
    *state = saved.release();
    return Component::ok;
  });
}
int fmi2SetFMUstate(void* c, void* state) {
  return on(c, __func__, [&](Component& its) {
    its.instance->put(*static_cast<const State*>(needed(state, 1, "FMUstate")));
    its.ended = false;
    return Component::ok;
  });
}
int fmi2FreeFMUstate(void* c, void** state) {
  return on(c, __func__, [&](Component&) {
    if (state != nullptr) delete static_cast<State*>(std::exchange(*state, nullptr));
    return Component::ok;
  });
}
int fmi2SerializedFMUstateSize(void* c, void* state, std::size_t* size) {
  return on(c, __func__, [&](Component&) {
    *needed(size, 1, "size") = static_cast<const State*>(needed(state, 1, "FMUstate"))->packed().size();
    return Component::ok;
  });
}
int fmi2SerializeFMUstate(void* c, void* state, char* bytes, std::size_t size) {
  return on(c, __func__, [&](Component&) {
    const std::string packed = static_cast<const State*>(needed(state, 1, "FMUstate"))->packed();
    if (size < packed.size())
      throw Refused{fmt::format("the serialized state takes {} bytes, and there is room for {}", packed.size(), size)};
    std::memcpy(needed(bytes, size, "serializedState"), packed.data(), packed.size());
    return Component::ok;
  });
}
int fmi2DeSerializeFMUstate(void* c, const char* bytes, std::size_t size, void** state) {
  return on(c, __func__, [&](Component&) {
    auto read = std::make_unique<State>(State::unpacked({needed(bytes, size, "serializedState"), size}));
    *needed(state, 1, "FMUstate") = read.release();
    return Component::ok;
  });
}

int fmi2DoStep(void* c, double time, double size, int) {
  return on(c, __func__, [&](Component& its) {
    if (its.ended) throw Refused{its.instance->ending()};
    if (its.instance->step(time, size)) return Component::ok;
    its.ended = true;
    its.log(Component::discard, "logStatusDiscard", its.instance->ending());
    return Component::discard;
  });
}
int fmi2CancelStep(void* c) {
  return on(c, __func__, [](Component&) -> int { throw Refused{"no step is running: steps end before DoStep returns"}; });
}
int fmi2GetStatus(void* c, int, int*) {
  return on(c, __func__, [](Component&) -> int { throw Refused{"no step is pending: steps end before DoStep returns"}; });
}
int fmi2GetRealStatus(void* c, int kind, double* value) {
  return on(c, __func__, [&](Component& its) {
    if (kind != 2) throw Refused{fmt::format("the status kind {} is not lastSuccessfulTime (2)", kind)};
    *needed(value, 1, "value") = its.instance->time();
    return Component::ok;
  });
}
int fmi2GetIntegerStatus(void* c, int, int*) { return not_offered(c, __func__); }
int fmi2GetBooleanStatus(void* c, int kind, int* value) {
  return on(c, __func__, [&](Component& its) {
    if (kind != terminated_status) throw Refused{fmt::format("the status kind {} is not terminated (3)", kind)};
    *needed(value, 1, "value") = its.ended ? 1 : 0;
    return Component::ok;
  });
}
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
