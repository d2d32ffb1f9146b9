// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/detail/written/figures.h"

#include "engine/quantity/expression.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace hilda::study {
namespace {

Value value_of(const NamedNumber& named) {
  if (named.unit.empty()) return Value::bare(named.number);
  const Result<UnitReading> unit = parse_unit(named.unit);
  return unit ? Value::measured(named.number, unit->unit) : Value::bare(named.number);
}

/// Numbers that are there already, and figures as they come. Values are made of those alone that are asked for.
class NumberScope : public Scope {
public:
  explicit NumberScope(const std::vector<NamedNumber>& numbers) : given_(numbers) {}
  void add(NamedNumber figure) { figures_.push_back(std::move(figure)); }
  Result<const Value*> find(const std::string& name) const override {
    for (const std::vector<NamedNumber>* list : {&given_, &figures_})
      for (const NamedNumber& each : *list)
        if (each.name == name) return &asked_.try_emplace(name, value_of(each)).first->second;
    return nullptr;
  }
  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const std::vector<NamedNumber>* list : {&given_, &figures_})
      for (const NamedNumber& each : *list) all.push_back(each.name);
    return all;
  }

private:
  const std::vector<NamedNumber>& given_;
  std::vector<NamedNumber> figures_;
  mutable std::map<std::string, Value> asked_;
};

/// NaN where it gives no number, which is not a problem: a figure in it may be none.
double calculate(const std::string& expression, const Scope& scope, std::string& unit, std::string& problem) {
  const Result<Value> value = evaluate(expression, scope);
  if (!value) {
    if (value.error().code != "expression-result") problem = value.error().what;
    return NAN;
  }
  if (value->kind == Value::Kind::text || !value->scalar()) {
    problem = "it gives no number";
    return NAN;
  }
  if (const std::optional<Unit> of = value->unit(); of && !of->dimensionless()) unit = of->text();
  return value->numbers[0] + 0.0;
}

StudyFigures::Calculated nothing(std::size_t count) {
  return {std::vector<double>(count, NAN), std::vector<std::string>(count), std::vector<bool>(count, true), {}};
}

} // namespace

StudyFigures::StudyFigures(const Study& study) : study_(study) {
  for (const StudyFigure& figure : study.figures) {
    const Result<FigurePath> path = FigurePath::read(figure.from.text);
    paths_.push_back(path ? *path : FigurePath());
  }
}

StudyFigures::Calculated StudyFigures::of(const Runtime& runtime, const SimulationResult& ended,
                                          const SummaryFigures& said, const std::vector<NamedNumber>& point) const {
  const std::size_t count = study_.figures.size();
  Calculated result = nothing(count);
  for (std::size_t i = 0; i < count; ++i) {
    const StudyFigure& figure = study_.figures[i];
    if (figure.from.text.empty()) continue;
    const FoundFigure found = paths_[i].of(runtime, ended, said);
    result.numbers[i] = found.number;
    result.units[i] = found.unit == "1" ? "" : found.unit;
    result.found[i] = found.found;
    if (figure.unit_written.empty() || std::isnan(found.number)) continue;
    const Result<UnitReading> is = parse_unit(found.unit);
    if (is && is->unit.text() == figure.unit) continue;
    result.problems.push_back(
        {i, " is in " + (found.unit.empty() ? "no unit" : found.unit) + " and not in " + figure.unit_written});
  }
  return calculated(std::move(result), point);
}

StudyFigures::Calculated StudyFigures::without(const std::vector<NamedNumber>& point) const {
  return calculated(nothing(study_.figures.size()), point);
}

/// Where figures are missing, their units are unknown: errors of an expression of them then mean nothing.
bool StudyFigures::known(const std::string& expression, const Calculated& result, std::size_t before) const {
  for (const std::string& name : names_in(expression))
    for (std::size_t i = 0; i < before; ++i)
      if (study_.figures[i].name == name && std::isnan(result.numbers[i])) return false;
  return true;
}

StudyFigures::Calculated StudyFigures::calculated(Calculated result, const std::vector<NamedNumber>& point) const {
  NumberScope numbers(point);
  for (std::size_t i = 0; i < study_.figures.size(); ++i) {
    const StudyFigure& figure = study_.figures[i];
    if (figure.from.text.empty()) {
      std::string problem;
      result.numbers[i] = calculate(figure.expression.text, numbers, result.units[i], problem);
      if (!problem.empty() && known(figure.expression.text, result, i)) result.problems.push_back({i, ": " + problem});
    }
    if (std::isnan(result.numbers[i]) && result.units[i].empty()) result.units[i] = figure.unit;
    // Where a promise is not kept, that is reported once: what follows is calculated as if it were.
    const bool broken = std::any_of(result.problems.begin(), result.problems.end(),
                                    [i](const Calculated::Problem& problem) { return problem.figure == i; });
    numbers.add({figure.name, result.numbers[i], broken ? figure.unit : result.units[i]});
  }
  const std::string& condition = study_.keep.condition.text;
  std::string unit, problem;
  if (!condition.empty()) calculate(condition, numbers, unit, problem);
  if (!problem.empty() && known(condition, result, study_.figures.size()))
    result.problems.push_back({study_.figures.size(), ": " + problem});
  return result;
}

std::optional<Error> StudyFigures::malformed(const std::string& expression, const std::vector<std::string>& names) {
  std::vector<NamedNumber> ones;
  for (const std::string& name : names) ones.push_back({name, 1, ""});
  const Result<Value> value = evaluate(expression, NumberScope(ones));
  if (value || value.error().code != "expression-malformed") return std::nullopt;
  return value.error();
}

bool StudyFigures::holds(const std::string& condition, const std::vector<NamedNumber>& numbers, std::string& problem) {
  std::string unit;
  const double truth = calculate(condition, NumberScope(numbers), unit, problem);
  return !std::isnan(truth) && truth != 0;
}

} // namespace hilda::study
