// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/LU>
#include <cstdio>
#include <hilda/figures.h>

namespace hilda {
namespace {

using Matrix2 = Fixed<2, 2>;
using Vector2 = Fixed<2>;

/// Stiffness and damping of a contact from the increments of force, position and velocity along the contact force
/// (He and Shen 2022, Eq. 7 to 13; Sage and Husa 1969). The measurement variance is adapted before the gain:
///   P- = P + Q;  y = dF - H X;  d = (1 - b)/(1 - b^(n + 1)), n: updates so far
///   R = (1 - d) R + d (y^2 + H P- H');  K = P- H'/(H P- H' + R);  X += K y;  P by Joseph's form
/// P at first must not be small against what is sought, or the estimate stays near the first guess: with P = 0 it is
/// taken from the first update, diag(s^2, (10 T s)^2) with s = 3 |F|/|dp|, several times the stiffness. It updates only
/// from the third tick of a contact on and while the tip moves; what it knows outlives the contact.
struct AdaptiveKalmanFilter : Block {
  Input<Vector3> force{*this, "force", "N", "On the wall, W axes, delay undone"};
  Input<Vector3> position{*this, "position", "m", "Of the contact point as measured, W axes"};
  Input<Vector3> velocity{*this, "velocity", "m/s", "Of the contact point as measured, W axes"};
  Input<std::int64_t> contact_ticks{*this, "contact_ticks", "For how many ticks there has been contact"};
  Input<bool> stale{*this, "stale", "A lost or late cycle touches this tick: nothing is learnt from it", optional};
  Output<double> stiffness{*this, "stiffness", "N/m", "Identified"};
  Output<double> damping{*this, "damping", "N s/m", "Identified"};
  Output<Vector3> direction{*this, "direction", "", "Unit vector along the force, W axes; 0 where there is none"};
  Output<bool> updated{*this, "updated", "Whether this tick brought something new"};
  Output<Matrix2> covariance{*this, "covariance", "", "Of stiffness and damping, SI"};
  Output<double> variance{*this, "variance", "N2", "Of the measured increment of force"};

  Parameter<double> forgetting{*this,
                               "forgetting",
                               "",
                               "b: how long the variance remembers",
                               between(0.0, 1.0),
                               by_default("0.98"),
                               Flag{HILDA_ABOVE | HILDA_BELOW}};
  Parameter<Matrix2> initial_covariance{
      *this, "initial_covariance", "",
      "P of stiffness (N2/m2) and damping (N2 s2/m2); 0: from the first contact's scale", by_default("0")};
  Parameter<Matrix2> process_noise{*this, "process_noise", "", "Q, added every update", by_default("0")};
  Parameter<double> initial_variance{*this,         "initial_variance",  "N2", "R; without effect, as d starts at 1",
                                     at_least(0.0), by_default("100 N2")};
  Parameter<double> initial_stiffness{*this, "initial_stiffness", "N/m", "First guess", by_default("0 N/m")};
  Parameter<double> initial_damping{*this, "initial_damping", "N s/m", "First guess", by_default("0 N s/m")};

  State<Vector2> estimate{*this, "estimate", "", "Stiffness and damping"};
  State<Matrix2> P{*this, "P", "", "Their covariance"};
  State<double> R{*this, "R", "N2", "Variance of the measurement"};
  State<std::int64_t> updates{*this, "updates", "So far"};
  State<Vector3> last_force{*this, "last_force", "N", "One tick ago, in contact or not"};
  State<Vector3> last_position{*this, "last_position", "m", "One tick ago"};
  State<Vector3> last_velocity{*this, "last_velocity", "m/s", "One tick ago"};
  State<Vector2> sum{*this, "sum", "", "Of the estimates after each update"};
  State<Vector2> slope_sums{*this, "slope_sums", "",
                            "Of dF dp and dp^2 over the updates: their ratio is a stiffness too"};

  void initialize(const Instance&) override {
    estimate = Vector2(*initial_stiffness, *initial_damping);
    P = *initial_covariance;
    R = *initial_variance;
  }

  [[gnu::flatten]] void output(const Tick& t) override {
    const Vector3 F = *force;
    const double size = F.norm();
    const Vector3 e = size > 0.0 ? Vector3(F / size) : Vector3(Vector3::Zero());
    const Vector2 X = *estimate;
    stiffness = X[0], damping = X[1], direction = e, covariance = *P, variance = *R;
    const Vector2 H((*position - *last_position).dot(e), (*velocity - *last_velocity).dot(e));
    const bool tells = *contact_ticks > 2 && std::abs(H[0]) > 1e-9 && !(stale.connected() && *stale);
    updated = tells;
    if (tells)
      learn(X, H, (F - *last_force).dot(e), *updates == 0 ? first_covariance(size, H[0], t.period()) : Matrix2(*P));
  }

  [[gnu::flatten]] void update(const Tick&) override {
    const Vector3 e = *direction;
    const double dF = (*force - *last_force).dot(e), dp = (*position - *last_position).dot(e);
    last_force = *force;
    last_position = *position;
    last_velocity = *velocity;
    if (!*updated) return;
    slope_sums = Vector2(*slope_sums + Vector2(dF * dp, dp * dp));
    estimate = Vector2(*stiffness, *damping);
    P = *covariance;
    R = *variance;
    updates = *updates + 1;
    sum = *sum + *estimate;
  }

  void summarize(const Summary& summary) const override {
    const double n = static_cast<double>(*updates);
    summary.number("identified.stiffness", (*estimate)[0], "N/m");
    summary.number("identified.damping", (*estimate)[1], "N s/m");
    summary.number("identified.stiffness_mean", n > 0.0 ? (*sum)[0] / n : NAN, "N/m");
    summary.number("identified.damping_mean", n > 0.0 ? (*sum)[1] / n : NAN, "N s/m");
    warn_of_reach(summary);
  }

private:
  /// Stiffness over the standard deviation of its first guess, up to which the estimate is within 1 % after a contact.
  static constexpr double reach = 2.0;

  Matrix2 first_covariance(double force_now, double moved, double period) const {
    if (!(*initial_covariance).isZero(0.0)) return *P;
    const double k = 3.0 * force_now / std::abs(moved), c = 10.0 * period * k;
    return Vector2(k * k, c * c).asDiagonal();
  }

  void warn_of_reach(const Summary& summary) const {
    const double deviation = std::sqrt((*initial_covariance)(0, 0));
    const double slope = (*slope_sums)[1] > 0.0 ? (*slope_sums)[0] / (*slope_sums)[1] : 0.0;
    const double far = std::abs(slope - *initial_stiffness) / deviation;
    if (!(deviation > 0.0) || far < reach) return;
    char text[400];
    std::snprintf(
        text, sizeof text,
        "initial_covariance does not fit the contact's scale: force over way is %.4g N/m, %.2g times the standard "
        "deviation of the first guess (%.2g N/m). Above %g the identified stiffness (%.4g N/m) stays too near to "
        "that guess by more than 1 %%; give initial_covariance=\"%.0e %.0e\", or 0 to take it from the first contact",
        slope, far, deviation, reach, (*estimate)[0], 100.0 * slope * slope, 0.01 * slope * slope);
    warn(summary, text);
  }

  void learn(const Vector2& X, const Vector2& H, double dF, const Matrix2& P0) {
    const Matrix2 before = P0 + *process_noise;
    const double b = *forgetting;
    const double y = dF - H.dot(X), spread = H.dot(Vector2(before * H));
    const double d = (1.0 - b) / (1.0 - std::pow(b, static_cast<double>(*updates + 1)));
    const double r = (1.0 - d) * *R + d * (y * y + spread);
    const Vector2 K = before * H / (spread + r), next = X + K * y;
    const Matrix2 keep = Matrix2::Identity() - K * H.transpose();
    stiffness = next[0], damping = next[1], variance = r;
    covariance = Matrix2(keep * before * keep.transpose() + K * r * K.transpose());
  }
};
HILDA_BLOCK(AdaptiveKalmanFilter, "Identifies stiffness and damping of a contact along its force (He and Shen 2022, "
                                  "Eq. 7 to 13; Sage and Husa 1969).")

} // namespace
} // namespace hilda
