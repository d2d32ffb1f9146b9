// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/loaded_study.h"

#include "engine/run/start.h"
#include "engine/session/run_log.h"
#include "engine/session/time_limit.h"
#include "engine/study/detail/written/mix.h"
#include "engine/study/shell_word.h"
#include "engine/study/study_reader.h"
#include "engine/study/study_values.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace hilda::study {
namespace {

/// All of them, or as many spread over them, both ends among them.
std::vector<std::size_t> some_of(std::size_t count, std::size_t most) {
  std::vector<std::size_t> places;
  if (count <= most || most < 2) {
    for (std::size_t i = 0; i < std::min(count, most); ++i) places.push_back(i);
    return places;
  }
  for (std::size_t i = 0; i < most; ++i) places.push_back(i * (count - 1) / (most - 1));
  return places;
}

/// Of a study with errors: what holds for each of its runs, as far as it could be read. Conditions are left out: what
/// they name may be what is wrong.
RunPoint common_point(const Study& study) {
  RunPoint point;
  point.coordinates.resize(study.axes.size() + study.draws.size());
  point.diagram = study.diagram.text, point.rig = study.rig.text;
  for (const Attribute& overlay : study.overlays) point.overlays.push_back(overlay.text);
  for (const StudySetting& setting : study.settings)
    if (setting.when.text.empty()) point.settings.push_back(setting.given);
  point.fixed = point.settings;
  for (const StudyAxis& axis : study.axes) {
    if (axis.kind != StudyAxis::Kind::parameter || !axis.when.text.empty()) continue;
    if (axis.factors && !axis.values.empty())
      point.factors.push_back({axis.path, axis.values.front().number, axis.where});
    else if (!axis.values.empty())
      point.settings.push_back({axis.path, axis.values.front().text, axis.values.front().where});
    else if (axis.from)
      point.settings.push_back({axis.path, setting_text(*axis.from, axis.unit), axis.where});
  }
  for (const StudyDraw& draw : study.draws)
    point.settings.push_back({draw.path,
                              draw.kind == StudyDraw::Kind::repeat   ? "1"
                              : draw.kind == StudyDraw::Kind::normal ? setting_text(draw.mean, draw.unit)
                                                                     : setting_text(draw.from, draw.unit),
                              draw.where});
  return point;
}

/// The value of a parameter of the diagram, a subsystem or a block; null where there is none of this path.
const Value* value_of(const System& system, const std::string& path) {
  for (const NamedParameter& parameter : system.parameters)
    if (parameter.path == path) return &parameter.value;
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos) return nullptr;
  for (const SystemBlock& block : system.blocks) {
    if (path.substr(0, dot) != block.path) continue;
    for (const ParameterValue& each : block.parameters)
      if (block.type->slots[each.slot].name == path.substr(dot + 1)) return &each.value;
  }
  return nullptr;
}

} // namespace

LoadedStudy::LoadedStudy(const Catalogue& catalogue, std::vector<std::string> library_path,
                         const RecordedFiles* recorded)
    : catalogue_(catalogue), library_path_(std::move(library_path)), recorded_(recorded) {
  if (recorded != nullptr) kept_ = *recorded;
}

bool LoadedStudy::load(const std::string& file) {
  study_ = read_study(file, library_path_, sources_, diagnostics_, recorded_);
  if (!study_) return false;
  keep_files(sources_);
  figures_ = std::make_unique<StudyFigures>(*study_);
  if (!diagnostics_.ok()) {
    check_what_was_read();
    return false;
  }
  design_ = std::make_unique<Design>(*study_, diagnostics_);
  return diagnostics_.ok();
}

bool LoadedStudy::check(std::size_t most) {
  std::map<std::int64_t, const AxisValue*> runs = {{0, nullptr}}; // and which value makes it another than the first
  const std::size_t axes = std::max<std::size_t>(study_->axes.size(), 1);
  for (std::size_t axis = 0; axis < study_->axes.size(); ++axis) {
    const std::vector<AxisValue>& values = study_->axes[axis].values;
    const bool files = study_->axes[axis].kind != StudyAxis::Kind::parameter;
    for (const std::size_t value :
         some_of(values.size(), files ? values.size() : std::max<std::size_t>(most / axes, 2)))
      if (const std::int64_t run = design_->first_with(axis, static_cast<std::int64_t>(value)); run >= 0)
        runs.try_emplace(run, &values[value]);
  }
  // What all have in common is reported once: a wrong name would be wrong in each of them.
  constexpr std::size_t enough = 20;
  for (const auto& [run, value] : runs) {
    if (diagnostics_.errors() >= enough) break;
    check_point(run, value);
  }
  return diagnostics_.ok();
}

void LoadedStudy::check_point(std::int64_t run, const AxisValue* value) {
  RunPoint point = design_->point(run);
  if (std::find(unreadable_.begin(), unreadable_.end(), point.diagram) != unreadable_.end()) return;
  if (!multiply(point, diagnostics_)) return;
  auto diagram = std::make_unique<LoadedDiagram>(catalogue_, point.diagram, options(point));
  if (!is_readable(point, *diagram, run)) return;
  keep_files(diagram->sources());
  for (const std::string& remark : diagram->remarks())
    if (std::find(remarks_.begin(), remarks_.end(), remark) == remarks_.end()) remarks_.push_back(remark);
  if (diagram->has_system()) {
    time_limit(diagram->system(), "", diagram->diagnostics());
    make_runtime(*diagram, {.solver = SolverChoice(solver_named(study_->solver))});
  }
  diagnostics_.take(diagram->diagnostics(), false);
  tell_value(diagram->diagnostics(), value);
  if (!diagram->diagnostics().all().empty()) checked_.push_back(std::move(diagram));
}

/// A diagram that is not there is reported once, at the line of the study that names it.
bool LoadedStudy::is_readable(const RunPoint& point, const LoadedDiagram& diagram, std::int64_t run) {
  const std::vector<Diagnostic>& found = diagram.diagnostics().all();
  const auto lost = std::find_if(found.begin(), found.end(), [](const Diagnostic& each) {
    return each.code == "file-unreadable" && each.file.empty();
  });
  if (lost == found.end() || lost->what.find(in_quotes(point.diagram)) == std::string::npos) return true;
  Location where = study_->diagram.where;
  for (std::size_t axis = 0; axis < study_->axes.size(); ++axis)
    if (study_->axes[axis].kind == StudyAxis::Kind::diagram && design_->digit(run, axis) >= 0)
      where = study_->axes[axis].values[static_cast<std::size_t>(design_->digit(run, axis))].where;
  diagnostics_.error("file-unreadable", where, lost->what, lost->help);
  unreadable_.push_back(point.diagram);
  return false;
}

std::vector<RunPoint> LoadedStudy::common_points() const {
  std::vector<RunPoint> points;
  const RunPoint common = common_point(*study_);
  for (std::size_t axis = 0; axis < study_->axes.size(); ++axis)
    for (const AxisValue& value : study_->axes[axis].values) {
      if (study_->axes[axis].kind != StudyAxis::Kind::diagram) continue;
      points.push_back(common);
      points.back().diagram = value.text;
      points.back().coordinates[axis].label = value.label;
    }
  if (points.empty() && !study_->diagram.text.empty()) points.push_back(common);
  return points;
}

/// Names that a diagram does not have are reported next to what is wrong with the study itself.
void LoadedStudy::check_what_was_read() {
  for (RunPoint& point : common_points()) {
    Diagnostics found;
    if (multiply(point, found)) {
      checked_.push_back(std::make_unique<LoadedDiagram>(catalogue_, point.diagram, options(point)));
      take_own(checked_.back()->diagnostics());
    } else {
      take_own(found);
    }
  }
}

/// What a line of the study has a part in: the rest may come of what could not be read.
void LoadedStudy::take_own(const Diagnostics& found) {
  for (const Diagnostic& each : found.all()) {
    std::vector<Note> notes;
    bool own = each.file == study_->file;
    for (const Diagnostic::Line& note : each.notes) {
      notes.push_back({{&note.file, note.line}, note.text});
      own = own || note.file == study_->file;
    }
    if (own && each.severity == Diagnostic::Severity::error)
      diagnostics_.error(each.code.c_str(), {&each.file, each.line}, each.what, each.help, std::move(notes));
  }
}

/// Where what is wrong is in the diagram alone, the study's value that makes it so.
void LoadedStudy::tell_value(const Diagnostics& found, const AxisValue* value) {
  if (found.ok() || value == nullptr) return;
  for (const Diagnostic& each : found.all()) {
    if (each.file == study_->file) return;
    for (const Diagnostic::Line& note : each.notes)
      if (note.file == study_->file) return;
  }
  diagnostics_.error("study-value", value->where, "with " + in_quotes(value->label) + " the diagram is wrong",
                     "the other messages report what is wrong; remove the value, or change another setting with it");
}

void LoadedStudy::keep_files(const Sources& sources) {
  for (const auto& file : sources.files()) {
    const auto same = [&](const File& known) { return known.name == file->name; };
    if (file->absolute.empty() || std::any_of(files_.begin(), files_.end(), same)) continue;
    kept_.add(file->name, file->text);
    files_.push_back({file->name, file->text});
  }
  if (files_.size() < 3) return;
  std::sort(files_.begin() + 1, files_.end(), [](const File& a, const File& b) { return a.name < b.name; });
}

/// Names of files count only as far as they lie in one another's neighbourhood: a study may move with its folder.
std::string LoadedStudy::hash_of(const std::vector<File>& files) {
  Mix mix;
  for (const File& file : files) mix.add(file.text);
  return fmt::format("{:016x}", mix.word());
}

LoadOptions LoadedStudy::options(const RunPoint& point) const {
  LoadOptions options;
  options.mode = study_->mode;
  options.rig = point.rig;
  options.overlays = point.overlays;
  options.placed_settings = point.settings;
  options.library_path = library_path_;
  options.solver = SolverChoice(solver_named(study_->solver));
  options.recorded = &kept_;
  return options;
}

bool LoadedStudy::multiply(RunPoint& point, Diagnostics& diagnostics) const {
  if (point.factors.empty()) return true;
  RunPoint own = point;
  own.settings = point.fixed;
  LoadedDiagram diagram(catalogue_, point.diagram, options(own));
  if (!diagram.has_system()) {
    diagnostics.take(diagram.diagnostics(), false);
    return false;
  }
  for (const RunPoint::Factor& factor : point.factors) {
    const Value* const found = value_of(diagram.system(), factor.path);
    if (found == nullptr || found->kind != Value::Kind::number) {
      diagnostics.error("study-factor", factor.where,
                        "factors= multiply a parameter of numbers, and " + in_quotes(factor.path) + " of " +
                            in_quotes(point.diagram) + " is none",
                        "name a parameter of the diagram or of a block that holds numbers, or give values=");
      return false;
    }
    std::string text;
    const Value& value = *found;
    for (int row = 0; row < value.extent.rows; ++row) {
      if (row > 0) text += value.extent.rank == 2 ? "; " : " ";
      for (int col = 0; col < value.extent.cols; ++col) {
        const int at = col * value.extent.rows + row;
        text += (col > 0 ? " " : "") + decimal(value.numbers[static_cast<std::size_t>(at)] * factor.factor);
      }
    }
    if (const std::optional<Unit> unit = value.unit(); unit && !unit->dimensionless()) text += " " + unit->text();
    std::erase_if(point.settings, [&](const Attribute& setting) { return setting.name == factor.path; });
    point.settings.push_back({factor.path, text, factor.where});
  }
  return true;
}

std::string LoadedStudy::command_line(const RunPoint& point) const {
  std::string line = "hilda run " + shell_word(point.diagram);
  if (!study_->mode.empty()) line += " --mode " + shell_word(study_->mode);
  if (!point.rig.empty()) line += " --rig " + shell_word(point.rig);
  for (const std::string& overlay : point.overlays) line += " --overlay " + shell_word(overlay);
  for (const Attribute& setting : point.settings) line += " --set " + shell_word(setting.name + "=" + setting.text);
  if (!study_->solver.empty()) line += " --solver " + study_->solver;
  return line;
}

} // namespace hilda::study
