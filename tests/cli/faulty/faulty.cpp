// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/figures.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace hilda::test {
namespace {

/// Declares that it reads its input in update alone, and once reads it in output, in a branch that is seldom taken.
struct Peeks : Block {
  Input<double> u{*this, "u", "1", "What it peeks at", in_update};
  Output<double> y{*this, "y", "1", "0, but for one tick"};
  Parameter<std::int64_t> at{*this, "at", "Tick at which it peeks", by_default("70")};

  void output(const Tick& t) override { y = t.index() == *at ? *u : 0.0; }
};
HILDA_BLOCK(Peeks, "Reads in output what it declares to read in update.")

/// Counts its calls where it should leave the state alone.
struct Scribbles : Block {
  Output<double> y{*this, "y", "1", "The count"};
  State<double> count{*this, "count", "1", "Calls"};

  void output(const Tick&) override {
    y = 0.0;
    count = *count + 1.0;
  }
};
HILDA_BLOCK(Scribbles, "Writes its state in output.")

/// Remembers a value that is not a state: its output is that of the tick before.
struct Remembers : Block {
  Input<double> u{*this, "u", "1", "What it remembers", in_update};
  Output<double> y{*this, "y", "1", "What it remembered"};

  void output(const Tick&) override { y = memory_; }
  void update(const Tick&) override { memory_ = *u; }

private:
  double memory_ = 0.0;
};
HILDA_BLOCK(Remembers, "Keeps memory outside of its states.")

/// Gives a number that is none from some time on.
struct Breaks : Block {
  Output<double> y{*this, "y", "1", "Square root of the time that is left"};
  Parameter<double> at{*this, "at", "s", "Time after which it breaks", by_default("50 ms")};

  void output(const Tick& t) override { y = std::sqrt(*at - t.time()); }
};
HILDA_BLOCK(Breaks, "Gives NaN after a given time.")

/// Writes where there is no memory.
struct Crashes : Block {
  Output<double> y{*this, "y", "1", "Nothing"};

  void output(const Tick& t) override {
    y = 0.0;
    volatile std::uintptr_t nowhere = 0;
    if (t.index() == 20) *reinterpret_cast<volatile int*>(nowhere) = 1;
  }
};
HILDA_BLOCK(Crashes, "Crashes after a while.")

/// Throws where nothing may.
struct Throws : Block {
  Output<double> y{*this, "y", "1", "Nothing"};

  void output(const Tick& t) override {
    y = 0.0;
    if (t.index() == 20) throw std::runtime_error("too hot");
  }
};
HILDA_BLOCK(Throws, "Throws after a while.")

/// Has something to say after the run.
struct Tells : Block {
  Output<double> y{*this, "y", "m", "Twice the time"};

  void output(const Tick& t) override { y = 2.0 * t.time(); }
  void summarize(const Summary& summary) const override {
    summary.number("identified.stiffness", 176275.0, "N/m");
    summary.number("final.y", *y, "m");
    declare_table(summary, "never");
    warn(summary, "y is only 0.198 m");
    for (int row = 1; row <= 2; ++row) {
      summary.begin_row("contacts");
      summary.number("index", row);
      summary.number("peak_force", 12.5 * row, "N");
      summary.number("cov", row == 1 ? 0.25 : NAN);
      summary.end_row();
    }
  }
};
HILDA_BLOCK(Tells, "Reports two contacts that never were.")

} // namespace
} // namespace hilda::test
