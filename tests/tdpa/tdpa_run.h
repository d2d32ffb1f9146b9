// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/run/start.h"
#include "engine/session/summary_figures.h"
#include "tests/modules.h"

#include <Eigen/Dense>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hilda::test {

using Vector6d = Eigen::Matrix<double, 6, 1>;

/// What runs: a diagram of this project, settings, and changes of its text (for mutations).
struct TdpaCase {
  std::string diagram;                                       ///< "tdpa_full": diagrams/tdpa_full.xml
  std::vector<std::string> settings;                         ///< "sign=-1"
  std::vector<std::pair<std::string, std::string>> replaced; ///< text of the diagram: what by what, everywhere
  std::string rig;                                           ///< file that replaces the rig
  double duration = 0.0;                                     ///< s; 0: the diagram's
};

/// Everything that is sent in a loop of TDPA, tick by tick. The motion of the body and the robot's commands are found
/// by the wires that end there, whatever they are called, and not by the controller's word.
struct TdpaRun {
  struct Row {
    double time;
    Vector6d body, commanded, robot;  ///< twists: of the body, sent to the robot, of the robot
    Vector6d wall, measured, applied; ///< wrenches: true, into the controller, onto the body
    Vector6d claimed_before, claimed; ///< energy by the controller's account, before and after control
    double claimed_total_before, claimed_total;
    Eigen::Vector3d made_translation; ///< of the last integration, by the integrator's account
    double made_rotation;
    Eigen::Vector3d position;
    Eigen::Quaterniond orientation; ///< true pose
  };
  std::string errors; ///< diagnostics; empty: it ran
  std::vector<std::string> remarks;
  std::vector<Row> rows;
  std::map<std::string, double> figures; ///< of the summary
  std::map<std::string, std::vector<std::map<std::string, double>>> tables;

  // as the blocks got them
  double period = 0, mass = 0, response_delay = 0, force_noise = 0;
  Vector6d initial_energy = Vector6d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  bool port = false, controller = false, integrator = false, forward = false;
  bool open_loop = false; ///< other forces than the rig's act
  double sign = 1;

  double translation(const Vector6d& v) const { return 0.5 * mass * v.head<3>().squaredNorm(); }
  double rotation(const Vector6d& v) const { return 0.5 * v.tail<3>().dot(inertia * v.tail<3>()); }
  double kinetic(const Vector6d& v) const { return translation(v) + rotation(v); }
  const Row& last() const { return rows.back(); }
};

/// Runs ticks 0 to duration, both included.
TdpaRun run_tdpa(const TdpaCase& given);

/// The same, and lets `look` see the runtime after each tick's outputs.
TdpaRun run_tdpa(const TdpaCase& given, const std::function<void(const Runtime&)>& look);

/// A case, ready to run.
class TdpaLoop {
public:
  explicit TdpaLoop(const TdpaCase& given);

  /// Null: see errors().
  Runtime* runtime() { return runtime_.get(); }
  const std::string& errors() const { return errors_; }
  const std::vector<std::string>& remarks() const { return diagram_.remarks(); }

private:
  LoadedDiagram diagram_;
  std::string errors_;
  std::unique_ptr<Runtime> runtime_;
};

} // namespace hilda::test
