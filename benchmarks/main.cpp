// SPDX-License-Identifier: BSD-3-Clause
// How fast the loop and the loading are, each diagram next to the same maths written by hand in this very program.
//
//   hilda_bench                          everything, and a table at the end
//   hilda_bench --benchmark_filter=loop  the loops alone; see --help of Google Benchmark
//   hilda_bench --agree                  runs nothing, but ends with 1 where engine and hand disagree

#include "benchmarks/clock.h"
#include "benchmarks/comparison.h"
#include "benchmarks/diagrams.h"
#include "benchmarks/engine.h"

#include <benchmark/benchmark.h>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace hilda::bench {
namespace {

constexpr double loads_below = 0.5; // s for 100,000 blocks

void put(benchmark::State& state, const Ratios& r, const Case& c) {
  state.counters["engine_ns"] = r.engine;
  state.counters["b_ns"] = r.b;
  state.counters["fused_ns"] = r.fused;
  state.counters["engine_to_b"] = r.engine_to_b;
  state.counters["goal"] = c.goal;
  state.counters["b_to_fused"] = r.b_to_fused;
  state.counters["valid_up_to"] = c.valid;
}

/// A comparison that is set up when it is first run: loads alone need not wait for it.
struct Planned {
  Case what;
  std::unique_ptr<Comparison> comparison;
};

void compare(benchmark::State& state, Planned& planned) {
  if (planned.comparison == nullptr) planned.comparison = std::make_unique<Comparison>(planned.what);
  const auto& comparison = planned.comparison;
  for (auto _ : state) comparison->round();
  put(state, comparison->ratios(), comparison->what());
}

void load(benchmark::State& state) {
  const std::string xml = large_diagram(static_cast<std::size_t>(state.range(0)));
  LoadTimes best;
  for (auto _ : state) {
    const LoadTimes times = load_once(xml);
    if (best.check == 0 || times.total() < best.total()) best = times;
    state.SetIterationTime(times.total());
  }
  const double blocks = static_cast<double>(state.range(0));
  state.counters["total_ms"] = best.total() * 1e3;
  state.counters["check_ms"] = best.check * 1e3;
  state.counters["create_ms"] = best.create * 1e3;
  state.counters["first_step_ms"] = best.step * 1e3;
  state.counters["us_per_block"] = best.total() * 1e6 / blocks;
}

void step(benchmark::State& state) {
  Engine engine(large_diagram(static_cast<std::size_t>(state.range(0))));
  const std::size_t ticks = static_cast<std::size_t>(100'000 / state.range(0));
  const double begin = now();
  for (auto _ : state) engine.run(ticks);
  const double each = (now() - begin) / (static_cast<double>(state.iterations()) * static_cast<double>(ticks));
  state.counters["steps_per_s"] = 1 / each;
  state.counters["ns_per_block"] = each * 1e9 / static_cast<double>(state.range(0));
}

/// Diagrams of which there is no hand-written one.
void shipped(benchmark::State& state, const std::string& name) {
  Engine engine(shipped_diagram(name));
  constexpr std::size_t ticks = 500;
  engine.run(ticks);
  const double begin = now();
  for (auto _ : state) engine.run(ticks);
  state.counters["ns"] = (now() - begin) * 1e9 / (static_cast<double>(state.iterations()) * ticks);
}

void print(const std::vector<Planned>& comparisons) {
  std::printf("\n%-34s %10s %10s %10s %12s %6s %10s\n", "", "engine ns", "B ns", "fused ns", "engine / B", "goal",
              "B / fused");
  for (const Planned& planned : comparisons) {
    if (planned.comparison == nullptr) continue;
    const Case& c = planned.what;
    const Ratios r = planned.comparison->ratios();
    if (!(r.engine > 0)) continue;
    const char* verdict = r.b_to_fused > c.valid   ? "invalid: B is a straw man"
                          : r.engine_to_b > c.goal ? "missed"
                                                   : "met";
    std::printf("%-34s %10.2f %10.2f %10.2f %12.2f %6.1f %10.2f  %s (B %s)\n", c.title.c_str(), r.engine, r.b, r.fused,
                r.engine_to_b, c.goal, r.b_to_fused, verdict, r.b_flags.c_str());
    if (c.blocks == 1)
      std::printf("%-34s %.3f million steps per second, %.0f times real time\n", "", 1e3 / r.engine, 1e6 / r.engine);
  }
  std::printf("Loading 100,000 blocks: goal below %.1f s\n", loads_below);
}

} // namespace
} // namespace hilda::bench

int main(int argc, char** argv) {
  using namespace hilda::bench;
  if (argc == 2 && std::string_view(argv[1]) == "--agree") {
    for (const Case& c : cases()) Comparison{c};
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 64;
  std::vector<Planned> comparisons;
  for (const Case& c : cases()) comparisons.push_back({c, nullptr});
  for (Planned& planned : comparisons) {
    benchmark::RegisterBenchmark(("loop/" + planned.what.name).c_str(),
                                 [&planned](benchmark::State& state) { compare(state, planned); })
        ->Unit(benchmark::kMicrosecond)
        ->Iterations(40)
        ->Repetitions(5)
        ->ReportAggregatesOnly(false);
  }
  for (const int blocks : {100, 1000, 10'000, 100'000}) {
    benchmark::RegisterBenchmark("load", &load)
        ->Arg(blocks)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->MinTime(0.2);
    benchmark::RegisterBenchmark("step", &step)->Arg(blocks)->Unit(benchmark::kMicrosecond)->MinTime(0.2);
  }
  for (const char* name : {"pida", "tdpa", "tdpa_docking", "emulation_two_link", "emulation_unconstrained"})
    benchmark::RegisterBenchmark((std::string("shipped/") + name).c_str(),
                                 [name](benchmark::State& state) { shipped(state, name); })
        ->Unit(benchmark::kMicrosecond)
        ->Iterations(5)
        ->Repetitions(9);
  benchmark::RunSpecifiedBenchmarks();
  print(comparisons);
  benchmark::Shutdown();
}
