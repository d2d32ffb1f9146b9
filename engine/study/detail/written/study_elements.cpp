// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/detail/written/study_elements.h"

#include "engine/base/error.h"
#include "engine/diagram/solver_settings.h"
#include "engine/quantity/expression.h"
#include "engine/quantity/unit.h"
#include "engine/study/study_values.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>
#include <system_error>
#include <utility>

namespace hilda::study {
namespace {

namespace fs = std::filesystem;
using Others = AttributeReader::Others;

const std::vector<std::string> tags = {"set", "axis", "draw", "figure", "keep"};

/// SQLite does not tell a column 'Gain' from 'gain'. It does tell letters beyond ASCII.
std::string column_name(std::string name) {
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return name;
}

/// How a draw is sampled, where the other one is sampled in another way.
const char* way_of(const StudyDraw& draw, const StudyDraw& other) {
  using Sampling = StudyDraw::Sampling;
  if (draw.sampling == other.sampling) return "";
  return draw.sampling == Sampling::random  ? " at random"
         : draw.sampling == Sampling::sobol ? " by sobol"
                                            : " by latin";
}

} // namespace

StudyElements::StudyElements(XmlContext context, const std::string& file, const std::vector<std::string>& library_path,
                             const RecordedFiles* recorded)
    : context_(std::move(context)), library_path_(library_path), recorded_(recorded) {
  study_.file = file;
  study_.folder = fs::path(file).parent_path().string();
}

Study StudyElements::study(const ParsedNode& element) {
  study_.where = context_.at(element.line);
  root(element);
  for (const ParsedNode* at = element.first_child; at != nullptr; at = at->next) {
    const ParsedNode* inner = at->as_element();
    if (inner == nullptr) {
      if (at->kind != ParsedNode::Kind::comment)
        context_.diagnostics->error("stray-text", context_.at(at->line),
                                    "text " + in_quotes(at->name) + " is inside <study>",
                                    "write remarks as <!-- ... -->");
      continue;
    }
    const std::string tag(inner->name);
    const std::string near = context_.suggestions->near(tag, tags);
    const bool known = std::find(tags.begin(), tags.end(), tag) != tags.end();
    if (!known)
      context_.diagnostics->error("unknown-element", context_.at(inner->line), "a study has no element <" + tag + ">",
                                  near.empty() ? "it may have: " + listed(tags) : "did you mean <" + near + ">?");
    if (const ParsedNode* deeper = inner->first_element())
      context_.diagnostics->error("misplaced-element", context_.at(deeper->line),
                                  "<" + std::string(deeper->name) + "> is inside " + element_label(*inner),
                                  "close " + element_label(*inner) + " before it with '/>'");
    if (known || !near.empty()) child(*inner, known ? std::string_view(tag) : std::string_view(near));
  }
  const bool diagrams = std::any_of(study_.axes.begin(), study_.axes.end(),
                                    [](const StudyAxis& axis) { return axis.kind == StudyAxis::Kind::diagram; });
  if (study_.diagram.text.empty() && !diagrams)
    context_.diagnostics->error("study-diagram", study_.where, "the study names no diagram",
                                "write <study diagram=\"diagrams/pida.xml\" ...>, or <axis diagram=\"pic dac\"/>");
  check_draws();
  check_figures();
  return std::move(study_);
}

void StudyElements::root(const ParsedNode& element) {
  enum { format, name, diagram, mode, rig, overlay, seed, timeout, solver, doc };
  static constexpr std::array<Known, 10> known = {{{"format"},
                                                   {"name"},
                                                   {"diagram"},
                                                   {"mode"},
                                                   {"rig"},
                                                   {"overlay"},
                                                   {"seed"},
                                                   {"timeout"},
                                                   {"solver"},
                                                   doc_attribute}};
  const AttributeReader read(context_, element, known, Others::refused);
  if (!read.given(format))
    context_.diagnostics->error("format-missing", study_.where, "the study does not say its format",
                                "write <study format=\"1\" ...>");
  else if (read.view(format) != "1")
    context_.diagnostics->error("format-unsupported", read.where(format),
                                "the format " + in_quotes(read.view(format)) + " is not known here, only format 1 is",
                                "a newer hilda may read it; otherwise write format=\"1\"");
  study_.name = read.given(name) ? read.text(name) : fs::path(study_.file).stem().string();
  study_.doc = read.text(doc);
  study_.mode = read.text(mode);
  if (read.given(diagram)) {
    study_.diagram = given(read, diagram, "diagram");
    study_.diagram.text = file_path(study_.diagram.text, "", true);
  }
  if (read.given(rig)) {
    study_.rig = given(read, rig, "rig");
    study_.rig.text = file_path(study_.rig.text, "", false);
  }
  std::istringstream overlays(read.text(overlay));
  for (std::string each; overlays >> each;)
    study_.overlays.push_back({"overlay", file_path(each, "", false), read.where(overlay)});
  if (read.given(seed))
    study_.seed = static_cast<std::uint64_t>(
        read_count(given(read, seed, "seed"), 0, std::int64_t{1} << 52, *context_.diagnostics).value_or(1));
  if (read.given(solver) && word(given(read, solver, "solver"), solver_names())) study_.solver = read.text(solver);
  if (!read.given(timeout)) return;
  const std::optional<StudyNumber> time = read_number(given(read, timeout, "timeout"), *context_.diagnostics);
  if (!time) return;
  if ((time->unit == "s" || time->unit.empty()) && time->number > 0)
    study_.timeout = time->number;
  else
    context_.diagnostics->error("study-number", read.where(timeout),
                                "timeout=" + in_quotes(read.view(timeout)) + " is not a time above 0",
                                "write timeout=\"10 s\"");
}

void StudyElements::child(const ParsedNode& element, std::string_view tag) {
  if (tag == "set") return setting(element);
  if (tag == "axis") return axis(element);
  if (tag == "draw") return draw(element);
  if (tag == "figure") return figure(element);
  keep(element);
}

void StudyElements::setting(const ParsedNode& element) {
  enum { path, value, when, doc };
  static constexpr std::array<Known, 4> known = {{{"path", true}, {"value", true, true}, {"when"}, doc_attribute}};
  const AttributeReader read(context_, element, known, Others::refused);
  if (!read.given(path) || !read.given(value)) return;
  StudySetting made{{read.text(path), read.text(value), read.where(value)}, {}};
  if (read.given(when)) made.when = given(read, when, "when");
  for (const StudySetting& other : study_.settings)
    if (other.given.name == made.given.name && other.when.text.empty() && made.when.text.empty())
      context_.diagnostics->error("duplicate-setting", made.given.where, in_quotes(made.given.name) + " is set twice",
                                  "keep one", {{other.given.where, "first set here"}});
  study_.settings.push_back(std::move(made));
}

void StudyElements::draw(const ParsedNode& element) {
  enum { path, repeat, normal, deviation, from, to, sampling, count, doc };
  static constexpr std::array<Known, 9> known = {{{"path", true},
                                                  {"repeat"},
                                                  {"normal"},
                                                  {"deviation"},
                                                  {"from"},
                                                  {"to"},
                                                  {"sampling"},
                                                  {"count"},
                                                  doc_attribute}};
  const Location where = context_.at(element.line);
  const AttributeReader read(context_, element, known, Others::refused);
  if (!read.given(path)) return;
  StudyDraw made;
  made.path = read.text(path), made.doc = read.text(doc), made.where = where;
  Diagnostics& diagnostics = *context_.diagnostics;
  column(made.path, where);
  if (read.given(repeat)) {
    made.count = read_count(given(read, repeat, "repeat"), 1, most_values, diagnostics).value_or(1);
    study_.draws.push_back(std::move(made));
    sampling_said_.push_back(true);
    return;
  }
  if (!distribution(read, made, where)) return;
  if (read.given(sampling) && word(given(read, sampling, "sampling"), {"random", "latin", "sobol"}))
    made.sampling = read.view(sampling) == "latin"   ? StudyDraw::Sampling::latin
                    : read.view(sampling) == "sobol" ? StudyDraw::Sampling::sobol
                                                     : StudyDraw::Sampling::random;
  if (read.given(count)) made.count = read_count(given(read, count, "count"), 1, most_values, diagnostics).value_or(1);
  if (made.sampling != StudyDraw::Sampling::random && made.count == 0)
    diagnostics.error("study-draw", where,
                      "sampling=\"" + read.text(sampling) + "\" does not say how many samples there are",
                      "add count=\"100\"");
  study_.draws.push_back(std::move(made));
  sampling_said_.push_back(read.given(sampling));
}

bool StudyElements::distribution(const AttributeReader& read, StudyDraw& into, Location where) {
  enum { path, repeat, normal, deviation, from, to };
  Diagnostics& diagnostics = *context_.diagnostics;
  const bool is_normal = read.given(normal) && read.given(deviation), is_uniform = read.given(from) && read.given(to);
  if (is_normal == is_uniform) {
    diagnostics.error("study-draw", where, "<draw> " + in_quotes(into.path) + " does not say what is drawn",
                      "write repeat=\"20\", or normal= and deviation=, or from= and to=");
    return false;
  }
  const Attribute first_text = is_normal ? given(read, normal, "normal") : given(read, from, "from");
  const Attribute second_text = is_normal ? given(read, deviation, "deviation") : given(read, to, "to");
  const std::optional<StudyNumber> first = read_number(first_text, diagnostics);
  const std::optional<StudyNumber> second = read_number(second_text, diagnostics);
  if (!first || !second) return false;
  if (first->unit != second->unit) {
    diagnostics.error("study-units", second_text.where,
                      fmt::format("{} is in {}, and {} in {}", first_text.name,
                                  first->unit.empty() ? "no unit" : first->unit, second_text.name,
                                  second->unit.empty() ? "no unit" : second->unit),
                      "give both in the same unit");
    return false;
  }
  if (is_normal && second->number < 0) {
    diagnostics.error("study-draw", second_text.where, "deviation=" + in_quotes(second_text.text) + " is below zero",
                      "write how far a draw lies from normal= as a rule, 0 at least");
    return false;
  }
  into.kind = is_normal ? StudyDraw::Kind::normal : StudyDraw::Kind::uniform;
  into.unit = first->unit, into.written = first->written;
  into.mean = into.from = first->number;
  into.deviation = into.to = second->number;
  return true;
}

/// Samples of several draws are taken together, so they are as many.
void StudyElements::check_draws() {
  const StudyDraw* first = nullptr;
  for (const StudyDraw& draw : study_.draws) {
    if (draw.kind == StudyDraw::Kind::repeat || draw.count == 0) continue;
    if (first == nullptr) first = &draw;
    if (draw.count == first->count && draw.sampling == first->sampling) continue;
    context_.diagnostics->error(
        "study-draw", draw.where,
        fmt::format("{} samples of {}{} do not go with {} of {}{}", draw.count, in_quotes(draw.path),
                    way_of(draw, *first), first->count, in_quotes(first->path), way_of(*first, draw)),
        "draws are taken together: give them the same count and sampling", {{first->where, "the other draw"}});
  }
  if (first == nullptr || first->sampling == StudyDraw::Sampling::random) return;
  const char* const even = first->sampling == StudyDraw::Sampling::sobol ? "sobol" : "latin";
  for (std::size_t d = 0; d < study_.draws.size(); ++d) {
    const StudyDraw& draw = study_.draws[d];
    if (draw.kind == StudyDraw::Kind::repeat || draw.count != 0 || sampling_said_[d]) continue;
    context_.diagnostics->error(
        "study-draw", draw.where,
        fmt::format("{} is drawn at random in each run, and {} has {} samples by {}: together they are not even",
                    in_quotes(draw.path), in_quotes(first->path), first->count, even),
        fmt::format("add sampling=\"{}\" count=\"{}\" to it, or sampling=\"random\" where that is meant", even,
                    first->count),
        {{first->where, "the other draw"}});
  }
}

void StudyElements::keep(const ParsedNode& element) {
  enum { log, condition, most, doc };
  static constexpr std::array<Known, 4> known = {{{"log", true}, {"condition"}, {"most"}, doc_attribute}};
  const Location where = context_.at(element.line);
  const AttributeReader read(context_, element, known, Others::refused);
  if (!read.given(log) || !word(given(read, log, "log"), {"all", "failed", "when"})) return;
  StudyKeep& made = study_.keep;
  if (std::exchange(kept_, true))
    context_.diagnostics->error("study-keep", where, "there are two <keep>", "keep one", {{made.where, "first here"}});
  made.where = where;
  made.logs = read.view(log) == "all"      ? StudyKeep::Logs::all
              : read.view(log) == "failed" ? StudyKeep::Logs::failed
                                           : StudyKeep::Logs::when;
  if (read.given(condition)) made.condition = given(read, condition, "condition");
  if (read.given(most))
    made.most = read_count(given(read, most, "most"), 1, most_runs, *context_.diagnostics).value_or(made.most);
  if ((made.logs == StudyKeep::Logs::when) != read.given(condition))
    context_.diagnostics->error("study-keep", where, "log=\"when\" and condition= go together",
                                "write <keep log=\"when\" condition=\"cov &gt; 2\" most=\"20\"/>");
}

Attribute StudyElements::given(const AttributeReader& read, std::size_t index, const char* name) const {
  return {name, read.text(index), read.where(index)};
}

bool StudyElements::word(const Attribute& given, const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), given.text) != allowed.end()) return true;
  context_.diagnostics->error("bad-word", given.where, given.name + "=" + in_quotes(given.text) + " is not known",
                              context_.suggestions->help(given.text, allowed, "it may be"));
  return false;
}

void StudyElements::column(const std::string& name, Location where) {
  static const std::vector<std::string> own = {"run",  "ending", "cause", "block", "signal",
                                               "time", "steps",  "base",  "git",   "hash"};
  const std::string column = column_name(name);
  const auto [first, fresh] = columns_.try_emplace(column, name, where);
  const auto& [other, there] = first->second;
  if (!fresh)
    context_.diagnostics->error("duplicate-name", where,
                                other == name ? in_quotes(name) + " is the name of two columns of the results"
                                              : in_quotes(name) + " and " + in_quotes(other) +
                                                    " are one column of the results, where small and capital letters "
                                                    "are the same",
                                "keep one, or give an axis its own name=", {{there, "the other"}});
  else if (std::find(own.begin(), own.end(), column) != own.end())
    context_.diagnostics->error("reserved-name", where, in_quotes(name) + " is a column that each study has",
                                "give it another name=");
}

std::string StudyElements::file_path(const std::string& written, const std::string& folder, bool diagram) const {
  fs::path path = fs::path(folder) / written;
  if (diagram && !path.has_extension()) path += ".xml";
  const fs::path beside = path.is_absolute() ? path : (fs::path(study_.folder) / path).lexically_normal();
  std::error_code error;
  const bool recorded = recorded_ != nullptr && recorded_->text(beside.string()) != nullptr;
  if (recorded || path.is_absolute() || fs::exists(beside, error)) return beside.string();
  for (const std::string& library : library_path_) { // it came with hilda
    const fs::path there = fs::path(library) / path;
    const bool known = recorded_ != nullptr && recorded_->text(there.string()) != nullptr;
    if (known || fs::exists(there, error)) return there.string();
  }
  return beside.string();
}

} // namespace hilda::study
