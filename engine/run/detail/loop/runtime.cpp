// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/runtime.h"

#include "engine/base/fnv.h"
#include "engine/catalogue/driven_type.h"
#include "engine/compile/held_signals.h"
#include "engine/compile/limits.h"
#include "engine/compile/swallowed_steps.h"
#include "engine/plugin/block_code.h"
#include "engine/plugin/block_report.h"
#include "engine/plugin/guests.h"
#include "engine/plugin/loop_end.h"
#include "engine/run/detail/loop/memory_need.h"
#include "engine/run/detail/plan/neighbours.h"
#include "engine/run/detail/solve/settings/solver_check.h"
#include "engine/run/kept_parameters.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <string_view>

namespace hilda::run {

namespace {

/// FNV-1a, then one round of splitmix: the seed of a block follows from its path alone.
std::uint64_t seed_of(std::string_view path) {
  std::uint64_t h = Fnv().text(path).value() + 0x9E3779B97F4A7C15u;
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBu;
  return h ^ (h >> 31);
}

constexpr std::size_t fence_bytes = 256;

void ignore_warning(void*, const char*, const char*) {}

void report_overrun(const SystemBlock& block, const char* phase, Diagnostics& diagnostics) {
  diagnostics.error("block-overrun", block.where,
                    fmt::format("{} ({}) writes beyond its own memory in {}", block.path, block.type->name, phase),
                    fmt::format("hilda test-plugin {} shows it too", block.type->plugin));
}

/// What a call of a block before tick 0 leaves alone: its neighbours' memory and its own parameters.
class Untouched {
public:
  Untouched(const Memory& memory, const System& system, const Plan& plan, BlockIndex block)
      : block_(system.blocks[block]), neighbours_(memory, system, plan.memory.front(), block),
        parameters_(memory, system, block) {}

  /// After the call.
  void report(const char* phase, Diagnostics& diagnostics) const {
    if (!neighbours_.whole()) report_overrun(block_, phase, diagnostics);
    const std::string change = parameters_.changed();
    if (change.empty()) return;
    diagnostics.warning("block-parameter", block_.where,
                        fmt::format("{} ({}): {} overwrites its parameter {}; the diagram, the log and the summary "
                                    "keep the first value, and the run computes with the second",
                                    block_.path, block_.type->name, phase, change),
                        "let it keep what it derives from a parameter in another variable");
  }

private:
  const SystemBlock& block_;
  const Neighbours neighbours_;
  const KeptParameters parameters_;
};

} // namespace

Runtime::Runtime(System system, std::shared_ptr<const Plan> plan, const RuntimeOptions& options)
    : system_(std::move(system)), shared_plan_(std::move(plan)), options_(options) {
  control_.size = sizeof control_;
  control_.value = NAN;
}

Runtime::~Runtime() {
  stop();
  forget_loop(*this);
}

std::unique_ptr<Runtime> Runtime::create(System system, const RuntimeOptions& options, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.errors();
  if (options.hardware) require_limits(system, diagnostics);
  std::shared_ptr<const Plan> plan = options.plan;
  if (plan == nullptr)
    if (std::optional<Plan> made = make_plan(system, diagnostics))
      plan = std::make_shared<const Plan>(*std::move(made));
  if (!plan || diagnostics.errors() != errors_before || !signals_fit(system, diagnostics)) return nullptr;
  std::unique_ptr<Runtime> runtime(new Runtime(std::move(system), std::move(plan), options));
  const Guests guests(runtime->system_, options.hardware, options.fenced);
  const bool sound = runtime->configure(diagnostics) && runtime->initialize(diagnostics);
  return guests.behave(diagnostics) && sound ? std::move(runtime) : nullptr;
}

bool Runtime::configure(Diagnostics& diagnostics) {
  const std::size_t n = system_.blocks.size();
  const std::size_t errors_before = diagnostics.errors();
  try {
    const std::uint32_t lanes = options_.separate || options_.fenced ? 1 : options_.lanes;
    memory_ = std::make_unique<Memory>(system_, plan_.memory, options_.fenced ? fence_bytes : 0,
                                       lane_groups(system_, plan_.memory, lanes));
  } catch (const ConstructionFault& fault) {
    BlockReport report(diagnostics, system_.blocks[fault.block], "block-throws");
    if (fault.what.empty())
      report.changed_mode("its constructor");
    else
      report.threw("its constructor", fault.what.c_str());
    return false;
  }
  instances_.resize(n);
  marked_before_.assign(n, 0);
  for (const BlockIndex b : system_.blocks.indices()) {
    const SystemBlock& block = system_.blocks[b];
    hilda_instance& self = instances_[b];
    self.size = sizeof self;
    self.continuous = block.continuous ? 1 : 0;
    self.path = block.path.c_str();
    self.period = (system_.base * Rational(block.divider)).value();
    self.seed = seed_of(block.path);
    self.report = &report_in_loop;
    self.warn = &ignore_warning;
    self.engine = this;
    self.simulated = options_.simulated ? 1 : 0;
    const hilda_block_type& type = *memory_->layout(b).abi;
    if (type.configure == nullptr) continue;
    BlockReport report(diagnostics, block, "block-configure");
    hilda_instance asking = self;
    report.attach(asking);
    const auto ask = [&] { return type.configure(memory_->record(b), &asking); };
    const Untouched before(*memory_, system_, plan_, b);
    FloatingPointFlags::clear();
    report.settle(report.call("configure", ask) != 0, "the block refuses its configuration and does not say why");
    marked_before_[b] = FloatingPointFlags::raised() ? 1 : 0;
    before.report("configure", diagnostics);
    check_fences(b, "configure", diagnostics);
  }
  if (diagnostics.errors() == errors_before) check_canaries("configure", diagnostics);
  if (diagnostics.errors() != errors_before) return false;
  if (!memory_->bind_rings()) {
    report_rings(system_, *memory_, diagnostics);
    return false;
  }
  return true;
}

bool Runtime::initialize(Diagnostics& diagnostics) {
  guards_.bind(system_, plan_, *memory_, instances_, modes_);
  bool sound = true;
  const std::size_t errors_before = diagnostics.errors();
  for (const BlockIndex b : system_.blocks.indices()) sound = start_values(b, diagnostics) && sound;
  if (sound) check_canaries("prepare or initialize", diagnostics);
  sound = sound && diagnostics.errors() == errors_before;
  find_flagging();
  driven_.bind(system_, *memory_, instances_, modes_);
  schedule_ = make_schedule(system_, plan_, *memory_, flagging_, driven_, options_.separate);
  always_due_ = schedule_.dividers.size() == 1 && system_.guards.empty() && !options_.separate;
  safety_.bind(system_, *memory_, options_.hardware);
  pacing_ = pacing_blocks(system_, *memory_);
  ledger_ = Ledger(system_, *memory_);
  sound = bind_solver(diagnostics) && sound;
  const bool every_value =
      options_.every_value || options_.hardware || options_.replay != nullptr || !others_apart(system_, flagging_);
  watch_.bind(system_, plan_.memory, *memory_, flagging_, every_value);
  ticks_.resize(schedule_.dividers.size());
  due_.assign(schedule_.dividers.size(), 1);
  for (const RateIndex r : ticks_.indices()) {
    ticks_[r].size = sizeof(hilda_tick);
    ticks_[r].period = (system_.base * Rational(schedule_.dividers[r])).value();
    ticks_[r].control = &control_;
  }
  list_signals();
  for (const Call& call : schedule_.first_outputs)
    if (call.kind == Call::Kind::prime && !call.guard.valid()) primed_.push_back(call.block);
  return sound;
}

/// prepare and initialize, before tick 0.
bool Runtime::start_values(BlockIndex block, Diagnostics& diagnostics) {
  const hilda_block_type& type = *memory_->layout(block).abi;
  const std::size_t errors_before = diagnostics.errors();
  hilda_instance asking = instances_[block];
  FloatingPointFlags::clear();
  if (type.prepare != nullptr) {
    BlockReport report(diagnostics, system_.blocks[block], "block-prepare");
    report.attach(asking);
    // what wires give comes with the first tick, where the block is heard
    if (has_driven(*system_.blocks[block].type)) asking.report = &ignore_warning;
    const Untouched before(*memory_, system_, plan_, block);
    report.call("prepare", [&] { return type.prepare(memory_->record(block), &asking), 0; });
    before.report("prepare", diagnostics);
    check_fences(block, "prepare", diagnostics);
  }
  BlockReport report(diagnostics, system_.blocks[block], "block-initialize");
  report.attach(asking);
  const Untouched before(*memory_, system_, plan_, block);
  report.call("initialize", [&] { return guards_.initialize(block, &asking), 0; });
  guards_.forget_initializing();
  if (FloatingPointFlags::raised()) marked_before_[block] = 1;
  before.report("initialize", diagnostics);
  check_fences(block, "initialize", diagnostics);
  return diagnostics.errors() == errors_before;
}

bool Runtime::bind_solver(Diagnostics& diagnostics) {
  const SolverSettings settings = options_.solver.over(system_.solver);
  const bool clocked = options_.hardware || options_.paced || !options_.simulated;
  if (!has_variable_step(settings.kind) && !settings.located)
    warn_of_unlocated_events(system_, *memory_, settings, clocked, diagnostics);
  if (!clocked) warn_of_sampled_lines(system_, settings, diagnostics);
  if (!clocked) warn_of_swallowed_steps(system_, diagnostics);
  return check_solver(settings, options_.solver, clocked, diagnostics) &&
         solver_.bind(system_, *memory_, schedule_, guards_, settings, call_, modes_, observer(), diagnostics);
}

/// What a block has computed of its parameters may be infinite, too, and no mark will tell of it in the loop.
void Runtime::find_flagging() {
  flagging_ = flagging_blocks(system_, *memory_);
  for (const BlockIndex b : flagging_.indices())
    if (marked_before_[b] != 0) flagging_[b] = 0;
}

/// Where there are fences: did the block leave them alone?
void Runtime::check_fences(BlockIndex block, const char* phase, Diagnostics& diagnostics) {
  if (memory_->fences_whole(block)) return;
  report_overrun(system_.blocks[block], phase, diagnostics);
}

void Runtime::list_signals() {
  const auto is_output = [&](BlockIndex block, const SystemBlock::Port& port) {
    return memory_->layout(block).slots[port.slot].role == HILDA_OUTPUT;
  };
  std::size_t count = 0;
  for (const BlockIndex block : system_.blocks.indices())
    for (const SystemBlock::Port& port : system_.blocks[block].ports) count += is_output(block, port) ? 1 : 0;
  signals_.reserve(count);
  for (const BlockIndex block : system_.blocks.indices())
    for (const SystemBlock::Port& port : system_.blocks[block].ports) {
      if (!is_output(block, port)) continue;
      signals_.push_back({.path = port_text(system_, {block, port.slot, port.item}),
                          .block = block,
                          .slot = port.slot,
                          .item = port.item,
                          .type = port.type,
                          .span = memory_->span(block, port.slot, port.item)});
    }
}

const SystemSignal* Runtime::find_signal(const std::string& path) const {
  for (const SystemSignal& signal : signals_)
    if (signal.path == path) return &signal;
  return nullptr;
}

double Runtime::time() const {
  const Rational t = system_.base * Rational(tick_);
  return t.value();
}

double Runtime::time_of(std::int64_t tick) const noexcept {
  return static_cast<double>(tick) * static_cast<double>(system_.base.numerator()) /
         static_cast<double>(system_.base.denominator());
}

void Runtime::set_times(std::int64_t tick) noexcept {
  const double base = time_of(tick);
  beat_.store(beat_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  for (const RateIndex r : ticks_.indices()) {
    const std::int64_t divider = schedule_.dividers[r];
    due_[r] = divider == 1 || tick % divider == 0 ? 1 : 0;
    ticks_[r].index = divider == 1 ? tick : tick / divider;
    ticks_[r].time = base;
  }
}

void Runtime::run(const std::vector<Call>& calls) noexcept {
  const Call* next = calls.data();
  const Call* const end = next + calls.size();
  while (next != end) {
    const Call* const begin = next;
    guarded([&, begin, end] {
      if (always_due_)
        run_always(begin, end);
      else
        for (const Call* at = begin; at != end; ++at) run_call(*at);
      next = end;
    });
    // After a throw the others continue: on hardware the gates are among them, and they ramp.
    if (next != end) next = call_.load(std::memory_order_relaxed) + 1;
  }
  call_.store(nullptr, std::memory_order_relaxed);
  running_ = nullptr;
}

/// All calls run at every tick.
inline void Runtime::run_always(const Call* at, const Call* end) {
  const hilda_tick* const tick = ticks_.data();
  for (; at != end; ++at) {
    if (at->kind == Call::Kind::many) {
      call_.store(at, std::memory_order_relaxed);
      at->many(at->first, at->stride, at->count, tick);
    } else {
      run_due(*at);
    }
  }
}

inline void Runtime::run_call(const Call& call) {
  if (due_[call.rate] == 0) return;
  if (call.kind != Call::Kind::guard && !guards_.active(call.guard)) return;
  run_due(call);
}

inline void Runtime::run_due(const Call& call) {
  call_.store(&call, std::memory_order_relaxed);
  if (call.kind == Call::Kind::many) {
    call.many(call.first, call.stride, call.count, &ticks_[call.rate]);
  } else if (call.kind == Call::Kind::single) {
    run_single(call);
  } else {
    run_engine_call(call);
  }
}

void Runtime::run_single(const Call& call) {
  const hilda_tick* tick = &ticks_[call.rate];
  if (options_.separate) running_ = instances_[call.block].path;
  if (CallObserver* const watching = observer(); watching != nullptr)
    watching->call(call, tick);
  else
    call.single(call.first, tick);
}

void Runtime::run_engine_call(const Call& call) {
  switch (call.kind) {
  case Call::Kind::guard: guards_.evaluate(call.evaluated); break;
  case Call::Kind::safety: safety_.pass(call.wire, lost_); break;
  case Call::Kind::prime:
    if (guards_.take_prime(call.block)) modes_.watch(call.block, "prime", [&] { run_single(call); });
    break;
  case Call::Kind::keep_marks: marked_ = marked_ || FloatingPointFlags::raised(); break;
  case Call::Kind::drop_marks: FloatingPointFlags::clear(); break;
  case Call::Kind::single:
  case Call::Kind::many: break;
  }
}

bool Runtime::priming() const noexcept {
  return std::any_of(primed_.begin(), primed_.end(),
                     [this](BlockIndex block) { return guards_.pending()[block] != 0; });
}

void Runtime::prepare(BlockIndex block) noexcept {
  const hilda_block_type& type = *memory_->layout(block).abi;
  if (type.prepare == nullptr) return;
  preparing_.store(block, std::memory_order_relaxed);
  guarded([&] { type.prepare(memory_->record(block), &instances_[block]); });
  if (arithmetic_.changed()) blame_mode();
  preparing_.store({}, std::memory_order_relaxed);
}

void Runtime::change(const ParameterPatch& patch) noexcept {
  if (patch.writes.empty()) return; // every value is as it was
  RunningThread::mine().enter(*this);
  for (const ParameterPatch::Write& write : patch.writes) std::memcpy(write.to, write.bytes.data(), write.bytes.size());
  for (const BlockIndex block : patch.blocks) prepare(block);
  solver_.forget();
  watch_.look_at_every_value(); // one that was set may be infinite, which no mark shows
}

void Runtime::changed(std::span<const BlockIndex> blocks) noexcept {
  solver_.forget();
  if (blocks.empty()) return;
  RunningThread::mine().enter(*this);
  FloatingPointFlags::clear();
  for (const BlockIndex block : blocks) prepare(block);
  if (FloatingPointFlags::raised()) watch_.look_at_every_value(); // what a block has made of them may be infinite
}

void Runtime::look_at_step() noexcept {
  if (!StepLength::due(tick_) || solver_.idle() || observer() != nullptr) return;
  RunningThread::mine().enter(*this);
  set_times(tick_);
  solver_.look_at_step(ticks_[RateIndex(0)], tick_);
}

void Runtime::watch_events() {
  if (std::exchange(watches_events_, true) || observer() != nullptr || !solver_.takes_one_step_a_tick()) return;
  solver_.watch_events(events_at_ticks(system_), *memory_, guards_);
}

bool Runtime::compute() noexcept {
  RunningThread::mine().enter(*this);
  mark(StepMark::begins);
  set_times(tick_);
  bool going = acquire();
  if (going) settle();
  const std::vector<Call>& outputs = priming_ ? schedule_.first_outputs : schedule_.outputs;
  FloatingPointFlags::clear();
  marked_ = false;
  if (going) run(outputs);
  if (priming_) priming_ = priming();
  if (arithmetic_.changed()) blame_mode({&outputs});
  marked_ = marked_ || FloatingPointFlags::raised(); // here and not later: who has the tick now may clear them
  watch_.check_outputs(marked_);
  find_cause();
  going = going && (options_.hardware || !watch_.broken());
  if (going) {
    ledger_.tick(tick_);
    emit();
    going = !over();
  }
  lost_ = false;
  mark(StepMark::computed);
  return going;
}

bool Runtime::advance() noexcept {
  mark(StepMark::goes_on);
  run(schedule_.update);
  if (arithmetic_.changed()) blame_mode({&schedule_.update});
  bool carried = true;
  if (!solver_.idle())
    guarded([&] { carried = solver_.step(ticks_[RateIndex(0)], tick_, system_.base.value(), time_of(tick_ + 1)); });
  if (!carried) end(Cause::device, solver_.problem(), solver_.culprit());
  if (arithmetic_.changed()) blame_mode({&schedule_.minor, &schedule_.derivative, &schedule_.project});
  marked_ = marked_ || FloatingPointFlags::raised();
  watch_.check_states(tick_, marked_);
  find_cause();
  mark(StepMark::ends);
  if (!options_.hardware && (control_.verdict != HILDA_GO || watch_.broken() || !carried)) return false;
  ++tick_;
  return true;
}

} // namespace hilda::run
