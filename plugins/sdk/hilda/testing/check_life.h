// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_CHECK_LIFE_H
#define HILDA_TESTING_CHECK_LIFE_H

// What a block says about its parameters, and one life of it from its constructor to its summary.

#include <hilda/testing/finding.h>
#include <hilda/testing/left_behind.h>

namespace hilda::testing::detail {

/// "2 furlong": the text behind the numbers; empty where there is nothing.
inline std::string_view unit_of_text(std::string_view text) {
  const std::size_t at = text.find_first_not_of("0123456789+-.eE ;\t\n");
  return at == text.npos ? std::string_view() : text.substr(at);
}

/// The default as the diagram would read it; its error, or nothing. None where a unit is not known here.
inline std::optional<std::string> fault_of_default(const hilda_slot& slot) {
  const std::string text = slot.initial;
  const bool number = slot.element == HILDA_F64 || slot.element == HILDA_I64 || slot.element == HILDA_U64;
  if (!number) {
    try {
      const Value value = read_value(slot, text);
      if (slot.element == HILDA_U8 && (value.numbers.empty() || (value.numbers[0] != 0 && value.numbers[0] != 1)))
        return "is not a boolean";
    } catch (const Impossible& impossible) { return impossible.what(); }
    return "";
  }
  const std::optional<UnitPowers> declared = read_unit(slot.unit != nullptr ? slot.unit : "");
  const std::string_view written = unit_of_text(text);
  const std::optional<UnitPowers> own = read_unit(written);
  if (!declared || !own) return std::nullopt;
  const auto powers = [](const UnitPowers& unit) {
    std::map<std::string, double> kept;
    for (const auto& [base, power] : unit.powers)
      if (power != 0) kept[base] = power;
    return kept;
  };
  const bool variable = slot.unit != nullptr && std::string_view(slot.unit).find('@') != std::string_view::npos;
  const bool rotational = has(slot, HILDA_ROTATIONAL);
  if (!written.empty() && !variable && !rotational && powers(*own) != powers(*declared))
    return "has the unit '" + std::string(written) + "', which is none of '" + (slot.unit != nullptr ? slot.unit : "") +
           "'";
  Value value;
  try {
    value = read_value(slot, text);
  } catch (const Impossible& impossible) { return impossible.what(); }
  if (value.numbers.empty()) return "is not a number";
  const double factor = variable ? 1.0 : declared->factor;
  for (const double si : value.numbers) {
    const double in_declared = si / factor, slack = 1e-12 * std::abs(in_declared);
    const bool low = has(slot, HILDA_ABOVE) ? in_declared <= slot.minimum : in_declared < slot.minimum - slack;
    const bool high = has(slot, HILDA_BELOW) ? in_declared >= slot.maximum : in_declared > slot.maximum + slack;
    if (low || high) return "lies outside of the parameter's own range";
    if (slot.element != HILDA_F64 && std::round(si) != si) return "is not an integer";
  }
  return "";
}

/// Is every default a value that the diagram would take?
inline Outcome check_defaults(const Subject& subject) {
  bool any = false;
  std::string unknown;
  for (const hilda_slot& slot : subject.type->slots()) {
    if (slot.role != HILDA_PARAMETER || slot.initial == nullptr) continue;
    const std::optional<std::string> fault = fault_of_default(slot);
    if (!fault && unknown.empty()) unknown = slot.name;
    if (!fault) continue;
    any = true;
    if (!fault->empty())
      return failed("the default '" + std::string(slot.initial) + "' of " + quoted(slot.name) + " " + *fault);
  }
  if (!any && !unknown.empty()) return not_applicable("a unit is not known to hilda/testing.h");
  return any ? passed() : not_applicable("no parameter has a default");
}

/// Calls every function that the block has; drivers are not started, so of theirs those that come before.
inline Outcome check_phases(const Subject& subject) {
  mode_changer = nullptr;
  try {
    Bench bench(*subject.type, subject.setup);
    bench.prepare();
    bench.reset();
    if (!subject.type->is_driver()) {
      for (std::int64_t tick = 0; tick < subject.ticks && bench.verdict() == HILDA_GO; ++tick) {
        drive(bench, subject.stimulus);
        bench.compute();
        if (const std::optional<double> energy = bench.stored_energy(); energy && std::isnan(*energy))
          return failed("the stored energy is not a number" + at_tick(bench));
        bench.fire_all();
        bench.advance();
      }
      if (subject.is_fault && bench.verdict() == HILDA_FAIL && subject.is_fault(bench.verdict_text()))
        return failed(bench.verdict_text());
      const Checkpoint end = bench.checkpoint();
      bench.restore(end);
      for (const std::string& key : bench.summary())
        if (key.empty()) return failed("a key of its summary is empty");
    }
    if (const auto* clock = subject.type->extension<hilda_clock_1>("hilda.clock/1")) {
      const double period = call_phase("period", [&] { return clock->period(bench.record()); });
      if (!(period >= 0)) return failed("the period of its clock is " + std::to_string(period));
    }
  } catch (const Thrown& thrown) { return failed(thrown.what()); }
  if (mode_changer != nullptr)
    return failed(std::string(mode_changer) +
                  " changes the processor's floating-point mode, with which all others compute");
  return passed();
}

/// One life, shorter: does it leave alone what others need, the way to stop them above all?
inline Outcome check_process(const Subject& subject) {
  const LeftBehind behind;
  const ProcessWatch watch;
  {
    Bench bench(*subject.type, subject.setup);
    bench.reset();
    constexpr std::int64_t enough = 20; // one look takes 70 system calls
    if (!subject.type->is_driver()) {
      run(bench, subject, std::min(enough, subject.ticks));
      bench.restore(bench.checkpoint());
      bench.summary();
    }
  }
  const std::string found = watch.found().empty() ? behind.found() : watch.found();
  return found.empty() ? passed() : failed(found);
}

} // namespace hilda::testing::detail

#endif
