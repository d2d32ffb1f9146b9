// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda {
namespace {

/// Kinetic energy of some bodies as seen from their common centre of mass, which does not change with the frame in
/// which they all move (Koenig): E_i - m_i v_i.V + m_i V^2/2 with V = sum m_i v_i / sum m_i. A body of infinite mass is
/// the centre: V is its velocity, and its own energy is 0.
struct RelativeEnergy : Block {
  Inputs<Vector> kinetic_energy{*this, "kinetic_energy", "", "J", "Of each body, inertial, rotation included"};
  Inputs<Vector> velocity{*this, "velocity", "3", "m/s", "Of each body's centre of mass, inertial axes"};
  Output<Vector> energy{*this, "energy", "n", "J", "Of each body as seen from the common centre of mass"};

  Parameter<Vector> mass{
      *this, "mass", "n", "kg", "Of each body, in the order of the inputs; inf where nothing moves it", above(0.0)};

  void configure(const Instance& instance) override {
    const auto wired = [&](Eigen::Index count, const char* name) {
      if (count != mass.size())
        instance.report(name, "is wired " + std::to_string(count) + " times for " + std::to_string(mass.size()) +
                                  " masses; give one mass for each body");
    };
    wired(kinetic_energy.size(), "kinetic_energy");
    wired(velocity.size(), "velocity");
  }

  [[gnu::flatten]] void output(const Tick&) override {
    const Vector3 V = centre();
    auto seen = *energy;
    for (Eigen::Index i = 0; i < seen.size(); ++i) {
      const double m = mass.data()[i];
      const Vector3 v = velocity[i];
      seen[i] = std::isinf(m) ? 0.0 : kinetic_energy[i][0] + 0.5 * m * ((v - V).squaredNorm() - v.squaredNorm());
    }
  }

private:
  Vector3 centre() const {
    Vector3 momentum = Vector3::Zero();
    double total = 0.0;
    for (Eigen::Index i = 0; i < mass.size(); ++i) {
      const double m = mass.data()[i];
      if (std::isinf(m)) return velocity[i];
      momentum += m * velocity[i];
      total += m;
    }
    return momentum / total;
  }
};
HILDA_BLOCK(RelativeEnergy, "Kinetic energy of some bodies as seen from their common centre of mass.")

} // namespace
} // namespace hilda
