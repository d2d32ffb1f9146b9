// SPDX-License-Identifier: BSD-3-Clause
#include "starts_at.h"

#include <hilda/difference.h>
#include <hilda/flags.h>
#include <hilda/per_element.h>

namespace {
using namespace hilda;

/// What a rate allows in a time; an infinite one allows all at once.
double reach(double rate, double time) { return std::isinf(rate) ? rate : rate * time; }

/// At ticks it knows its last output. Where crossings are located it has a mode from event to event: it follows, or it
/// is on a line that began where u became too fast. A line keeps its rate; where that has changed at a tick, another
/// line begins there.
struct RateLimiter : Block {
  static constexpr Flag by_rate{HILDA_CROSSING_RATE};
  static constexpr double margin = 1e-6; ///< of a rate: so much faster is not too fast, or rounding would switch it

  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape", primes};
  Output<Elements<>> y{*this, "y", "*s", "@u", "u, as fast as is allowed"};
  PerElement<Dynamic> rising{
      *this, "rising",      "@u/s",    "Largest rate upwards: one number, or one for each element",
      live,  at_least(0.0), difference};
  PerElement<Dynamic> falling{*this, "falling",     "@u/s",    "Largest rate downwards, as a positive number",
                              live,  at_least(0.0), difference};
  Parameter<StartsAt> starts_at{*this, "starts_at", starts_at_doc, by_default("unsaid")};
  State<Elements<>> previous{*this, "previous", "*s", "@u", "The output of the last tick"};
  State<double> since{*this, "since", "s", "Its time"};
  State<Elements<>> mode{*this, "mode", "*s", "", "1 and -1: it is on its way up and down, 0: it follows", modal};
  State<Elements<>> from{*this, "from", "*s", "@u", "Where the way began", modal};
  State<Elements<>> begun{*this, "begun", "*s", "s", "When", modal};
  State<Elements<>> pace{*this, "pace", "*s", "@u/s", "How fast it moves on that way", modal};

  Crossing<Elements<>> climbs{*this, "climbs", "*s", "@u", "While it follows: rises where u is too fast", by_rate};
  Crossing<Elements<>> sinks{*this, "sinks", "*s", "@u", "The same downwards", by_rate};
  Crossing<Elements<>> above{*this, "above", "*s", "@u", "How far u is above what can be reached by now"};
  Crossing<Elements<>> below{*this, "below", "*s", "@u", "How far it is below"};
  Work<Elements<>> before{*this, "before", "*s", "@u", "u, where it has not jumped"};

  void configure(const Instance& self) override {
    rising.check(self, u.rows(), u.cols());
    falling.check(self, u.rows(), u.cols());
  }
  void initialize(const Instance&) override { (*mode).setZero(); }
  void prime(const Tick&) override {
    if (*starts_at == StartsAt::zero)
      (*previous).setZero();
    else
      previous = *u;
  }
  void output(const Tick& t) override {
    if (t.located()) return go_as_modes_say(t);
    const auto in = *u;
    auto out = *y;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      const double top = highest(i, t.time(), t.period()), bottom = lowest(i, t.time(), t.period());
      out[i] = in[i] > top ? top : in[i] < bottom ? bottom : in[i];
    }
  }
  void update(const Tick& t) override {
    previous = *y;
    since = t.time();
    const auto in = *u;
    const auto out = *y;
    auto is = *mode;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      if ((is[i] > 0 && !(in[i] > out[i])) || (is[i] < 0 && !(in[i] < out[i]))) is[i] = 0;
      if (is[i] != 0 && rate(i, is[i]) != (*pace)[i]) go(i, is[i], out[i], t.time());
    }
  }
  void event(const Tick& t, const Fired& fired) override {
    const auto in = *u;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      if (fired.none())
        begin(t, i);
      else if ((*mode)[i] == 0)
        leave_input(t, fired, i);
      else if (fired.direction((*mode)[i] > 0 ? above : below, i) < 0)
        meet_input(t, i);
    }
  }

private:
  double highest(Eigen::Index i, double time, double elapsed) const {
    return (*mode)[i] > 0 ? (*from)[i] + reach((*pace)[i], time - (*begun)[i])
                          : (*previous)[i] + reach(rising[i], elapsed);
  }
  double lowest(Eigen::Index i, double time, double elapsed) const {
    return (*mode)[i] < 0 ? (*from)[i] - reach((*pace)[i], time - (*begun)[i])
                          : (*previous)[i] - reach(falling[i], elapsed);
  }
  void go_as_modes_say(const Tick& t) {
    constexpr double none = -std::numeric_limits<double>::infinity();
    const double elapsed = t.time() - *since;
    const auto in = *u;
    auto out = *y;
    auto last = *before;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      const double now = (*mode)[i], top = highest(i, t.time(), elapsed), bottom = lowest(i, t.time(), elapsed);
      const bool follows = now == 0;
      climbs.positive(follows ? in[i] - reach(rising[i] * (1 + margin), elapsed) : none, i);
      sinks.positive(follows ? -in[i] - reach(falling[i] * (1 + margin), elapsed) : none, i);
      const double up = follows ? in[i] - top - slack(rising[i], t) : in[i] - top;
      const double down = follows ? bottom - in[i] - slack(falling[i], t) : bottom - in[i];
      above.positive(now < 0 ? none : up, i);
      below.positive(now > 0 ? none : down, i);
      out[i] = std::isnan(in[i]) || follows ? in[i] : now > 0 ? top : bottom;
      if (follows && up < 0 && down < 0) last[i] = in[i];
    }
  }
  static double slack(double rate, const Tick& t) { return reach(margin * rate, t.period()); }

  double rate(Eigen::Index i, double way) const { return way > 0 ? rising[i] : falling[i]; }
  void go(Eigen::Index i, double way, double at, double time) {
    (*mode)[i] = way, (*from)[i] = at, (*begun)[i] = time, (*pace)[i] = rate(i, way);
  }
  /// Steps restart at a tick: from where the tick left it, and as fast as u is.
  void begin(const Tick& t, Eigen::Index i) {
    const double in = (*u)[i], last = (*previous)[i], now = (*mode)[i];
    if (in > last || in < last) {
      const double way = in > last ? 1 : -1;
      if (now != way) go(i, way, last, *since);
    } else if (now == 0 && (climbs.distances()[i] > 0 || sinks.distances()[i] > 0)) {
      go(i, climbs.distances()[i] > 0 ? 1 : -1, in, t.time());
    }
  }
  /// It has followed so far. After a jump the way begins where u was before.
  void leave_input(const Tick& t, const Fired& fired, Eigen::Index i) {
    const double elapsed = t.time() - *since;
    const double up = highest(i, t.time(), elapsed), down = lowest(i, t.time(), elapsed), was = (*before)[i];
    const double kept = was > up ? up : was < down ? down : was;
    if (fired.direction(above, i) > 0)
      go(i, 1, kept, t.time());
    else if (fired.direction(below, i) > 0)
      go(i, -1, kept, t.time());
    else if (fired.direction(climbs, i) > 0 || fired.direction(sinks, i) > 0)
      go(i, fired.direction(climbs, i) > 0 ? 1 : -1, (*u)[i], t.time());
  }
  /// u has come to the line; where it has jumped through it there is a line back.
  void meet_input(const Tick& t, Eigen::Index i) {
    const double in = (*u)[i], elapsed = t.time() - *since;
    const bool up = (*mode)[i] > 0;
    const double at = up ? highest(i, t.time(), elapsed) : lowest(i, t.time(), elapsed);
    const bool through = up ? in < at - slack(falling[i], t) : in > at + slack(rising[i], t);
    if (through)
      go(i, up ? -1 : 1, at, t.time());
    else
      (*mode)[i] = 0;
  }
};

HILDA_BLOCK(
    RateLimiter,
    "Limits how fast each element changes: y(k) = y(k-1) + min(max(u(k) - y(k-1), -falling T), rising T). The first "
    "output is the first input. In continuous time, where crossings are located: dy/dt = min(max(du/dt, -falling), "
    "rising) while y = u, else rising below u and -falling above it; a rate that a wire drives counts as it was at the "
    "tick.")
} // namespace
