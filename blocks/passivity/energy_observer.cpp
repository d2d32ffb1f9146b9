#include <hilda/block.h>

namespace hilda {
namespace {

/// Energy that a port has let through, for monitoring alone: E += F.V T. F.V > 0 flows into the tool.
struct EnergyObserver : Block {
  Input<Wrench> wrench{*this, "wrench", "On the tool: force in W axes, torque about its origin in its axes"};
  Input<Twist> twist{*this, "twist", "Of the tool: v in W axes, w in its axes"};
  Output<double> energy{*this, "energy", "J", "Up to and with this tick"};
  Output<double> power{*this, "power", "W", "F.V now"};

  Parameter<Choice> rule{*this, "rule", "backward|forward|trapezoid",
                         "F(k).V(k), F(k-1).V(k-1), or F(k-1).(V(k) + V(k-1))/2, which is the work of a held wrench",
                         by_default("backward")};
  Parameter<double> initial_energy{*this, "initial_energy", "J", "At the start", by_default("0 J")};

  State<double> stored{*this, "stored", "J", "Up to the tick before"};
  State<Wrench> last_wrench{*this, "last_wrench", "One tick ago"};
  State<Twist> last_twist{*this, "last_twist", "One tick ago"};

  void initialize(const Instance&) override { stored = *initial_energy; }

  void output(const Tick& t) override {
    const Vector6 F = *wrench, V = *twist, F1 = *last_wrench, V1 = *last_twist;
    const double flowing = F.dot(V);
    const double counted = *rule == 0 ? flowing : *rule == 1 ? F1.dot(V1) : 0.5 * F1.dot(V + V1);
    power = flowing;
    energy = *stored + counted * t.period();
  }
  void update(const Tick&) override {
    stored = *energy;
    last_wrench = *wrench;
    last_twist = *twist;
  }
};
HILDA_PLUGIN(EnergyObserver, "Energy that has flowed into the tool through a port, for monitoring.")

} // namespace
} // namespace hilda
