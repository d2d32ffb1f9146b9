// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_THUNKS_H
#define HILDA_THUNKS_H

// The C functions of a block type, made of its phases.

#include <cstring>
#include <exception>
#include <hilda/block.h>
#include <hilda/past.h>
#include <hilda/row.h>
#include <new>

namespace hilda {
inline namespace sdk1 {
namespace detail {

// Which phases T overrides: `&T::output` names Block's own member where it does not. A slot that has the name of an
// ability, such as a parameter `rest`, does not count.
#define HILDA_OVERRIDES(T, phase)                                                                                      \
  (std::is_member_function_pointer_v<decltype(&T::phase)> &&                                                           \
   !std::is_same_v<decltype(&T::phase), decltype(&::hilda::Block::phase)>)

// Functions that are called seldom are compiled for size and not into their callers: that is half of a block's code.
#define HILDA_BESIDE_THE_LOOP [[gnu::cold]]

template <typename T> Declaration& declaration();

/// The C functions of T. Phases are called qualified, so that they are inlined into the loops.
template <typename T> struct Thunks {
  static T& self(void* r) { return *static_cast<T*>(r); }
  static const T& self(const void* r) { return *static_cast<const T*>(r); }

  /// Of the first of these records that has assigned what does not fit.
  [[gnu::cold]] static const char* take_fault(const void* first, std::uint64_t stride, std::uint64_t count,
                                              const void*& record) {
    const Declaration& d = declaration<T>();
    return take_store_fault(d.slots.data(), d.slots.size(), sizeof(T), first, stride, count, record);
  }
  /// After a phase of the loop.
  static void check_shapes(void* first, std::uint64_t stride, std::uint64_t count, const hilda_tick* t) {
    if (!store_fault.pending()) [[likely]]
      return;
    const void* record = nullptr;
    if (const char* const fault = take_fault(first, stride, count, record)) Tick(t, record).fail(fault);
  }

  /// Exceptions end here, before the boundary: they become a report.
  template <typename F> static std::int32_t guarded(const hilda_instance* i, F&& body) {
    try {
      body();
      return 0;
    } catch (const std::bad_alloc&) {
      i->report(i->engine, nullptr, "there is no more memory");
    } catch (const std::exception& e) { i->report(i->engine, nullptr, e.what()); } catch (...) {
      i->report(i->engine, nullptr, "an exception that is not a std::exception");
    }
    return 1;
  }
  /// And what a record has assigned that does not fit.
  template <typename F> static std::int32_t asked(const void* r, const hilda_instance* i, F&& body) {
    const std::int32_t refused = guarded(i, std::forward<F>(body));
    if (!store_fault.pending()) [[likely]]
      return refused;
    const void* record = nullptr;
    const char* const fault = take_fault(r, sizeof(T), 1, record);
    if (fault == nullptr) return refused;
    i->report(i->engine, nullptr, fault);
    return 1;
  }

  HILDA_BESIDE_THE_LOOP static void construct(void* r) { new (r) T; }
  HILDA_BESIDE_THE_LOOP static void destroy(void* r) { self(r).T::~T(); }
  HILDA_BESIDE_THE_LOOP static std::int32_t feeds_through(const void* r, const hilda_instance* i) {
    bool through = true;
    asked(r, i, [&] { through = self(r).T::feeds_through(Instance(i)); });
    return through ? 1 : 0;
  }
  HILDA_BESIDE_THE_LOOP static std::int32_t infer(void* r, const hilda_instance* i, const hilda_inference* f) {
    return asked(r, i, [&] { self(r).T::infer(Instance(i), Inference(f)); });
  }
  HILDA_BESIDE_THE_LOOP static std::int32_t configure(void* r, const hilda_instance* i) {
    return asked(r, i, [&] { self(r).T::configure(Instance(i)); });
  }
  static void prepare(void* r, const hilda_instance* i) {
    asked(r, i, [&] { self(r).T::prepare(Instance(i)); });
  }
  static void initialize(void* r, const hilda_instance* i) {
    asked(r, i, [&] { self(r).T::initialize(Instance(i)); });
  }
  HILDA_BESIDE_THE_LOOP static std::int32_t start(void* r, const hilda_instance* i) {
    return asked(r, i, [&] { self(r).T::start(Instance(i)); });
  }
  HILDA_BESIDE_THE_LOOP static void stop(void* r) { self(r).T::stop(); }
  HILDA_BESIDE_THE_LOOP static void summarize(const void* r, const hilda_summary_sink* s) {
    self(r).T::summarize(Summary(s));
  }
  static double stored(const void* r) { return self(r).T::stored_energy(); }
  HILDA_BESIDE_THE_LOOP static double age(const void* r) { return self(r).T::past_age(); }
  static void recall(void* r, const double* values) { self(r).T::recall(values); }
  HILDA_BESIDE_THE_LOOP static std::uint64_t save(const void* r, void* data, std::uint64_t capacity) {
    const std::string bytes = self(r).T::save_state();
    if (data != nullptr && bytes.size() <= capacity) std::memcpy(data, bytes.data(), bytes.size());
    return bytes.size();
  }
  HILDA_BESIDE_THE_LOOP static std::int32_t load(void* r, const void* data, std::uint64_t bytes) {
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

#define HILDA_THUNK_FOR_ONE(phase)                                                                                     \
  static void phase(void* r, const hilda_tick* t) {                                                                    \
    self(r).T::phase(Tick(t, r));                                                                                      \
    check_shapes(r, sizeof(T), 1, t);                                                                                  \
  }
  HILDA_THUNK_FOR_ONE(prime)
  HILDA_THUNK_FOR_ONE(acquire)
  HILDA_THUNK_FOR_ONE(state_output)
  HILDA_THUNK_FOR_ONE(output)
  HILDA_THUNK_FOR_ONE(emit)
  HILDA_THUNK_FOR_ONE(update)
  HILDA_THUNK_FOR_ONE(derivative)
  HILDA_THUNK_FOR_ONE(project)
#undef HILDA_THUNK_FOR_ONE
  static void event(void* r, const hilda_tick* t, const hilda_fired* fired, std::uint64_t count) {
    self(r).T::event(Tick(t, r), Fired(fired, count));
    check_shapes(r, sizeof(T), 1, t);
  }

// For a row, a block has a separate function, or each block's is called.
#define HILDA_THUNK_FOR_ROW(phase)                                                                                     \
  static void phase##_many(void* first, std::uint64_t stride, std::uint64_t count, const hilda_tick* t) {              \
    const Row<T> row(first, stride, count, t);                                                                         \
    if constexpr (requires { T::phase##_row(row); })                                                                   \
      T::phase##_row(row);                                                                                             \
    else                                                                                                               \
      for (T & block : row) block.T::phase(row.tick(block));                                                           \
    check_shapes(first, stride, count, t);                                                                             \
  }
  HILDA_THUNK_FOR_ROW(state_output)
  HILDA_THUNK_FOR_ROW(output)
  HILDA_THUNK_FOR_ROW(update)
  HILDA_THUNK_FOR_ROW(derivative)
#undef HILDA_THUNK_FOR_ROW
  static void step_many(void* first, std::uint64_t stride, std::uint64_t count, const hilda_tick* t) {
    const Row<T> row(first, stride, count, t);
    if constexpr (requires { T::output_and_update_row(row); })
      T::output_and_update_row(row);
    else
      for (T& block : row) {
        const Tick now = row.tick(block);
        if constexpr (HILDA_OVERRIDES(T, output_and_update)) {
          block.T::output_and_update(now);
        } else {
          block.T::output(now);
          block.T::update(now);
        }
      }
    check_shapes(first, stride, count, t);
  }

// A function for rows that could not be called, or that nothing calls, is a mistake. One that is only there for some
// sizes (`requires(N == 1)`) is not.
#define HILDA_ROW_IS_CALLED(phase, is_there)                                                                           \
  static_assert(                                                                                                       \
      !requires { &T::phase##_row; } ||                                                                                \
          requires { requires std::is_same_v<decltype(&T::phase##_row), void (*)(Row<T>)>; },                          \
      #phase "_row is a static function of a Row of the block's own type, which gives nothing back");                  \
  static_assert(                                                                                                       \
      !requires(Row<T> row) { T::phase##_row(row); } || (is_there),                                                    \
      #phase "_row stands beside the function for one block, with the same bits");
  static void check_rows(){
      HILDA_ROW_IS_CALLED(state_output, HILDA_OVERRIDES(T, state_output))
          HILDA_ROW_IS_CALLED(output, HILDA_OVERRIDES(T, output))
              HILDA_ROW_IS_CALLED(update, HILDA_OVERRIDES(T, update))
                  HILDA_ROW_IS_CALLED(derivative, HILDA_OVERRIDES(T, derivative))
                      HILDA_ROW_IS_CALLED(output_and_update, HILDA_OVERRIDES(T, output) && HILDA_OVERRIDES(T, update))}
#undef HILDA_ROW_IS_CALLED

  HILDA_BESIDE_THE_LOOP static const void* extension(const char* name) {
    const std::string_view wanted = name;
    if constexpr (HILDA_OVERRIDES(T, summarize)) {
      static constexpr hilda_summary_1 summary{sizeof(hilda_summary_1), 0, &summarize};
      if (wanted == "hilda.summary/1") return &summary;
    }
    if constexpr (HILDA_OVERRIDES(T, stored_energy)) {
      static constexpr hilda_energy_1 energy{sizeof(hilda_energy_1), 0, &stored};
      if (wanted == "hilda.energy/1") return &energy;
    }
    // Of a block that says which input: `static constexpr const char* remembers = "u"`.
    if constexpr (requires { requires std::is_same_v<decltype(T::remembers), const char* const>; }) {
      static constexpr hilda_past_1 past{sizeof(hilda_past_1), 0, T::remembers, &age, &recall};
      if (wanted == "hilda.past/1") return &past;
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
    if (wanted == "hilda.limits/1") return declaration<T>().limits_if_any();
    return nullptr;
  }
};

#undef HILDA_BESIDE_THE_LOOP

} // namespace detail
} // namespace sdk1
} // namespace hilda

#endif
