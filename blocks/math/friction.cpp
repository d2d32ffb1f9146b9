// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/math/breakaway.h"

#include <cmath>
#include <hilda/difference.h>

namespace {
using namespace hilda;

constexpr const char* friction_doc =
    "Friction force that resists a velocity, for each element (to be subtracted from what drives): f = (coulomb + "
    "(breakaway - coulomb) exp(-|v / stribeck_velocity|^exponent)) s(v) + viscous v, after Armstrong-Helouvry, Dupont "
    "and "
    "Canudas de Wit (1994). s(v) is the sign of v, or tanh(v / smoothing_velocity) where that is above 0: a sign makes "
    "a "
    "loop at rest chatter with a tick, a tanh lets it creep. Where `applied` is wired and crossings are located "
    "(a variable step, or events=\"located\") it sticks: below rest_speed f is what is applied, up to breakaway. What "
    "it rests on must not gather speed: a run in "
    "which it does ends with an error. With "
    "a plain fixed step, or presliding to be seen, take continuous/LuGreFriction.";

struct Friction : Block {
  Input<Elements<>> v{*this, "v", "*s", "@v", "Velocity, any shape"};
  Input<Elements<>> applied{
      *this,   "applied", "*s", "@f", "The driving force, without the friction: at rest the friction balances it",
      optional};
  Output<Elements<>> force{*this, "force", "*s", "@f", "Force in the direction of v"};
  PerElement<Dynamic> coulomb{*this, "coulomb",     "@f",      "Force of sliding: one number, or one for each element",
                              live,  at_least(0.0), difference};
  PerElement<Dynamic> breakaway{
      *this,         "breakaway",     "@f",      "Force at which it begins to slide; 0: that of sliding", live,
      at_least(0.0), by_default("0"), difference};
  PerElement<Dynamic> viscous{*this, "viscous", "@f/@v", "Damping", live, at_least(0.0), by_default("0")};
  PerElement<Dynamic> stribeck{
      *this,      "stribeck_velocity", "@v",      "Velocity in which breakaway fades; inf: it does not", live,
      above(0.0), by_default("inf"),   difference};
  Parameter<double> exponent{*this,      "exponent",     "1", "Of the fading: 1 (Tustin) or 2 (Gauss)", live,
                             above(0.0), by_default("2")};
  PerElement<Dynamic> smoothing{
      *this,         "smoothing_velocity", "@v",      "Velocity in which the force turns over", live,
      at_least(0.0), by_default("0"),      difference};
  Parameter<double> rest_speed{*this,
                               "rest_speed",
                               "@v",
                               "Speed below which it may stick at an event, where applied is wired",
                               live,
                               above(0.0),
                               by_default("1e-9"),
                               difference};
  State<Elements<>> motion{*this, "motion", "*s", "", "Since the last event: 0 at rest, 1 and -1 sliding, 2 not known",
                           modal};

  Crossing<Elements<>> turn{
      *this, "turn", "*s", "@v",
      "v where its sign chooses the force; speed, or force left at rest, until what it is in ends"};

  void configure(const Instance& self) override {
    for (const auto* p : {&coulomb, &breakaway, &viscous, &stribeck, &smoothing}) p->check(self, v.rows(), v.cols());
  }
  void prepare(const Instance& self) override {
    check_breakaway(self, coulomb, breakaway);
    for (Eigen::Index i = 0; i < breakaway.size(); ++i)
      if (breakaway[i] > coulomb[i] && std::isinf(stribeck[i]))
        return self.warn("breakaway", "counts at every speed, and coulomb at none, as stribeck_velocity is infinite: "
                                      "give stribeck_velocity the speed in which breakaway fades, or leave breakaway "
                                      "out");
  }
  void initialize(const Instance&) override { (*motion).setConstant(unknown); }
  void output(const Tick& t) override {
    const auto in = *v;
    auto out = *force;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      const double direction = sticks(i)     ? moving(t, i)
                               : t.located() ? held_direction(i)
                                             : direction_of(in[i], smoothing[i]);
      if (!t.minor() && sticks(i) && (*motion)[i] == 0 && turn.side(i) > 0 && std::abs(in[i]) > left_rest * *rest_speed)
        t.fail("sticks, and yet its velocity grows: what it rests on moves, or 'applied' lacks a force. Take "
               "continuous/LuGreFriction, or give smoothing_velocity",
               in[i]);
      out[i] = sticks(i) && direction == 0 ? (*applied)[i] : sliding(i, in[i]) * direction + viscous[i] * in[i];
    }
  }
  void event(const Tick&, const Fired& fired) override {
    auto held = *motion;
    for (Eigen::Index i = 0; i < held.size(); ++i)
      if (sticks(i) && (fired.none() || fired.direction(turn, i) != 0)) held[i] = from_here(i);
  }

private:
  static constexpr double unknown = 2;
  /// How many times rest_speed what sticks may move, by rounding and by a tick of a surface that gathers speed.
  static constexpr double left_rest = 1e6;

  bool sticks(Eigen::Index i) const { return applied.connected() && !(smoothing[i] > 0); }
  /// Of Coulomb and Stribeck, at a velocity.
  double sliding(Eigen::Index i, double velocity) const {
    const double extra = breakaway[i] > coulomb[i] ? breakaway[i] - coulomb[i] : 0;
    return coulomb[i] + extra * fading(std::abs(velocity) / stribeck[i]);
  }
  /// What the motion is from here on, as speed and force are: 0, 1 or -1.
  double from_here(Eigen::Index i) const {
    const double velocity = (*v)[i], drive = (*applied)[i];
    if (std::abs(velocity) > *rest_speed) return velocity > 0 ? 1 : -1;
    return std::abs(drive) <= sliding(i, 0) ? 0 : drive > 0 ? 1 : -1;
  }
  /// The direction in which it slides, 0 at rest: that of the last event where one was located, and NaN of NaN.
  double moving(const Tick& t, Eigen::Index i) {
    const double velocity = (*v)[i], held = (*motion)[i], drive = (*applied)[i];
    if (t.located()) turn.positive(held == 0 ? sliding(i, 0) - std::abs(drive) : held * velocity, i);
    // no event reports a motion that begins exactly at the border of rest
    const double side = t.located() ? turn.side(i) : std::abs(velocity) <= *rest_speed ? 1 : 0;
    if (held != unknown && !std::isnan(velocity) && (held == 0 ? side > 0 : side != 0)) return held;
    if (velocity != 0) return direction_of(velocity, 0);
    return std::abs(drive) <= sliding(i, 0) ? 0 : drive > 0 ? 1 : -1;
  }
  double fading(double ratio) const { return std::exp(-(*exponent == 2 ? ratio * ratio : std::pow(ratio, *exponent))); }
  /// As the side of the crossing says, where the force jumps there.
  double held_direction(Eigen::Index i) {
    const double velocity = (*v)[i];
    if (smoothing[i] > 0) return direction_of(velocity, smoothing[i]);
    const bool positive = turn.positive(velocity, i);
    if (turn.side(i) == 0 || std::isnan(velocity)) return direction_of(velocity, 0);
    return positive ? 1 : -1;
  }
  static double direction_of(double velocity, double smoothing) {
    if (smoothing > 0) return std::tanh(velocity / smoothing);
    return velocity > 0 ? 1 : velocity < 0 ? -1 : velocity; // 0, or NaN, which must reach the engine's test
  }
};

HILDA_BLOCK(Friction, friction_doc)
} // namespace
