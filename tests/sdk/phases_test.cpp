// SPDX-License-Identifier: BSD-3-Clause
// A block's C functions: its phases, its abilities, what it receives and what it reports; exceptions end in them.
#include "tests/sdk/declared_block.h"

#include <gmock/gmock.h>
#include <hilda/figures.h>
#include <new>
#include <stdexcept>

namespace hilda::test {
namespace {

using test::DeclaredBlock;

/// Instance, summary and inference that note all calls.
struct Notes {
  Notes() {
    instance.size = sizeof instance;
    instance.continuous = 1;
    instance.path = "rig.block";
    instance.period = 0.004;
    instance.seed = 0x1234;
    instance.simulated = 1;
    instance.engine = this;
    instance.report = [](void* to, const char* slot, const char* text) { note(to, "report", slot, text); };
    instance.warn = [](void* to, const char* slot, const char* text) { note(to, "warn", slot, text); };
    sink.engine = this;
    sink.number = [](void* to, const char* key, double value, const char* unit) {
      note(to, key, unit, std::to_string(value).c_str());
    };
    sink.text = [](void* to, const char* key, const char* value) { note(to, "text", key, value); };
    sink.begin_row = [](void* to, const char* key) { note(to, "begin", key, ""); };
    sink.end_row = [](void* to) { note(to, "end", nullptr, ""); };
    inference.engine = this;
    inference.dimension = [](void* to, const char* name, std::int64_t value) {
      note(to, "dimension", name, std::to_string(value).c_str());
    };
    inference.item_shape = [](void* to, const char* slot, std::uint64_t i, std::int64_t rows, std::int64_t cols) {
      note(to, "item", slot, (std::to_string(i) + ": " + std::to_string(rows) + " " + std::to_string(cols)).c_str());
    };
  }
  static void note(void* to, const char* what, const char* of, const char* text) {
    static_cast<Notes*>(to)->said += std::string(what) + "(" + (of != nullptr ? of : "-") + ") " + text + "\n";
  }
  std::string taken() { return std::exchange(said, ""); }
  hilda_instance instance{};
  hilda_summary_sink sink{};
  hilda_inference inference{};
  std::string said;
};

TEST(ToldToABlock, IsReadFromItsInstance) {
  Notes notes;
  const Instance self(&notes.instance);
  EXPECT_STREQ(self.path(), "rig.block");
  EXPECT_EQ(self.period(), 0.004);
  EXPECT_TRUE(self.continuous());
  EXPECT_TRUE(self.simulated());
  notes.instance.continuous = 0;
  notes.instance.simulated = 0;
  EXPECT_FALSE(self.continuous());
  EXPECT_FALSE(self.simulated());
  EXPECT_EQ(self.seed(0), 0x1234u);
  EXPECT_EQ(self.seed(1), 0x1234u ^ 0x9E3779B97F4A7C15u);
  EXPECT_EQ(self.seed(3), 0x1234u ^ (3 * 0x9E3779B97F4A7C15u));
  self.report("u", "is wrong");
  self.report(nullptr, "the whole");
  EXPECT_EQ(notes.taken(), "report(u) is wrong\nreport(-) the whole\n");
}

TEST(ToldToABlock, AWarningReachesAHostThatKnowsOfIt) {
  Notes notes;
  const Instance self(&notes.instance);
  self.warn("u", "is doubtful");
  EXPECT_EQ(notes.taken(), "warn(u) is doubtful\n");
  notes.instance.size = offsetof(hilda_instance, warn) + sizeof notes.instance.warn;
  self.warn("u", "just so");
  EXPECT_EQ(notes.taken(), "warn(u) just so\n");
  notes.instance.size = offsetof(hilda_instance, warn);
  self.warn("u", "to a program of 0.1");
  EXPECT_EQ(notes.taken(), "");
  notes.instance.size = sizeof notes.instance;
  notes.instance.warn = nullptr;
  self.warn("u", "to nobody");
  EXPECT_EQ(notes.taken(), "");
}

TEST(ToldToABlock, TheFirstVerdictOfItsKindStaysAndFailureGoesBeforeAStop) {
  hilda_control control{};
  hilda_tick tick{};
  tick.control = &control;
  tick.time = 0.5, tick.period = 0.1, tick.index = 5, tick.minor = 1;
  int record = 0, other = 0;
  const Tick t(&tick, &record);
  EXPECT_EQ(t.time(), 0.5);
  EXPECT_EQ(t.period(), 0.1);
  EXPECT_EQ(t.index(), 5);
  EXPECT_TRUE(t.minor());
  tick.minor = 0;
  EXPECT_FALSE(t.minor());
  t.stop("enough", 3);
  EXPECT_EQ(control.verdict, HILDA_STOP);
  EXPECT_EQ(control.record, &record);
  EXPECT_STREQ(control.text, "enough");
  EXPECT_EQ(control.value, 3);
  Tick(&tick, &other).stop("later");
  EXPECT_EQ(control.record, &record);
  t.fail("broken");
  EXPECT_EQ(control.verdict, HILDA_FAIL);
  EXPECT_STREQ(control.text, "broken");
  EXPECT_TRUE(std::isnan(control.value));
  Tick(&tick, &other).fail("later");
  t.stop("later");
  EXPECT_EQ(control.record, &record);
  EXPECT_STREQ(control.text, "broken");
}

TEST(SaidByABlock, GoesToTheSummaryAndTheInference) {
  Notes notes;
  const Summary summary(&notes.sink);
  summary.number("speed", 2, "m/s");
  summary.number("count", 3);
  summary.text("name", "value");
  EXPECT_EQ(notes.taken(), "speed(m/s) 2.000000\ncount(1) 3.000000\ntext(name) value\n");
  declare_table(summary, "contacts");
  EXPECT_EQ(notes.taken(), "begin(contacts) \nend(-) \n");
  warn(summary, "take care");
  EXPECT_EQ(notes.taken(), "begin(warnings) \ntext(text) take care\nend(-) \n");
  const Inference inference(&notes.inference);
  inference.dimension("n", 7);
  inference.item_shape("u", 1, 2, 3);
  EXPECT_EQ(notes.taken(), "dimension(n) 7\nitem(u) 1: 2 3\n");
}

TEST(Host, SaysItsVersionOrNothing) {
  const hilda_host* const before = detail::host;
  detail::host = nullptr;
  EXPECT_STREQ(host_version(), "");
  EXPECT_EQ(host_abi_minor(), 0u);
  hilda_host host{};
  host.version = "0.2.0", host.abi_minor = 7;
  detail::host = &host;
  EXPECT_STREQ(host_version(), "0.2.0");
  EXPECT_EQ(host_abi_minor(), 7u);
  detail::host = before;
}

/// Has every phase; each notes its name, and throws on request.
struct Everything : Block {
  static inline std::string called;
  static inline int throws = 0;
  static void call(const char* phase) {
    called += phase;
    called += ' ';
    if (throws == 1) throw std::bad_alloc();
    if (throws == 2) throw std::runtime_error("for this test");
    if (throws == 3) throw 3;
  }
  static constexpr std::uint32_t type_flags = HILDA_SINK;
  static inline int alive = 0;
  Everything() { ++alive; }
  ~Everything() override { --alive; }
  Input<double> u{*this, "u", "1", ""};
  bool feeds_through(const Instance&) const override { return call("feeds_through"), false; }
  void infer(const Instance&, const Inference&) override { call("infer"); }
  void configure(const Instance& self) override { call("configure"), self.report("u", "seen"); }
  void prepare(const Instance&) override { call("prepare"); }
  void initialize(const Instance&) override { call("initialize"); }
  void start(const Instance&) override { call("start"); }
  void stop() override { call("stop"); }
  void summarize(const Summary& summary) const override { summary.number("figure", 1); }
  void prime(const Tick&) override { call("prime"); }
  void acquire(const Tick&) override { call("acquire"); }
  void state_output(const Tick&) override { call("state_output"); }
  void output(const Tick&) override { call("output"); }
  void emit(const Tick&) override { call("emit"); }
  void update(const Tick&) override { call("update"); }
  void derivative(const Tick&) override { call("derivative"); }
  void project(const Tick&) override { call("project"); }
  double stored_energy() const override { return 2.5; }
  static constexpr const char* remembers = "u";
  double past_age() const { return 0.25; }
  void recall(const double* values) { recalled = values; }
  const double* recalled = nullptr;
  std::string save_state() const override { return "bytes"; }
  bool load_state(std::string_view bytes) override { return bytes == "bytes"; }
  double cycle_period() const override { return 0.004; }
  Cycle await_cycle(std::int64_t deadline) override { return {HILDA_CYCLE_CAME, deadline - 1}; }
  std::int64_t patience() const override { return 9; }
  bool rest(std::string_view input, double* value) const override { return *value = 1.5, input == "u"; }
  hilda_fate fate_of(std::string_view input) const override {
    return input == "u" ? HILDA_FATE_STOOD : HILDA_FATE_LOST;
  }
};

struct Nothing : Block {};

struct Functions : ::testing::Test {
  Functions() : type(detail::describe<Everything>("Everything", "It has all.", HILDA_VARIANT)) {
    Everything::throws = 0;
    Everything::called.clear();
    tick.control = &control;
    type.construct(place);
  }
  ~Functions() override { type.destroy(place); }
  std::string called() { return std::exchange(Everything::called, ""); }
  template <typename Ability> const Ability& ability(const char* name) const {
    const auto* found = static_cast<const Ability*>(type.extension(name));
    if (found == nullptr) throw std::runtime_error(name);
    return *found;
  }
  hilda_block_type type;
  Notes notes;
  hilda_control control{};
  hilda_tick tick{};
  alignas(Everything) std::byte place[sizeof(Everything)] = {};
};

TEST_F(Functions, MakeARecordAndEndIt) {
  EXPECT_EQ(Everything::alive, 1) << "the prototype is gone";
  alignas(Everything) std::byte other[sizeof(Everything)] = {};
  type.construct(other);
  EXPECT_EQ(Everything::alive, 2);
  type.destroy(other);
  EXPECT_EQ(Everything::alive, 1);
}

TEST_F(Functions, AreThoseOfThePhases) {
  const hilda_instance* self = &notes.instance;
  EXPECT_EQ(type.feeds_through(place, self), 0);
  EXPECT_EQ(type.infer(place, self, &notes.inference), 0);
  EXPECT_EQ(type.configure(place, self), 0);
  EXPECT_EQ(notes.taken(), "report(u) seen\n");
  type.prepare(place, self);
  type.initialize(place, self);
  EXPECT_EQ(type.start(place, self), 0);
  EXPECT_EQ(called(), "feeds_through infer configure prepare initialize start ");
  for (const auto phase : {type.prime, type.acquire, type.state_output, type.output, type.emit, type.update,
                           type.derivative, type.project})
    phase(place, &tick);
  EXPECT_EQ(called(), "prime acquire state_output output emit update derivative project ");
  for (const auto many :
       {type.state_output_many, type.output_many, type.update_many, type.derivative_many, type.step_many})
    many(place, sizeof(Everything), 1, &tick);
  EXPECT_EQ(called(), "state_output output update derivative output update ");
  type.stop(place);
  EXPECT_EQ(called(), "stop ");
}

TEST_F(Functions, EndExceptionsWithAReport) {
  const hilda_instance* self = &notes.instance;
  const char* const wanted[] = {"", "report(-) there is no more memory\n", "report(-) for this test\n",
                                "report(-) an exception that is not a std::exception\n"};
  for (Everything::throws = 1; Everything::throws <= 3; ++Everything::throws) {
    const char* const said = wanted[Everything::throws];
    EXPECT_EQ(type.feeds_through(place, self), 1) << "as a block that says nothing";
    EXPECT_EQ(notes.taken(), said);
    EXPECT_EQ(type.infer(place, self, &notes.inference), 1);
    EXPECT_EQ(notes.taken(), said);
    EXPECT_EQ(type.configure(place, self), 1);
    EXPECT_EQ(notes.taken(), said);
    EXPECT_EQ(type.start(place, self), 1);
    EXPECT_EQ(notes.taken(), said);
    type.prepare(place, self);
    EXPECT_EQ(notes.taken(), said);
    type.initialize(place, self);
    EXPECT_EQ(notes.taken(), said);
  }
}

TEST_F(Functions, OfAbilitiesAreFoundByName) {
  ability<hilda_summary_1>("hilda.summary/1").summarize(place, &notes.sink);
  EXPECT_EQ(notes.taken(), "figure(1) 1.000000\n");
  EXPECT_EQ(ability<hilda_energy_1>("hilda.energy/1").stored(place), 2.5);
  const auto& state = ability<hilda_state_1>("hilda.state/1");
  char bytes[6] = "-----";
  EXPECT_EQ(state.save(place, nullptr, 0), 5u);
  EXPECT_EQ(state.save(place, bytes, 4), 5u);
  EXPECT_STREQ(bytes, "-----") << "there is no room";
  EXPECT_EQ(state.save(place, bytes, 5), 5u);
  EXPECT_STREQ(bytes, "bytes");
  EXPECT_EQ(state.load(place, "bytes", 5), 0);
  EXPECT_EQ(state.load(place, "bytes", 4), 1);
  const auto& past = ability<hilda_past_1>("hilda.past/1");
  const double numbers[] = {1.25};
  EXPECT_STREQ(past.input, "u");
  EXPECT_EQ(past.age(place), 0.25);
  past.recall(place, numbers);
  EXPECT_EQ(reinterpret_cast<const Everything*>(place)->recalled, numbers);
  past.recall(place, nullptr);
  EXPECT_EQ(reinterpret_cast<const Everything*>(place)->recalled, nullptr);
  const auto& clock = ability<hilda_clock_1>("hilda.clock/1");
  hilda_cycle cycle{};
  EXPECT_EQ(clock.period(place), 0.004);
  EXPECT_EQ(clock.wait(place, 100, &cycle), HILDA_CYCLE_CAME);
  EXPECT_EQ(cycle.arrival, 99);
  EXPECT_EQ(clock.patience(place), 9);
  const auto& actuation = ability<hilda_actuation_1>("hilda.actuation/1");
  double value = 0;
  EXPECT_EQ(actuation.rest(place, "u", &value), 0);
  EXPECT_EQ(value, 1.5);
  EXPECT_EQ(actuation.rest(place, "v", &value), 1);
  EXPECT_EQ(actuation.fate(place, "u"), HILDA_FATE_STOOD);
  EXPECT_EQ(actuation.fate(place, "v"), HILDA_FATE_LOST);
  EXPECT_EQ(type.extension("hilda.nothing/1"), nullptr);
  for (const std::uint32_t size :
       {ability<hilda_summary_1>("hilda.summary/1").size - std::uint32_t{sizeof(hilda_summary_1)},
        ability<hilda_energy_1>("hilda.energy/1").size - std::uint32_t{sizeof(hilda_energy_1)},
        past.size - std::uint32_t{sizeof(hilda_past_1)}, state.size - std::uint32_t{sizeof(hilda_state_1)},
        clock.size - std::uint32_t{sizeof(hilda_clock_1)}, actuation.size - std::uint32_t{sizeof(hilda_actuation_1)}})
    EXPECT_EQ(size, 0u);
}

TEST_F(Functions, AndSizesStandInTheDescriptor) {
  EXPECT_EQ(type.size, sizeof(hilda_block_type));
  EXPECT_EQ(type.flags, std::uint32_t{HILDA_VARIANT | HILDA_SINK | HILDA_EXTERNAL_STATE});
  EXPECT_STREQ(type.name, "Everything");
  EXPECT_STREQ(type.doc, "It has all.");
  EXPECT_EQ(type.record_size, sizeof(Everything));
  EXPECT_EQ(type.record_align, alignof(Everything));
  ASSERT_EQ(type.slot_count, 1u);
  EXPECT_EQ(type.slot_stride, sizeof(hilda_slot));
  EXPECT_STREQ(type.slots[0].name, "u");
  EXPECT_EQ(type.fault, nullptr);
}

TEST(FunctionsOfABlockWithoutPhases, AreNull) {
  const hilda_block_type type = detail::describe<Nothing>("Nothing", "", 0);
  EXPECT_EQ(type.flags, 0u);
  EXPECT_EQ(type.slot_count, 0u);
  EXPECT_EQ(type.feeds_through, nullptr);
  EXPECT_EQ(type.configure, nullptr);
  EXPECT_EQ(type.output, nullptr);
  EXPECT_EQ(type.step_many, nullptr);
  for (const char* each : {"hilda.summary/1", "hilda.energy/1", "hilda.state/1", "hilda.clock/1", "hilda.actuation/1",
                           "hilda.limits/1", "hilda.past/1"})
    EXPECT_EQ(type.extension(each), nullptr) << each;
}

TEST(FunctionsOfABlockWithoutPhases, SayWhatABlockThatSaysNothingMeans) {
  Nothing block;
  Notes notes;
  const Instance self(&notes.instance);
  double value = 0;
  EXPECT_TRUE(block.feeds_through(self));
  EXPECT_EQ(block.stored_energy(), 0);
  EXPECT_EQ(block.save_state(), "");
  EXPECT_TRUE(block.load_state("anything"));
  EXPECT_EQ(block.cycle_period(), 0);
  EXPECT_EQ(block.await_cycle(5).kind, HILDA_CYCLE_LATE);
  EXPECT_EQ(block.await_cycle(5).arrival, 0);
  EXPECT_EQ(block.patience(), 0);
  EXPECT_FALSE(block.rest("u", &value));
  EXPECT_EQ(block.fate_of("u"), HILDA_FATE_UNSAID);
}

struct Thrower : Block {
  Thrower() { throw std::runtime_error("no prototype"); }
};

TEST(Prototype, ThatThrowsLeavesNothingRecording) {
  EXPECT_THROW(detail::describe<Thrower>("Thrower", "", 0), std::runtime_error);
  EXPECT_EQ(detail::recording, nullptr);
  const DeclaredBlock<Everything> block;
  EXPECT_EQ(block.slots().size(), 1u);
}

} // namespace
} // namespace hilda::test
