// SPDX-License-Identifier: BSD-3-Clause
#include "engine/quantity/detail/units/unit_reading.h"
#include "engine/quantity/unit.h"

#include <functional>
#include <mutex>
#include <unordered_map>

namespace hilda::quantity {
namespace {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

/// Readings by text. Bounded, so that a hostile file cannot fill the memory with it; udunits2 is used under its lock.
class Cache {
public:
  Result<UnitExpression> read(std::string_view text) {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(text); found != known_.end()) return found->second;
    Result<UnitExpression> reading = read_unit(text);
    if (reading && known_.size() < most) known_.emplace(text, *reading);
    return reading;
  }

  static Cache& global() {
    static Cache& cache = *new Cache;
    return cache;
  }

private:
  static constexpr std::size_t most = 4096;
  std::mutex mutex_;
  std::unordered_map<std::string, UnitExpression, TextHash, std::equal_to<>> known_;
};

} // namespace

Result<UnitExpression> parse_unit_expression(std::string_view text) { return Cache::global().read(text); }

Result<UnitReading> parse_unit(std::string_view text) {
  Result<UnitExpression> reading = parse_unit_expression(text);
  if (!reading) return reading.error();
  if (!reading->fixed())
    return make_error("unit-malformed", "unit " + in_quotes(text) + " holds a variable",
                      "write a unit such as N/mm; variables are allowed only in declarations of blocks");
  return reading->constant;
}

} // namespace hilda::quantity
