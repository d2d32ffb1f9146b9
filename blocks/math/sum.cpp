// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <hilda/block.h>
#include <string>
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
  void prepare(const Instance&) override {
    const std::string_view given = *signs;
    negative_ = 0;
    for (std::size_t k = 0; k < given.size() && k < in_record; ++k)
      negative_ |= static_cast<std::uint64_t>(given[k] == '-') << k;
  }
  void output(const Tick&) override {
    auto out = *y;
    if (minus(0))
      out = -u[0];
    else
      out = u[0];
    for (Eigen::Index k = 1; k < u.size(); ++k) {
      if (minus(k))
        out -= u[k];
      else
        out += u[k];
    }
  }

private:
  /// The first ones lie in the record: the text lies far away, and a hundred thousand blocks would fetch it at every
  /// tick.
  static constexpr std::size_t in_record = 64;
  bool minus(Eigen::Index k) const {
    const auto place = static_cast<std::size_t>(k);
    return place < in_record ? (negative_ >> place & 1U) != 0 : (*signs)[place] == '-';
  }
  std::uint64_t negative_ = 0; // from the parameters, by prepare
};

HILDA_BLOCK_VARIANTS("Sum", "Adds and subtracts signals of one shape: y = +-u[0] +-u[1] ...", Sum<Dynamic>, Sum<1>,
                     Sum<3>, Sum<6>)
} // namespace
