// SPDX-License-Identifier: BSD-3-Clause
// Ways in which a plugin can end a program, or worse: one block for all, which does what `way` says in the phase that
// `in` says. Nothing of it may end hilda without the names of plugin, block and phase.

#include <hilda/block.h>

#include <cfenv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace hilda::test {
namespace {

volatile int sink = 0;

/// Uses up the stack.
int deeper(int depth) { // NOLINT(misc-no-recursion)
  volatile char room[4096] = {};
  room[depth % 4096] = 1;
  return depth < 0 ? 0 : deeper(depth + 1) + room[0];
}

[[gnu::noinline]] void misbehave(const std::string& way, void* record, std::size_t bytes) {
  if (way == "segv") {
    volatile std::uintptr_t nowhere = 0;
    *reinterpret_cast<volatile int*>(nowhere) = 1;
  }
  if (way == "fpe") {
    volatile int zero = 0;
    sink = 1000 / zero; // 1 / x would be compiled without a division
  }
  if (way == "ill") __builtin_trap();
  if (way == "bus") std::raise(SIGBUS);
  if (way == "abort") std::abort();
  if (way == "overflow") sink = deeper(0);
  if (way == "exit") std::exit(0);
  if (way == "quick_exit") std::quick_exit(0);
  if (way == "_exit") _exit(0);
  if (way == "_Exit") std::_Exit(0);
  if (way == "throw") throw std::runtime_error("too hot");
  if (way == "throw int") throw 42;
  if (way == "thread exit") pthread_exit(nullptr);
  if (way == "round") std::fesetround(FE_UPWARD);
  if (way == "hang")
    while (true) sink = sink + 1;
  if (way == "overrun") std::memset(static_cast<char*>(record) + bytes, 0x11, 16);
  if (way == "far overrun") std::memset(static_cast<char*>(record) + bytes, 0x11, 32768);
  if (way == "underrun") std::memset(static_cast<char*>(record) - 16, 0x11, 16);
}

/// Does it in one phase.
struct Misbehaves : Block {
  Input<double> u{*this, "u", "1", "Nothing", optional};
  Output<double> y{*this, "y", "1", "0"};
  Parameter<Text> way{*this, "way", "What it does", by_default("")};
  Parameter<Text> in{*this, "in", "The phase in which it does it", by_default("")};
  Parameter<double> at{*this, "at", "s", "In the loop: from then on", by_default("5 ms")};
  State<double> x{*this, "x", "1", "0"};

  bool feeds_through(const Instance&) const override { return now("feeds_through"), true; }
  void infer(const Instance&, const Inference&) override { now("infer"); }
  void configure(const Instance&) override { now("configure"); }
  void prepare(const Instance&) override { now("prepare"); }
  void initialize(const Instance&) override { now("initialize"); }
  void output(const Tick& t) override {
    y = 0.0;
    if (t.time() >= *at) now("output");
  }
  void update(const Tick& t) override {
    x = 0.0;
    if (t.time() >= *at) now("update");
  }
  void summarize(const Summary&) const override { now("summarize"); }

private:
  void now(const char* phase) const {
    if (std::strcmp(*in, phase) == 0) misbehave(*way, const_cast<void*>(static_cast<const void*>(this)), sizeof *this);
  }
};
HILDA_BLOCK(Misbehaves, "Does what no block may, in the phase that its parameter names.")

/// Sets what the diagram decides.
struct Overwrites : Block {
  Output<double> y{*this, "y", "1", "The gain"};
  Parameter<double> gain{*this, "gain", "1", "What it overwrites", by_default("2")};
  Parameter<Text> in{*this, "in", "The phase in which it does it", by_default("")};
  Parameter<Vector3> weights{*this, "weights", "1", "What else it may overwrite", by_default("1 2 3")};
  Parameter<std::int64_t> element{*this, "element", "Of the weights, instead of the gain; below 0: the gain",
                                  by_default("-1")};

  void configure(const Instance&) override { now("configure"); }
  void prepare(const Instance&) override { now("prepare"); }
  void initialize(const Instance&) override { now("initialize"); }
  void output(const Tick&) override {
    y = *gain;
    now("output");
  }
  void update(const Tick&) override { now("update"); }

private:
  void now(const char* phase) {
    if (std::strcmp(*in, phase) != 0) return;
    const bool one = *element < 0;
    *const_cast<double*>(one ? gain.data() : weights.data() + *element) = 5;
  }
};
HILDA_BLOCK(Overwrites, "Overwrites its parameter in the phase that its parameter names.")

/// Warns and refuses where 1.1 lets it.
struct Speaks : Block {
  Output<double> y{*this, "y", "1", "0"};
  Parameter<double> limit{*this, "limit", "1", "From 0 to less than 1", at_least(0.0), below(1.0), by_default("0.5")};
  Parameter<Text> in{*this, "in", "The phase in which it speaks", by_default("")};
  Parameter<bool> refuses{*this, "refuses", "And not only warns", by_default("false")};

  void configure(const Instance& self) override { now(self, "configure"); }
  void prepare(const Instance& self) override { now(self, "prepare"); }
  void initialize(const Instance& self) override { now(self, "initialize"); }
  void output(const Tick&) override { y = 0.0; }

private:
  void now(const Instance& self, const char* phase) const {
    if (std::strcmp(*in, phase) != 0) return;
    if (*refuses)
      self.report("limit", std::string("is not what I like, says ") + phase);
    else
      self.warn("limit", std::string("is odd, says ") + phase + " to hilda " + host_version());
  }
};
HILDA_BLOCK(Speaks, "Warns or refuses in the phase that its parameter names.")

/// A counter in a library, as it were: its state is not a member State.
struct Outside : Block {
  Output<double> y{*this, "y", "1", "How many ticks have passed", from_state};

  void initialize(const Instance&) override { count_ = 0; }
  void state_output(const Tick&) override { y = count_; }
  void update(const Tick&) override { ++count_; }
  std::string save_state() const override { return std::string(reinterpret_cast<const char*>(&count_), sizeof count_); }
  bool load_state(std::string_view bytes) override {
    if (bytes.size() != sizeof count_) return false;
    std::memcpy(&count_, bytes.data(), sizeof count_);
    return true;
  }

private:
  double count_ = 0;
};
HILDA_BLOCK(Outside, "Counts ticks where hilda does not see it.")

/// Called at certain times alone: a phase of the loop that is not called again to see which block it was.
struct Seldom : Block {
  Input<double> u{*this, "u", "1", "Signal", primes};
  Output<double> y{*this, "y", "1", "The integral"};
  Parameter<double> rate{*this, "rate", "1", "Whose integral it is", live, by_default("1")};
  Parameter<Text> way{*this, "way", "What it does", by_default("")};
  Parameter<Text> in{*this, "in", "The phase in which it does it", by_default("")};
  ContinuousState<double> x{*this, "x", "1", "The integral"};
  Crossing<Elements<1>> over{*this, "over", "*s", "1", "u is above 0.5"};

  void prepare(const Instance&) override {
    if (*rate > 1.5) now("prepare"); // a wire drives it, from some tick on
  }
  void initialize(const Instance&) override {
    x = 0.0;
    if (++starts_ > 1) now("initialize");
  }
  void prime(const Tick&) override { now("prime"); }
  void output(const Tick&) override {
    y = *x;
    over.positive(*u - 0.5);
  }
  void derivative(const Tick&) override {
    x.dot() = *rate;
    now("derivative");
  }
  void event(const Tick&, const Fired& fired) override {
    if (!fired.none()) now("event");
  }

private:
  void now(const char* phase) const {
    if (std::strcmp(*in, phase) == 0) misbehave(*way, nullptr, 0);
  }
  int starts_ = 0;
};
HILDA_BLOCK(Seldom, "Does what no block may, in a phase that comes seldom.")

/// Is connected and disconnected, and says so.
struct Connected : Block {
  Output<double> y{*this, "y", "1", "0"};
  Parameter<Text> way{*this, "way", "What it does when it is stopped", by_default("")};

  void configure(const Instance& self) override { path_ = self.path(); }
  void start(const Instance&) override {}
  void stop() override {
    std::fprintf(stderr, "%s stops\n", path_.c_str());
    misbehave(*way, nullptr, 0);
  }
  void output(const Tick&) override { y = 0.0; }

private:
  std::string path_;
};
HILDA_BLOCK(Connected, "Does what no block may when it is stopped.")

/// Keeps a state elsewhere, and does what no block may when that is asked for, or when it goes.
struct Keeps : Block {
  static constexpr std::uint32_t type_flags = HILDA_EXTERNAL_STATE;
  Output<double> y{*this, "y", "1", "1/3, rounded as the processor does"};
  Parameter<Text> way{*this, "way", "What it does", by_default("")};
  Parameter<Text> in{*this, "in", "save_state, load_state or destructor", by_default("")};

  Keeps() = default;
  Keeps(const Keeps&) = delete;
  Keeps& operator=(const Keeps&) = delete;
  ~Keeps() {
    // a prototype has no parameters
    if (*in != nullptr && std::strcmp(*in, "destructor") == 0) std::fesetround(FE_UPWARD);
  }
  void output(const Tick& t) override { y = 1.0 / (3.0 + 0.0 * t.time()); }
  void summarize(const Summary& summary) const override { summary.number("third", *y); }
  std::string save_state() const override { return now("save_state"), "state"; }
  bool load_state(std::string_view bytes) override { return now("load_state"), bytes == "state"; }

private:
  void now(const char* phase) const {
    if (std::strcmp(*in, phase) == 0) misbehave(*way, nullptr, 0);
  }
};
HILDA_BLOCK(Keeps, "Does what no block may when it is saved, loaded or destroyed.")

} // namespace
} // namespace hilda::test
