#include <hilda/block.h>

namespace {
using namespace hilda;

/// First-order low-pass filter, exact for an input that is held over a sample time T:
///   y(k+1) = y(k) + (1 - exp(-T / tau)) (u(k) - y(k))
struct LowPass : Block {
  // `@u` is whatever unit the input has. The input is read in update alone, so this block may close a loop.
  Input<double> u{*this, "u", "@u", "Signal", in_update};
  Output<double> y{*this, "y", "@u", "The signal behind the filter", from_state};
  Parameter<double> time_constant{*this, "time_constant", "s", "tau", above(0.0), live};
  Parameter<double> initial{*this, "initial", "@u", "Output at the first tick", by_default("0")};
  State<double> filtered{*this, "filtered", "@u", "The next output"};

  void prepare(const Instance& self) override { share_ = -std::expm1(-self.period() / *time_constant); }
  void initialize(const Instance&) override { filtered = *initial; }
  void state_output(const Tick&) override { y = *filtered; }
  void update(const Tick&) override { filtered = *filtered + share_ * (*u - *filtered); }

private:
  double share_ = 0; // follows from parameters, so it is not a state
};

HILDA_BLOCK(LowPass, "Follows a signal with a first-order lag.")
} // namespace
