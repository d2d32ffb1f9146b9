// SPDX-License-Identifier: BSD-3-Clause
// What diagrams rely on, of every block: names, shapes, units, defaults, ranges and words. interface.txt holds it, so
// that none of it changes by accident. With HILDA_UPDATE_GOLDEN=1 it is rewritten; read the difference before you
// commit it: a default or a range that changes is a change of every diagram that relies on it.

#include "engine/compile/detail/infer/parameter_fit.h"
#include "engine/plugin/library.h"
#include "engine/quantity/detail/value/number_list.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hilda/flags.h>
#include <iterator>
#include <set>
#include <sstream>

namespace hilda::test {
namespace {

const std::string path = source_folder() + "/tests/blocks/interface.txt";

std::string words_of(std::uint32_t flags) {
  static constexpr std::pair<std::uint32_t, const char*> words[] = {{HILDA_OPTIONAL, "optional"},
                                                                    {HILDA_IN_UPDATE, "in_update"},
                                                                    {HILDA_CONDITIONAL, "conditional"},
                                                                    {HILDA_PRIMES, "primes"},
                                                                    {HILDA_STATE_OUTPUT, "from_state"},
                                                                    {HILDA_ACTUATION, "actuation"},
                                                                    {HILDA_CROSSING, "crossing"},
                                                                    {HILDA_CONTINUOUS, "continuous"},
                                                                    {HILDA_RING, "ring"},
                                                                    {HILDA_RNG, "rng"},
                                                                    {HILDA_REPEATED, "repeated"},
                                                                    {HILDA_LIVE, "live"},
                                                                    {HILDA_RECONFIGURE, "reconfigure"},
                                                                    {HILDA_MEASUREMENT, "measurement"},
                                                                    {HILDA_UNRECORDED, "unrecorded"},
                                                                    {HILDA_EXPECTED, "expected"},
                                                                    {HILDA_EXPRESSION, "expression"},
                                                                    {HILDA_DIFFERENCE, "difference"}};
  std::string text;
  for (const auto& [flag, word] : words)
    if ((flags & flag) != 0) text += std::string(" ") + word;
  return text;
}

std::string text_of(const Slot& slot) {
  const std::string unit = slot.unit.variables.empty() ? slot.unit.constant.unit.text() : slot.unit_text;
  const std::string shape = slot.kind == HILDA_PLAIN ? slot.shape_text : kind_name(slot.kind);
  std::string text = fmt::format("  {} {}: {} ({}) [{}]{}", role_name(slot.role), slot.name, element_name(slot.element),
                                 shape, unit, words_of(slot.flags));
  if (!slot.count.empty()) text += " as many as " + slot.count;
  if (slot.role != HILDA_PARAMETER) return text + "\n";
  text += slot.initial ? ", default " + *slot.initial : ", must be given";
  if (std::isfinite(slot.minimum))
    text += fmt::format(", {} {}", slot.is(HILDA_ABOVE) ? "above" : "at least", slot.minimum);
  if (std::isfinite(slot.maximum))
    text += fmt::format(", {} {}", slot.is(HILDA_BELOW) ? "below" : "at most", slot.maximum);
  if (!slot.unit_text.empty()) text += ", in " + slot.unit_text;
  for (std::size_t i = 0; i < slot.choices.size(); ++i) text += (i == 0 ? ", one of " : "|") + slot.choices[i];
  return text + "\n";
}

TEST(Interface, OfEveryBlockIsAsDiagramsKnowIt) {
  Host host;
  Diagnostics problems;
  host.load_folder(build_folder() + "/lib/hilda/plugins", problems);
  ASSERT_TRUE(problems.ok()) << problems.text();
  std::string text;
  for (const BlockType* type : host.catalogue().all()) {
    text += type->name + "\n";
    for (const Slot& slot : type->slots)
      if (slot.role != HILDA_STATE && slot.role != HILDA_WORK) text += text_of(slot);
  }
  if (std::getenv("HILDA_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ifstream golden(path);
  std::istringstream now(text);
  std::string block, wanted, found;
  while (std::getline(now, found)) {
    if (found[0] != ' ') block = found;
    ASSERT_TRUE(std::getline(golden, wanted)) << path << " ends before " << block;
    ASSERT_EQ(found, wanted) << "of " << block << "; see the head of this test where that is meant so";
  }
  EXPECT_FALSE(std::getline(golden, wanted)) << wanted << " is gone";
}

/// Parameters of any unit whose value is one of the signal, and no difference or factor: they take degC.
const std::set<std::string> points{"continuous/Integrator.initial",
                                   "continuous/Integrator.lower",
                                   "continuous/Integrator.upper",
                                   "continuous/Pid.initial",
                                   "continuous/Pid.lower",
                                   "continuous/Pid.upper",
                                   "continuous/ResetIntegrator.initial",
                                   "continuous/ResetIntegrator.lower",
                                   "continuous/ResetIntegrator.upper",
                                   "continuous/TransportDelay.initial",
                                   "discrete/Backlash.initial",
                                   "discrete/Delay.initial",
                                   "discrete/DiscreteIntegrator.initial",
                                   "discrete/DiscreteIntegrator.lower",
                                   "discrete/DiscreteIntegrator.upper",
                                   "discrete/Hysteresis.lower",
                                   "discrete/Hysteresis.upper",
                                   "discrete/Pid.initial",
                                   "discrete/Pid.lower",
                                   "discrete/Pid.upper",
                                   "discrete/Relay.lower",
                                   "discrete/Relay.off_value",
                                   "discrete/Relay.on_value",
                                   "discrete/Relay.upper",
                                   "discrete/UnitDelay.initial",
                                   "discrete/VariableDelay.initial",
                                   "math/Compare.with",
                                   "math/LookupTable.values",
                                   "math/LookupTable.x",
                                   "math/LookupTable2D.cols",
                                   "math/LookupTable2D.rows",
                                   "math/LookupTable2D.values",
                                   "math/LookupTableND.points_a",
                                   "math/LookupTableND.points_b",
                                   "math/LookupTableND.points_c",
                                   "math/LookupTableND.points_d",
                                   "math/LookupTableND.values",
                                   "math/Saturation.lower",
                                   "math/Saturation.upper",
                                   "routing/DataStore.initial",
                                   "sinks/AssertRange.lower",
                                   "sinks/AssertRange.upper",
                                   "sources/Constant.value",
                                   "sources/Noise.mean",
                                   "sources/Prbs.bias",
                                   "sources/Pulse.high",
                                   "sources/Pulse.low",
                                   "sources/Ramp.initial",
                                   "sources/Sine.bias",
                                   "sources/Step.after",
                                   "sources/Step.before",
                                   "sources/Trajectory.points",
                                   "sources/Triangle.bias",
                                   "udp/UdpActuator.rest",
                                   "udp/UdpSource.initial"};

TEST(Interface, OfAnyUnitEachParameterTakesATemperatureOrRefusesIt) {
  Host host;
  Diagnostics problems;
  host.load_folder(build_folder() + "/lib/hilda/plugins", problems);
  ASSERT_TRUE(problems.ok()) << problems.text();
  const Value given = read_list("5 degC", {});
  ASSERT_NE(given.reading().offset, 0);
  SignalType one;
  one.rows = one.cols = 1;
  std::set<std::string> taken;
  for (const BlockType* type : host.catalogue().all())
    for (const Slot& slot : type->slots) {
      if (slot.role != HILDA_PARAMETER || slot.element != HILDA_F64 || slot.unit.fixed()) continue;
      Value value = given;
      const std::optional<Error> refused = fit_parameter(value, slot, one, {});
      if (!refused)
        taken.insert(type->name + "." + slot.name);
      else
        EXPECT_EQ(refused->code, "unit-offset") << type->name << "." << slot.name << ": " << refused->what;
    }
  std::vector<std::string> new_ones, gone;
  std::set_difference(taken.begin(), taken.end(), points.begin(), points.end(), std::back_inserter(new_ones));
  std::set_difference(points.begin(), points.end(), taken.begin(), taken.end(), std::back_inserter(gone));
  EXPECT_THAT(gone, testing::IsEmpty());
  EXPECT_THAT(new_ones, testing::IsEmpty()) << "flag those that are differences or factors (hilda/difference.h)";
}

} // namespace
} // namespace hilda::test
