// SPDX-License-Identifier: BSD-3-Clause
// What a number from outside costs next to a tick: by a handle, by a text, with a log and without.
//
//   hilda_bench_outside DIAGRAM LOG    prints a JSON object of ns and counts;
//                                      docs/results/measurements/outside.py writes the page
//
// The diagram has the inputs a to f, each one number. Ways take turns, and of each the median of its rounds counts.

#include "benchmarks/clock.h"
#include "engine/plugin/library.h"
#include "engine/run/start.h"
#include "engine/session/output.h"
#include "engine/session/run_log.h"
#include "engine/session/tuning.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>

namespace {
thread_local long asked = 0;
}

void* operator new(std::size_t size) {
  ++asked;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace hilda::bench {
namespace {

constexpr int rounds = 41, ticks = 5000, text_ticks = 400;

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

/// A run, with a log or without.
class Run {
public:
  Run(const Catalogue& blocks, const std::string& file, const std::string& log)
      : diagram_(blocks, file, LoadOptions()) {
    runtime_ = start_runtime(diagram_);
    if (runtime_ == nullptr) give_up(diagram_.diagnostics().text());
    tuning_ = std::make_unique<Tuning>(*runtime_);
    std::string error;
    if (!log.empty()) log_ = RunLog::create(*runtime_, {}, log, {}, error);
    if (!error.empty()) give_up(error);
  }
  Tuning& tuning() { return *tuning_; }
  std::shared_ptr<Input> input(const std::string& path) {
    Diagnostics diagnostics;
    auto found = tuning_->input(path, diagnostics);
    if (found == nullptr) give_up(diagnostics.text());
    return found;
  }
  void tick() {
    Recorder* const recorder = log_ ? &log_->recorder() : nullptr;
    tuning_->take(recorder);
    const std::int64_t now = runtime_->tick();
    if (!runtime_->compute()) give_up(runtime_->ending().text);
    if (recorder != nullptr) recorder->record(now);
    runtime_->advance();
  }
  /// The log's thread is done with what there is: it then takes nothing from the loop.
  void rest() {
    if (log_) log_->recorder().wait_for_room();
  }

private:
  LoadedDiagram diagram_;
  std::unique_ptr<Runtime> runtime_;
  std::unique_ptr<Tuning> tuning_;
  std::unique_ptr<RunLog> log_;
};

/// ns a tick.
double timed(Run& run, int count, const std::function<void(int)>& before) {
  run.rest();
  const double begin = now();
  for (int k = 0; k < count; ++k) {
    before(k);
    run.tick();
  }
  return (now() - begin) * 1e9 / count;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Way {
  const char* name;
  Run* run;
  int count;
  std::function<void(int)> before;
  std::vector<double> found = {};
};

void print(std::vector<Way>& ways) {
  for (int r = 0; r < rounds; ++r)
    for (Way& way : ways) way.found.push_back(timed(*way.run, way.count, way.before));
  std::printf("{");
  for (const Way& way : ways) std::printf("\"%s\": %.1f, ", way.name, median(way.found));
}

double at(int k) { return 1e-3 * (k % 1000) + 1; }

int measure(const std::string& file, const std::string& log) {
  Host host;
  Diagnostics problems;
  host.load_folder(test::build_folder() + "/lib/hilda/plugins", problems);
  Run plain(host.catalogue(), file, ""), logged(host.catalogue(), file, log), texts(host.catalogue(), file, "");
  std::vector<std::shared_ptr<Input>> six, six_logged;
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
    six.push_back(plain.input(name));
    six_logged.push_back(logged.input(name));
  }
  std::vector<Way> ways{
      {"tick", &plain, ticks, [](int) {}},
      {"one", &plain, ticks, [&](int k) { six[0]->write(at(k)); }},
      {"six", &plain, ticks,
       [&](int k) {
         for (const auto& each : six) each->write(at(k));
       }},
      {"logged", &logged, ticks, [](int) {}},
      {"one_logged", &logged, ticks, [&](int k) { six_logged[0]->write(at(k)); }},
      {"six_logged", &logged, ticks,
       [&](int k) {
         for (const auto& each : six_logged) each->write(at(k));
       }},
      {"text", &texts, text_ticks,
       [&](int k) {
         Diagnostics diagnostics;
         if (!texts.tuning().set({{"a", decimal(at(k)) + " N"}}, nullptr, diagnostics)) give_up(diagnostics.text());
       }},
  };
  print(ways);
  const long before = asked;
  timed(logged, ticks, ways[5].before);
  std::printf("\"allocated\": %ld}\n", asked - before);
  return 0;
}

} // namespace
} // namespace hilda::bench

int main(int count, char** words) {
  if (count != 3) return std::fprintf(stderr, "usage: hilda_bench_outside DIAGRAM LOG\n"), 64;
  return hilda::bench::measure(words[1], words[2]);
}
