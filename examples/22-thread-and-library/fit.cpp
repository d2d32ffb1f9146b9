#include <hilda/block.h>

#include <cmath>
#include <nlopt.h>
#include <string>
#include <vector>

namespace hilda {
namespace {

/// Times and values of a step response; NLopt gets one such.
struct Response {
  std::vector<double> time, value;
};

/// Sum of the squares by which gain (1 - exp(-t / lag)) misses the response.
double misfit(unsigned, const double* x, double*, void* of) {
  const Response& response = *static_cast<const Response*>(of);
  double sum = 0;
  for (std::size_t i = 0; i < response.time.size(); ++i) {
    const double missed = response.value[i] - x[0] * (1 - std::exp(-response.time[i] / x[1]));
    sum += missed * missed;
  }
  return sum;
}

/// A lag whose gain and time constant follow from a measured step response, by NLopt.
struct FittedLag : Block {
  Parameter<Matrix> response{*this, "response", "points 2", "1", "Rows of time in s and value"};
  Input<double> u{*this, "u", "1", "Signal", in_update};
  Output<double> y{*this, "y", "1", "Behind the lag", from_state};
  State<double> kept{*this, "kept", "1", "The next output"};

  void configure(const Instance& self) override { // a library may allocate, and take its time, here and not later
    Response wanted;
    for (Eigen::Index i = 0; i < (*response).rows(); ++i) {
      wanted.time.push_back((*response)(i, 0));
      wanted.value.push_back((*response)(i, 1));
    }
    std::vector<double> x{1, 0.1};
    const std::vector<double> least{0, 1e-6};
    double rest = 0;
    nlopt_opt search = nlopt_create(NLOPT_LN_NELDERMEAD, 2);
    nlopt_set_lower_bounds(search, least.data());
    nlopt_set_min_objective(search, &misfit, &wanted);
    nlopt_set_xtol_rel(search, 1e-10);
    nlopt_set_maxeval(search, 10000);
    const nlopt_result result = nlopt_optimize(search, x.data(), &rest);
    nlopt_destroy(search);
    if (result < 0) return self.report("response", std::string("cannot be fitted: ") + nlopt_result_to_string(result));
    if (rest > 1e-3) return self.report("response", "is not that of a lag: the remainder is " + std::to_string(rest));
    gain_ = x[0];
    lag_ = x[1];
  }
  void initialize(const Instance&) override { kept = 0.0; }
  void state_output(const Tick&) override { y = *kept; }
  void update(const Tick& t) override { kept = *kept + (1 - std::exp(-t.period() / lag_)) * (gain_ * *u - *kept); }
  void summarize(const Summary& summary) const override {
    summary.number("gain", gain_);
    summary.number("lag", lag_);
  }

private:
  double gain_ = 1, lag_ = 1;
};
HILDA_BLOCK(FittedLag, "Follows a signal as a measured step response does.")

} // namespace
} // namespace hilda
