#include <hilda/per_element.h>

#include <cmath>

namespace {
using namespace hilda;

constexpr const char* friction_doc =
    "Friction force that resists a velocity, for each element (to be subtracted from what drives): f = (coulomb + "
    "(breakaway - coulomb) exp(-|v / stribeck_velocity|^exponent)) s(v) + viscous v, after Armstrong-Helouvry, Dupont "
    "and "
    "Canudas de Wit (1994). s(v) is the sign of v, or tanh(v / smoothing_velocity) where that is above 0: a sign makes "
    "a "
    "loop at rest chatter with a tick, a tanh lets it creep. For true sticking take continuous/LuGreFriction.";

struct Friction : Block {
  Input<Elements<>> v{*this, "v", "*s", "@v", "Velocity, any shape"};
  Output<Elements<>> force{*this, "force", "*s", "@f", "Force in the direction of v"};
  PerElement<Dynamic> coulomb{*this, "coulomb",    "@f", "Force of sliding: one number, or one for each element",
                              live,  at_least(0.0)};
  PerElement<Dynamic> breakaway{
      *this, "breakaway",   "@f",           "Force at which it begins to slide; 0: that of sliding",
      live,  at_least(0.0), by_default("0")};
  PerElement<Dynamic> viscous{*this, "viscous", "@f/@v", "Damping", live, at_least(0.0), by_default("0")};
  PerElement<Dynamic> stribeck{
      *this,      "stribeck_velocity", "@v", "Velocity in which breakaway fades; inf: it does not", live,
      above(0.0), by_default("inf")};
  Parameter<double> exponent{*this,      "exponent",     "1", "Of the fading: 1 (Tustin) or 2 (Gauss)", live,
                             above(0.0), by_default("2")};
  PerElement<Dynamic> smoothing{*this, "smoothing_velocity", "@v",           "Velocity in which the force turns over",
                                live,  at_least(0.0),        by_default("0")};

  Crossing<Elements<>> turn{*this, "turn", "*s", "@v", "v itself, where its sign chooses the force"};

  void configure(const Instance& self) override {
    for (const auto* p : {&coulomb, &breakaway, &viscous, &stribeck, &smoothing}) p->check(self, v.rows(), v.cols());
    for (Eigen::Index i = 0; i < breakaway.size(); ++i)
      if (breakaway[i] != 0 && (coulomb.size() == 1 || breakaway.size() == coulomb.size()) && breakaway[i] < coulomb[i])
        self.report("breakaway",
                    "lies below coulomb: it takes more force to begin to slide than to go on; exchange the "
                    "two");
  }
  void output(const Tick& t) override {
    const auto in = *v;
    auto out = *force;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      const double extra = breakaway[i] > coulomb[i] ? breakaway[i] - coulomb[i] : 0;
      const double level = coulomb[i] + extra * fading(std::abs(in[i]) / stribeck[i]);
      const double direction = t.located() ? held_direction(i) : direction_of(in[i], smoothing[i]);
      out[i] = level * direction + viscous[i] * in[i];
    }
  }

private:
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
