// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/math/breakaway.h"

#include <cmath>
#include <hilda/difference.h>

namespace {
using namespace hilda;

constexpr const char* lugre_doc =
    "LuGre friction of each element, with bristles that bend (Canudas de Wit, Olsson, Astrom and Lischinsky 1995): "
    "dz/dt = v - "
    "stiffness |v| z / g(v), g(v) = coulomb + (breakaway - coulomb) exp(-(v / stribeck_velocity)^2), force = stiffness "
    "z + "
    "damping dz/dt + viscous v. It sticks, breaks away and slides by one equation. Its fastest motion is that of the "
    "bristles, g / (stiffness |v|): the tick must be shorter, and RK4 diverges from 2.7 times it on; output "
    "fast_motion has this rate.";

struct LuGreFriction : Block {
  Input<Elements<>> v{*this, "v", "*s", "@v", "Velocity, any shape"};
  Output<Elements<>> force{*this, "force", "*s", "@f",
                           "Force in the direction of v, to be subtracted from what drives"};
  Output<Elements<>> fast_motion{*this, "fast_motion", "*s", "1/s", "Rate of the bristles, stiffness |v| / g(v)"};
  PerElement<Dynamic> coulomb{*this, "coulomb",  "@f",      "Force of sliding: one number, or one for each element",
                              live,  above(0.0), difference};
  PerElement<Dynamic> breakaway{
      *this,         "breakaway",     "@f",      "Force at which it begins to slide; 0: that of sliding", live,
      at_least(0.0), by_default("0"), difference};
  PerElement<Dynamic> stribeck{*this,      "stribeck_velocity", "@v",      "Velocity in which breakaway fades", live,
                               above(0.0), by_default("inf"),   difference};
  PerElement<Dynamic> stiffness{*this, "stiffness", "@f/@v/s", "Of the bristles, sigma0", live, above(0.0)};
  PerElement<Dynamic> damping{*this, "damping",     "@f/@v",        "Of the bristles, sigma1",
                              live,  at_least(0.0), by_default("0")};
  PerElement<Dynamic> viscous{*this, "viscous",     "@f/@v",        "Damping while it slides, sigma2",
                              live,  at_least(0.0), by_default("0")};
  PerElement<Dynamic> initial{*this, "initial", "@v s", "Deflection at the start", by_default("0"), difference};
  ContinuousState<Elements<>> z{*this, "z", "*s", "@v s", "Mean deflection of the bristles"};

  void configure(const Instance& self) override {
    for (const auto* p : {&coulomb, &breakaway, &stribeck, &stiffness, &damping, &viscous, &initial})
      p->check(self, v.rows(), v.cols());
  }
  void prepare(const Instance& self) override { check_breakaway(self, coulomb, breakaway); }
  void initialize(const Instance&) override {
    auto state = *z;
    for (Eigen::Index i = 0; i < state.size(); ++i) state[i] = initial[i];
  }
  void output(const Tick&) override {
    const auto in = *v;
    auto out = *force, rate = *fast_motion;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      out[i] = stiffness[i] * (*z)[i] + damping[i] * bending(i) + viscous[i] * in[i];
      rate[i] = fastest(i);
    }
  }
  void derivative(const Tick&) override {
    auto rate = *z.dot();
    for (Eigen::Index i = 0; i < rate.size(); ++i) rate[i] = bending(i);
  }

private:
  double fastest(Eigen::Index i) const {
    const double ratio = (*v)[i] / stribeck[i];
    const double extra = breakaway[i] > coulomb[i] ? breakaway[i] - coulomb[i] : 0;
    return stiffness[i] * std::abs((*v)[i]) / (coulomb[i] + extra * std::exp(-ratio * ratio));
  }
  double bending(Eigen::Index i) const { return (*v)[i] - fastest(i) * (*z)[i]; }
};

HILDA_BLOCK(LuGreFriction, lugre_doc)
} // namespace
