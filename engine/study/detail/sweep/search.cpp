// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/search.h"

#include "engine/quantity/value.h"
#include "engine/study/study_values.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlopt.h>
#include <span>

namespace hilda::study {

std::vector<double> Evaluations::of(const std::vector<Place>& places, std::size_t figure) {
  const std::int64_t repeats = study_.design().repeats();
  std::vector<StudyTask> tasks;
  for (const Place& place : places)
    for (std::int64_t r = 0; r < repeats; ++r) tasks.push_back({place.first + r, place.cell + r, place.overrides});
  const SweepResult result = sweep_tasks(study_, store_, options_, tasks);
  made_ += result.made;
  faults_ = result.faults;
  warnings_.add(result.warnings);
  if (!result.error.empty()) error_ = result.error;
  stopped_ = stopped_ || result.there < result.total || !error_.empty() || !faults_.empty();
  std::vector<double> means;
  for (const Place& place : places) {
    double sum = 0;
    for (std::int64_t r = 0; r < repeats; ++r) {
      const std::optional<StudyRow> row = store_.row(place.first + r);
      sum += row ? row->figures[figure] : NAN;
    }
    means.push_back(sum / static_cast<double>(repeats));
  }
  return means;
}

namespace {

/// Of one combination of the other axes: between which places of the grid the figure changes.
struct Bisection {
  std::size_t edge = 0;
  std::int64_t low = 0, high = 0;
  bool at_low = false;
};

/// The ends of `parts` even parts of the places 0 to `last`, each once.
std::vector<std::int64_t> ends_of_parts(std::int64_t last, std::int64_t parts) {
  std::vector<std::int64_t> ends;
  for (std::int64_t k = 0; k <= parts; ++k) {
    const std::int64_t at =
        std::llround(static_cast<double>(last) * static_cast<double>(k) / static_cast<double>(parts));
    if (ends.empty() || at > ends.back()) ends.push_back(at);
  }
  return ends;
}

double clamped(const StudyAxis& axis, double number) {
  return std::clamp(number, std::min(*axis.from, *axis.to), std::max(*axis.from, *axis.to));
}

} // namespace

std::vector<EdgePoint> find_edges(const LoadedStudy& study, Store& store, const EdgeQuery& query,
                                  Evaluations& evaluations) {
  const Design& design = study.design();
  const StudyAxis& along = study.study().axes[query.axis];
  const double direction = *along.to >= *along.from ? 1 : -1;
  const auto last = static_cast<std::int64_t>(std::llround(std::abs(*along.to - *along.from) / query.step));
  const auto number = [&](std::int64_t place) {
    return place == last ? *along.to
                         : clamped(along, rounded(*along.from + direction * static_cast<double>(place) * query.step));
  };
  std::vector<EdgePoint> edges;
  for (std::int64_t run = 0; run < design.runs(); run += design.repeats())
    if (design.digit(run, query.axis) == 0) edges.push_back({run, design.point(run).coordinates, {}, 0, false, true});
  const std::int64_t places = (last + 1) * design.repeats();
  const std::int64_t first = store.search(fmt::format("edge along {} of {} by {}", along.name,
                                                      study.study().figures[query.figure].name, decimal(query.step)),
                                          places * static_cast<std::int64_t>(edges.size()));
  const auto place = [&](std::size_t edge, std::int64_t at) {
    return Evaluations::Place{first + static_cast<std::int64_t>(edge) * places + at * design.repeats(),
                              edges[edge].cell,
                              {{query.axis, number(at)}}};
  };
  // All of one round at once, so that every processor has something to do.
  const std::vector<std::int64_t> looks = ends_of_parts(last, std::max<std::int64_t>(query.coarse, 1));
  std::vector<Evaluations::Place> asked;
  for (std::size_t e = 0; e < edges.size(); ++e)
    for (const std::int64_t at : looks) asked.push_back(place(e, at));
  std::vector<double> answers = evaluations.of(asked, query.figure);
  std::vector<Bisection> searches;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const std::span<const double> of_edge = std::span(answers).subspan(e * looks.size(), looks.size());
    edges[e].looked = static_cast<std::int64_t>(looks.size());
    edges[e].known = !std::isnan(of_edge.front()) && !std::isnan(of_edge.back());
    edges[e].at_first = of_edge.front() > 0.5;
    for (std::size_t k = 1; edges[e].known && k < looks.size(); ++k)
      if ((of_edge[k - 1] > 0.5) != (of_edge[k] > 0.5)) // no number counts as false
        searches.push_back({e, looks[k - 1], looks[k], of_edge[k - 1] > 0.5});
  }
  while (!evaluations.stopped()) {
    asked.clear();
    std::vector<Bisection*> whose;
    for (Bisection& search : searches)
      if (search.high - search.low > 1) {
        asked.push_back(place(search.edge, (search.low + search.high) / 2));
        whose.push_back(&search);
      }
    if (asked.empty()) break;
    answers = evaluations.of(asked, query.figure);
    for (std::size_t i = 0; i < whose.size(); ++i)
      ((answers[i] > 0.5) == whose[i]->at_low ? whose[i]->low : whose[i]->high) = (whose[i]->low + whose[i]->high) / 2;
  }
  for (const Bisection& search : searches)
    if (search.high - search.low == 1) edges[search.edge].changes.push_back({number(search.low), number(search.high)});
  return edges;
}

namespace {

/// What NLopt asks for: a place in the unit cube.
class Objective {
public:
  Objective(const LoadedStudy& study, const OptimumQuery& query, std::int64_t first, Evaluations& evaluations)
      : study_(study), query_(query), first_(first), evaluations_(evaluations) {}

  std::vector<double> place(const double* x) const {
    std::vector<double> at;
    for (std::size_t i = 0; i < query_.axes.size(); ++i) {
      const StudyAxis& axis = study_.study().axes[query_.axes[i]];
      double number = axis.logarithmic ? *axis.from * std::pow(*axis.to / *axis.from, x[i])
                                       : *axis.from + (*axis.to - *axis.from) * x[i];
      if (query_.steps[i] > 0)
        number = *axis.from + query_.steps[i] * std::round((number - *axis.from) / query_.steps[i]);
      at.push_back(clamped(axis, rounded(number)));
    }
    return at;
  }

  double operator()(const double* x) {
    const std::vector<double> at = place(x);
    const auto known = values_.find(at);
    if (known != values_.end()) return known->second;
    if (evaluations_.stopped() || best.evaluations >= query_.evaluations) return worst_;
    Evaluations::Place asked{first_ + best.evaluations * study_.design().repeats(), 0, {}};
    for (std::size_t i = 0; i < at.size(); ++i) asked.overrides.push_back({query_.axes[i], at[i]});
    const double mean = evaluations_.of({asked}, query_.figure)[0];
    ++best.evaluations;
    const double value = query_.greatest ? -mean : mean;
    // As far beyond the worst so far: a surrogate of a method that needs numbers.
    if (!std::isnan(value)) worst_ = values_.empty() ? std::abs(value) + value + 1 : std::max(worst_, value);
    if (!std::isnan(value) && (!best.found || value < (query_.greatest ? -best.value : best.value)))
      best.at = at, best.value = mean, best.run = asked.first, best.found = true;
    return values_[at] = std::isnan(value) ? worst_ : value;
  }

  Optimum best;

private:
  const LoadedStudy& study_;
  const OptimumQuery& query_;
  const std::int64_t first_;
  Evaluations& evaluations_;
  std::map<std::vector<double>, double> values_;
  double worst_ = 1e30;
};

double ask(unsigned, const double* x, double*, void* objective) { return (*static_cast<Objective*>(objective))(x); }

/// With one of NLopt's methods, from `x` to the best that it finds.
void search(nlopt_algorithm method, Objective& objective, std::vector<double>& x, int evaluations) {
  const auto n = static_cast<unsigned>(x.size());
  nlopt_opt opt = nlopt_create(method, n);
  if (opt == nullptr) return;
  const std::vector<double> low(n, 0.0), high(n, 1.0);
  nlopt_set_lower_bounds(opt, low.data());
  nlopt_set_upper_bounds(opt, high.data());
  nlopt_set_min_objective(opt, &ask, &objective);
  nlopt_set_maxeval(opt, evaluations);
  nlopt_set_xtol_rel(opt, 1e-6);
  nlopt_set_initial_step1(opt, 0.1);
  double value = 0;
  nlopt_optimize(opt, x.data(), &value); // where it gives up, the best so far is in the objective
  nlopt_destroy(opt);
}

} // namespace

Optimum find_optimum(const LoadedStudy& study, Store& store, const OptimumQuery& query, Evaluations& evaluations) {
  std::string text = fmt::format("optimum of {} ({}) over", study.study().figures[query.figure].name,
                                 query.greatest ? "greatest" : "least");
  for (std::size_t i = 0; i < query.axes.size(); ++i)
    text += " " + study.study().axes[query.axes[i]].name + " by " + decimal(query.steps[i]);
  constexpr std::int64_t most =
      1'000'000; // of evaluations: a longer search continues with what a shorter one has found
  const std::int64_t first = store.search(text, most * study.design().repeats());
  Objective objective(study, query, first, evaluations);
  std::vector<double> x(query.axes.size(), 0.5);
  // Its first half looks everywhere; the order in which places are asked for depends on nothing but their values, so a
  // search that continues finds its rows where they were.
  search(NLOPT_GN_DIRECT_L, objective, x, query.evaluations / 2);
  if (query.axes.size() > 1)
    search(NLOPT_LN_BOBYQA, objective, x, query.evaluations);
  else
    search(NLOPT_LN_NELDERMEAD, objective, x, query.evaluations);
  return objective.best;
}

} // namespace hilda::study
