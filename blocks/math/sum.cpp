#include <hilda/block.h>
#include <string_view>

namespace {
using namespace hilda;

template <int N> struct Sum : Block {
  Inputs<Elements<N>> u{*this, "u", "*s", "@u", "Terms of one shape and unit", as_many_as("len(signs)")};
  Output<Elements<N>> y{*this, "y", "*s", "@u", "Sum of the terms, each with its sign"};
  Parameter<Text> signs{*this, "signs", "One + or - for each term, in order: \"+-\" is u[0] - u[1]", by_default("++")};

  void configure(const Instance& self) override {
    const std::string_view given = *signs;
    if (given.empty() || given.find_first_not_of("+-") != std::string_view::npos)
      self.report("signs", "\"" + std::string(given) +
                               "\" is not a list of signs; write one + or - for each term, such as \"+-\"");
  }
  void output(const Tick&) override {
    const char* sign = *signs;
    auto out = *y;
    if (sign[0] == '-')
      out = -u[0];
    else
      out = u[0];
    for (Eigen::Index k = 1; k < u.size(); ++k) {
      if (sign[k] == '-')
        out -= u[k];
      else
        out += u[k];
    }
  }
};

HILDA_BLOCK_VARIANTS("Sum", "Adds and subtracts signals of one shape: y = +-u[0] +-u[1] ...", Sum<Dynamic>, Sum<1>,
                     Sum<3>, Sum<6>)
} // namespace
