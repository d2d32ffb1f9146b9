// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/kinematics/hexapod.h"

#include <algorithm>

namespace hilda {
namespace {

constexpr const char* hexapod_inverse_doc =
    "Lengths of the six legs of a Stewart platform from its pose, and their rates from its twist, in closed form. A "
    "leg that would be shorter than `shortest`, longer than `longest` or faster than `fastest` ends the run, or is "
    "kept within its limits (at_limit).";

/// A leg's speed is that of the twist and that from the length of the tick before: a pose may jump without a twist.
struct HexapodInverse : Block {
  enum class AtLimit { fail, saturate };

  Input<Pose> pose{*this, "pose", "Platform B in W"};
  Input<Twist> twist{*this, "twist", "v of B's origin in W axes, w in B axes"};
  Output<Legs> lengths{*this, "lengths", "m", "Of the legs", between("shortest", "longest")};
  Output<Legs> rates{*this, "rates", "m/s", "Of the legs", between("-fastest", "fastest")};
  Output<bool> limited{*this, "limited", "A leg is kept within its limits: the platform is not where it should be"};

  Hexapod hexapod{*this};
  Parameter<double> shortest{*this, "shortest", "m", "Of any leg", at_least(0.0), by_default("0 m")};
  Parameter<double> longest{*this, "longest", "m", "Of any leg", above(0.0), by_default("inf m")};
  Parameter<double> fastest{*this, "fastest", "m/s", "Rate of any leg, either way", above(0.0), by_default("inf m/s")};
  Parameter<AtLimit> at_limit{*this, "at_limit",
                              "What a leg beyond its limits does: fail ends the run, saturate keeps it within",
                              by_default("fail")};

  State<Legs> sent{*this, "sent", "m", "Lengths of the tick before"};
  State<bool> moving{*this, "moving", "The first tick is over"};
  State<Legs> least{*this, "least", "m", "Shortest length that was asked for"};
  State<Legs> most{*this, "most", "m", "Longest length that was asked for"};
  State<Legs> quickest{*this, "quickest", "m/s", "Fastest rate that was asked for"};
  State<std::int64_t> kept{*this, "kept", "Ticks with a leg that was kept within its limits"};

  void configure(const Instance& self) override {
    hexapod.configure(self);
    if (*shortest >= *longest) self.report("shortest", "must be below 'longest'");
  }
  void prepare(const Instance&) override { hexapod.prepare(); }
  void initialize(const Instance&) override {
    moving = false, kept = 0;
    sent = Legs(Legs::Zero()), quickest = Legs(Legs::Zero());
    least = Legs(Legs::Constant(std::numeric_limits<double>::infinity())), most = Legs(Legs::Zero());
  }

  void output(const Tick& t) override {
    const Wanted now = wanted(t);
    Legs length = now.lengths, rate = now.rates;
    bool beyond = false;
    for (int i = 0; i < leg_count; ++i) {
      const Limit limit = broken(now, i);
      if (limit == Limit::none) continue;
      if (*at_limit == AtLimit::fail && !beyond) refuse(t, now, i, limit);
      beyond = true;
      keep(t, i, length[i], rate[i]); // also where the run ends: what hears these outputs must not fail in its place
    }
    lengths = length, rates = rate, limited = beyond && *at_limit != AtLimit::fail;
  }

  void update(const Tick& t) override {
    const Wanted now = wanted(t);
    least = Legs((*least).cwiseMin(now.lengths));
    most = Legs((*most).cwiseMax(now.lengths));
    quickest = Legs((*quickest).cwiseMax(now.fastest));
    kept = *kept + (*limited ? 1 : 0);
    sent = *lengths;
    moving = true;
  }

  void summarize(const Summary& summary) const override {
    summary.number("legs.shortest", (*least).minCoeff(), "m");
    summary.number("legs.longest", (*most).maxCoeff(), "m");
    summary.number("legs.fastest", (*quickest).maxCoeff(), "m/s");
    summary.number("legs.limited_ticks", static_cast<double>(*kept));
  }

private:
  enum class Limit { none, shortest, longest, fastest };
  struct Wanted {
    Legs lengths, rates, fastest; ///< fastest: the larger of the two speeds
  };

  Wanted wanted(const Tick& t) const {
    const Hexapod::State s = hexapod.at(*pose);
    const Twist moved = *twist;
    Wanted w{s.lengths, Legs(s.jacobian * moved.matrix()), Legs(Legs::Zero())};
    w.fastest = w.rates.cwiseAbs();
    if (*moving) w.fastest = w.fastest.cwiseMax(Legs((w.lengths - *sent).cwiseAbs() / t.period()));
    return w;
  }
  Limit broken(const Wanted& w, int i) const {
    if (w.lengths[i] < *shortest) return Limit::shortest;
    if (w.lengths[i] > *longest) return Limit::longest;
    return w.fastest[i] > *fastest ? Limit::fastest : Limit::none;
  }
  static void refuse(const Tick& t, const Wanted& w, int i, Limit limit) {
    char shorter[] = "leg 0 would be shorter than 'shortest'; it would be (m)";
    char longer[] = "leg 0 would be longer than 'longest'; it would be (m)";
    char faster[] = "leg 0 would be faster than 'fastest'; it would be (m/s)";
    char* text = limit == Limit::shortest ? shorter : limit == Limit::longest ? longer : faster;
    text[4] = static_cast<char>('1' + i);
    t.fail(text, limit == Limit::fastest ? w.fastest[i] : w.lengths[i]);
  }
  /// Length within the stroke and within what `fastest` reaches in a tick; its rate is then that of this step.
  void keep(const Tick& t, int i, double& length, double& rate) const {
    length = std::clamp(length, *shortest, *longest);
    if (*moving && std::isfinite(*fastest)) {
      const double reach = *fastest * t.period();
      length = std::clamp(length, (*sent)[i] - reach, (*sent)[i] + reach);
    }
    rate = *moving ? (length - (*sent)[i]) / t.period() : std::clamp(rate, -*fastest, *fastest);
  }
};
HILDA_BLOCK(HexapodInverse, hexapod_inverse_doc)

} // namespace
} // namespace hilda
