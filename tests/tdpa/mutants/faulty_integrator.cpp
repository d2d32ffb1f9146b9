// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/LU>
#include <hilda/block.h>

namespace hilda::test {
namespace {

enum class Fault { no_cross_term, this_force, printed_row, forgets_y };

/// A passive integrator that is wrong in one way:
///   no_cross_term   the energy of rotation as printed in Eq. 23 of De Stefano, Balachandran and Secchi 2020
///   this_force      divides by this tick's force, as Eq. 31 reads
///   printed_row     w_pc as the row of Eq. 32
///   forgets_y       leaves one axis out
struct FaultyIntegrator : Block {
  Input<Twist> twist{*this, "twist", "Of the body"};
  Input<Wrench> wrench{*this, "wrench", "On the body", in_update};
  Output<Twist> corrected{*this, "corrected", "As the fault leaves it"};
  Output<Vector3> made_translation{*this, "made_translation", "J", "By its account", from_state};
  Output<double> made_rotation{*this, "made_rotation", "J", "By its account", from_state};
  Parameter<double> mass{*this, "mass", "kg", "Of the body", above(0.0)};
  Parameter<Matrix3> inertia{*this, "inertia", "kg m2", "Of the body", rotational};
  Parameter<std::int64_t> sign{*this, "sign", "As of the right one", by_default("1")};
  Parameter<bool> enabled{*this, "enabled", "As of the right one", by_default("on")};
  Parameter<Fault> fault{*this, "fault", "What is wrong"};
  State<Wrench> applied{*this, "applied", "Force and chi, one tick ago"};
  State<Vector3> translation{*this, "translation", "J", "Made"};
  State<double> rotation{*this, "rotation", "J", "Made"};
  State<Vector3> earlier{*this, "earlier", "N", "Force of two ticks ago"};

  void state_output(const Tick&) override {
    made_translation = *translation;
    made_rotation = *rotation;
  }
  void output(const Tick& t) override {
    const double T = t.period();
    const Vector3 f = (*applied).force(), chi = (*applied).torque();
    const Vector3 divided = *fault == Fault::this_force ? *earlier : f;
    Twist by;
    for (Eigen::Index i = 0; i < 3; ++i)
      if (divided[i] != 0.0 && !(*fault == Fault::forgets_y && i == 1)) by[i] = (*translation)[i] / (T * divided[i]);
    const double square = chi.dot(chi);
    if (square > 0.0) by.angular() = (*fault == Fault::printed_row ? 1.0 / T : *rotation / (T * square)) * chi;
    corrected = *enabled ? Twist(*twist - by) : *twist;
  }
  void update(const Tick& t) override {
    const double T = t.period();
    const Vector3 w = (*twist).angular(), f = (*wrench).force(), torque = (*wrench).torque();
    const Vector3 gyro = (*inertia * w).cross(w), chi = torque + gyro;
    const Matrix3 inverse = (*inertia).inverse();
    earlier = Vector3((*applied).force());
    translation = T * T / (2.0 * *mass) * f.cwiseProduct(f);
    rotation = 0.5 * T * T *
               (*fault == Fault::no_cross_term ? torque.dot(inverse * torque) + gyro.dot(inverse * gyro)
                                               : chi.dot(inverse * chi));
    applied = Wrench(f, chi);
  }
};
HILDA_BLOCK(FaultyIntegrator, "A passive integrator that is wrong on purpose.")

} // namespace
} // namespace hilda::test
