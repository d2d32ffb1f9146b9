// What binaries of this release must keep doing: blocks on the SDK. This file is not changed any more: a new ability
// gets a new file.
#include <hilda/block.h>

namespace {
using namespace hilda;

/// Signals of any shape, named shapes, an optional input, states, a live parameter.
struct Mixer : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal"};
  Input<Wrench> wrench{*this, "wrench", "Wrench", optional};
  Input<Pose> pose{*this, "pose", "Pose", in_update, optional};
  Output<Elements<>> y{*this, "y", "*s", "@u", "Scaled, and what came before"};
  Output<Wrench> doubled{*this, "doubled", "Twice the wrench"};
  Output<Quaternion> turned{*this, "turned", "The last pose's orientation, turned back", from_state};
  Parameter<double> factor{*this, "factor", "1", "Factor", above(0.0), by_default("2"), live};
  Parameter<Vector3> axis{*this, "axis", "m", "Some vector", by_default("1 2 3 mm")};
  Parameter<bool> signs{*this, "signs", "Negate?", by_default("false")};
  State<Elements<>> sum{*this, "sum", "*s", "@u", "Sum of the inputs before this tick"};
  State<Quaternion> orientation{*this, "orientation", "Of the last pose"};

  void prepare(const Instance&) override { scale_ = *signs ? -*factor : *factor * (1 + (*axis).x() / (*axis).norm()); }
  void initialize(const Instance&) override { orientation = Quaternion::Identity(); }
  void state_output(const Tick&) override { turned = (*orientation).conjugate(); }
  void output(const Tick&) override {
    y = scale_ * *u + *sum;
    doubled = 2.0 * wrench.value_or(Wrench());
  }
  void update(const Tick&) override {
    auto total = *sum;
    total += *u;
    orientation = pose.value_or(Pose()).orientation;
  }

private:
  double scale_ = 1;
};
HILDA_PLUGIN(Mixer, "Frozen.")

/// A shape that follows from a text, repeated outputs, a quaternion that is integrated.
struct Spinner : Block {
  Input<Vector3> rate{*this, "rate", "1", "Angular velocity, rad/s", in_update};
  Output<Quaternion> orientation{*this, "orientation", "Integrated", from_state};
  Outputs<Vector> parts{*this, "parts", "n", "1", "As many numbers as the text has letters", as_many_as("copies")};
  Parameter<Text> text{*this, "text", "Any", by_default("four")};
  Parameter<std::int64_t> copies{*this, "copies", "Of the parts", between(1.0, 9.0), by_default("2")};
  ContinuousState<Quaternion> q{*this, "q", "Orientation"};

  void infer(const Instance&, const Inference& inference) override {
    inference.dimension("n", static_cast<std::int64_t>(std::string_view(*text).size()));
  }
  void initialize(const Instance&) override { q = Quaternion::Identity(); }
  void state_output(const Tick&) override { orientation = Quaternion(*q); }
  void output(const Tick& t) override {
    for (Eigen::Index i = 0; i < parts.size(); ++i) parts[i].setConstant(t.time() + static_cast<double>(i));
  }
  void derivative(const Tick&) override {
    const Vector3 w = *rate;
    const Quaternion now = *q, spin(0, w.x(), w.y(), w.z());
    const Quaternion product = now * spin;
    q.dot() = Quaternion(0.5 * product.w(), 0.5 * product.x(), 0.5 * product.y(), 0.5 * product.z());
  }
  void project(const Tick&) override { q = Quaternion(*q).normalized(); }
};
HILDA_PLUGIN(Spinner, "Frozen.")
} // namespace
