#include <hilda/block.h>

#include <algorithm>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace hilda {
namespace {

/// For how long a signal was between neighbouring edges. How many edges there are, only the text says.
struct Tally : Block {
  Parameter<Text> edges{*this, "edges", "Edges in SI, rising, such as \"0 0.2 0.5\""};
  Input<double> u{*this, "u", "@u", "Signal", in_update};
  Output<Vector> time{*this, "time", "n", "s", "In each interval so far", from_state};
  State<Vector> spent{*this, "spent", "n", "s", "In each interval so far"};

  void infer(const Instance& self, const Inference& inference) override {
    const std::vector<double> limits = read(self);
    if (limits.size() >= 2) inference.dimension("n", std::ssize(limits) - 1);
  }
  void configure(const Instance& self) override { limits_ = read(self); } // infer is asked of another instance
  void initialize(const Instance&) override { (*spent).setZero(); }
  void state_output(const Tick&) override { time = *spent; }
  void update(const Tick& t) override {
    for (std::size_t i = 0; i + 1 < limits_.size(); ++i)
      if (*u >= limits_[i] && *u < limits_[i + 1]) (*spent)[static_cast<Eigen::Index>(i)] += t.period();
  }

private:
  std::vector<double> read(const Instance& self) const {
    std::vector<double> limits;
    std::istringstream in{std::string(*edges)};
    for (double edge = 0; in >> edge;) limits.push_back(edge);
    const bool rising = std::is_sorted(limits.begin(), limits.end(), std::less_equal<>());
    if (!in.eof() || limits.size() < 2 || !rising)
      self.report("edges", "are not two rising numbers or more; write \"0 0.2 0.5\"");
    return limits;
  }
  std::vector<double> limits_;
};
HILDA_BLOCK(Tally, "Adds up for how long a signal was in each of some intervals.")

} // namespace
} // namespace hilda
