#include "engine/sweep/figure_watch.h"

#include "engine/xml/suggestion.h"

namespace hilda {

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
  if (done.fault && faults_.empty())
    report("study-figure-unit", study_.study().figures[done.fault->figure], done.fault->what,
           "say the unit that it has, or none");
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
    report("study-unknown-figure", figure, "no run has " + in_quotes(figure.from.text),
           suggestions.help(figure.from.text, {offered_.begin(), offered_.end()}, "there are"));
  }
}

void FigureWatch::report(const char* code, const StudyFigure& figure, const std::string& what,
                         const std::string& help) {
  Diagnostics diagnostics;
  diagnostics.error(code, figure.from.text.empty() ? figure.expression.where : figure.from.where, what, help);
  faults_.push_back(diagnostics.all().front());
}

} // namespace hilda
