// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/sources/csv_table.h"
#include "blocks/sources/playback.h"

#include <algorithm>
#include <hilda/block.h>
#include <hilda/difference.h>
#include <hilda/flags.h>
#include <stdexcept>

namespace {
using namespace hilda;

constexpr const char* doc =
    "Plays a signal back from a file of comma- or semicolon-separated values. The first column is the time in s, "
    "rising; the "
    "others are values in SI; a first line may name them. Before the first time the first line holds.";

struct SignalFile : Block {
  static constexpr std::uint32_t type_flags = HILDA_RAISES_NO_FLAGS; // its numbers come from a file
  Output<Vector> y{*this, "y", "n", "@y", "Values of the chosen columns", from_state};
  Parameter<Path> file{*this, "file", "Table of times and values"};
  Parameter<Text> columns{
      *this, "columns",
      "Names or numbers (from 0) of the columns, separated by blanks, or by commas where names hold blanks; "
      "empty: all but the first",
      by_default("")};
  Parameter<double> scale{*this,           "scale",   "@y", "What the values are multiplied with; carries the unit",
                          by_default("1"), difference};
  Parameter<Between> between{*this, "between", "What lies between two lines", by_default("linear")};
  Parameter<After> after{*this, "after", "What follows the last line; stop ends the run", by_default("hold")};

  void infer(const Instance& self, const Inference& inference) override {
    if (load(self)) inference.dimension("n", static_cast<std::int64_t>(values_.size()));
  }
  void configure(const Instance& self) override { load(self); }
  void state_output(const Tick& t) override {
    auto out = *y;
    const auto place = time_.place(t, t.time(), *between, *after, "the signal file is at its end");
    if (!place) {
      out.setZero();
      return;
    }
    for (Eigen::Index i = 0; i < out.size(); ++i) {
      const std::vector<double>& column = values_[static_cast<std::size_t>(i)];
      const double from = column[place->sample];
      out[i] = *scale * (place->share == 0 ? from : from + place->share * (column[place->sample + 1] - from));
    }
  }

private:
  bool load(const Instance& self) {
    try {
      CsvTable table = read_csv(*file);
      const std::vector<std::size_t> chosen = choose_columns(table, *columns);
      values_.clear();
      for (const std::size_t column : chosen) values_.push_back(table.columns[column]);
      time_ = PlaybackTimes(std::move(table.columns[0]));
    } catch (const std::runtime_error& e) {
      self.report("file", e.what());
      return false;
    }
    const std::vector<double>& times = time_.all();
    const auto fall = std::adjacent_find(times.begin(), times.end(), [](double a, double b) { return !(a < b); });
    if (fall != times.end()) {
      self.report(
          "file",
          "row " + std::to_string(fall - times.begin() + 2) +
              " of its numbers is not later than the row before it; sort the table by its first column, the time in s");
      return false;
    }
    if (*after == After::repeat && time_.size() < 2)
      self.report("after", "cannot repeat a table of one row; give it more, or choose hold");
    return true;
  }

  PlaybackTimes time_;
  std::vector<std::vector<double>> values_;
};

HILDA_BLOCK(SignalFile, doc)
} // namespace
