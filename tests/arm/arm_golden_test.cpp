// SPDX-License-Identifier: BSD-3-Clause
// The three published cases against traces of an independent implementation, every 50 ms:
// |a - b| <= 1e-6 of the channel's largest value.

#include "tests/diagrams/diagram_run.h"
#include "tests/project_folders.h"

#include <Eigen/Geometry>
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
  std::ifstream in(source_folder() + "/tests/arm/golden/" + file);
  Trace trace;
  std::string line, cell;
  while (std::getline(in, line)) {
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

/// Some columns of a trace in a row, and the signal that has them among its elements.
struct Channels {
  std::string signal;
  std::size_t width, first;
  std::vector<std::string> columns;
};

const std::vector<Channels>& channels() {
  static const std::vector<Channels> all{
      {"coordinates.coordinates", 6, 0, {"x", "y", "z", "rx", "ry", "rz"}},
      {"profile.position", 6, 2, {"zdes"}},
      {"plant.sphere.force", 3, 0, {"fx", "fy", "fz"}},
      {"kinematics.linear_momentum", 3, 0, {"Px", "Py", "Pz"}},
      {"kinematics.angular_momentum", 3, 0, {"Lx", "Ly", "Lz"}},
      {"plant.arm.base_twist", 6, 0, {"vsx", "vsy", "vsz"}},
      {"pid.torque", 7, 0, {"u1", "u2", "u3", "u4", "u5", "u6", "u7"}},
      {"plant.arm.sensor_force", 3, 0, {"Fx", "Fy", "Fz"}},
      {"plant.arm.sensor_torque", 3, 0, {"Tx", "Ty", "Tz"}},
  };
  return all;
}

std::size_t tick_of(double time) { return static_cast<std::size_t>(std::llround(time / 1e-3)); }

/// The traces have the base's angular velocity in inertial axes.
double base_spin(const DiagramRun& run, std::size_t tick, Eigen::Index axis) {
  const auto q = [&](std::size_t i) { return run.at("plant.arm.base_pose", tick, 7, 3 + i); };
  const auto w = [&](std::size_t i) { return run.at("plant.arm.base_twist", tick, 6, 3 + i); };
  const Eigen::Quaterniond turn(q(0), q(1), q(2), q(3));
  return (turn * Eigen::Vector3d(w(0), w(1), w(2)))[axis];
}

template <typename Mine> void expect_column(const Trace& trace, const std::string& name, Mine mine) {
  std::size_t column = 0;
  while (column < trace.columns.size() && trace.columns[column] != name) ++column;
  ASSERT_LT(column, trace.columns.size()) << name;
  double largest = 0.0, worst = 0.0, when = 0.0;
  for (const std::vector<double>& row : trace.rows) {
    largest = std::max(largest, std::abs(row[column]));
    const double off = std::abs(mine(tick_of(row[0])) - row[column]);
    if (!(off <= worst)) worst = off, when = row[0];
  }
  EXPECT_GT(largest, 0.0) << name;
  EXPECT_LE(worst, 1e-6 * largest) << name << " at " << when << " s";
}

void expect_trace(const std::string& diagram, const std::vector<std::string>& settings, const std::string& file) {
  std::vector<std::string> observed{"plant.arm.base_pose"};
  for (const Channels& c : channels()) observed.push_back(c.signal);
  const DiagramRun run = run_diagram({diagram, settings, observed, 17.001});
  ASSERT_EQ(run.errors, "");
  ASSERT_EQ(run.steps, 17001);
  const Trace trace = read_trace(file);
  ASSERT_EQ(trace.rows.size(), 341u);
  for (const Channels& c : channels())
    for (std::size_t i = 0; i < c.columns.size(); ++i)
      expect_column(trace, c.columns[i],
                    [&](std::size_t tick) { return run.at(c.signal, tick, c.width, c.first + i); });
  expect_column(trace, "wsx", [&](std::size_t tick) { return base_spin(run, tick, 0); });
  expect_column(trace, "wsy", [&](std::size_t tick) { return base_spin(run, tick, 1); });
  expect_column(trace, "wsz", [&](std::size_t tick) { return base_spin(run, tick, 2); });
}

TEST(Golden, CartesianControl) { expect_trace("cartesian_control", {}, "cartesian.csv"); }
TEST(Golden, ForceTorqueControl) { expect_trace("force_torque_control", {}, "force_torque.csv"); }
TEST(Golden, ForceTorqueControlWithInitialMemory) {
  expect_trace("force_torque_control", {"initial_memory=on"}, "force_torque_initial_memory.csv");
}

} // namespace
} // namespace hilda::test
