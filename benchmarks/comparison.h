// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "benchmarks/hand/kernels.h"

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace hilda::bench {

/// One diagram on the engine next to the same maths by hand.
struct Case {
  std::string name;
  std::string title;
  std::size_t blocks = 1; ///< ns are given for each of them
  std::size_t ticks = 1;  ///< of one sample
  double goal = 1;        ///< largest required engine / B
  double valid = 4;       ///< largest B / fused at which B is not a straw man
  std::string xml;
  std::vector<std::string> signals; ///< what Kernel::result lists, one after the other
  std::size_t compared_after = 1;   ///< ticks after which they must agree
  std::function<std::unique_ptr<hand::Kernel>()> o2, o3;
  std::uint32_t lanes = 8; ///< so many equal blocks are computed at once at most
};
std::vector<Case> cases();

struct Ratios {
  double engine = 0, b = 0, fused = 0; ///< ns per block and tick, medians
  double engine_to_b = 0, b_to_fused = 0;
  std::string b_flags;
};

/// Samples the contenders in turn, in an order drawn for each round, so that whatever else the machine does meets all
/// of them alike.
class Comparison {
public:
  /// Builds everything and compares the numbers: exits where hand and engine disagree by more than 1e-9.
  explicit Comparison(const Case& c);
  void round();
  /// Over all rounds: medians of the ratios within a round, for the faster of the flags.
  Ratios ratios() const;
  const Case& what() const { return case_; }

private:
  struct Contender {
    std::string name;
    std::function<void(std::size_t)> run;
    std::vector<double> ns;
  };
  enum Place : std::size_t { engine, b_o2, b_o3, fused_o2, fused_o3, places };
  double median(Place place) const;
  double median_ratio(Place above, Place below) const;

  Case case_;
  std::vector<Contender> contenders_;
  std::mt19937 random_{1};
};

} // namespace hilda::bench
