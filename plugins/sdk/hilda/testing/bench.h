// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_BENCH_H
#define HILDA_TESTING_BENCH_H

// Drives one block as the engine does: the phases in their order, the solver's minor steps, resets and checkpoints.

#include <functional>
#include <hilda/recordings.h>
#include <hilda/testing/record.h>
#include <utility>

namespace hilda::testing {

/// All that a block needs to continue with the same bits.
struct Checkpoint {
  std::int64_t tick = 0;
  std::vector<unsigned char> bytes;
  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

/// One instance of a block on the bench. Inputs hold until they are set again; at first they are 0, and unit
/// quaternions where they turn something.
///
///   Bench lag(plugin.type("Lag"), {.parameters = {{"time_constant", 0.02}}});
///   lag.set("u", 1);
///   lag.step();
///   EXPECT_EQ(lag.number("y"), 0);
///
/// Throws Refused with the block's own words where it refuses its parameters, and Impossible for what no block could
/// do.
class Bench {
public:
  explicit Bench(const Type& type, Setup setup = {})
      : type_(type), setup_(std::move(setup)), parameters_(parameter_values(type_, setup_)),
        shapes_(type_, setup_, parameters_) {
    instance_.size = sizeof instance_;
    instance_.continuous = type_.table().derivative != nullptr ? 1 : 0;
    instance_.path = setup_.path.c_str();
    instance_.period = setup_.period;
    instance_.seed = setup_.seed;
    instance_.simulated = setup_.simulated ? 1 : 0;
    instance_.engine = this;
    instance_.report = [](void* bench, const char* slot, const char* text) {
      std::string& reports = static_cast<Bench*>(bench)->reports_;
      reports += (reports.empty() ? "" : "; ") + (slot != nullptr ? std::string(slot) + " " : std::string()) + text;
    };
    instance_.warn = [](void*, const char*, const char*) {};
    control_.size = sizeof control_;
    ask_parameters();
    record_ = std::make_unique<Record>(type_, setup_, parameters_, shapes_, true);
    given_ = parameter_bytes();
    if (type_.table().configure != nullptr)
      ask(detail::call_phase("configure", [&] { return type_.table().configure(record(), &instance_); }), "configure");
    record_->bind_rings();
    for (const Piece& piece : pieces())
      if (piece.slot->role == HILDA_INPUT && piece.data != nullptr) rest(piece);
    prepare();
    reset();
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  ~Bench() {
    try {
      stop();
    } catch (const Thrown&) {} // to see the error, call stop() before
  }

  /// An input, whole or an item of it ("u[1]"), or a parameter that may change (prepare is then called).
  void set(const std::string& name, const Value& value) {
    const Piece& piece = settable(name);
    if (piece.data == nullptr) throw Impossible("the input '" + name + "' is set up as undriven");
    if (static_cast<std::int64_t>(value.numbers.size()) != piece.shape.count())
      throw Impossible("'" + name + "' has the shape " + piece.shape.text() + ", not " + value.shape.text());
    Record::write(piece, value.numbers);
    if (piece.slot->role != HILDA_PARAMETER) return;
    given_ = parameter_bytes();
    prepare();
  }
  /// An output, a state, an input or a parameter of numbers.
  Value get(const std::string& name) const {
    for (const hilda_role role : {HILDA_OUTPUT, HILDA_STATE, HILDA_INPUT, HILDA_PARAMETER})
      for (const Piece& piece : pieces())
        if (piece.slot->role == static_cast<std::uint32_t>(role) && piece.data != nullptr && piece.name() == name)
          return Record::read(piece);
    throw Impossible("the block " + type_.name() + " has nothing called '" + name + "' to get");
  }
  double number(const std::string& name, std::size_t element = 0) const { return get(name).numbers.at(element); }

  /// Connects a driver block, which acquires and emits from then on.
  void start() {
    if (type_.table().start != nullptr)
      ask(detail::call_phase("start", [&] { return type_.table().start(record(), &instance_); }), "start");
    started_ = true;
  }
  void stop() {
    if (std::exchange(started_, false) && type_.table().stop != nullptr)
      detail::call_phase("stop", [&] { type_.table().stop(record()); });
  }

  /// One tick in two halves: outputs, then the state of the next tick.
  void compute() {
    const hilda_tick now = tick_at(time(), 0);
    const hilda_block_type& t = type_.table();
    if (started_) call("acquire", t.acquire, now);
    if (std::exchange(prime_pending_, false)) call("prime", t.prime, now);
    outputs(now);
    if (started_) call("emit", t.emit, now);
  }
  void advance() {
    const hilda_tick now = tick_at(time(), 0);
    call("update", type_.table().update, now);
    if (type_.table().derivative != nullptr) integrate();
    ++index_;
  }
  void step() { compute(), advance(); }

  /// Between compute() and advance(): calls event as where this crossing has become positive (1) or negative (-1).
  void fire(const std::string& crossing, std::int32_t direction, std::size_t element = 0) {
    for (const Piece& piece : pieces())
      if (is_crossing(piece) && piece.name() == crossing && element < static_cast<std::size_t>(piece.shape.count()))
        return fire(piece, direction, element);
    throw Impossible("the block " + type_.name() + " has no crossing '" + crossing + "' with an element " +
                     std::to_string(element));
  }
  /// Calls event as where steps restart.
  void fire_restart() { event(nullptr, 0); }
  /// Each crossing of the block, one after the other: upwards at even ticks, downwards at odd ones.
  void fire_all() {
    if (type_.table().event == nullptr) return;
    if (index_ == 0) fire_restart();
    for (const Piece& piece : pieces())
      for (std::size_t i = 0; is_crossing(piece) && i < static_cast<std::size_t>(piece.shape.count()); ++i)
        fire(piece, index_ % 2 == 0 ? 1 : -1, i);
  }
  /// So many ticks; ends early where the block ends the run.
  void run(std::int64_t ticks) {
    for (; ticks > 0 && verdict() == HILDA_GO; --ticks) step();
  }

  /// As an enable or reset signal does: the state starts again, time continues.
  void reset() {
    for (const Piece& piece : pieces()) {
      if (piece.slot->role != HILDA_STATE) continue;
      if (piece.bytes() > 0) std::memset(piece.data, 0, piece.bytes());
      if (piece.ring != nullptr) piece.ring->head = 0;
    }
    if (type_.table().initialize != nullptr)
      around_("initialize",
              [&] { detail::call_phase("initialize", [&] { type_.table().initialize(record(), &instance_); }); });
    ask(0, "initialize");
    prime_pending_ = true;
  }
  void prepare() {
    if (type_.table().prepare != nullptr)
      around_("prepare", [&] { detail::call_phase("prepare", [&] { type_.table().prepare(record(), &instance_); }); });
    ask(0, "prepare");
  }

  Checkpoint checkpoint() const {
    Checkpoint c;
    c.tick = index_;
    for (const Piece& piece : pieces()) {
      if (piece.slot->role != HILDA_STATE && piece.slot->role != HILDA_OUTPUT) continue;
      append(c.bytes, piece.data, piece.bytes());
      if (piece.ring != nullptr) append(c.bytes, &piece.ring->head, sizeof piece.ring->head);
    }
    if (const hilda_state_1* outside = external_state()) {
      const auto save = [&](void* data, std::uint64_t capacity) {
        return detail::call_phase("save", [&] { return outside->save(record(), data, capacity); });
      };
      const std::uint64_t bytes = save(nullptr, 0);
      append(c.bytes, &bytes, sizeof bytes);
      c.bytes.resize(c.bytes.size() + bytes);
      save(c.bytes.data() + (c.bytes.size() - bytes), bytes);
    }
    return c;
  }
  /// Of this block or of another instance of the same setup.
  void restore(const Checkpoint& c) {
    const unsigned char* from = c.bytes.data();
    const auto take = [&](void* to, std::size_t bytes) {
      if (bytes > static_cast<std::size_t>(c.bytes.data() + c.bytes.size() - from))
        throw Impossible("the checkpoint is of another block or setup");
      if (bytes > 0) std::memcpy(to, from, bytes);
      from += bytes;
    };
    for (const Piece& piece : pieces()) {
      if (piece.slot->role != HILDA_STATE && piece.slot->role != HILDA_OUTPUT) continue;
      take(piece.data, piece.bytes());
      if (piece.ring != nullptr) take(&piece.ring->head, sizeof piece.ring->head);
    }
    if (const hilda_state_1* outside = external_state()) {
      std::uint64_t bytes = 0;
      take(&bytes, sizeof bytes);
      std::vector<unsigned char> data(bytes);
      take(data.data(), bytes);
      if (detail::call_phase("load", [&] { return outside->load(record(), data.data(), bytes); }) != 0)
        throw Refused("load refuses what save has given");
    }
    index_ = c.tick;
    prime_pending_ = false;
    control_.verdict = HILDA_GO;
  }

  std::int64_t tick() const { return index_; }
  /// For a run that does not begin at tick 0.
  void set_tick(std::int64_t index) { index_ = index; }
  double time() const { return static_cast<double>(index_) * setup_.period; }
  /// HILDA_GO, or how the block ended the run, and its words.
  int verdict() const { return control_.verdict; }
  std::string verdict_text() const { return control_.text != nullptr ? control_.text : ""; }
  /// J, if the block reports its stored energy: between compute() and advance().
  std::optional<double> stored_energy() const {
    const auto* energy = type_.extension<hilda_energy_1>("hilda.energy/1");
    if (energy == nullptr) return std::nullopt;
    return detail::call_phase("stored_energy", [&] { return energy->stored(record()); });
  }
  /// What the block has to say after a run: keys of numbers and texts, in the order in which they come.
  std::vector<std::string> summary() const {
    std::vector<std::string> keys;
    const auto* speaker = type_.extension<hilda_summary_1>("hilda.summary/1");
    if (speaker == nullptr) return keys;
    hilda_summary_sink sink{};
    sink.size = sizeof sink;
    sink.engine = &keys;
    sink.number = [](void* to, const char* key, double, const char*) { add_key(to, key); };
    sink.text = [](void* to, const char* key, const char*) { add_key(to, key); };
    sink.begin_row = &add_key;
    sink.end_row = [](void*) {};
    detail::call_phase("summarize", [&] { speaker->summarize(record(), &sink); });
    return keys;
  }

  /// Every call of a loop phase goes through this: `around(phase, body)` calls the body.
  using Around = std::function<void(const char* phase, const std::function<void()>& body)>;
  void surround(Around around) { around_ = std::move(around); }

  /// Are its parameters, texts among them, as they were before configure, or as set() has made them?
  bool keeps_parameters() const { return parameter_bytes() == given_; }

  const Type& type() const { return type_; }
  const Setup& setup() const { return setup_; }
  void* record() const { return record_->get(); }
  Record& memory() { return *record_; }
  const std::vector<Piece>& pieces() const { return record_->pieces(); }
  hilda_tick now() { return tick_at(time(), 0); }
  /// Is there anything that output computes, with these parameters?
  bool computes_output() const { return type_.table().output != nullptr && !idle(false); }
  /// Through its conditional slots, with these parameters.
  bool feeds_through() const { return feeds_through_; }
  /// Is it computed by state_output, so that no input may be read?
  bool from_state(const hilda_slot& output) const {
    return has(output, HILDA_STATE_OUTPUT) || (has(output, HILDA_CONDITIONAL) && !feeds_through_);
  }
  bool feeds_through(const hilda_slot& input) const {
    return !has(input, HILDA_IN_UPDATE) && (!has(input, HILDA_CONDITIONAL) || feeds_through_);
  }

private:
  using Phase = void (*)(void*, const hilda_tick*);

  static bool is_crossing(const Piece& piece) { return has(*piece.slot, HILDA_CROSSING) && piece.data != nullptr; }

  void fire(const Piece& crossing, std::int32_t direction, std::size_t element) {
    const hilda_fired fired{static_cast<const double*>(crossing.data) + element, direction, 0};
    event(&fired, 1);
  }
  void event(const hilda_fired* fired, std::uint64_t count) {
    hilda_tick now = tick_at(time(), 1);
    now.located = 1;
    const auto function = type_.table().event;
    if (function == nullptr) return;
    around_("event", [&] { detail::call_phase("event", [&] { function(record(), &now, fired, count); }); });
  }

  std::vector<unsigned char> parameter_bytes() const {
    std::vector<unsigned char> bytes;
    for (const Piece& piece : pieces())
      if (piece.slot->role == HILDA_PARAMETER) append(bytes, piece.data, piece.bytes());
    for (const auto& [name, value] : parameters_) append(bytes, value.text.data(), value.text.size());
    return bytes;
  }

  static void add_key(void* to, const char* key) {
    static_cast<std::vector<std::string>*>(to)->emplace_back(key != nullptr ? key : "");
  }
  static void append(std::vector<unsigned char>& to, const void* data, std::size_t bytes) {
    const auto* from = static_cast<const unsigned char*>(data);
    to.insert(to.end(), from, from + bytes);
  }

  const hilda_state_1* external_state() const {
    if ((type_.table().flags & HILDA_EXTERNAL_STATE) == 0) return nullptr;
    return type_.extension<hilda_state_1>("hilda.state/1");
  }

  void ask(std::int32_t refused, const char* phase) {
    if (refused != 0 && reports_.empty()) reports_ = std::string(phase) + " fails and does not say why";
    if (!reports_.empty()) throw Refused(std::exchange(reports_, {}));
  }

  /// What a record with parameters alone can tell.
  void ask_parameters() {
    const hilda_block_type& t = type_.table();
    if (t.infer == nullptr && t.feeds_through == nullptr) return;
    std::map<std::string, Value> parameters = parameters_;
    if (t.infer != nullptr) {
      const Record scratch(type_, setup_, parameters, shapes_, false);
      hilda_inference_with_units with_units{};
      hilda_inference& inference = with_units.shapes;
      inference.size = sizeof with_units;
      inference.engine = &shapes_;
      inference.dimension = [](void* shapes, const char* name, std::int64_t value) {
        static_cast<Shapes*>(shapes)->dimension(name, value);
      };
      inference.item_shape = [](void* shapes, const char* slot, std::uint64_t item, std::int64_t rows,
                                std::int64_t cols) {
        static_cast<Shapes*>(shapes)->item_shape(slot, item, {rows, cols});
      };
      with_units.unit = [](void*, const char*, const char*, const char*) {}; // a bench has no wires that ask for one
      ask(detail::call_phase("infer", [&] { return t.infer(scratch.get(), &instance_, &inference); }), "infer");
    }
    if (t.feeds_through == nullptr) return;
    parameters = parameters_;
    const Record scratch(type_, setup_, parameters, shapes_, false);
    feeds_through_ =
        detail::call_phase("feeds_through", [&] { return t.feeds_through(scratch.get(), &instance_); }) != 0;
    ask(0, "feeds_through");
  }

  const Piece& settable(const std::string& name) const {
    for (const Piece& piece : pieces()) {
      const bool live = piece.slot->role == HILDA_PARAMETER && has(*piece.slot, HILDA_LIVE);
      if ((live || piece.slot->role == HILDA_INPUT) && piece.name() == name) return piece;
    }
    throw Impossible("the block " + type_.name() + " has no input and no live parameter '" + name + "'");
  }

  static void rest(const Piece& input) {
    if (input.slot->kind == HILDA_POSE) static_cast<double*>(input.data)[3] = 1;
    if (input.slot->kind == HILDA_QUATERNION) static_cast<double*>(input.data)[0] = 1;
  }

  hilda_tick tick_at(double time, std::uint32_t minor) {
    return {sizeof(hilda_tick), minor, index_, time, setup_.period, &control_, 0, 0};
  }

  void call(const char* name, Phase phase, const hilda_tick& now) {
    if (phase != nullptr) around_(name, [&] { detail::call_phase(name, [&] { phase(record(), &now); }); });
  }

  /// Where the conditional outputs all belong to one of the two pieces, the other has nothing to compute.
  bool idle(bool state) const {
    bool conditional = false;
    for (const hilda_slot& slot : type_.slots()) {
      if (slot.role != HILDA_OUTPUT) continue;
      if (from_state(slot) == state) return false;
      conditional = conditional || has(slot, HILDA_CONDITIONAL);
    }
    return conditional;
  }

  void outputs(const hilda_tick& now) {
    if (!idle(true)) call("state_output", type_.table().state_output, now);
    if (!idle(false)) call("output", type_.table().output, now);
  }

  template <typename Visit> void each_continuous(Visit&& visit) {
    std::size_t at = 0;
    for (const Piece& piece : pieces())
      for (std::int64_t i = 0; piece.derivative != nullptr && i < piece.shape.count(); ++i, ++at)
        visit(at, static_cast<double*>(piece.data)[i], static_cast<double*>(piece.derivative)[i]);
  }

  /// Classical Runge-Kutta over one sample time with the inputs held, as the engine does; outputs keep their values.
  void integrate() {
    const double h = setup_.period, start = time();
    std::vector<double> x, sum;
    each_continuous([&](std::size_t, double value, double) { x.push_back(value), sum.push_back(0); });
    std::vector<Value> held;
    for (const Piece& piece : pieces())
      if (piece.slot->role == HILDA_OUTPUT) held.push_back(Record::read(piece));
    const double weights[] = {1, 2, 2, 1}, reach[] = {h / 2, h / 2, h, h};
    for (int stage = 0; stage < 4; ++stage) {
      const double at = start + (stage == 0 ? 0 : reach[stage - 1]);
      const hilda_tick minor = tick_at(at, 1);
      if (stage > 0) outputs(minor);
      call("derivative", type_.table().derivative, minor);
      each_continuous([&](std::size_t i, double& value, double slope) {
        sum[i] += weights[stage] * slope;
        value = stage < 3 ? x[i] + reach[stage] * slope : x[i] + h / 6 * sum[i];
      });
    }
    call("project", type_.table().project, tick_at(start + h, 1));
    std::size_t next = 0;
    for (const Piece& piece : pieces())
      if (piece.slot->role == HILDA_OUTPUT) Record::write(piece, held[next++].numbers);
  }

  const Type& type_;
  Setup setup_;
  std::map<std::string, Value> parameters_;
  Shapes shapes_;
  hilda_instance instance_{};
  hilda_control control_{};
  std::string reports_;
  std::vector<unsigned char> given_; ///< parameters, of numbers and of text
  std::unique_ptr<Record> record_;
  Around around_ = [](const char*, const std::function<void()>& body) { body(); };
  bool feeds_through_ = true, prime_pending_ = true, started_ = false;
  std::int64_t index_ = 0;
};

} // namespace hilda::testing

#endif
