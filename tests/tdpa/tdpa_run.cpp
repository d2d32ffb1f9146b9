// SPDX-License-Identifier: BSD-3-Clause
#include "tests/tdpa/tdpa_run.h"

#include "tests/project_folders.h"
#include "tests/standard_plugins.h"

#include <fstream>
#include <sstream>

namespace hilda::test {
namespace {

/// The plugins that the diagrams need and this folder's mutants.
const Catalogue& plugins() {
  return standard_plugins({"contact", "dynamics", "estimation", "kinematics", "math", "passivity", "sources",
                           "tests/tdpa/plugins/mutants.so"})
      .catalogue();
}

/// The diagram's text with the case's changes; empty where one of them changes nothing.
std::string mutated(const TdpaCase& given, std::string& errors) {
  std::stringstream file;
  file << std::ifstream(source_folder() + "/diagrams/" + given.diagram + ".xml").rdbuf();
  std::string text = file.str();
  for (const auto& [what, by] : given.replaced) {
    std::size_t found = text.find(what);
    if (found == std::string::npos) errors += "the diagram does not hold " + what + "\n";
    for (; found != std::string::npos; found = text.find(what, found + by.size())) text.replace(found, what.size(), by);
  }
  return text;
}

/// Reads a runtime's signals and parameters by path.
class Probe {
public:
  Probe(const Runtime& runtime, std::string& errors) : runtime_(runtime), errors_(errors) {}

  const double* signal(const std::string& path) const {
    const SystemSignal* found = runtime_.find_signal(path);
    if (found == nullptr) errors_ += "no signal " + path + "\n";
    return found != nullptr ? static_cast<const double*>(found->span.data) : nullptr;
  }
  /// The output that drives an input.
  const double* source(const std::string& block, const std::string& input) const {
    const BlockIndex b = block_index(block);
    if (!b.valid()) return nullptr;
    const SystemBlock& at = runtime_.system().blocks[b];
    for (const SystemBlock::Port& port : at.ports) {
      if (at.type->slots[port.slot].name != input || !port.wire.valid()) continue;
      const PortRef& from = runtime_.system().wires[port.wire].from;
      return static_cast<const double*>(runtime_.memory().span(from.block, from.slot, from.item).data);
    }
    errors_ += "nothing drives " + block + "." + input + "\n";
    return nullptr;
  }
  /// The elements of a parameter; integers and choices as numbers.
  std::vector<double> parameter(const std::string& block, const std::string& name) const {
    const BlockIndex b = block_index(block);
    if (!b.valid()) return {0.0};
    const BlockType& layout = runtime_.memory().layout(b);
    for (const SlotIndex s : layout.slots.indices()) {
      if (layout.slots[s].name != name || layout.slots[s].role != HILDA_PARAMETER) continue;
      const Span span = runtime_.memory().span(b, s);
      std::vector<double> values;
      for (std::size_t i = 0; i < span.count; ++i)
        values.push_back(span.element == HILDA_F64 ? static_cast<const double*>(span.data)[i]
                         : span.element == HILDA_U8
                             ? static_cast<const std::uint8_t*>(span.data)[i]
                             : static_cast<double>(static_cast<const std::int64_t*>(span.data)[i]));
      return values;
    }
    errors_ += "no parameter " + block + "." + name + "\n";
    return {0.0};
  }

  /// The word of a choice.
  std::string word(const std::string& block, const std::string& name) const {
    const BlockIndex b = block_index(block);
    if (!b.valid()) return {};
    const SystemBlock& at = runtime_.system().blocks[b];
    for (const ParameterValue& p : at.parameters)
      if (at.type->slots[p.slot].name == name) return p.value.text;
    return {};
  }

private:
  BlockIndex block_index(const std::string& path) const {
    for (const BlockIndex b : runtime_.system().blocks.indices())
      if (runtime_.system().blocks[b].path == path) return b;
    errors_ += "no block " + path + "\n";
    return {};
  }
  const Runtime& runtime_;
  std::string& errors_;
};

/// Addresses of what a row holds.
struct Sources6 {
  const double *body, *commanded, *robot, *wall, *measured, *applied, *before, *after, *total_before, *total, *made,
      *made_rotation, *pose;

  explicit Sources6(const Probe& probe)
      : body(probe.signal("body.twist")), commanded(probe.source("rig.robot", "command_twist")),
        robot(probe.signal("rig.robot.twist")), wall(probe.signal("rig.room.wrench")),
        measured(probe.source("controller", "wrench")), applied(probe.source("body", "wrench")),
        before(probe.signal("controller.energy_before")), after(probe.signal("controller.energy")),
        total_before(probe.signal("controller.total_before")), total(probe.signal("controller.total")),
        made(probe.signal("integrator.made_translation")), made_rotation(probe.signal("integrator.made_rotation")),
        pose(probe.signal("rig.robot.pose")) {}

  TdpaRun::Row row(double time) const {
    const auto six = [](const double* p) { return Vector6d(Eigen::Map<const Vector6d>(p)); };
    TdpaRun::Row r;
    r.time = time;
    r.body = six(body), r.commanded = six(commanded), r.robot = six(robot);
    r.wall = six(wall), r.measured = six(measured), r.applied = six(applied);
    r.claimed_before = six(before), r.claimed = six(after);
    r.claimed_total_before = *total_before, r.claimed_total = *total;
    r.made_translation = Eigen::Map<const Eigen::Vector3d>(made);
    r.made_rotation = *made_rotation;
    r.position = Eigen::Map<const Eigen::Vector3d>(pose);
    r.orientation = Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6]);
    return r;
  }
};

void read_parameters(const Probe& probe, const Runtime& runtime, TdpaRun& run) {
  run.period = runtime.base().value();
  run.mass = probe.parameter("body", "mass")[0];
  const std::vector<double> inertia = probe.parameter("body", "inertia");
  if (inertia.size() == 9) run.inertia = Eigen::Map<const Eigen::Matrix3d>(inertia.data());
  run.response_delay = probe.parameter("rig.robot", "response_delay")[0];
  run.port = probe.word("controller", "grouping") == "port";
  run.forward = probe.word("rig.robot", "pose_rule") == "forward";
  run.force_noise = probe.parameter("rig.sensor", "force_noise")[0];
  run.controller = probe.parameter("controller", "enabled")[0] != 0.0;
  run.initial_energy = Eigen::Map<const Vector6d>(probe.parameter("controller", "initial_energy").data());
  run.open_loop = probe.source("controller", "wrench") != probe.signal("rig.sensor.measured");
  run.integrator = probe.parameter("integrator", "enabled")[0] != 0.0;
  run.sign = probe.parameter("integrator", "sign")[0];
}

double duration_of(const Runtime& runtime, const TdpaCase& given) {
  if (given.duration > 0.0) return given.duration;
  for (const NamedParameter& p : runtime.system().parameters)
    if (p.path == "duration") return p.value.numbers.at(0);
  return 0.0;
}

void keep_figures(const Runtime& runtime, TdpaRun& run) {
  const SummaryFigures summary = gather_figures(runtime);
  for (const SummaryFigure& figure : summary.figures)
    if (const double* value = std::get_if<double>(&figure.value)) run.figures[figure.key] = *value;
  for (const SummaryRow& row : summary.rows) {
    auto& columns = run.tables[row.table].emplace_back();
    for (const SummaryFigure& column : row.columns)
      if (const double* value = std::get_if<double>(&column.value)) columns[column.key] = *value;
  }
}

} // namespace

TdpaLoop::TdpaLoop(const TdpaCase& given) : diagram_(plugins()) {
  LoadOptions options;
  options.mode = "sim";
  options.rig = given.rig;
  options.library_path = {source_folder() + "/diagrams"};
  options.settings = given.settings;
  diagram_.load(DiagramText{given.diagram + ".xml", mutated(given, errors_)}, options);
  runtime_ = start_runtime(diagram_);
  errors_ += diagram_.diagnostics().text();
}

TdpaRun run_tdpa(const TdpaCase& given) {
  return run_tdpa(given, [](const Runtime&) {});
}

TdpaRun run_tdpa(const TdpaCase& given, const std::function<void(const Runtime&)>& look) {
  TdpaRun run;
  TdpaLoop loop(given);
  run.errors = loop.errors();
  run.remarks = loop.remarks();
  Runtime* const runtime = loop.runtime();
  if (runtime == nullptr) return run;
  const Probe probe(*runtime, run.errors);
  const Sources6 sources(probe);
  read_parameters(probe, *runtime, run);
  if (!run.errors.empty()) return run;
  const auto last = static_cast<std::int64_t>(duration_of(*runtime, given) / run.period + 0.5);
  run.rows.reserve(static_cast<std::size_t>(last) + 1);
  bool going = true;
  while (going && runtime->tick() <= last) {
    going = runtime->compute();
    run.rows.push_back(sources.row(runtime->time()));
    look(*runtime);
    if (going) going = runtime->advance();
  }
  const Ending ending = runtime->ending();
  if (ending.kind == Ending::Kind::failed) run.errors = ending.block + ": " + ending.text;
  runtime->stop();
  keep_figures(*runtime, run);
  return run;
}

} // namespace hilda::test
