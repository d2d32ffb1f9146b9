// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda {
namespace {

/// Kinetic energy of a body from its twist.
struct KineticEnergy : Block {
  Input<Twist> twist{*this, "twist", "v of the centre of mass, w in body axes"};
  Output<double> translation{*this, "translation", "J", "M v^2/2"};
  Output<double> rotation{*this, "rotation", "J", "w' I w/2"};
  Output<double> total{*this, "total", "J", "Both"};

  Parameter<double> mass{*this, "mass", "kg", "Of the body", above(0.0)};
  Parameter<Matrix3> inertia{*this, "inertia", "kg m2", "About its centre of mass, body axes", rotational};

  State<bool> started{*this, "started", "The first tick is over"};
  State<double> initial{*this, "initial", "J", "Of the first tick"};
  State<double> peak{*this, "peak", "J", "Largest so far"};
  State<double> last{*this, "last", "J", "Of the last tick"};

  void output(const Tick&) override {
    const Vector3 v = (*twist).linear(), w = (*twist).angular();
    const double moving = 0.5 * *mass * v.dot(v), turning = 0.5 * w.dot(*inertia * w);
    translation = moving;
    rotation = turning;
    total = moving + turning;
  }
  void update(const Tick&) override {
    const double now = *total;
    if (!*started) initial = now;
    peak = *started ? std::fmax(*peak, now) : now;
    started = true;
    last = now;
  }

  void summarize(const Summary& summary) const override {
    summary.number("energy.kinetic_initial", *initial, "J");
    summary.number("energy.kinetic_final", *last, "J");
    summary.number("energy.kinetic_peak", *peak, "J");
  }
};
HILDA_BLOCK(KineticEnergy, "Kinetic energy of a body: of translation, of rotation, and both.")

} // namespace
} // namespace hilda
