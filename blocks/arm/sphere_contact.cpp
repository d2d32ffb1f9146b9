// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda {
namespace {

struct SphereContact : Block {
  Input<Vector3> position{*this, "position", "m", "Of the touching point, in axes of the sphere's frame"};
  Output<Vector3> force{*this, "force", "N", "On the touching point, away from the centre, same axes"};
  Output<double> depth{*this, "depth", "m", "Below the sphere's surface; below 0: how far away"};
  Parameter<Vector3> centre{*this, "centre", "m", "Of the sphere", by_default("0 0 -15 mm")};
  Parameter<double> radius{*this, "radius", "m", "Of the sphere", above(0.0), by_default("30 mm")};
  Parameter<double> stiffness{
      *this, "stiffness", "N m2", "k; the force at the centre is k / radius^2", at_least(0.0), by_default("0.1 N m2")};

  void output(const Tick&) override {
    const Vector3 away = *position - *centre;
    const double distance = away.norm(), r = *radius;
    depth = r - distance;
    Vector3 push = Vector3::Zero();
    if (distance < r && distance > 0.0) push = *stiffness * (r - distance) / (r * r * r) / distance * away;
    force = push;
  }
};
HILDA_BLOCK(SphereContact,
            "A soft sphere pushes a point out: f = k (r - d) / r^3 along the way from its centre, where d "
            "< r (Dyba et al. 2023, Eq. 20).")

} // namespace
} // namespace hilda
