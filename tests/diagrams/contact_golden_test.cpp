// SPDX-License-Identifier: BSD-3-Clause
// Tick by tick against an independent implementation of the same equations (|a - b| <= 1e-6 of the channel's largest).

#include "tests/diagrams/diagram_run.h"
#include "tests/project_folders.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace hilda::test {
namespace {

struct Trace {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
};

Trace read_trace(const std::string& file) {
  std::ifstream in(source_folder() + "/tests/diagrams/golden/" + file);
  Trace trace;
  std::string line, cell;
  while (std::getline(in, line)) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    std::istringstream cells(line);
    if (trace.columns.empty()) {
      while (std::getline(cells, cell, ',')) trace.columns.push_back(cell);
      continue;
    }
    std::vector<double>& row = trace.rows.emplace_back();
    while (std::getline(cells, cell, ',')) row.push_back(std::stod(cell));
  }
  return trace;
}

/// Where a column of a trace is found among the signals: element `element` of `width`, `offset` added.
struct Channel {
  std::string column, signal;
  std::size_t width = 1, element = 0;
  double offset = 0.0;
};

void expect_trace(const std::string& file, const DiagramRun& run, const std::vector<Channel>& channels) {
  ASSERT_EQ(run.errors, "");
  const Trace trace = read_trace(file);
  ASSERT_GT(trace.rows.size(), 200u);
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < trace.columns.size(); ++i) index[trace.columns[i]] = i;
  for (const Channel& channel : channels) {
    const std::size_t column = index.at(channel.column);
    double largest = 0.0, worst = 0.0, when = 0.0;
    for (const std::vector<double>& row : trace.rows) {
      const std::size_t tick = static_cast<std::size_t>(std::llround(row[0] / 1e-3));
      const double mine = run.at(channel.signal, tick, channel.width, channel.element) + channel.offset;
      largest = std::max(largest, std::abs(row[column]));
      const double off = std::abs(mine - row[column]);
      if (off > worst) worst = off, when = row[0];
    }
    EXPECT_LE(worst, 1e-6 * largest) << file << ", " << channel.column << " at " << when << " s";
  }
}

bool controls_energy(const std::string& diagram) { return diagram == "dac" || diagram == "pida"; }

std::string last_wrench(const std::string& diagram) {
  return controls_energy(diagram) ? "passivity.controlled" : "clamp.clamped";
}

std::vector<std::string> observed(const std::vector<Channel>& channels) {
  std::vector<std::string> paths;
  for (const Channel& channel : channels) {
    if (std::find(paths.begin(), paths.end(), channel.signal) == paths.end()) paths.push_back(channel.signal);
  }
  return paths;
}

struct Axial {
  std::string diagram;
  int delay; ///< ms
  std::string integrator;
};

class AxialTrace : public testing::TestWithParam<Axial> {};

TEST_P(AxialTrace, IsFollowedTickByTick) {
  const auto& [diagram, delay, integrator] = GetParam();
  std::vector<Channel> channels{{"x", "commanded_tip.position", 3},
                                {"v", "commanded_tip.velocity", 3},
                                {"x_act", "actual_tip.position", 3},
                                {"v_act", "actual_tip.velocity", 3},
                                {"F_wall", "rig.wall.on_wall", 6},
                                {"F_mea", "on_wall.on_wall", 6},
                                {"F_act", "lead.led", 6},
                                {"F_comp", "clamp.clamped", 6},
                                {"F_hat", last_wrench(diagram), 6},
                                {"k_d", "identification.stiffness"},
                                {"c_d", "identification.damping"}};
  if (controls_energy(diagram)) {
    channels.push_back({"F_alpha", "passivity.added", 6});
    channels.push_back({"E_obs", "passivity.energy"});
  }
  const std::string ms = std::to_string(delay) + "ms";
  const DiagramRun run =
      run_diagram({diagram, {"response_delay=" + ms, "integrator=" + integrator, "contacts=3"}, observed(channels)});
  expect_trace("contact_" + diagram + "_" + ms + "_" + integrator + ".csv", run, channels);
}

INSTANTIATE_TEST_SUITE_P(Contact, AxialTrace,
                         testing::Values(Axial{"uncompensated", 10, "zoh"}, Axial{"uncompensated", 10, "symplectic"},
                                         Axial{"pic", 10, "zoh"}, Axial{"pic", 10, "symplectic"},
                                         Axial{"dac", 10, "zoh"}, Axial{"dac", 10, "symplectic"},
                                         Axial{"pida", 20, "zoh"}, Axial{"pida", 20, "symplectic"}),
                         [](const auto& test) { return test.param.diagram + "_" + test.param.integrator; });

// What pida_oblique.xml has as its defaults, for DAC.
const std::vector<std::string> oblique_settings{"service_offset=1.00472409014736 -0.168734183860044 0.191039558454089",
                                                "target_offset=-0.9 0.02 -0.05",
                                                "tip=-0.204724090147357 0.0487341838600438 0.0089604415459112",
                                                "wall_normal=0.944818029471471 0.253163227991245 0.207911690817759",
                                                "gap=10 mm",
                                                "velocity=0.0202579556822362 -0.00639625138735025 -0.00235636472830952",
                                                "angular_velocity=0.002 0.004 -0.003",
                                                "response_delay=12 ms",
                                                "integrator=symplectic",
                                                "contacts=3"};

std::vector<Channel> oblique_channels() {
  const double from_centre[3] = {-0.9, 0.02, -0.05}; // the trace counts from the target's centre of mass
  std::vector<Channel> channels{
      {"E_obs", "passivity.energy"}, {"k_d", "identification.stiffness"}, {"c_d", "identification.damping"}};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string axis = std::string("_") + "xyz"[i], velocity_axis = std::string(1, "xyz"[i]);
    channels.push_back({"tip" + axis, "commanded_tip.position", 3, i, from_centre[i]});
    channels.push_back({"tip_v" + velocity_axis, "commanded_tip.velocity", 3, i});
    channels.push_back({"tip_act" + axis, "actual_tip.position", 3, i, from_centre[i]});
    channels.push_back({"F_wall" + axis, "rig.wall.on_wall", 6, i});
    channels.push_back({"F_hat" + axis, "passivity.controlled", 6, i});
    channels.push_back({"w_service" + axis, "satellites.service.twist", 6, 3 + i});
    channels.push_back({"w_target" + axis, "satellites.target.twist", 6, 3 + i});
    channels.push_back({"v_service" + axis, "satellites.service.twist", 6, i});
    channels.push_back({"v_target" + axis, "satellites.target.twist", 6, i});
  }
  return channels;
}

TEST(ObliqueTrace, OfDacIsFollowedTickByTick) {
  const std::vector<Channel> channels = oblique_channels();
  expect_trace("contact_oblique_dac_12ms_symplectic.csv", run_diagram({"dac", oblique_settings, observed(channels)}),
               channels);
}

TEST(ObliqueTrace, OfPidaIsFollowedTickByTick) {
  const std::vector<Channel> channels = oblique_channels();
  expect_trace("contact_oblique_pida_12ms_symplectic.csv",
               run_diagram({"pida_oblique", {"integrator=symplectic", "contacts=3"}, observed(channels)}), channels);
}

} // namespace
} // namespace hilda::test
