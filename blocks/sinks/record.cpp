// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/flags.h>

namespace {
using namespace hilda;

struct Record : Block {
  static constexpr std::uint32_t type_flags = HILDA_SINK | HILDA_RAISES_NO_FLAGS; // the smallest of none is infinite
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Elements<>> y{*this, "y", "*s", "@u", "The same signal, recorded under this block's name"};
  Parameter<Text> key{*this, "key", "Name in the summary; empty: no entry", by_default("")};
  State<double> smallest{*this, "smallest", "@u", "Smallest element so far"};
  State<double> largest{*this, "largest", "@u", "Largest element so far"};
  State<double> total{*this, "total", "@u", "Sum of the elements of all ticks"};
  State<double> squares{*this, "squares", "@u^2", "Sum of their squares"};
  State<std::int64_t> count{*this, "count", "How many elements that were"};

  void initialize(const Instance&) override {
    smallest = INFINITY;
    largest = -INFINITY;
  }
  void output(const Tick&) override { y = *u; }
  void update(const Tick&) override {
    const auto in = *u;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      smallest = std::fmin(smallest, in[i]);
      largest = std::fmax(largest, in[i]);
      total = *total + in[i];
      squares = *squares + in[i] * in[i];
    }
    count = *count + in.size();
  }
  void summarize(const Summary& summary) const override {
    const std::string name = *key;
    if (name.empty() || *count == 0) return;
    const auto n = static_cast<double>(*count);
    summary.number((name + ".min").c_str(), *smallest);
    summary.number((name + ".max").c_str(), *largest);
    summary.number((name + ".mean").c_str(), *total / n);
    summary.number((name + ".rms").c_str(), std::sqrt(*squares / n));
  }
};

HILDA_BLOCK(Record,
            "Records a signal under another name, at the block's sample_time; with a key, the summary has its smallest "
            "and largest value, mean and root mean square, in SI, over all elements and ticks.")
} // namespace
