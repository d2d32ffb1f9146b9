// SPDX-License-Identifier: BSD-3-Clause
// The axes and figures of a study file.

#include "engine/base/error.h"
#include "engine/quantity/expression.h"
#include "engine/quantity/unit.h"
#include "engine/study/detail/written/figure_path.h"
#include "engine/study/detail/written/figures.h"
#include "engine/study/detail/written/study_elements.h"
#include "engine/study/study_values.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <sstream>

namespace hilda::study {
namespace {

using Others = AttributeReader::Others;

// The attributes of <axis>, in the order in which they are read.
enum { path, diagram, overlay, rig, folder, values, factors, from, to, count, spacing, with, when, name, doc };
constexpr std::array<Known, 15> axis_attributes = {{{"path"},
                                                    {"diagram"},
                                                    {"overlay"},
                                                    {"rig"},
                                                    {"folder"},
                                                    {"values", false, true},
                                                    {"factors", false, true},
                                                    {"from"},
                                                    {"to"},
                                                    {"count"},
                                                    {"spacing"},
                                                    {"with"},
                                                    {"when"},
                                                    {"name"},
                                                    doc_attribute}};

} // namespace

void StudyElements::axis(const ParsedNode& element) {
  const Location where = context_.at(element.line);
  const AttributeReader read(context_, element, axis_attributes, Others::refused);
  StudyAxis made;
  made.where = where;
  made.doc = read.text(doc);
  if (!axis_kind(read, made, where)) return;
  if (read.given(name)) made.name = read.text(name);
  column(made.name, where);
  if (read.given(with)) made.with = read.text(with);
  if (read.given(when)) made.when = given(read, when, "when");
  switch (made.kind) {
  case StudyAxis::Kind::parameter: axis_values(read, made, where); break;
  case StudyAxis::Kind::diagram: axis_files(read, diagram, made); break;
  case StudyAxis::Kind::overlay: axis_files(read, overlay, made); break;
  case StudyAxis::Kind::rig: axis_files(read, rig, made); break;
  }
  axis_order(made);
  study_.axes.push_back(std::move(made));
}

bool StudyElements::axis_kind(const AttributeReader& read, StudyAxis& into, Location where) {
  static constexpr std::pair<std::size_t, StudyAxis::Kind> kinds[] = {{path, StudyAxis::Kind::parameter},
                                                                      {diagram, StudyAxis::Kind::diagram},
                                                                      {overlay, StudyAxis::Kind::overlay},
                                                                      {rig, StudyAxis::Kind::rig}};
  int found = 0;
  for (const auto& [attribute, kind] : kinds) {
    if (!read.given(attribute)) continue;
    ++found;
    into.kind = kind;
    into.name = attribute == path ? read.text(path) : std::string(axis_attributes[attribute].name);
  }
  if (found == 1) {
    if (into.kind == StudyAxis::Kind::parameter) into.path = read.text(path);
    return true;
  }
  context_.diagnostics->error("study-axis", where,
                              found == 0 ? "the axis does not say what it changes" : "the axis changes two things",
                              "write one of path=, diagram=, overlay= and rig=; axes that go together have with=");
  return false;
}

void StudyElements::axis_values(const AttributeReader& read, StudyAxis& into, Location where) {
  Diagnostics& diagnostics = *context_.diagnostics;
  const bool ends = read.given(from) && read.given(to);
  if ((read.given(values) ? 1 : 0) + (read.given(factors) ? 1 : 0) + (ends ? 1 : 0) != 1) {
    diagnostics.error("study-axis", where, "the axis " + in_quotes(into.name) + " does not say its values",
                      "write from=, to= and count=, or values=\"10 50 N/mm\", or factors=\"0.1 1 10\"");
    return;
  }
  if (read.given(values)) return read_list(given(read, values, "values"), into, diagnostics);
  if (read.given(factors)) {
    into.factors = true;
    read_list(given(read, factors, "factors"), into, diagnostics);
    if (!read.given(name)) into.name += ".factor";
    if (!into.values.empty() && (!into.numeric || !into.unit.empty()))
      diagnostics.error("study-number", read.where(factors),
                        "factors=" + in_quotes(read.view(factors)) + " are not bare numbers",
                        "write how many times the diagram's own value: factors=\"0.1 1 10\"");
    for (AxisValue& value : into.values) value.text.clear();
    return;
  }
  const std::optional<StudyNumber> first = read_number(given(read, from, "from"), diagnostics);
  const std::optional<StudyNumber> last = read_number(given(read, to, "to"), diagnostics);
  if (first) into.from = first->number, into.unit = first->unit; // known even where the rest is wrong
  if (!read.given(count)) {
    diagnostics.error("missing-attribute", where, "<axis> has no attribute 'count'", "add count=\"...\"");
    return;
  }
  const auto number = read_count(given(read, count, "count"), 1, most_values, diagnostics);
  if (!first || !last || !number) return;
  if (!fits_beside_others(*number, read.where(count))) return;
  if (first->unit != last->unit && !(first->number == 0 && first->unit.empty())) {
    diagnostics.error("study-units", read.where(to),
                      fmt::format("from is in {}, and to in {}", first->unit.empty() ? "no unit" : first->unit,
                                  last->unit.empty() ? "no unit" : last->unit),
                      "give both in the same unit");
    return;
  }
  into.from = first->number, into.to = last->number, into.unit = last->unit, into.written = last->written;
  if (read.given(spacing) && word(given(read, spacing, "spacing"), {"linear", "log"}))
    into.logarithmic = read.view(spacing) == "log";
  spread(into, *number, given(read, count, "count"), diagnostics);
}

/// All values of all axes are kept; many long axes would fill the memory before the product of their sizes is known.
bool StudyElements::fits_beside_others(std::int64_t number, Location where) {
  std::int64_t held = 0;
  for (const StudyAxis& each : study_.axes) held += static_cast<std::int64_t>(each.values.size());
  if (held + number <= most_values_together) return true;
  context_.diagnostics->error(
      "study-size", where,
      fmt::format(
          "the axes before this one have {} values, with the {} of this one more than {} together, which is the "
          "most",
          held, number, most_values_together),
      "give the axes fewer values, or divide the study");
  return false;
}

void StudyElements::axis_files(const AttributeReader& read, std::size_t index, StudyAxis& into) {
  std::istringstream words(read.text(index));
  for (std::string each; words >> each;) {
    const std::string opened = file_path(each, read.text(folder), into.kind == StudyAxis::Kind::diagram);
    into.values.push_back({NAN, opened, std::filesystem::path(each).stem().string(), read.where(index)});
  }
  if (into.values.empty())
    context_.diagnostics->error("study-range", read.where(index), into.name + "=\"\" holds no values",
                                "write them with blanks between");
}

/// An axis goes with one before it, and its condition names those before it.
void StudyElements::axis_order(const StudyAxis& axis) {
  if (axis.with.empty()) return;
  std::vector<std::string> names;
  for (const StudyAxis& each : study_.axes) names.push_back(each.name);
  const StudyAxis* other = study_.find_axis(axis.with);
  if (other == nullptr) {
    context_.diagnostics->error("study-with", axis.where, "no axis before this one is called " + in_quotes(axis.with),
                                context_.suggestions->help(axis.with, names, "axes before it"));
    return;
  }
  if (other->values.size() == axis.values.size() || axis.values.empty() || other->values.empty()) return;
  context_.diagnostics->error("study-with", axis.where,
                              fmt::format("{} values do not go with the {} of {}", axis.values.size(),
                                          other->values.size(), in_quotes(axis.with)),
                              "axes that go together have as many values", {{other->where, "the other axis"}});
}

void StudyElements::figure(const ParsedNode& element) {
  enum { name, from, expression, unit, optional, doc };
  static constexpr std::array<Known, 6> known = {
      {{"name", true}, {"from"}, {"expression"}, {"unit"}, {"optional"}, doc_attribute}};
  const Location where = context_.at(element.line);
  const AttributeReader read(context_, element, known, Others::refused);
  if (!read.given(name)) return;
  StudyFigure made;
  made.name = read.text(name), made.doc = read.text(doc), made.where = where;
  column(made.name, where);
  Diagnostics& diagnostics = *context_.diagnostics;
  if (!is_name(made.name) || made.name.find('.') != std::string::npos)
    diagnostics.error("bad-name", read.where(name), in_quotes(made.name) + " cannot be the name of a figure",
                      "use letters, digits and '_'");
  if (read.given(from) == read.given(expression)) {
    diagnostics.error("study-figure", where, "the figure " + in_quotes(made.name) + " does not say where it comes from",
                      "write from=\"contacts[-1].cov\" or expression=\"cov &lt; 1.05\", one of them");
    return;
  }
  if (read.given(from)) {
    made.from = given(read, from, "from");
    if (const Result<FigurePath> parsed = FigurePath::read(made.from.text); !parsed)
      diagnostics.error(parsed.error().code.c_str(), made.from.where, parsed.error().what, parsed.error().help);
  } else {
    made.expression = given(read, expression, "expression");
  }
  if (read.given(optional) && word(given(read, optional, "optional"), {"true", "false"}))
    made.optional = read.view(optional) == "true";
  if (read.given(unit)) {
    made.unit_written = read.text(unit);
    if (const Result<UnitReading> reading = parse_unit(made.unit_written); reading)
      made.unit = reading->unit.text();
    else
      diagnostics.error(reading.error().code.c_str(), read.where(unit), reading.error().what, reading.error().help);
  }
  study_.figures.push_back(std::move(made));
}

/// What expressions name are figures before them and axes. Whether units go together is known once a run has them.
void StudyElements::check_figures() {
  std::vector<std::string> names;
  for (const StudyAxis& axis : study_.axes)
    if (axis.numeric || axis.values.empty()) names.push_back(axis.name); // or its values are wrong, which is reported
  for (const StudyDraw& draw : study_.draws) names.push_back(draw.path);
  const auto check = [&](const Attribute& text) {
    for (const std::string& wanted : names_in(text.text))
      if (std::find(names.begin(), names.end(), wanted) == names.end())
        context_.diagnostics->error("study-name", text.where,
                                    text.name + "=" + in_quotes(text.text) + " names " + in_quotes(wanted) +
                                        ", which is neither a figure before it nor an axis of numbers",
                                    context_.suggestions->help(wanted, names, "there are"));
    if (text.name.empty()) return; // there is none
    if (const std::optional<Error> why = StudyFigures::malformed(text.text, names))
      context_.diagnostics->error(why->code.c_str(), text.where,
                                  text.name + "=" + in_quotes(text.text) + ": " + why->what, why->help);
  };
  for (const StudyFigure& figure : study_.figures) {
    check(figure.expression);
    names.push_back(figure.name);
  }
  check(study_.keep.condition);
}

} // namespace hilda::study
