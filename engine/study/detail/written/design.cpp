// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/detail/written/design.h"

#include "engine/quantity/expression.h"
#include "engine/study/detail/written/mix.h"
#include "engine/study/study_values.h"

#include <algorithm>
#include <boost/math/policies/policy.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <fmt/format.h>

namespace hilda::study {
namespace {

constexpr std::int64_t most_listed = 10'000'000;
constexpr std::int32_t left_out = -1;

/// The product, or -1 beyond the most that is possible.
std::int64_t times(std::int64_t a, std::int64_t b) { return a < 0 || b < 0 || a > most_runs / b ? -1 : a * b; }

/// The number below which a part of a normal distribution lies. In double: results in long double depend on the
/// library.
double normal_quantile(double part) {
  using Plain = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  return -std::sqrt(2.0) * boost::math::erfc_inv(2.0 * part, Plain());
}

} // namespace

Design::Design(const Study& study, Diagnostics& diagnostics) : study_(study) {
  for (const StudyAxis& axis : study.axes) {
    std::ptrdiff_t leader = -1;
    for (std::size_t other = 0; other < leader_.size(); ++other)
      if (!axis.with.empty() && study.axes[other].name == axis.with)
        leader = leader_[other] >= 0 ? leader_[other] : static_cast<std::ptrdiff_t>(other);
    leader_.push_back(leader);
    sizes_.push_back(leader >= 0 ? 1 : static_cast<std::int64_t>(std::max<std::size_t>(axis.values.size(), 1)));
    conditional_ = conditional_ || !axis.when.text.empty();
  }
  for (const StudyDraw& draw : study.draws) {
    if (draw.kind == StudyDraw::Kind::repeat)
      repeats_ = times(repeats_, draw.count);
    else if (draw.count > 0)
      samples_ = draw.count;
  }
  if (!diagnostics.ok()) return;
  enumerate(diagnostics);
  runs_ = times(cells_, times(samples_, repeats_));
  if (runs_ >= 0) {
    prepare_samples();
    return;
  }
  diagnostics.error("study-size", study.where,
                    fmt::format("the study has more than {} runs, which is the most", most_runs),
                    "give its axes fewer values, or divide it");
  runs_ = 0;
}

void Design::enumerate(Diagnostics& diagnostics) {
  if (!conditional_) {
    for (const std::int64_t size : sizes_) cells_ = times(cells_, size);
    return;
  }
  // Digit by digit, as a counter; an axis that does not apply has one value that is none.
  const std::size_t axes = sizes_.size();
  cells_ = 0;
  Digits digits(axes, 0);
  std::vector<bool> applied(axes, true);
  std::vector<std::string> problems(axes);
  const auto settle = [&](std::size_t from) {
    for (std::size_t axis = from; axis < axes; ++axis) {
      applied[axis] = applies(study_.axes[axis].when, digits, axis, problems[axis]);
      digits[axis] = applied[axis] ? 0 : left_out;
    }
  };
  settle(0);
  while (true) {
    if (cells_ >= most_listed) {
      cells_ = -1;
      break;
    }
    listed_.insert(listed_.end(), digits.begin(), digits.end());
    ++cells_;
    std::size_t axis = axes;
    while (axis > 0 && (!applied[axis - 1] || digits[axis - 1] + 1 >= sizes_[axis - 1])) --axis;
    if (axis == 0) break;
    ++digits[axis - 1];
    settle(axis);
  }
  for (std::size_t axis = 0; axis < axes; ++axis)
    if (!problems[axis].empty())
      diagnostics.error("study-when", study_.axes[axis].when.where,
                        "when=" + in_quotes(study_.axes[axis].when.text) + ": " + problems[axis],
                        "name axes before it: a number by its name, a word as NAME.WORD, such as diagram.pida");
  for (const StudySetting& setting : study_.settings) {
    std::string problem;
    applies(setting.when, digits, axes, problem);
    if (!problem.empty())
      diagnostics.error("study-when", setting.when.where, "when=" + in_quotes(setting.when.text) + ": " + problem,
                        "name an axis: a number by its name, a word as NAME.WORD, such as diagram.pida");
  }
}

/// Of the axes before `axes`. A word is known as NAME.WORD, which is true where the axis has it.
bool Design::applies(const Attribute& when, const Digits& digits, std::size_t axes, std::string& problem) const {
  if (when.text.empty()) return true;
  std::vector<NamedNumber> known;
  for (std::size_t a = 0; a < axes; ++a) {
    const StudyAxis& axis = study_.axes[a];
    const std::int32_t digit = digits[leader_[a] >= 0 ? static_cast<std::size_t>(leader_[a]) : a];
    for (std::size_t v = 0; !axis.numeric && v < axis.values.size(); ++v)
      known.push_back({axis.name + "." + axis.values[v].label, digit == static_cast<std::int32_t>(v) ? 1.0 : 0.0, ""});
    if (axis.numeric)
      known.push_back({axis.name, digit >= 0 ? axis.values[static_cast<std::size_t>(digit)].number : NAN, axis.unit});
  }
  return StudyFigures::holds(when.text, known, problem);
}

Design::Digits Design::digits_of(std::int64_t cell) const {
  const std::size_t axes = sizes_.size();
  Digits digits(axes, 0);
  if (conditional_) {
    const auto begin = listed_.begin() + static_cast<std::ptrdiff_t>(cell) * static_cast<std::ptrdiff_t>(axes);
    std::copy(begin, begin + static_cast<std::ptrdiff_t>(axes), digits.begin());
  } else {
    for (std::size_t axis = axes; axis-- > 0; cell /= sizes_[axis])
      digits[axis] = static_cast<std::int32_t>(cell % sizes_[axis]);
  }
  for (std::size_t axis = 0; axis < axes; ++axis)
    if (leader_[axis] >= 0 && digits[axis] >= 0) digits[axis] = digits[static_cast<std::size_t>(leader_[axis])];
  return digits;
}

std::int64_t Design::digit(std::int64_t run, std::size_t axis) const {
  return digits_of(run / (samples_ * repeats_))[axis];
}

std::int64_t Design::first_with(std::size_t axis, std::int64_t value) const {
  if (!conditional_) {
    const std::size_t own = leader_[axis] >= 0 ? static_cast<std::size_t>(leader_[axis]) : axis;
    std::int64_t cell = value;
    for (std::size_t a = own + 1; a < sizes_.size(); ++a) cell *= sizes_[a];
    return value < sizes_[own] ? cell * samples_ * repeats_ : -1;
  }
  for (std::int64_t cell = 0; cell < cells_; ++cell)
    if (digits_of(cell)[axis] == value) return cell * samples_ * repeats_;
  return -1;
}

std::vector<Design::Column> Design::columns() const {
  std::vector<Column> columns;
  for (const StudyAxis& axis : study_.axes) columns.push_back({axis.name, axis.unit, axis.doc, axis.numeric, false});
  for (const StudyDraw& draw : study_.draws) columns.push_back({draw.path, draw.unit, draw.doc, true, true});
  return columns;
}

std::vector<NamedNumber> Design::numbers(const RunPoint& point) const {
  std::vector<NamedNumber> numbers;
  const std::vector<Column> all = columns();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].numeric) numbers.push_back({all[i].name, point.coordinates[i].number, all[i].unit});
  return numbers;
}

RunPoint Design::point(std::int64_t run) const { return point(run, {}); }

RunPoint Design::point(std::int64_t run, const std::vector<Override>& overrides) const {
  RunPoint point;
  point.diagram = study_.diagram.text, point.rig = study_.rig.text;
  for (const Attribute& overlay : study_.overlays) point.overlays.push_back(overlay.text);
  const Digits digits = digits_of(run / (samples_ * repeats_));
  const auto set = [&point](const std::string& path, const std::string& text, Location where) {
    std::erase_if(point.settings, [&path](const Attribute& other) { return other.name == path; });
    point.settings.push_back({path, text, where});
  };
  for (const StudySetting& setting : study_.settings) {
    std::string problem;
    if (applies(setting.when, digits, digits.size(), problem))
      set(setting.given.name, setting.given.text, setting.given.where);
  }
  point.fixed = point.settings;
  for (std::size_t a = 0; a < study_.axes.size(); ++a) {
    const StudyAxis& axis = study_.axes[a];
    if (digits[a] < 0 || axis.values.empty()) {
      point.coordinates.push_back({NAN, ""});
      continue;
    }
    AxisValue value = axis.values[static_cast<std::size_t>(digits[a])];
    for (const Override& other : overrides)
      if (other.axis == a) {
        value.number = other.number;
        value.text = axis.factors ? "" : setting_text(other.number, axis.unit);
      }
    point.coordinates.push_back({value.number, axis.numeric ? "" : value.label});
    switch (axis.kind) {
    case StudyAxis::Kind::diagram: point.diagram = value.text; break;
    case StudyAxis::Kind::rig: point.rig = value.text; break;
    case StudyAxis::Kind::overlay: point.overlays.push_back(value.text); break;
    case StudyAxis::Kind::parameter:
      if (axis.factors)
        point.factors.push_back({axis.path, value.number, value.where});
      else
        set(axis.path, value.text, value.where);
    }
  }
  for (std::size_t d = 0; d < study_.draws.size(); ++d) {
    const StudyDraw& draw = study_.draws[d];
    const bool own = draw.kind == StudyDraw::Kind::repeat || draw.count == 0; // each run its own
    const double number = drawn(d, own ? run : run / repeats_ % samples_);
    point.coordinates.push_back({number, ""});
    set(draw.path, setting_text(number, draw.unit), draw.where);
  }
  return point;
}

double Design::drawn(std::size_t index, std::int64_t sample) const {
  const StudyDraw& draw = study_.draws[index];
  if (draw.kind == StudyDraw::Kind::repeat) { // a seed, from 1 to 2^31 - 1
    const std::uint64_t word = Mix().add(study_.seed).add(draw.path).add(static_cast<std::uint64_t>(sample)).word();
    return static_cast<double>(1 + word % 0x7FFFFFFF);
  }
  const double part = evenly(index, sample);
  return draw.kind == StudyDraw::Kind::normal ? draw.mean + draw.deviation * normal_quantile(part)
                                              : draw.from + (draw.to - draw.from) * part;
}

double Design::evenly(std::size_t index, std::int64_t sample) const {
  if (index < even_.size() && !even_[index].empty()) return even_[index][static_cast<std::size_t>(sample)];
  const Mix mix = Mix().add(study_.seed).add(study_.draws[index].path).add(static_cast<std::uint64_t>(sample));
  return unit_interval(mix.word());
}

} // namespace hilda::study
