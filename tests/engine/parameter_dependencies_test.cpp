// SPDX-License-Identifier: BSD-3-Clause
// Which block parameters depend on a named one, and which texts do that cannot follow a change.
#include "engine/diagram/parameter_dependencies.h"
#include "tests/engine/loading.h"
#include "tests/modules.h"

namespace hilda::test {
namespace {

ParameterIndex named(const System& system, const std::string& path) {
  for (const ParameterIndex p : system.parameters.indices())
    if (system.parameters[p].path == path) return p;
  ADD_FAILURE() << "no parameter " << path;
  return {};
}

/// "k s.k | s.a.value | 3": named parameters and block parameters by path, lines of settled texts.
std::string hanging(const Loaded& loaded, const std::vector<std::string>& paths) {
  EXPECT_EQ(loaded.codes(), "");
  const System& system = *loaded.system;
  std::vector<ParameterIndex> parameters;
  for (const std::string& path : paths) parameters.push_back(named(system, path));
  const Dependents found = ParameterDependencies(system).of(parameters);
  std::string text;
  for (const ParameterIndex each : found.parameters) text += system.parameters[each].path + " ";
  text += "|";
  for (const BlockParameter& each : found.blocks) {
    const SystemBlock& block = system.blocks[each.block];
    text += " " + block.path + "." + block.type->slots[block.parameters[each.index].slot].name;
  }
  text += " |";
  for (const std::size_t each : found.settled)
    text += " " + std::to_string(system.parameters.settled()[each].where.line);
  return text;
}

TEST(ParameterDependencies, FollowExpressionsForwardingAndInlineBodies) {
  const Loaded loaded = load_body("<parameter name='k' value='3'/><parameter name='twice' value='${2 * k}'/>\n"
                                  "<subsystem name='s' k='${twice}'><parameter name='k' value='1'/>\n"
                                  "<block name='a' type='test/Source' value='${k}'/>\n"
                                  "<subsystem name='t'><block name='b' type='test/Gain' gain='${k + twice}'/>"
                                  "<connect from='x' to='b.u'/><input name='x'/></subsystem>\n"
                                  "<connect from='a.y' to='t.x'/></subsystem>\n"
                                  "<block name='c' type='test/Source' value='${k}'/>\n"
                                  "<block name='d' type='test/Source' value='4'/>");
  EXPECT_EQ(hanging(loaded, {"k"}), "k twice s.k | s.a.value s.t.b.gain c.value |");
  EXPECT_EQ(hanging(loaded, {"twice"}), "twice s.k | s.a.value s.t.b.gain |")
      << "twice is seen from the inner body too";
  EXPECT_EQ(hanging(loaded, {"s.k"}), "s.k | s.a.value s.t.b.gain |");
  EXPECT_EQ(hanging(loaded, {"s.k", "k"}), "k twice s.k | s.a.value s.t.b.gain c.value |");
}

TEST(ParameterDependencies, ASettingTakesAParameterOutOfItsChain) {
  const std::string body = "<parameter name='k' value='3'/><parameter name='twice' value='${2 * k}'/>\n"
                           "<block name='a' type='test/Source' value='${twice}'/>";
  EXPECT_EQ(hanging(load_body(body), {"k"}), "k twice | a.value |");
  EXPECT_EQ(hanging(with_settings({"twice=7"}).body(body), {"k"}), "k | |");
  EXPECT_EQ(hanging(with_settings({"a.value=${k}"}).body(body), {"k"}), "k twice | a.value |");
}

TEST(ParameterDependencies, NameWhatCannotFollow) {
  const Loaded loaded = load_body("<parameter name='slow' value='4 ms'/><parameter name='k' value='3'/>\n"
                                  "<block name='a' type='test/Source' value='${k}' sample_time='${slow}'/>\n"
                                  "<block name='b' type='test/Source' sample_time='${period * 2}'/>\n"
                                  "<log signals='a.y' every='${2 * slow}'/>");
  EXPECT_EQ(hanging(loaded, {"slow"}), "slow | | 3 5");
  EXPECT_EQ(hanging(loaded, {"period"}), "period | | 1 4") << "the system's own period is one of them";
  EXPECT_EQ(hanging(loaded, {"k"}), "k | a.value |");
}

TEST(ParameterDependencies, NameWhatCannotFollowSeveralOfThemOnce) {
  const Loaded loaded = load_body("<parameter name='a' value='2 ms'/><parameter name='b' value='${a}'/>\n"
                                  "<block name='s' type='test/Source' sample_time='${a + b}'/>");
  EXPECT_EQ(hanging(loaded, {"a"}), "a b | | 3");
  EXPECT_EQ(hanging(loaded, {"b", "a"}), "a b | | 3");
}

TEST(ParameterDependencies, EachParameterStandsBehindThoseThatItNames) {
  const Loaded loaded = load_body("<parameter name='d' value='${b + c}'/><parameter name='c' value='${a + b}'/>"
                                  "<parameter name='b' value='${a}'/><parameter name='a' value='1'/>");
  const std::string text = hanging(loaded, {"a"});
  EXPECT_LT(text.find("a "), text.find("b "));
  EXPECT_LT(text.find("b "), text.find("c "));
  EXPECT_LT(text.find("c "), text.find("d "));
}

TEST(ParameterDependencies, OfALongChainAreFoundWithoutRecursion) {
  // Each parameter is behind the one that it names, so that an evaluation is never deep.
  std::string body = "<parameter name='p0' value='1'/>\n";
  for (int i = 1; i < 20000; ++i)
    body += "<parameter name='p" + std::to_string(i) + "' value='${p" + std::to_string(i - 1) + "}'/>\n";
  const Loaded loaded = load_body(body);
  ASSERT_EQ(loaded.codes(), "");
  EXPECT_EQ(ParameterDependencies(*loaded.system).of({named(*loaded.system, "p0")}).parameters.size(), 20000u);
}

} // namespace
} // namespace hilda::test
