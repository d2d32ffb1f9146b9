#include <hilda/per_element.h>

namespace {
using namespace hilda;

struct RateLimiter : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape", primes};
  Output<Elements<>> y{*this, "y", "*s", "@u", "u, as fast as is allowed"};
  PerElement<Dynamic> rising{*this, "rising",     "@u/s", "Largest rate upwards: one number, or one for each element",
                             live,  at_least(0.0)};
  PerElement<Dynamic> falling{*this, "falling",    "@u/s", "Largest rate downwards, as a positive number",
                              live,  at_least(0.0)};
  State<Elements<>> previous{*this, "previous", "*s", "@u", "The last output"};
  State<double> since{*this, "since", "s", "Its time"};

  Crossing<Elements<>> above{*this, "above", "*s", "@u", "How far u is above what can be reached by now"};
  Crossing<Elements<>> below{*this, "below", "*s", "@u", "How far it is below"};

  void configure(const Instance& self) override {
    rising.check(self, u.rows(), u.cols());
    falling.check(self, u.rows(), u.cols());
  }
  void prime(const Tick&) override { previous = *u; }
  void output(const Tick& t) override {
    if (t.located()) return reach_as_sides_say(t.time() - *since);
    const auto in = *u;
    const auto last = *previous;
    auto out = *y;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      const double highest = last[i] + rising[i] * t.period(), lowest = last[i] - falling[i] * t.period();
      out[i] = in[i] > highest ? highest : in[i] < lowest ? lowest : in[i];
    }
  }
  void update(const Tick& t) override {
    previous = *y;
    since = t.time();
  }

private:
  /// So long after the last tick.
  void reach_as_sides_say(double elapsed) {
    const auto in = *u;
    const auto last = *previous;
    auto out = *y;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      const double highest = last[i] + rising[i] * elapsed, lowest = last[i] - falling[i] * elapsed;
      const bool fast = above.positive(in[i] - highest, i), slow = below.positive(lowest - in[i], i);
      out[i] = std::isnan(in[i]) ? in[i] : fast ? highest : slow ? lowest : in[i];
    }
  }
};

HILDA_BLOCK(
    RateLimiter,
    "Limits how fast each element changes: y(k) = y(k-1) + min(max(u(k) - y(k-1), -falling T), rising T). The first "
    "output is the first input.")
} // namespace
