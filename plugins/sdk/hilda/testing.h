// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_H
#define HILDA_TESTING_H

#if defined(__cplusplus) && __cplusplus < 202002L
#error "hilda: the test kit is C++20: compile with -std=c++20, or set CMAKE_CXX_STANDARD to 20"
#endif

// Tests of blocks, without the engine: what the author of a plugin includes in a test program. It needs the C tables of
// the plugin alone, so it serves blocks in any language, and no library but dl.
//
//   hilda::testing::Plugin plugin("build/lib/hilda/plugins/mine.so");
//   hilda::testing::Bench lag(plugin.type("Lag"), {.parameters = {{"time_constant", 0.02}}});
//   lag.set("u", 1);
//   lag.run(10);
//   EXPECT_NEAR(lag.number("y"), 1 - std::exp(-0.5), 1e-12);
//
//   for (const auto& finding : hilda::testing::check_all(plugin))
//     EXPECT_NE(finding.verdict, hilda::testing::Verdict::failed) << finding.text();

#include <hilda/testing/check_flags.h>
#include <hilda/testing/check_life.h>
#include <hilda/testing/check_live.h>
#include <hilda/testing/check_loop.h>
#include <hilda/testing/check_many.h>
#include <hilda/testing/check_units.h>
#include <hilda/testing/checks.h>

namespace hilda::testing {

/// A check that any block can undergo.
struct Check {
  const char* name;
  const char* question;
  detail::Outcome (*run)(const Subject&);
  bool compares = false; ///< two instances, which must be alike to begin with
  bool runs = true;      ///< the block through ticks
  bool drivers = false;  ///< says something also of a driver, which is set up and never started
};

/// All of them, in the order in which they build on one another.
inline const std::vector<Check>& all_checks() {
  static const std::vector<Check> checks = {
      {"extensions", "does it answer to the extensions alone that it has?", &detail::check_extensions, false, false,
       true},
      {"defaults", "are its defaults values that it takes?", &detail::check_defaults, false, false, true},
      {"phases", "does every function come back, without an exception or another floating-point mode?",
       &detail::check_phases, false, true, true},
      {"process", "does it leave signals, timers, folder, locale, streams and descriptors of the process alone?",
       &detail::check_process, false, true, true},
      {"numbers", "do numbers give numbers, and does it flag others where it says so?", &detail::check_flagged_numbers},
      {"memory", "does it write to its own memory alone?", &detail::check_memory, false, true, true},
      {"feedthrough", "does it read only the inputs that it declares for each phase?", &detail::check_feedthrough},
      {"pure", "do its outputs leave the state alone, and come out the same twice?", &detail::check_pure_outputs},
      {"determinism", "do two instances give the same bits?", &detail::check_determinism, false, true, true},
      {"reset", "does it start again at a reset?", &detail::check_reset, true, true, true},
      {"checkpoint", "is all that it remembers in its states?", &detail::check_checkpoint, true},
      {"prepare", "may prepare be called again?", &detail::check_prepare, true},
      {"live", "does a live parameter take effect between two ticks?", &detail::check_live, true},
      {"many", "do the functions for many records do the same?", &detail::check_many, true},
      {"allocation", "does the loop never allocate?", &detail::check_allocation},
      {"locks", "does the loop never wait for another thread, and start none?", &detail::check_locks},
      {"syscalls", "does the loop make no system calls?", &detail::check_syscalls},
      {"units", "does it compute what its units say?", &detail::check_units, true}};
  return checks;
}

/// A setup with which a block can be run: the one given, or with other guesses for what it leaves open where the block
/// refuses those. Inputs are positive where others give no numbers. Throws Refused or Impossible where there is none.
inline Subject subject_of(const Type& type, const Setup& setup = {}) {
  Subject subject{&type, setup, lively};
  std::string first;
  for (const double value : {1.0, 0.1, 0.01, 2.0, 10.0})
    for (const std::int64_t dimension : {3, 1, 2, 6})
      for (const bool rising : {false, true}) {
        subject.setup.value_guess = value;
        subject.setup.dimension_guess = dimension;
        subject.setup.rising_guess = rising;
        try {
          if (detail::check_numbers(subject).verdict == Verdict::passed) return subject;
          Subject other = subject;
          other.stimulus = positive;
          return detail::check_numbers(other).verdict == Verdict::passed ? other : subject;
        } catch (const Refused& refused) {
          if (first.empty()) first = refused.what();
        } catch (const Thrown&) { return subject; } // every check reports what it throws
      }
  throw Refused(first);
}

/// One check; what the block refuses or what cannot be done becomes part of the finding.
inline Finding check(const Subject& subject, const Check& check) {
  Finding finding{subject.type->name(), check.name, Verdict::not_applicable, ""};
  const detail::ProcessRestored restored; // the test that calls must stay one that Ctrl-C ends
  const bool driver = subject.type->is_driver();
  if (driver && !check.drivers) {
    finding.why = "it is a driver: only its start touches the world, and no check starts it";
    return finding;
  }
  try {
    Subject tried = subject;
    if (driver) tried.ticks = 0; // set up, reset, asked: all that there is without a device
    const detail::Outcome outcome = check.run(tried);
    finding.verdict = outcome.verdict, finding.why = outcome.why;
  } catch (const Thrown& thrown) {
    finding.verdict = Verdict::failed;
    finding.why = thrown.what();
  } catch (const std::runtime_error& error) {
    finding.verdict = driver ? Verdict::not_applicable : Verdict::failed;
    finding.why =
        (driver ? "it is a driver, and takes none of the guesses: " : "refuses a setup that it has taken before: ") +
        std::string(error.what());
  }
  return finding;
}

/// All checks of a block, one after the other: begin(check) before each, take(finding) after it.
template <typename Begin, typename Take> void run_checks(const Subject& subject, Begin&& begin, Take&& take) {
  bool repeatable = true;
  for (const Check& each : all_checks()) {
    begin(each);
    Finding finding{subject.type->name(), each.name, Verdict::not_applicable,
                    "its instances differ from one another to begin with"};
    if (repeatable || !each.compares) finding = check(subject, each);
    if (std::string_view(each.name) == "determinism") repeatable = finding.verdict != Verdict::failed;
    take(std::move(finding));
  }
}

/// All checks of one block type. A block that takes none of the guesses has one finding, which says so: give it what it
/// needs in `setup`.
inline std::vector<Finding> check_all(const Type& type, const Setup& setup = {}) {
  std::vector<Finding> findings;
  try {
    const auto take = [&](Finding finding) { findings.push_back(std::move(finding)); };
    run_checks(
        type.is_driver() ? Subject{&type, setup} : subject_of(type, setup), [](const Check&) {}, take);
  } catch (const std::exception& error) {
    findings.push_back({type.name(), "setup", Verdict::not_applicable, error.what()});
  }
  return findings;
}

/// All checks of all block types of a plugin; `setups` by the names of the blocks.
inline std::vector<Finding> check_all(const Plugin& plugin, const std::map<std::string, Setup>& setups = {}) {
  std::vector<Finding> findings;
  for (const Type& type : plugin.types()) {
    const auto setup = setups.find(type.name());
    for (Finding& finding : check_all(type, setup != setups.end() ? setup->second : Setup{}))
      findings.push_back(std::move(finding));
  }
  return findings;
}

} // namespace hilda::testing

#endif
