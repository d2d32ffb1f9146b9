// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/figure_trial.h"

#include "engine/study/figure_watch.h"
#include "engine/study/point_runner.h"

#include <set>
#include <vector>

namespace hilda::study {
namespace {

constexpr std::size_t most_diagrams = 20;
constexpr std::int64_t ticks_tried = 20'000;

/// Lines of the study that have an error.
std::set<int> wrong_lines(const Diagnostics& diagnostics, const std::string& file) {
  std::set<int> lines;
  for (const Diagnostic& each : diagnostics.all()) {
    if (each.file == file) lines.insert(each.line);
    for (const Diagnostic::Line& note : each.notes)
      if (note.file == file) lines.insert(note.line);
  }
  return lines;
}

} // namespace

void try_figures(LoadedStudy& study) {
  const std::set<int> wrong = wrong_lines(study.diagnostics(), study.study().file);
  const std::vector<RunPoint> points = study.common_points();
  FigureWatch watch(study);
  PointRunner runner(study, nullptr);
  bool all = points.size() <= most_diagrams;
  for (std::size_t i = 0; i < points.size() && i < most_diagrams; ++i) {
    RunPoint point = points[i];
    std::erase_if(point.settings, [&](const Attribute& setting) { return wrong.contains(setting.where.line); });
    std::erase_if(point.fixed, [&](const Attribute& setting) { return wrong.contains(setting.where.line); });
    std::erase_if(point.factors, [&](const RunPoint::Factor& factor) { return wrong.contains(factor.where.line); });
    const PointRunner::Done done = runner.try_out(std::move(point), ticks_tried);
    all = all && !done.row.failed();
    watch.note(done);
  }
  if (all) watch.close();
  // An expression may name what could not be read; what has an error already needs no second.
  Diagnostics told;
  for (const StudyFigure& figure : study.study().figures)
    for (const Diagnostic& each : watch.faults().all())
      if (!figure.from.text.empty() && each.line == figure.from.where.line && !wrong.contains(each.line))
        told.error(each.code.c_str(), figure.from.where, each.what, each.help);
  study.diagnostics().take(told, false);
}

} // namespace hilda::study
