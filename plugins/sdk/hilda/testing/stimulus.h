// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_STIMULUS_H
#define HILDA_TESTING_STIMULUS_H

// What drives a block's inputs while it is checked.

#include <hilda/random.h>
#include <hilda/testing/bench.h>

namespace hilda::testing {

/// Numbers for an input at a tick: `numbers` has its size. SI; booleans are 0 and 1.
using Stimulus = std::function<void(const Piece& input, std::int64_t tick, std::vector<double>& numbers)>;

namespace detail {

inline std::uint64_t mixed(std::uint64_t h) { return Generator(h).bits(); }

/// -1 to 1, another for each input, element and tick; the same in every run.
inline double noise(const Piece& input, std::size_t element, std::int64_t tick) {
  std::uint64_t h = mixed(element + 1);
  for (const char c : input.name()) h = mixed(h ^ static_cast<unsigned char>(c));
  h = mixed(h ^ static_cast<std::uint64_t>(tick));
  return static_cast<double>(h >> 11) * 0x1p-52 - 1;
}

inline void normalize(double* quaternion) {
  double square = 0;
  for (int i = 0; i < 4; ++i) square += quaternion[i] * quaternion[i];
  for (int i = 0; i < 4; ++i) quaternion[i] = square > 0 ? quaternion[i] / std::sqrt(square) : (i == 0 ? 1.0 : 0.0);
}

} // namespace detail

/// Noise within -1 and 1 around a slow wave, integers 0 and 1, booleans that change now and then, unit quaternions.
inline void lively(const Piece& input, std::int64_t tick, std::vector<double>& numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double slow = std::sin(0.1 * static_cast<double>(tick) + static_cast<double>(i));
    const double number = 0.7 * slow + 0.3 * detail::noise(input, i, tick);
    numbers[i] = input.slot->element == HILDA_F64 ? number : (number > 0 ? 1.0 : 0.0);
  }
  if (input.slot->kind == HILDA_QUATERNION) detail::normalize(numbers.data());
  if (input.slot->kind == HILDA_POSE) detail::normalize(numbers.data() + 3);
}

/// The same between 0.1 and 1.1: for blocks of logarithms and roots.
inline void positive(const Piece& input, std::int64_t tick, std::vector<double>& numbers) {
  lively(input, tick, numbers);
  if (input.slot->element != HILDA_F64) return;
  for (double& number : numbers) number = std::abs(number) + 0.1;
}

/// Drives all inputs of a block for its next tick.
inline void drive(Bench& bench, const Stimulus& stimulus) {
  std::vector<double> numbers;
  for (const Piece& piece : bench.pieces()) {
    if (piece.slot->role != HILDA_INPUT || piece.data == nullptr) continue;
    numbers.assign(static_cast<std::size_t>(piece.shape.count()), 0.0);
    stimulus(piece, bench.tick(), numbers);
    Record::write(piece, numbers);
  }
}

} // namespace hilda::testing

#endif
