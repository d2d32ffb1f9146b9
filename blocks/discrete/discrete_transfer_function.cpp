#include <hilda/block.h>

namespace {
using namespace hilda;

constexpr const char* doc =
    "A filter in powers of the delay z^-1, for each element: y = (b0 + b1 z^-1 + ...) / (a0 + a1 z^-1 + ...) u. Its state is "
    "that of the direct form II: w(k) = (u(k) - a1 w(k-1) - ...) / a0, y(k) = b0 w(k) + b1 w(k-1) + ... Where b0 is 0 it does "
    "not feed through.";

struct DiscreteTransferFunction : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape", conditional};
  Output<Elements<>> y{*this, "y", "*s", "@gain*@u", "Filtered signal", conditional};
  Parameter<Vector> numerator{*this, "numerator", "b", "1", "b0 b1 ..., for ascending powers of z^-1"};
  Parameter<Vector> denominator{*this, "denominator", "a", "1", "a0 a1 ..., for ascending powers of z^-1"};
  Parameter<double> gain{*this, "gain", "@gain", "Factor of the whole; carries the unit", by_default("1")};
  Ring<> line{*this, "line", "*s", "@u", "w of the last samples"};
  Work<Elements<>> sum{*this, "sum", "*s", "@u", "w now"};

  bool feeds_through(const Instance&) const override { return (*numerator)[0] != 0; }
  void configure(const Instance& self) override {
    if ((*denominator)[0] == 0) self.report("denominator", "begins with 0; divide numerator and denominator by a power of z^-1");
    line.resize(std::max(numerator.size(), denominator.size()) - 1);
  }
  void state_output(const Tick&) override {
    if (b(0) == 0) weigh();
  }
  void output(const Tick&) override {
    if (b(0) == 0) return;
    innovate();
    weigh();
  }
  void update(const Tick&) override {
    innovate();
    line.push(*sum);
  }

private:
  double a(Eigen::Index i) const { return denominator.data()[i]; }
  double b(Eigen::Index i) const { return numerator.data()[i]; }

  /// w(k), into the work slot
  void innovate() {
    auto w = *sum;
    w = *u;
    for (Eigen::Index i = 1; i < denominator.size(); ++i) w -= a(i) * line[line.size() - i];
    w /= a(0);
  }
  /// y from w(k), where it is needed, and the line
  void weigh() {
    auto out = *y;
    if (b(0) != 0)
      out = b(0) * *sum;
    else
      out.setZero();
    for (Eigen::Index i = 1; i < numerator.size(); ++i) out += b(i) * line[line.size() - i];
    out *= *gain;
  }
};

/// Order 2 for one signal, in scalars.
struct Biquad : Block {
  Input<Elements<1>> u{*this, "u", "*s", "@u", "Signal of any shape", conditional};
  Output<Elements<1>> y{*this, "y", "*s", "@gain*@u", "Filtered signal", conditional};
  Parameter<Vector3> numerator{*this, "numerator", "1", "b0 b1 ..., for ascending powers of z^-1"};
  Parameter<Vector3> denominator{*this, "denominator", "1", "a0 a1 ..., for ascending powers of z^-1"};
  Parameter<double> gain{*this, "gain", "@gain", "Factor of the whole; carries the unit", by_default("1")};
  State<double> w1{*this, "w1", "@u", "w of the last sample"};
  State<double> w2{*this, "w2", "@u", "w of the sample before"};

  bool feeds_through(const Instance&) const override { return b(0) != 0; }
  void configure(const Instance& self) override {
    if (a(0) == 0) self.report("denominator", "begins with 0; divide numerator and denominator by a power of z^-1");
  }
  void state_output(const Tick&) override {
    if (b(0) == 0) (*y)[0] = *gain * (b(1) * *w1 + b(2) * *w2);
  }
  void output(const Tick&) override {
    if (b(0) != 0) (*y)[0] = *gain * (b(0) * now() + b(1) * *w1 + b(2) * *w2);
  }
  void update(const Tick&) override {
    const double w = now();
    w2 = w1;
    w1 = w;
  }

private:
  double a(int i) const { return denominator.data()[i]; }
  double b(int i) const { return numerator.data()[i]; }
  double now() const { return ((*u)[0] - a(1) * *w1 - a(2) * *w2) / a(0); }
};

HILDA_PLUGIN_VARIANTS("DiscreteTransferFunction", doc, DiscreteTransferFunction, Biquad)
} // namespace
