// SPDX-License-Identifier: BSD-3-Clause
// Assigns a signal to members of another shape, each in a different phase; built without Eigen's own assertions.

#include <hilda/block.h>

#include <cstdio>
#include <cstring>

namespace hilda::test {
namespace {

struct Grows : Block {
  Input<Vector> u{*this, "u", "n", "@u", "Signal"};
  Output<Vector> y{*this, "y", "n+1", "@u", "One more than the signal has"};
  Output<Vector3> three{*this, "three", "@u", "Three numbers"};
  Output<Matrix> m{*this, "m", "n+1 n", "@u", "A matrix"};
  Output<Elements<2>> two{*this, "two", "2", "@u", "Two numbers"};
  Outputs<Vector> each{*this, "each", "n+1", "@u", "Three vectors", as_many_as("count")};
  Parameter<std::int64_t> count{*this, "count", "How many vectors", by_default("3")};
  Parameter<Text> in{*this, "in", "Where it goes wrong", by_default("")};
  State<Vector> more{*this, "more", "n+1", "@u", "One more than the signal has"};
  State<Vector> longer{*this, "longer", "2*n", "@u", "Twice as many as the signal has"};
  ContinuousState<Vector> x{*this, "x", "n+1", "@u", "One more than the signal has"};
  Ring<Elements<>> line{*this, "line", "n+1", "@u", "One more than the signal has"};

  void configure(const Instance&) override { line.resize(2); }
  void initialize(const Instance&) override {
    if (now("initialize")) more = *u;
  }
  void output(const Tick& t) override {
    (*y).setZero();
    *m << *y, *y;
    (*m).row(0) = (*u).transpose();
    (*y).tail(2) << *u;
    *y *= 2.0;
    each[2] = *y, (*each[1].data()) = 1.0;
    *two = (*u).array();
    *two += 1.0;
    if (t.index() < 3) return;
    if (now("output")) y = *u;
    if (now("fixed")) three = *u;
    if (now("view")) *y = *u;
    if (now("added")) *y += *u;
    if (now("taken")) *y -= *u;
    if (now("aside")) (*y).noalias() = (*m).transpose() * *y;
    if (now("item")) each[1] = *u;
    if (now("elements")) *two = (*y).array();
    if (now("wrench")) y = Wrench();
    if (now("copy")) y = *x, y = *x * 2.0, y = *longer;
    if (now("part")) (*y).head(3) = *u;
    if (now("fixed part")) (*y).head<2>() = *u, (*y).tail<3>() += *u;
    if (now("column")) (*m).col(1) = *u;
    if (now("beyond")) (*y).segment(2, 2) = *u;
    if (now("column beyond")) (*m).col(2) = *y;
    if (now("short list")) *y << *u;
    if (now("long list")) *y << 1.0, 2.0, 3.0, 4.0;
    if (now("words")) {
      char words[32];
      std::snprintf(words, sizeof words, "too hot in tick %d", static_cast<int>(t.index()));
      t.fail(words);
      std::memset(words, '?', sizeof words);
    }
  }
  void update(const Tick& t) override {
    if (t.index() < 3) return;
    if (now("update")) more = *u;
    if (now("ring")) line.push((*u).array());
  }
  void derivative(const Tick& t) override {
    x.dot() = 0.0 * *x;
    if (t.index() == 3 && now("derivative")) x.dot() = *u;
  }

private:
  bool now(const char* phase) const { return std::strcmp(*in, phase) == 0; }
};
HILDA_BLOCK(Grows, "Assigns what does not fit, for tests.")

} // namespace
} // namespace hilda::test
