// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_CHECK_FLAGS_H
#define HILDA_TESTING_CHECK_FLAGS_H

// A block that says that it flags what it does makes no NaN and no infinity without a mark of the processor.

#include <cfloat>
#include <hilda/flags.h>
#include <hilda/testing/checks.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace hilda::testing::detail {

/// The processor's marks for invalid, division by zero and overflow.
#if defined(__SSE2__)
constexpr unsigned all_marks = 0x0d;
inline bool marked() { return (_mm_getcsr() & all_marks) != 0; }
inline void clear_marks() { _mm_setcsr(_mm_getcsr() & ~all_marks); }
#else
constexpr int all_marks = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
inline bool marked() { return std::fetestexcept(all_marks) != 0; }
inline void clear_marks() { std::feclearexcept(all_marks); }
#endif

/// Finite numbers of all sizes: what a loop that goes astray brings, and numbers at the limits of arithmetic.
inline void wild(const Piece& input, std::int64_t tick, std::vector<double>& numbers) {
  lively(input, tick, numbers);
  if (input.slot->element != HILDA_F64) return;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double chance = noise(input, i + 1000, tick);
    if (chance < -0.6) continue; // as lively as before
    if (chance < -0.4)
      numbers[i] = 0.0;
    else if (chance < -0.3)
      numbers[i] = -0.0;
    else if (chance < -0.2)
      numbers[i] = std::copysign(DBL_MAX, numbers[i]);
    else if (chance < -0.1)
      numbers[i] = std::copysign(DBL_TRUE_MIN, numbers[i]);
    else if (chance < 0.0)
      numbers[i] = std::round(4 * numbers[i]);
    else
      numbers[i] = std::ldexp(numbers[i], static_cast<int>(2000 * (chance - 0.5)));
  }
}

/// Calls of one life of the block, from a start with finite numbers to the first that are not.
class FlaggedLife {
public:
  explicit FlaggedLife(Bench& bench) : bench_(bench) {
    bench.surround([this](const char* phase, const std::function<void()>& body) {
      if (!not_finite().empty()) over_ = true; // by the bench's own integration, or in a call before
      clear_marks();
      body();
      const bool told = marked();
      if (over_) return;
      const std::string name = not_finite();
      over_ = !name.empty();
      if (over_ && !told) found_ = quoted(name) + " is not finite after " + phase + at_tick(bench_);
    });
  }
  bool over() const { return over_; }
  const std::string& found() const { return found_; }

private:
  /// An output or a state that is not finite; empty where all are.
  std::string not_finite() const {
    for (const Piece& piece : bench_.pieces()) {
      const bool written = piece.slot->role == HILDA_OUTPUT || piece.slot->role == HILDA_STATE;
      if (!written || piece.slot->element != HILDA_F64 || piece.data == nullptr) continue;
      for (const double number : Record::read(piece).numbers)
        if (!std::isfinite(number)) return piece.name();
    }
    return {};
  }

  Bench& bench_;
  bool over_ = false;
  std::string found_;
};

inline Outcome check_flags(const Subject& subject) {
  for (std::int64_t life = 0; life < 32; ++life) {
    Bench bench(*subject.type, subject.setup);
    FlaggedLife flagged(bench);
    for (std::int64_t tick = 0; tick < subject.ticks && !flagged.over() && bench.verdict() == HILDA_GO; ++tick) {
      // for some ticks the usual, so that its states are not all at the start
      const bool calm = tick < (life % 4) * 10;
      const Stimulus later = [&](const Piece& input, std::int64_t at, std::vector<double>& numbers) {
        (calm ? subject.stimulus : Stimulus(wild))(input, at + life * 1009, numbers);
      };
      drive(bench, later);
      bench.step();
    }
    if (!flagged.found().empty())
      return failed(flagged.found() + ", while its inputs and states were finite, and no operation has marked it");
  }
  return passed();
}

inline Outcome check_flagged_numbers(const Subject& subject) {
  Outcome numbers = check_numbers(subject);
  const bool flags = (subject.type->table().flags & HILDA_RAISES_FLAGS) != 0;
  return numbers.verdict == Verdict::passed && flags ? check_flags(subject) : numbers;
}

} // namespace hilda::testing::detail

#endif
