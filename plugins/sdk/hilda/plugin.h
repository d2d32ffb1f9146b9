// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_PLUGIN_H
#define HILDA_PLUGIN_H

// From a C++ type to a descriptor: `HILDA_BLOCK(PhaseLead, "Undoes a sensor's pure delay.")`.

#include <hilda/thunks.h>

namespace hilda {
inline namespace sdk1 {
namespace detail {

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
    d.limits_table = {sizeof(hilda_limits_1), sizeof(hilda_limit), d.limits.data(), d.limits.size()};
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
  F::check_rows();
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
  static_assert(
      !HILDA_OVERRIDES(T, output_and_update) || (HILDA_OVERRIDES(T, output) && HILDA_OVERRIDES(T, update)),
      "output_and_update stands beside output and update, and is called in their place where that is possible");
  if constexpr (HILDA_OVERRIDES(T, output) && HILDA_OVERRIDES(T, update)) type.step_many = &F::step_many;
  if constexpr (HILDA_OVERRIDES(T, derivative))
    type.derivative = &F::derivative, type.derivative_many = &F::derivative_many;
  if constexpr (HILDA_OVERRIDES(T, project)) type.project = &F::project;
  if constexpr (HILDA_OVERRIDES(T, event)) type.event = &F::event;
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
#define HILDA_BLOCK(Type, doc)                                                                                         \
  static const ::hilda::detail::Registration HILDA_CONCATENATE(hilda_registration_, __COUNTER__){                      \
      #Type, doc, {&::hilda::detail::describe<Type>}};

/// The same block for several sizes: the general type first, then those for the shapes they fix, best first.
#define HILDA_BLOCK_VARIANTS(name, doc, general, ...)                                                                  \
  static const ::hilda::detail::Registration HILDA_CONCATENATE(hilda_registration_, __COUNTER__){                      \
      name, doc, ::hilda::detail::describers<general, __VA_ARGS__>()};

// Their names in sources of 0.1.
#define HILDA_PLUGIN(Type, doc) HILDA_BLOCK(Type, doc)
#define HILDA_PLUGIN_VARIANTS(name, doc, general, ...) HILDA_BLOCK_VARIANTS(name, doc, general, __VA_ARGS__)

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

#endif
