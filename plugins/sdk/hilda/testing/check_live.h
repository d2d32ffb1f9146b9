// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_CHECK_LIVE_H
#define HILDA_TESTING_CHECK_LIVE_H

// Parameters that may change between two ticks: what changed them is as what had the new value from the beginning.

#include <algorithm>
#include <cmath>
#include <hilda/testing/finding.h>
#include <vector>

namespace hilda::testing::detail {

/// Other values of a live parameter, within its range: the engine would take them. Empty where there is none.
inline std::vector<Value> other_values(const hilda_slot& slot, const Value& now) {
  std::vector<Value> others;
  if (slot.element == HILDA_U8 && now.shape.count() == 1) return {Value(now.numbers[0] == 0 ? 1.0 : 0.0)};
  if (slot.element == HILDA_CHOICE && slot.choices != nullptr) {
    const std::string_view words = slot.choices;
    const auto count = 1 + std::count(words.begin(), words.end(), '|');
    return count > 1 ? std::vector{Value(std::fmod(now.numbers[0] + 1, static_cast<double>(count)))} : others;
  }
  if (slot.element != HILDA_F64 || slot.kind != HILDA_PLAIN) return others;
  const std::optional<UnitPowers> declared = read_unit(slot.unit != nullptr ? slot.unit : "");
  const double unit = declared ? declared->factor : 1.0;
  const auto allowed = [&](double si) {
    const double number = si / unit;
    const bool low = has(slot, HILDA_ABOVE) ? number > slot.minimum : number >= slot.minimum;
    return low && (has(slot, HILDA_BELOW) ? number < slot.maximum : number <= slot.maximum);
  };
  for (const double factor : {1.25, 0.75}) {
    Value other = now;
    for (double& number : other.numbers) number = number == 0 || !std::isfinite(number) ? unit : factor * number;
    if (std::all_of(other.numbers.begin(), other.numbers.end(), allowed)) others.push_back(std::move(other));
  }
  return others;
}

/// How a block that is changed live differs from one that had the value from the beginning and continues from the same
/// checkpoint; empty where they agree. None where the block does not take the value: with others, or at all.
inline std::optional<std::string> difference_when_live(const Subject& subject, const std::string& name,
                                                       const Value& other) {
  const std::int64_t half = subject.ticks / 2;
  try {
    Subject with = subject;
    with.setup.parameters[name] = other;
    Bench changed(*subject.type, subject.setup), fresh(*subject.type, with.setup);
    run(changed, subject, half);
    if (changed.verdict() != HILDA_GO) return std::nullopt;
    const Checkpoint middle = changed.checkpoint();
    changed.set(name, other);
    fresh.restore(middle);
    return compare(changed, fresh, subject, half);
  } catch (const Refused&) { return std::nullopt; } catch (const Impossible&) {
    return std::nullopt;
  }
}

/// Does a live parameter take effect between two ticks?
inline Outcome check_live(const Subject& subject) {
  if ((subject.type->table().flags & HILDA_EXTERNAL_STATE) != 0) return not_applicable("its state lies elsewhere");
  bool any = false, tried = false;
  for (const hilda_slot& slot : subject.type->slots()) {
    if (slot.role != HILDA_PARAMETER || !has(slot, HILDA_LIVE)) continue;
    any = true;
    if (slot.element == HILDA_TEXT || slot.element == HILDA_PATH) continue;
    const Value now = Bench(*subject.type, subject.setup).get(slot.name);
    for (const Value& other : other_values(slot, now)) {
      const std::optional<std::string> differs = difference_when_live(subject, slot.name, other);
      if (!differs) continue;
      tried = true;
      if (!differs->empty())
        return failed(quoted(slot.name) + " changed live is not what it is from the beginning: " + *differs +
                      "; what follows from a live parameter belongs in prepare, not in configure");
      break;
    }
  }
  if (!any) return not_applicable("no parameter is live");
  return tried ? passed() : not_applicable("no other value of a live parameter is taken");
}

} // namespace hilda::testing::detail

#endif
