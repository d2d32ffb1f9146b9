// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/fnv.h"
#include "engine/modules.h"
#include "engine/quantity/shared.h"
#include "engine/quantity/written_unit.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace hilda::compile::inference {

/// Units by number: a diagram has few of them, and their products are asked for again and again. 0 is dimensionless.
/// The algebra of a LinearSystem (see there), written additively: exponents add where units multiply.
class UnitPool {
public:
  using Value = int;

  UnitPool() { number(Unit()); }

  int number(const Unit& unit) {
    const auto [place, fresh] = numbers_.try_emplace(unit, static_cast<int>(units_.size()));
    if (fresh) units_.push_back({unit, {}});
    return place->second;
  }
  const Unit& unit(int number) const { return *shared(number); }
  const Shared<Unit>& shared(int number) const { return units_[static_cast<std::size_t>(number)].unit; }
  /// With its text.
  const Shared<WrittenUnit>& written(int number) {
    Known& known = units_[static_cast<std::size_t>(number)];
    if (!known.written) known.written = WrittenUnit{{.unit = *known.unit}, known.unit->text()};
    return known.written;
  }

  /// sum * x^factor
  int add(int sum, Exponent factor, int x) {
    if (x == 0 || factor.zero()) return sum;
    if (sum == 0 && factor == 1) return x;
    const Key key{sum, x, factor.numerator(), factor.denominator()};
    const auto found = sums_.find(key);
    if (found != sums_.end()) return found->second;
    const int result = number(unit(sum) * unit(x).pow(factor));
    sums_.emplace(key, result);
    return result;
  }
  bool valid(int number) const { return unit(number).valid(); }
  static int of(int number) { return number; }
  static int kept(int number) { return number; }

private:
  struct Key {
    int sum, x, numerator, denominator;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      Fnv hash;
      for (const int part : {key.sum, key.x, key.numerator, key.denominator})
        hash.word(static_cast<std::uint32_t>(part));
      return static_cast<std::size_t>(hash.value());
    }
  };
  std::map<Unit, int> numbers_;
  struct Known {
    Shared<Unit> unit;
    Shared<WrittenUnit> written; ///< made when it is asked for
  };
  std::vector<Known> units_;
  std::unordered_map<Key, int, Hash> sums_; ///< never iterated
};

} // namespace hilda::compile::inference
