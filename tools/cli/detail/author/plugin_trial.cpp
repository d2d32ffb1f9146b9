// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/plugin_trial.h"

#include "engine/plugin/library.h"
#include "engine/plugin/own_type.h"
#include "engine/session/program_abilities.h"
#include "tools/cli/detail/author/child_trial.h"
#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/program/crash.h"

#include <algorithm>
#include <regex>
#include <sstream>

namespace hilda::cli {
namespace {

using testing::Finding;
using testing::Verdict;

const char* word(Verdict verdict) {
  return verdict == Verdict::passed ? "ok" : verdict == Verdict::failed ? "failed" : "n/a";
}

Verdict verdict_of(const std::string& word) {
  return word == "ok" ? Verdict::passed : word == "failed" ? Verdict::failed : Verdict::not_applicable;
}

/// One line: verdict, reason.
std::string line(Verdict verdict, std::string why) {
  std::replace_if(
      why.begin(), why.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return std::string(word(verdict)) + "\t" + why + "\n";
}

Finding read_line(const std::string& told, const std::string& block, const std::string& check) {
  const std::size_t tab = told.find('\t'), end = told.find('\n');
  if (tab == std::string::npos || end == std::string::npos) return {block, check, Verdict::failed, "says nothing"};
  return {block, check, verdict_of(told.substr(0, tab)), told.substr(tab + 1, end - tab - 1)};
}

/// A setup with which the block can be run, found in its own process: guesses are reported as numbers.
std::optional<Finding> find_setup(testing::Subject& subject, double time_limit) {
  const testing::Type& type = *subject.type;
  const ChildTrial trial = in_child(
      type.name() + ", a setup for it,",
      [&](const auto& tell) {
        try {
          const testing::Subject found = testing::subject_of(type);
          const bool positive =
              found.stimulus.target<void (*)(const testing::Piece&, std::int64_t, std::vector<double>&)>() != nullptr &&
              *found.stimulus.target<void (*)(const testing::Piece&, std::int64_t, std::vector<double>&)>() ==
                  &testing::positive;
          std::ostringstream text;
          text << found.setup.value_guess << ' ' << found.setup.dimension_guess << ' ' << found.setup.rising_guess
               << ' ' << positive;
          tell(line(Verdict::passed, text.str()));
        } catch (const std::exception& error) { tell(line(Verdict::not_applicable, error.what())); }
      },
      time_limit);
  if (!trial.fault.empty()) return Finding{type.name(), "setup", Verdict::failed, trial.fault};
  Finding finding = read_line(trial.told, type.name(), "setup");
  if (finding.verdict != Verdict::passed) return finding;
  std::istringstream text(finding.why);
  bool positive = false;
  text >> subject.setup.value_guess >> subject.setup.dimension_guess >> subject.setup.rising_guess >> positive;
  if (positive) subject.stimulus = testing::positive;
  return std::nullopt;
}

/// The setup of a diagram, tried once.
std::optional<Finding> try_setup(const testing::Subject& subject, double time_limit) {
  const ChildTrial trial = in_child(
      subject.type->name() + ", the diagram's setup,",
      [&](const auto& tell) {
        try {
          const testing::Bench bench(*subject.type, subject.setup);
          tell(line(Verdict::passed, ""));
        } catch (const testing::Thrown& thrown) {
          tell(line(Verdict::failed, thrown.what()));
        } catch (const std::exception& error) { tell(line(Verdict::not_applicable, error.what())); }
      },
      time_limit);
  if (!trial.fault.empty()) return Finding{subject.type->name(), "setup", Verdict::failed, trial.fault};
  Finding finding = read_line(trial.told, subject.type->name(), "setup");
  return finding.verdict == Verdict::passed ? std::nullopt : std::optional(std::move(finding));
}

Finding run_check(const testing::Subject& subject, const testing::Check& check, double time_limit) {
  const ChildTrial trial = in_child(
      subject.type->name() + ", check " + check.name + ",",
      [&](const auto& tell) {
        const Finding finding = testing::check(subject, check);
        tell(line(finding.verdict, finding.why));
      },
      time_limit);
  if (!trial.fault.empty()) return {subject.type->name(), check.name, Verdict::failed, trial.fault};
  return read_line(trial.told, subject.type->name(), check.name);
}

/// The type to which the test kit's records of a block in Python are bound.
const BlockType* bound_to = nullptr;

void construct_bound(void* record) { bind_own_type(*bound_to, record); }

} // namespace

bool is_script(const std::string& file) { return file.ends_with(".py"); }

testing::Type trial_type(const BlockType& layout) {
  if (layout.ports == nullptr) return testing::Type(*layout.abi);
  bound_to = &layout;
  hilda_block_type table = *layout.abi; // of this build's own size: it is a table of languages/python.so
  table.construct = &construct_bound;
  return testing::Type(table);
}

bool is_raised(const std::string& text) {
  static const std::regex place("(output|update|derivatives|event) at .*:[0-9]+: .*");
  return std::regex_match(text, place);
}

std::vector<Finding> try_block(const BlockType& layout, const TrialSetup* given, double time_limit) {
  const testing::Type type = trial_type(layout);
  testing::Subject subject{&type, given != nullptr ? given->setup : testing::Setup{}};
  if (layout.ports != nullptr) subject.is_fault = is_raised;
  if (given != nullptr && given->stimulus) subject.stimulus = given->stimulus;
  std::optional<Finding> stuck;
  if (!type.is_driver()) stuck = given == nullptr ? find_setup(subject, time_limit) : try_setup(subject, time_limit);
  std::vector<Finding> findings;
  if (stuck && stuck->verdict == Verdict::not_applicable) return {std::move(*stuck)};
  // Where even the setup crashes, each check is tried nevertheless: some need no run.
  bool repeatable = true;
  double limit = time_limit;
  constexpr double after_a_hang = 2; // s: what hangs once will hang again
  for (const testing::Check& check : testing::all_checks()) {
    Finding finding{type.name(), check.name, Verdict::not_applicable,
                    "its instances differ from one another to begin with"};
    if (repeatable || !check.compares) finding = run_check(subject, check, limit);
    if (finding.why.rfind("does not come back", 0) == 0) limit = std::min(limit, after_a_hang);
    if (std::string_view(check.name) == "determinism") repeatable = finding.verdict != Verdict::failed;
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::string try_loading(const std::string& file, double time_limit) {
  return in_child(
             "loading " + file,
             [&](const auto&) {
               tell_of_crashes();
               Diagnostics unseen; // the program itself will tell them
               if (is_script(file)) {
                 installation().host().scripts().in_file(file, unseen);
                 return;
               }
               Host host(program_abilities());
               host.load(file, unseen);
             },
             time_limit)
      .fault;
}

} // namespace hilda::cli
