// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda {
namespace {

/// Passivity controller, admittance type, of a body that explicit Euler integrates (De Stefano, Balachandran and Secchi
/// 2020, Eq. 20 to 36). The integration makes at every tick
///   dH_t,i = T^2 f_i^2/(2 M),   dH_r = T^2/2 chi' I^-1 chi   with chi = tau + (I w) x w, all of one tick ago;
/// dH_r holds the cross term that Eq. 23 leaves out, and with it the balance of energy closes to rounding. The motion
/// that is sent on differs by
///   v_pc,i = T f_i/(2 M),   w_pc = dH_r/(T |chi|^2) chi
/// (Eq. 31 with the force that made the energy: divided by this tick's force it would be unbounded; Eq. 32 as printed
/// is a row in N m s). It is not fed back into the body. The drift of a free tumbling body is not part of dH: it
/// stays.
struct PassiveIntegrator : Block {
  Input<Twist> twist{*this, "twist", "Of the integrated body"};
  Input<Wrench> wrench{*this, "wrench", "The wrench that moves it", in_update};
  Output<Twist> corrected{*this, "corrected", "The twist to send on: twist - correction, or + with sign = -1"};
  Output<Twist> correction{*this, "correction", "V_pc; zero where the controller is off", from_state};
  Output<Vector3> made_translation{*this, "made_translation", "J", "Energy that the last integration made, each axis",
                                   from_state};
  Output<double> made_rotation{*this, "made_rotation", "J", "Energy that the last integration made in rotation",
                               from_state};

  Parameter<double> mass{*this, "mass", "kg", "Of the integrated body", above(0.0)};
  Parameter<Matrix3> inertia{*this, "inertia", "kg m2", "About its centre of mass, body axes", rotational};
  Parameter<std::int64_t> sign{*this, "sign",
                               "1: the paper's; -1: makes the closed loop neutral for the pair F(k), V(k) that the "
                               "observer of a robot's port sees",
                               between(-1.0, 1.0), by_default("1")};
  Parameter<bool> enabled{*this, "enabled", "Off: the twist passes unchanged, the energy is still accounted for", live,
                          by_default("on")};

  State<Wrench> applied{*this, "applied", "One tick ago: force, and torque with the gyroscopic one (chi)"};
  State<Vector3> translation{*this, "translation", "J", "Made by the last integration, each axis"};
  State<double> rotation{*this, "rotation", "J", "Made by the last integration"};
  State<double> translation_sum{*this, "translation_sum", "J", "Made up to and including this tick"};
  State<double> rotation_sum{*this, "rotation_sum", "J", "Made up to and including this tick"};

  void configure(const Instance& instance) override {
    if (*sign == 0) instance.report("sign", "is 0; give 1 or -1, or set enabled to off");
  }
  void prepare(const Instance&) override { inverse_ = (*inertia).inverse(); }

  void state_output(const Tick& t) override {
    made_translation = *translation;
    made_rotation = *rotation;
    correction = *enabled ? admitted(t.period()) : Twist();
  }

  void output(const Tick&) override {
    const Twist given = *twist, by = *correction;
    corrected = *sign > 0 ? Twist(given - by) : Twist(given + by);
  }

  void update(const Tick& t) override {
    const double T = t.period();
    const Vector3 w = (*twist).angular(), f = (*wrench).force();
    const Vector3 chi = Vector3((*wrench).torque()) + (*inertia * w).cross(w);
    const Vector3 along_axes = (T * T / (2.0 * *mass)) * f.cwiseProduct(f);
    const double turning = 0.5 * T * T * chi.dot(inverse_ * chi);
    applied = Wrench(f, chi);
    translation = along_axes;
    rotation = turning;
    translation_sum = *translation_sum + along_axes.sum();
    rotation_sum = *rotation_sum + turning;
  }

  void summarize(const Summary& summary) const override {
    summary.number("integrator.sum_dh_translation", *translation_sum, "J");
    summary.number("integrator.sum_dh_rotation", *rotation_sum, "J");
  }

private:
  Twist admitted(double T) const {
    const Vector3 f = (*applied).force(), chi = (*applied).torque(), made = *translation;
    Twist by;
    for (Eigen::Index i = 0; i < 3; ++i)
      if (f[i] != 0.0) by[i] = made[i] / (T * f[i]);
    const double square = chi.dot(chi);
    if (square > 0.0) by.angular() = *rotation / (T * square) * chi;
    return by;
  }

  Matrix3 inverse_ = Matrix3::Identity(); // from the parameters, by prepare
};
HILDA_BLOCK(PassiveIntegrator, "Passivity controller of an Euler integrator: takes back the energy that it makes (De "
                               "Stefano, Balachandran and Secchi 2020, Eq. 20 to 36).")

} // namespace
} // namespace hilda
