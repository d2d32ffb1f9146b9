// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda {
namespace {

/// The energy that a port holds, for monitoring alone: E0 - T sum F.V, from the signals as they are sent. F.V > 0 flows
/// out of the environment into the tool, so below 0 the port has given out more than it took in. Compensated sums
/// (Neumaier 1974). Next to a controller it says whether the controller's own account is true.
struct EnergyObserver : Block {
  enum class Rule { backward, forward, held };
  enum class Grouping { axis, port };

  Input<Wrench> wrench{*this, "wrench", "On the tool: force in W axes, torque about B's origin in B axes"};
  Input<Twist> twist{*this, "twist", "Of the tool: v in W axes, w in B axes"};
  Input<Vector6> claimed{*this,    "claimed", "J", "A controller's account of each axis, to compare with",
                         optional, in_update};
  Input<double> claimed_total{*this,    "claimed_total", "J", "A controller's account of the port, to compare with",
                              optional, in_update};
  Output<Vector6> energy{*this, "energy", "J", "Of each axis, up to and including this tick"};
  Output<double> total{*this, "total", "J", "Of the port, up to and including this tick"};
  Output<double> power{*this, "power", "W", "F.V now"};

  Parameter<Rule> rule{*this, "rule",
                       "F(k).V(k), F(k-1).V(k-1), or held: F(k-1).(V(k) + V(k-1))/2, which is the work of a held "
                       "wrench, and was called trapezoid before 0.2",
                       by_default("backward")};
  Parameter<Grouping> grouping{*this, "grouping", "What must not fall below 0", by_default("axis")};
  Parameter<Vector6> initial_energy{*this, "initial_energy", "J", "E0 of each axis", by_default("0 0 0 0 0 0")};

  State<Vector6> sum{*this, "sum", "J", "Given out by each axis up to the tick before"};
  State<Vector6> left_over{*this, "rest", "J", "What rounding took from it"};
  State<Wrench> last_wrench{*this, "last_wrench", "One tick ago"};
  State<Twist> last_twist{*this, "last_twist", "One tick ago"};
  State<bool> started{*this, "started", "The first tick is over"};
  State<double> lowest{*this, "lowest", "J", "Smallest energy so far, of the axes or of the port"};
  State<double> throughput{*this, "throughput", "J", "T sum |F V| over ticks and axes"};
  State<double> worst{*this, "worst", "J", "Largest difference from the controller's account so far"};

  void initialize(const Instance&) override {
    lowest = *grouping == Grouping::axis ? (*initial_energy).minCoeff() : (*initial_energy).sum();
  }

  void output(const Tick& t) override {
    const Account now = accounted(t.period());
    const Vector6 flow = (*wrench).cwiseProduct(*twist);
    const Vector6 left = *initial_energy - (now.sum + now.rest);
    power = flow.sum();
    energy = left;
    total = left.sum();
  }

  void update(const Tick& t) override {
    const Account now = accounted(t.period());
    sum = now.sum;
    left_over = now.rest;
    throughput = *throughput + flowing(t.period()).cwiseAbs().sum();
    lowest = std::fmin(*lowest, *grouping == Grouping::axis ? (*energy).minCoeff() : *total);
    double off = 0.0;
    if (*grouping == Grouping::axis && claimed.connected()) off = (*claimed - *energy).cwiseAbs().maxCoeff();
    if (claimed_total.connected()) off = std::fmax(off, std::abs(*claimed_total - *total));
    worst = std::fmax(*worst, off);
    last_wrench = *wrench;
    last_twist = *twist;
    started = true;
  }

  void summarize(const Summary& summary) const override {
    summary.number("observer.min_after", *lowest, "J");
    if (claimed.connected() || claimed_total.connected())
      summary.number("observer.port_identity_error", *throughput > 0.0 ? *worst / *throughput : *worst);
  }

private:
  struct Account {
    Vector6 sum, rest;
  };
  /// Given out by each axis over this tick.
  Vector6 flowing(double T) const {
    if (*rule == Rule::backward) return T * (*wrench).cwiseProduct(*twist);
    if (!*started) return Vector6::Zero();
    const Vector6 before = *last_wrench;
    return *rule == Rule::forward ? Vector6(T * before.cwiseProduct(*last_twist))
                                  : Vector6(0.5 * T * before.cwiseProduct(*twist + *last_twist));
  }
  Account accounted(double T) const {
    Account a{*sum, *left_over};
    const Vector6 more = flowing(T);
    for (Eigen::Index i = 0; i < 6; ++i) {
      const double s = a.sum[i], x = more[i], both = s + x;
      a.rest[i] += std::abs(s) >= std::abs(x) ? (s - both) + x : (x - both) + s;
      a.sum[i] = both;
    }
    return a;
  }
};
HILDA_BLOCK(EnergyObserver, "The energy that a port holds, E0 - T sum F.V, from the signals as they are sent; for "
                            "monitoring. Sums are compensated (Neumaier 1974).")

} // namespace
} // namespace hilda
