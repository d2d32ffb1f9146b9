#include <hilda/block.h>
#include <hilda/random.h>

namespace hilda {
namespace {

/// A ball on a rough floor: each bounce keeps another part of its speed.
struct Ball : Block {
  Parameter<double> drop{*this, "drop", "m", "Height at the start", above(0.0), by_default("1 m")};
  Parameter<double> least{*this, "least", "1", "Least part of the speed that a bounce keeps", between(0.5, 1)};
  Parameter<double> gravity{
      *this, "gravity", "m/s^2", "How fast it gathers speed", above(0.0), by_default("9.81 m/s^2")};
  Parameter<std::int64_t> seed{*this, "seed", "Another seed gives other bounces", by_default("0")};
  Output<double> height{*this, "height", "m", "Above the floor", from_state};
  Output<double> bounces{*this, "bounces", "1", "How many there were", from_state};
  ContinuousState<double> y{*this, "y", "m", "Height"};
  ContinuousState<double> v{*this, "v", "m/s", "Speed, upwards"};
  State<double> count{*this, "count", "1", "Bounces", modal};
  State<std::uint64_t> stream{*this, "stream", "State of the generator", rng};
  Crossing<double> gap{*this, "gap", "m", "From the floor to the ball"};

  void configure(const Instance& self) override { first_ = self.seed(static_cast<std::uint64_t>(*seed)); }
  void initialize(const Instance&) override {
    y = *drop;
    v = 0.0;
    count = 0.0;
    stream = first_;
  }
  void state_output(const Tick&) override {
    height = *y;
    bounces = *count;
  }
  void output(const Tick& t) override {
    if (t.located()) gap = *y;
  }
  void derivative(const Tick&) override {
    y.dot() = *v;
    v.dot() = -*gravity;
  }
  void event(const Tick&, const Fired& fired) override {
    if (fired.none() || fired.direction(gap) > 0) return;
    const double kept = *least + (1 - *least) * Generator(*stream).uniform();
    stream = Generator::skip(*stream, 1);
    v = -kept * *v;
    count = *count + 1;
  }

private:
  std::uint64_t first_ = 0;
};
HILDA_BLOCK(Ball, "Falls, and bounces off a floor that keeps a random part of its speed.")

} // namespace
} // namespace hilda
