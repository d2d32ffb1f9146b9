#pragma once

// From a C++ type to a descriptor: `HILDA_PLUGIN(PhaseLead, "Undoes a sensor's pure delay.")`.

#include <cstring>
#include <exception>
#include <hilda/block.h>
#include <new>

namespace hilda {
inline namespace sdk1 {
namespace detail {

// Which phases T overrides: `&T::output` names Block's own member where it does not. A slot that has the name of an
// ability, such as a parameter `rest`, is none of its own.
#define HILDA_OVERRIDES(T, phase)                                                                                      \
  (std::is_member_function_pointer_v<decltype(&T::phase)> &&                                                           \
   !std::is_same_v<decltype(&T::phase), decltype(&::hilda::Block::phase)>)

/// The C functions of T. Phases are called qualified, so that they are inlined into the loops.
template <typename T> struct Thunks {
  static T& self(void* r) { return *static_cast<T*>(r); }
  static const T& self(const void* r) { return *static_cast<const T*>(r); }
  static T& at(void* first, std::uint64_t stride, std::uint64_t i) {
    return self(static_cast<char*>(first) + i * stride);
  }

  /// Exceptions end here, before the boundary: they become a report.
  template <typename F> static std::int32_t guarded(const hilda_instance* i, F&& body) {
    try {
      body();
      return 0;
    } catch (const std::exception& e) { i->report(i->engine, nullptr, e.what()); } catch (...) {
      i->report(i->engine, nullptr, "an exception that is no std::exception");
    }
    return 1;
  }

  static void construct(void* r) { new (r) T; }
  static void destroy(void* r) { self(r).T::~T(); }
  static std::int32_t feeds_through(const void* r, const hilda_instance* i) {
    bool through = true;
    guarded(i, [&] { through = self(r).T::feeds_through(Instance(i)); });
    return through ? 1 : 0;
  }
  static std::int32_t infer(void* r, const hilda_instance* i, const hilda_inference* f) {
    return guarded(i, [&] { self(r).T::infer(Instance(i), Inference(f)); });
  }
  static std::int32_t configure(void* r, const hilda_instance* i) {
    return guarded(i, [&] { self(r).T::configure(Instance(i)); });
  }
  static void prepare(void* r, const hilda_instance* i) {
    guarded(i, [&] { self(r).T::prepare(Instance(i)); });
  }
  static void initialize(void* r, const hilda_instance* i) {
    guarded(i, [&] { self(r).T::initialize(Instance(i)); });
  }
  static std::int32_t start(void* r, const hilda_instance* i) {
    return guarded(i, [&] { self(r).T::start(Instance(i)); });
  }
  static void stop(void* r) { self(r).T::stop(); }
  static void summarize(const void* r, const hilda_summary_sink* s) { self(r).T::summarize(Summary(s)); }
  static double stored(const void* r) { return self(r).T::stored_energy(); }
  static std::uint64_t save(const void* r, void* data, std::uint64_t capacity) {
    const std::string bytes = self(r).T::save_state();
    if (data != nullptr && bytes.size() <= capacity) std::memcpy(data, bytes.data(), bytes.size());
    return bytes.size();
  }
  static std::int32_t load(void* r, const void* data, std::uint64_t bytes) {
    return self(r).T::load_state(std::string_view(static_cast<const char*>(data), bytes)) ? 0 : 1;
  }
  static double period(const void* r) { return self(r).T::cycle_period(); }
  static std::int32_t wait(void* r, std::int64_t deadline, hilda_cycle* cycle) {
    const Cycle came = self(r).T::await_cycle(deadline);
    cycle->arrival = came.arrival;
    return came.kind;
  }
  static std::int64_t patience(const void* r) { return self(r).T::patience(); }
  static std::int32_t rest(const void* r, const char* input, double* value) {
    return self(r).T::rest(input, value) ? 0 : 1;
  }
  static std::int32_t fate(const void* r, const char* input) { return self(r).T::fate_of(input); }

#define HILDA_PHASE(phase)                                                                                             \
  static void phase(void* r, const hilda_tick* t) { self(r).T::phase(Tick(t, r)); }
  HILDA_PHASE(prime)
  HILDA_PHASE(acquire)
  HILDA_PHASE(state_output)
  HILDA_PHASE(output)
  HILDA_PHASE(emit)
  HILDA_PHASE(update)
  HILDA_PHASE(derivative)
  HILDA_PHASE(project)
#undef HILDA_PHASE
#define HILDA_PHASE_MANY(phase)                                                                                        \
  static void phase##_many(void* first, std::uint64_t stride, std::uint64_t count, const hilda_tick* t) {              \
    for (std::uint64_t i = 0; i < count; ++i) {                                                                        \
      T& block = at(first, stride, i);                                                                                 \
      block.T::phase(Tick(t, &block));                                                                                 \
    }                                                                                                                  \
  }
  HILDA_PHASE_MANY(state_output)
  HILDA_PHASE_MANY(output)
  HILDA_PHASE_MANY(update)
  HILDA_PHASE_MANY(derivative)
#undef HILDA_PHASE_MANY
  static void step_many(void* first, std::uint64_t stride, std::uint64_t count, const hilda_tick* t) {
    for (std::uint64_t i = 0; i < count; ++i) {
      T& block = at(first, stride, i);
      block.T::output(Tick(t, &block));
      block.T::update(Tick(t, &block));
    }
  }

  static const void* extension(const char* name) {
    const std::string_view wanted = name;
    if constexpr (HILDA_OVERRIDES(T, summarize)) {
      static constexpr hilda_summary_1 summary{sizeof(hilda_summary_1), 0, &summarize};
      if (wanted == "hilda.summary/1") return &summary;
    }
    if constexpr (HILDA_OVERRIDES(T, stored_energy)) {
      static constexpr hilda_energy_1 energy{sizeof(hilda_energy_1), 0, &stored};
      if (wanted == "hilda.energy/1") return &energy;
    }
    if constexpr (HILDA_OVERRIDES(T, save_state)) {
      static constexpr hilda_state_1 state{sizeof(hilda_state_1), 0, &save, &load};
      if (wanted == "hilda.state/1") return &state;
    }
    if constexpr (HILDA_OVERRIDES(T, await_cycle)) {
      static constexpr hilda_clock_1 clock{sizeof(hilda_clock_1), 0, &period, &wait, &patience};
      if (wanted == "hilda.clock/1") return &clock;
    }
    if constexpr (HILDA_OVERRIDES(T, rest)) {
      static constexpr hilda_actuation_1 actuation{sizeof(hilda_actuation_1), 0, &rest, &fate};
      if (wanted == "hilda.actuation/1") return &actuation;
    }
    return nullptr;
  }
};

/// Reads the members of one prototype.
template <typename T> Declaration& declaration() {
  static Declaration declared = [] {
    Declaration d;
    alignas(T) unsigned char place[sizeof(T)] = {};
    d.base = place;
    recording = &d;
    struct Recording { // ends with the prototype's construction, also where that throws
      explicit Recording(Declaration* to) { recording = to; }
      ~Recording() { recording = nullptr; }
    };
    T* prototype = nullptr;
    {
      const Recording now(&d);
      prototype = new (place) T;
    }
    prototype->~T();
    return d;
  }();
  return declared;
}

template <typename T> hilda_block_type describe(const char* name, const char* doc, std::uint32_t flags) {
  using F = Thunks<T>;
  static_assert(std::is_member_function_pointer_v<decltype(&T::start)> &&
                    std::is_member_function_pointer_v<decltype(&T::stop)> &&
                    std::is_member_function_pointer_v<decltype(&T::output)> &&
                    std::is_member_function_pointer_v<decltype(&T::update)> &&
                    std::is_member_function_pointer_v<decltype(&T::derivative)> &&
                    std::is_member_function_pointer_v<decltype(&T::emit)>,
                "a member of the block has the name of a phase (start, stop, output, update, derivative, emit): rename "
                "the member");
  const Declaration& d = declaration<T>();
  hilda_block_type type{};
  type.size = sizeof type;
  type.flags = flags;
  static_assert(HILDA_OVERRIDES(T, save_state) == HILDA_OVERRIDES(T, load_state),
                "save_state and load_state go together: what one writes the other reads");
  if constexpr (HILDA_OVERRIDES(T, save_state)) type.flags |= HILDA_EXTERNAL_STATE;
  // A type says `static constexpr std::uint32_t type_flags = HILDA_SINK;` where it is more than a plain block.
  if constexpr (requires { T::type_flags; }) type.flags |= T::type_flags;
  type.name = name;
  type.doc = doc;
  type.record_size = sizeof(T);
  type.record_align = alignof(T);
  type.slots = d.slots.data();
  type.slot_count = static_cast<std::uint32_t>(d.slots.size());
  type.slot_stride = sizeof(hilda_slot);
  type.construct = &F::construct;
  type.destroy = &F::destroy;
  if constexpr (HILDA_OVERRIDES(T, feeds_through)) type.feeds_through = &F::feeds_through;
  if constexpr (HILDA_OVERRIDES(T, infer)) type.infer = &F::infer;
  if constexpr (HILDA_OVERRIDES(T, configure)) type.configure = &F::configure;
  if constexpr (HILDA_OVERRIDES(T, prepare)) type.prepare = &F::prepare;
  if constexpr (HILDA_OVERRIDES(T, initialize)) type.initialize = &F::initialize;
  if constexpr (HILDA_OVERRIDES(T, start)) type.start = &F::start;
  if constexpr (HILDA_OVERRIDES(T, stop)) type.stop = &F::stop;
  if constexpr (HILDA_OVERRIDES(T, prime)) type.prime = &F::prime;
  if constexpr (HILDA_OVERRIDES(T, acquire)) type.acquire = &F::acquire;
  if constexpr (HILDA_OVERRIDES(T, state_output))
    type.state_output = &F::state_output, type.state_output_many = &F::state_output_many;
  if constexpr (HILDA_OVERRIDES(T, output)) type.output = &F::output, type.output_many = &F::output_many;
  if constexpr (HILDA_OVERRIDES(T, emit)) type.emit = &F::emit;
  if constexpr (HILDA_OVERRIDES(T, update)) type.update = &F::update, type.update_many = &F::update_many;
  if constexpr (HILDA_OVERRIDES(T, output) && HILDA_OVERRIDES(T, update)) type.step_many = &F::step_many;
  if constexpr (HILDA_OVERRIDES(T, derivative))
    type.derivative = &F::derivative, type.derivative_many = &F::derivative_many;
  if constexpr (HILDA_OVERRIDES(T, project)) type.project = &F::project;
  type.extension = &F::extension;
  return type;
}

/// A block type of this library, linked into a list before main: the order of files does not matter, entry.cpp sorts.
struct Registration {
  using Describe = hilda_block_type (*)(const char*, const char*, std::uint32_t);
  Registration(const char* n, const char* d, std::initializer_list<Describe> v)
      : name(n), doc(d), variants(v), next(first) {
    first = this;
  }
  const char* name;
  const char* doc;
  std::vector<Describe> variants;
  Registration* next;
  static inline Registration* first = nullptr;
};

} // namespace detail
} // namespace sdk1
} // namespace hilda

#define HILDA_CONCATENATE_(a, b) a##b
#define HILDA_CONCATENATE(a, b) HILDA_CONCATENATE_(a, b)

/// Makes the type a block of this plugin, under the type's own name.
#define HILDA_PLUGIN(Type, doc)                                                                                        \
  static const ::hilda::detail::Registration HILDA_CONCATENATE(hilda_registration_, __LINE__){                         \
      #Type, doc, {&::hilda::detail::describe<Type>}};

/// The same block for several sizes: the general type first, then those for the shapes they fix, best first.
#define HILDA_PLUGIN_VARIANTS(name, doc, general, ...)                                                                 \
  static const ::hilda::detail::Registration HILDA_CONCATENATE(hilda_registration_, __LINE__){                         \
      name, doc, ::hilda::detail::describers<general, __VA_ARGS__>()};

namespace hilda {
inline namespace sdk1 {
namespace detail {
template <typename... T> std::initializer_list<Registration::Describe> describers() {
  static constexpr std::initializer_list<Registration::Describe> all{&describe<T>...};
  return all;
}
} // namespace detail
} // namespace sdk1
} // namespace hilda
