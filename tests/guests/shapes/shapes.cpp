// Assigns a signal to members of another shape, each in a phase of its own; built without Eigen's own assertions.

#include <hilda/block.h>

#include <cstdio>
#include <cstring>

namespace hilda {
namespace {

struct Grows : Block {
  Input<Vector> u{*this, "u", "n", "@u", "Signal"};
  Output<Vector> y{*this, "y", "n+1", "@u", "One more than the signal has"};
  Output<Vector3> three{*this, "three", "@u", "Three numbers"};
  Parameter<Text> in{*this, "in", "Where it goes wrong", by_default("")};
  State<Vector> more{*this, "more", "n+1", "@u", "One more than the signal has"};
  ContinuousState<Vector> x{*this, "x", "n+1", "@u", "One more than the signal has"};
  Ring<Elements<>> line{*this, "line", "n+1", "@u", "One more than the signal has"};

  void configure(const Instance&) override { line.resize(2); }
  void initialize(const Instance&) override {
    if (now("initialize")) more = *u;
  }
  void output(const Tick& t) override {
    (*y).setZero();
    if (t.index() < 3) return;
    if (now("output")) y = *u;
    if (now("fixed")) three = *u;
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
} // namespace hilda
