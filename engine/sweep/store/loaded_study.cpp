#include "engine/sweep/store/loaded_study.h"

#include "engine/loop/start.h"
#include "engine/modes/sim/run_log.h"
#include "engine/modes/sim/time_limit.h"
#include "engine/study/mix.h"
#include "engine/study/study_reader.h"
#include "engine/study/study_values.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace hilda {
namespace {

/// For a shell: as it is where that is safe, else in single quotes.
std::string quoted(const std::string& word) {
  static constexpr const char* safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=-+,:%@";
  if (!word.empty() && word.find_first_not_of(safe) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) c == '\'' ? text += "'\\''" : text += c;
  return text + "'";
}

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
  if (!diagnostics_.ok()) return false;
  design_ = std::make_unique<Design>(*study_, diagnostics_);
  figures_ = std::make_unique<StudyFigures>(*study_);
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
  // What all have in common is said once: a wrong name would be wrong in each of them.
  constexpr std::size_t enough = 20;
  for (const auto& [run, value] : runs) {
    if (diagnostics_.errors() >= enough) break;
    check_point(design_->point(run), value);
  }
  return diagnostics_.ok();
}

void LoadedStudy::check_point(const RunPoint& given, const AxisValue* value) {
  RunPoint point = given;
  if (!multiply(point, diagnostics_)) return;
  auto diagram = std::make_unique<LoadedDiagram>(catalogue_, point.diagram, options(point));
  keep_files(diagram->sources());
  for (const std::string& remark : diagram->remarks())
    if (std::find(remarks_.begin(), remarks_.end(), remark) == remarks_.end()) remarks_.push_back(remark);
  if (diagram->has_system()) {
    time_limit(diagram->system(), "", diagram->diagnostics());
    make_runtime(*diagram, {.solver = study_->solver == "euler" ? SolverKind::euler : SolverKind::rk4});
  }
  diagnostics_.take(diagram->diagnostics(), false);
  tell_value(diagram->diagnostics(), value);
  if (!diagram->diagnostics().all().empty()) checked_.push_back(std::move(diagram));
}

/// Where what is wrong stands in the diagram alone, the study's value that makes it so.
void LoadedStudy::tell_value(const Diagnostics& found, const AxisValue* value) {
  if (found.ok() || value == nullptr) return;
  for (const Diagnostic& each : found.all()) {
    if (each.file == study_->file) return;
    for (const Diagnostic::Line& note : each.notes)
      if (note.file == study_->file) return;
  }
  diagnostics_.error("study-value", value->where, "with " + in_quotes(value->label) + " the diagram is wrong",
                     "what is wrong is said beside this; take the value out, or change another setting with it");
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
std::string LoadedStudy::hash() const {
  Mix mix;
  for (const File& file : files_) mix.add(file.text);
  return fmt::format("{:016x}", mix.word());
}

LoadOptions LoadedStudy::options(const RunPoint& point) const {
  LoadOptions options;
  options.mode = study_->mode;
  options.rig = point.rig;
  options.overlays = point.overlays;
  options.placed_settings = point.settings;
  options.library_path = library_path_;
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
    const auto& all = diagram.system().parameters;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const NamedParameter& parameter) { return parameter.path == factor.path; });
    if (found == all.end() || found->value.kind != Value::Kind::number) {
      diagnostics.error("study-factor", factor.where,
                        "factors= multiply a parameter of numbers, and " + in_quotes(factor.path) + " of " +
                            in_quotes(point.diagram) + " is none",
                        "name a parameter of the diagram, or give values=");
      return false;
    }
    std::string text;
    const Value& value = found->value;
    for (int row = 0; row < value.extent.rows; ++row) {
      if (row > 0) text += value.extent.rank == 2 ? "; " : " ";
      for (int col = 0; col < value.extent.cols; ++col)
        text += (col > 0 ? " " : "") +
                decimal(value.numbers[static_cast<std::size_t>(col * value.extent.rows + row)] * factor.factor);
    }
    if (const std::optional<Unit> unit = value.unit(); unit && !unit->dimensionless()) text += " " + unit->text();
    std::erase_if(point.settings, [&](const Attribute& setting) { return setting.name == factor.path; });
    point.settings.push_back({factor.path, text, factor.where});
  }
  return true;
}

std::string LoadedStudy::command_line(const RunPoint& point) const {
  std::string line = "hilda run " + quoted(point.diagram);
  if (!study_->mode.empty()) line += " --mode " + quoted(study_->mode);
  if (!point.rig.empty()) line += " --rig " + quoted(point.rig);
  for (const std::string& overlay : point.overlays) line += " --overlay " + quoted(overlay);
  for (const Attribute& setting : point.settings) line += " --set " + quoted(setting.name + "=" + setting.text);
  if (study_->solver != "rk4") line += " --solver " + study_->solver;
  return line;
}

} // namespace hilda
