// SPDX-License-Identifier: BSD-3-Clause
// Plugins of other languages, compilers and flags, side by side in one program.

#include "tests/abi/boundary_run.h"
#include "tests/abi/plugin_folder.h"
#include "tests/project_folders.h"
#include "tests/shell.h"

#include <cmath>
#include <filesystem>
#include <gmock/gmock.h>
#include <unistd.h>

/// The test program's own symbol of a name that the twins use: no plugin may see it.
extern "C" {
extern double twin_factor;
double twin_factor = 1000;
double twin_scale(double u);
double twin_scale(double u) { return 1e6 * u; }
}

namespace hilda::test {
namespace {

using testing::HasSubstr;

const std::string three_lags = R"(
<block name="source" type="sources/Step" time="50 ms" before="1 N" after="3 N"/>
<block name="fast" type="lag/Lag" time_constant="20 ms" initial="1 N"/>
<block name="slow" type="lag/Lag" time_constant="0.1 s"/>
<block name="last" type="lag/Lag" time_constant="30 ms"/>
<connect from="source.y" to="fast.u"/>
<connect from="fast.y" to="slow.u"/>
<connect from="slow.y" to="last.u"/>
)";

/// The same chain of exactly discretised lags, by hand.
struct Chain {
  double x[3] = {1, 0, 0};
  void step(double u) {
    const double tau[3] = {0.02, 0.1, 0.03};
    const double in[3] = {u, x[0], x[1]};
    for (int i = 0; i < 3; ++i) x[i] += -std::expm1(-0.01 / tau[i]) * (in[i] - x[i]);
  }
};

TEST(PlainC, BlocksRunWithoutTheManyFunctions) {
  for (const bool separate : {false, true}) {
    const BoundaryRun result = run({plugin("lag")}, three_lags, 50, separate);
    ASSERT_EQ(result.errors, "");
    Chain chain;
    for (std::size_t k = 0; k < 50; ++k) {
      EXPECT_EQ(result.traces.at("fast.y").at(k), chain.x[0]) << k;
      EXPECT_EQ(result.traces.at("slow.y").at(k), chain.x[1]) << k;
      EXPECT_EQ(result.traces.at("last.y").at(k), chain.x[2]) << k;
      chain.step(k < 5 ? 1 : 3);
    }
  }
}

TEST(PlainC, DescriptorSpeaksToTheChecks) {
  expect_golden("c_range", run({plugin("lag")}, R"(<block name="a" type="lag/Lag" time_constant="0 s"/>
<block name="b" type="lag/Lag" time_constant="2 N"/>
<connect from="b.y" to="a.u"/>
<connect from="a.y" to="b.u"/>
)",
                               1)
                               .errors);
}

TEST(PlainC, ReportsFromConfigureBecomeDiagnostics) {
  expect_golden("c_configure", run({plugin("lag")}, R"(<block name="a" type="lag/Lag" time_constant="1 us"/>
<connect from="a.y" to="a.u"/>
)",
                                   1)
                                   .errors);
}

TEST(ThrowingBlock, BecomesADiagnostic) {
  expect_golden("throwing_configure", run({plugin("throwing")}, R"(<block name="a" type="throwing/ThrowInConfigure"/>
<block name="b" type="throwing/ThrowAnything"/>
)",
                                          1)
                                          .errors);
  expect_golden("throwing_start", run({plugin("throwing")}, R"(<block name="a" type="throwing/ThrowInStart"/>
)",
                                      1)
                                      .errors);
}

std::string scale_diagram(const std::string& name) {
  return R"(<block name="source" type="sources/Sine" amplitude="1.7 N" frequency="3 Hz"/>
<block name="scale" type=")" +
         name + R"(/Scale" factor="0.3"/>
<connect from="source.y" to="scale.u"/>
)";
}

/// What Scale gives for what the source gave: y = 0.3 u + the sum before.
void expect_scaled(const BoundaryRun& result, double relative) {
  ASSERT_EQ(result.errors, "");
  const std::vector<double>&u = result.traces.at("source.y"), &y = result.traces.at("scale.y");
  ASSERT_EQ(y.size(), 100u);
  double sum = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double expected = 0.3 * u[k] + sum;
    EXPECT_NEAR(y[k], expected, relative * 60) << k;
    sum += u[k];
  }
}

TEST(OtherCompiler, GivesTheSameNumbers) {
  const BoundaryRun ours = run({plugin("scale_gcc")}, scale_diagram("scale_gcc"), 100);
  expect_scaled(ours, 0);
#ifdef HILDA_HAS_OTHER_COMPILER
  for (const char* other : {"scale_clang_debug", "scale_clang_native"}) {
    const BoundaryRun theirs = run({plugin(other), plugin("scale_gcc")}, scale_diagram(other), 100);
    // a fused multiply-add of -march=native rounds once where ours rounds twice
    expect_scaled(theirs, std::string(other) == "scale_clang_debug" ? 0 : 1e-15);
  }
#else
  GTEST_SKIP() << "clang++ IS MISSING (or this is a sanitizer's build): plugins of another compiler are NOT TESTED. "
                  "Install the package clang.";
#endif
}

TEST(OtherCompiler, IsNamedByTheLibrary) {
#ifdef HILDA_HAS_OTHER_COMPILER
  Host host;
  Diagnostics diagnostics;
  host.load(plugin("scale_clang_debug"), diagnostics);
  host.load(plugin("scale_gcc"), diagnostics);
  ASSERT_TRUE(diagnostics.ok()) << diagnostics.text();
  EXPECT_THAT(host.libraries()[0]->built, HasSubstr("clang"));
  EXPECT_THAT(host.libraries()[1]->built, HasSubstr("gcc"));
  EXPECT_NE(host.libraries()[0]->hash.text(), host.libraries()[1]->hash.text());
#else
  GTEST_SKIP() << "clang++ IS MISSING (or this is a sanitizer's build): plugins of another compiler are NOT TESTED. "
                  "Install the package clang.";
#endif
}

TEST(TwoPlugins, OfTheSameSymbolsSeeTheirOwn) {
  const BoundaryRun result = run({plugin("twin_one"), plugin("twin_two")}, R"(
<block name="source" type="sources/Constant" value="7"/>
<block name="a" type="twin_one/Twin"/>
<block name="b" type="twin_two/Twin"/>
<connect from="source.y" to="a.u"/>
<connect from="source.y" to="b.u"/>
)",
                                 1);
  ASSERT_EQ(result.errors, "");
  EXPECT_EQ(result.traces.at("a.y").at(0), 7);
  EXPECT_EQ(result.traces.at("b.y").at(0), 14);
  EXPECT_EQ(twin_scale(twin_factor), 1e9);
}

TEST(Host, CanBeMadeAgain) {
  std::vector<double> first;
  for (int i = 0; i < 3; ++i) {
    const BoundaryRun result = run({plugin("lag"), plugin("scale_gcc")}, three_lags, 20);
    ASSERT_EQ(result.errors, "");
    if (i == 0) first = result.traces.at("last.y");
    EXPECT_EQ(result.traces.at("last.y"), first);
  }
}

/// Is a file mapped into this process?
bool mapped(const std::string& file) {
  return transcript("grep -c '" + file + "' /proc/" + std::to_string(getpid()) + "/maps") != "0\nexit code 1\n";
}

TEST(Host, ClosesItsLibraries) {
  for (const std::string name : {"lag", "scale_gcc"}) {
    {
      Host host;
      Diagnostics diagnostics;
      host.load(plugin(name), diagnostics);
      ASSERT_TRUE(diagnostics.ok()) << diagnostics.text();
      EXPECT_TRUE(mapped(plugin(name)));
    }
    EXPECT_FALSE(mapped(plugin(name))) << "a unique symbol or a thread_local keeps it";
  }
}

/// Names that a file exports, a line each.
std::string exports(const std::string& file) {
  return transcript(HILDA_NM " -D --defined-only --format=just-symbols '" + file + "'");
}

TEST(Symbols, OfTheProgramStayInside) {
  const std::string names = exports(build_folder() + "/bin/hilda");
  EXPECT_THAT(names, testing::Not(HasSubstr("hilda")));
  EXPECT_THAT(names, testing::Not(HasSubstr("exit code")));
}

TEST(Symbols, OfAPluginAreItsEntryPointAlone) {
  std::size_t plugins = 0;
  for (const auto& entry : std::filesystem::directory_iterator(build_folder() + "/lib/hilda/plugins")) {
    if (entry.path().extension() != ".so") continue;
    ++plugins;
    EXPECT_EQ(exports(entry.path()), "hilda_plugin_entry\n") << entry.path();
  }
  EXPECT_GE(plugins, 2u);
  EXPECT_EQ(exports(plugin("lag")), "hilda_plugin_entry\n");
  EXPECT_EQ(exports(plugin("scale_gcc")), "hilda_plugin_entry\n");
}

} // namespace
} // namespace hilda::test
