// SPDX-License-Identifier: BSD-3-Clause
// What a diagram with equations gives to those who look at it: settings, and a linear model against its closed form.
#include "engine/analysis/linearize.h"
#include "engine/compile/loaded_diagram.h"
#include "engine/run/runtime.h"
#include "engine/run/start.h"
#include "tests/blocks/wire.h"
#include "tests/modules.h"
#include "tests/span_number.h"
#include "tests/standard_plugins.h"

#include <complex>
#include <gtest/gtest.h>
#include <memory>
#include <tuple>

namespace hilda::test {
namespace {

/// m x'' = u - c x' - k x - h x^3
const std::string duffing =
    "<diagram format=\"1\" name=\"duffing\" period=\"1 ms\">\n"
    "<block name=\"push\" type=\"sources/Constant\" value=\"0 N\" sample_time=\"continuous\"/>\n"
    "<block name=\"b\" type=\"math/Equations\">\n"
    "<input name=\"u\" unit=\"N\"/><output name=\"y\" unit=\"m\"/>\n"
    "<parameter name=\"m\" value=\"2 kg\"/><parameter name=\"c\" value=\"0.5 N s/m\"/>\n"
    "<parameter name=\"k\" value=\"8 N/m\"/><parameter name=\"h\" value=\"30 N/m^3\"/>\n"
    "<state name=\"x\" initial=\"0.2 m\"/><state name=\"v\" unit=\"m/s\"/>\n"
    "<equation is=\"x' = v\"/><equation is=\"v' = (u - c*v - k*x - h*x^3)/m\"/><equation is=\"y = x\"/>\n"
    "</block>\n" +
    wire("push.y", "b.u") + "</diagram>\n";

LoadOptions with_settings(std::vector<std::string> settings) {
  LoadOptions options;
  options.settings = std::move(settings);
  return options;
}

const Catalogue& math_and_sources() { return standard_plugins({"math", "sources"}).catalogue(); }

TEST(EquationsModel, IsLinearisedAsItsClosedForm) {
  for (const auto& [setting, stiffness, mass] :
       {std::tuple{"b.k=8 N/m", 8.0, 2.0}, {"b.k=20 N/m", 20.0, 2.0}, {"b.m=500 g", 8.0, 0.5}}) {
    LoadedDiagram diagram(math_and_sources(), DiagramText{"duffing.xml", duffing}, with_settings({setting}));
    ASSERT_TRUE(diagram.ok()) << diagram.diagnostics().text();
    const auto found = linearize(diagram.take_system(), {{"push.y"}, {"b.y"}, 0, 1e-4}, diagram.diagnostics());
    ASSERT_TRUE(found && found->continuous) << diagram.diagnostics().text();
    const LinearModel& model = *found->continuous;
    ASSERT_EQ(model.A.rows(), 2);
    const double slope = -(stiffness + 3 * 30 * 0.2 * 0.2) / mass;
    // in whichever order and scale the states are: what the polynomial and the transfer function say
    EXPECT_NEAR(model.A.trace(), -0.5 / mass, 1e-6) << setting;
    EXPECT_NEAR(model.A.determinant(), -slope, 1e-5) << setting;
    const double frequency = 3;
    const std::complex<double> s(0, frequency), wanted = 1.0 / (mass * s * s + 0.5 * s - mass * slope);
    EXPECT_NEAR(std::abs(model.response(frequency)(0, 0) - wanted), 0, 1e-6) << setting;
  }
}

TEST(EquationsModel, TakesSettingsOfItsParametersAndStartingValues) {
  LoadedDiagram diagram(math_and_sources(), DiagramText{"duffing.xml", duffing}, with_settings({"b.x_initial=30 mm"}));
  ASSERT_TRUE(diagram.ok()) << diagram.diagnostics().text();
  const std::unique_ptr<Runtime> runtime = start_runtime(diagram, {});
  ASSERT_TRUE(runtime) << diagram.diagnostics().text();
  runtime->compute();
  for (const SystemSignal& signal : runtime->signals())
    if (signal.path == "b.y") { EXPECT_EQ(number_at(signal.span, 0), 0.03); }
  LoadedDiagram wrong(math_and_sources(), DiagramText{"duffing.xml", duffing}, with_settings({"b.kk=20 N/m"}));
  EXPECT_NE(wrong.diagnostics().text().find("'kk'"), std::string::npos) << wrong.diagnostics().text();
  LoadedDiagram unfit(math_and_sources(), DiagramText{"duffing.xml", duffing}, with_settings({"b.k=20 N"}));
  EXPECT_NE(unfit.diagnostics().text().find("N/m"), std::string::npos) << unfit.diagnostics().text();
}

} // namespace
} // namespace hilda::test
