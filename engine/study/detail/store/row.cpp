// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/detail/store/row.h"

#include "engine/study/detail/written/mix.h"

#include <bit>
#include <cmath>

namespace hilda::study {
namespace {

/// One pattern for all that is not a number, and one for zero: SQLite keeps no sign of it.
std::uint64_t bits(double number) {
  return std::isnan(number) ? ~std::uint64_t{0} : std::bit_cast<std::uint64_t>(number + 0.0);
}

} // namespace

std::uint64_t StudyRow::hash() const {
  Mix mix;
  mix.add(static_cast<std::uint64_t>(run)).add(static_cast<std::uint64_t>(base));
  for (const RunPoint::Coordinate& coordinate : coordinates) mix.add(bits(coordinate.number)).add(coordinate.label);
  for (const double figure : figures) mix.add(bits(figure));
  mix.add(ending).add(cause).add(block).add(signal).add(bits(time)).add(static_cast<std::uint64_t>(steps));
  return mix.word();
}

} // namespace hilda::study
