// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/figure_watch.h"

#include "engine/diagram/suggestion.h"

namespace hilda::study {

FigureWatch::FigureWatch(const LoadedStudy& study)
    : study_(study), found_(study.study().figures.size(), false), units_(study.study().figures.size()) {
  for (std::size_t axis = 0; axis < study.study().axes.size(); ++axis)
    if (study.study().axes[axis].kind == StudyAxis::Kind::diagram) diagrams_.push_back(axis);
}

void FigureWatch::note(const PointRunner::Done& done) {
  if (done.row.failed()) return;
  for (std::size_t i = 0; i < done.found.size(); ++i) {
    if (done.found[i]) found_[i] = true;
    if (units_[i].empty() && !done.units[i].empty()) units_[i] = done.units[i];
  }
  offered_.insert(done.offered.begin(), done.offered.end());
  if (!diagrams_.empty()) seen_.insert(done.row.coordinates[diagrams_.front()].label);
  sound_ = true;
  for (const PointRunner::Fault& fault : done.faults)
    report("study-figure-unit", fault.figure, fault.what, "say the unit that it has, or none");
  look_for_missing(false);
}

/// As soon as it is known: a run of every diagram has been seen.
void FigureWatch::look_for_missing(bool at_the_end) {
  if (!sound_ || told_) return;
  const std::size_t diagrams = diagrams_.empty() ? 0 : study_.study().axes[diagrams_.front()].values.size();
  if (!at_the_end && seen_.size() < diagrams) return;
  told_ = true;
  Suggestions suggestions;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const StudyFigure& figure = study_.study().figures[i];
    if (found_[i] || figure.optional) continue;
    report("study-unknown-figure", i, "no run has " + in_quotes(figure.from.text),
           suggestions.help(figure.from.text, {offered_.begin(), offered_.end()}, "there are"));
  }
}

void FigureWatch::report(const char* code, std::size_t index, const std::string& what, const std::string& help) {
  if (!faulty_.insert(index).second) return;
  const Study& study = study_.study();
  const auto place = [&] {
    if (index == study.figures.size()) return study.keep.condition.where;
    const StudyFigure& figure = study.figures[index];
    return figure.from.text.empty() ? figure.expression.where : figure.from.where;
  };
  faults_.error(code, place(), what, help);
}

} // namespace hilda::study
