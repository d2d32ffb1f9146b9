// SPDX-License-Identifier: BSD-3-Clause
#include "tests/engine/loop.h"

#include "tests/standard_plugins.h"

#include <gtest/gtest.h>
#include <stdexcept>

namespace hilda::test {
namespace {

const Catalogue& catalogue() {
  return standard_plugins({"sources", "math", "discrete", "continuous", "sinks", "routing", "contact", "kinematics",
                           "emulation", "tests/engine/plugins/probes.so"})
      .catalogue();
}

DiagramText test_diagram(const std::string& body, const std::string& period) {
  return {"test.xml", "<diagram format=\"1\" name=\"test\" period=\"" + period + "\">\n" + body + "</diagram>\n"};
}

/// Whether crossings are located decides sample times.
LoadOptions solved_by(const SolverChoice& solver) {
  LoadOptions options;
  options.solver = solver;
  return options;
}

} // namespace

Loop::Loop(const std::string& body, const RuntimeOptions& options, const std::string& period)
    : diagram_(catalogue(), test_diagram(body, period), solved_by(options.solver)),
      runtime_(start_runtime(diagram_, options)) {
  if (!runtime_) throw std::runtime_error(diagram_.diagnostics().text());
}

void Loop::run(std::int64_t ticks) {
  for (std::int64_t i = 0; i < ticks; ++i) {
    const bool going = runtime_->compute();
    for (const SystemSignal& signal : runtime_->signals())
      if (signal.span.element == HILDA_F64 && signal.span.count > 0)
        traces_[signal.path].push_back(*static_cast<const double*>(signal.span.data));
    if (!going || !runtime_->advance()) return;
  }
}

const std::vector<double>& Loop::trace(const std::string& path) const {
  static const std::vector<double> none;
  const auto found = traces_.find(path);
  if (found != traces_.end()) return found->second;
  ADD_FAILURE() << "no signal " << path;
  return none;
}

std::vector<unsigned char> Loop::bits() const {
  std::vector<unsigned char> all;
  for (const SystemSignal& signal : runtime_->signals()) {
    const auto* data = static_cast<const unsigned char*>(signal.span.data);
    all.insert(all.end(), data, data + signal.span.bytes());
  }
  return all;
}

double Loop::value(const std::string& path, std::size_t element) const {
  const SystemSignal* signal = runtime_->find_signal(path);
  if (signal == nullptr || element >= signal->span.count) {
    ADD_FAILURE() << "no signal " << path << " with element " << element;
    return 0;
  }
  if (signal->span.element == HILDA_U8) return static_cast<const std::uint8_t*>(signal->span.data)[element];
  if (signal->span.element == HILDA_I64)
    return static_cast<double>(static_cast<const std::int64_t*>(signal->span.data)[element]);
  return static_cast<const double*>(signal->span.data)[element];
}

std::string errors_of(const std::string& body) {
  LoadedDiagram diagram(catalogue(), test_diagram(body, "1 ms"));
  start_runtime(diagram);
  return diagram.diagnostics().text();
}

std::string everything() {
  return R"(
<block name="noise" type="sources/Noise" deviation="1 2 3" seed="7"/>
<block name="slow_noise" type="sources/Noise" deviation="0.3" sample_time="3 ms"/>
<block name="pulse" type="sources/Pulse" high="1" repeat="11 ms" width="4 ms" first="2 ms"/>
<block name="open" type="math/Compare" operation="greater" with="0.5"/>
<block name="burst" type="sources/Pulse" high="1" repeat="17 ms" width="2 ms" first="5 ms"/>
<block name="restart" type="math/Compare" operation="greater" with="0.5"/>
<connect from="pulse.y" to="open.a"/>
<connect from="burst.y" to="restart.a"/>

<block name="gain" type="math/Gain" gain="0.7"/>
<block name="line" type="discrete/Delay" samples="4"/>
<block name="held" type="discrete/UnitDelay"/>
<connect from="noise.y" to="gain.u"/>
<connect from="gain.y" to="line.u"/>
<connect from="line.y" to="held.u"/>

<subsystem name="loop" enable="open.y" outputs="reset">
  <input name="u"/><output name="y"/>
  <block name="sum" type="math/Sum" signs="+-"/>
  <block name="speed" type="continuous/Integrator"/>
  <block name="brake" type="math/Gain" gain="2 1/s"/>
  <block name="place" type="continuous/Integrator" initial="0.1 s2"/>
  <block name="inner" type="discrete/DiscreteIntegrator" method="forward" reset="restart.y"/>
  <connect from="u" to="sum.u[0]"/>
  <connect from="speed.y" to="brake.u"/>
  <connect from="brake.y" to="sum.u[1]"/>
  <connect from="sum.y" to="speed.u"/>
  <connect from="speed.y" to="place.u"/>
  <connect from="place.y" to="inner.u"/>
  <connect from="inner.y" to="y"/>
  <block name="restart" type="math/Compare" operation="greater" with="0.05"/>
  <connect from="u" to="restart.a"/>
</subsystem>
<connect from="slow_noise.y" to="loop.u"/>

<block name="memory" type="discrete/Delay" samples="3" reset="restart.y" enable="open.y"/>
<connect from="slow_noise.y" to="memory.u"/>
<connect from="slow_noise.y" to="memory.fill"/>
<block name="slow_memory" type="discrete/Delay" samples="2" sample_time="5 ms"/>
<connect from="memory.y" to="slow_memory.u"/>

<block name="free" type="continuous/Integrator"/>
<block name="pull" type="math/Gain" gain="-900 1/s2"/>
<block name="swing" type="continuous/Integrator" initial="0.01 m"/>
<connect from="swing.y" to="pull.u"/>
<connect from="pull.y" to="free.u"/>
<connect from="free.y" to="swing.u"/>
<block name="wall" type="probes/Wall" stiffness="200 N/m"/>
<connect from="swing.y" to="wall.x"/>
)";
}

} // namespace hilda::test
