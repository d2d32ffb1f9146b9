// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/detail/sweep/run_warnings.h"

#include <fmt/format.h>

namespace hilda::study {

void RunWarnings::add(const std::string& code, const Kind& more) {
  Kind& kind = kinds_[code];
  if (kind.runs == 0 || more.first < kind.first) kind.first = more.first, kind.said = more.said;
  kind.runs += more.runs;
}

void RunWarnings::note(const PointRunner::Done& done) {
  ++runs_;
  for (const Diagnostic& each : done.warnings) add(each.code, {1, done.row.run, each});
}

void RunWarnings::add(const RunWarnings& others) {
  runs_ += others.runs_;
  for (const auto& [code, kind] : others.kinds_) add(code, kind);
}

std::vector<Diagnostic> RunWarnings::all() const {
  std::vector<Diagnostic> all;
  for (const auto& [code, kind] : kinds_) {
    all.push_back(kind.said);
    all.back().what = fmt::format("{} of {} runs; run {}: {}", kind.runs, runs_, kind.first, kind.said.what);
  }
  return all;
}

} // namespace hilda::study
