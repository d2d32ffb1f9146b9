#include "blocks/sources/csv_table.h"

#include <algorithm>
#include <hilda/block.h>
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
  enum class Between { linear, hold };
  enum class After { hold, zero, repeat, stop };

  Output<Vector> y{*this, "y", "n", "@y", "Values of the chosen columns", from_state};
  Parameter<Path> file{*this, "file", "Table of times and values"};
  Parameter<Text> columns{*this, "columns",
                          "Names or numbers (from 0) of the columns, separated by blanks; empty: all but the first",
                          by_default("")};
  Parameter<double> scale{*this, "scale", "@y", "What the values are multiplied with; carries the unit",
                          by_default("1")};
  Parameter<Between> between{*this, "between", "What lies between two lines", by_default("linear")};
  Parameter<After> after{*this, "after", "What follows the last line; stop ends the run", by_default("hold")};

  void infer(const Instance& self, const Inference& inference) override {
    if (load(self)) inference.dimension("n", static_cast<std::int64_t>(values_.size()));
  }
  void configure(const Instance& self) override { load(self); }
  void state_output(const Tick& t) override {
    auto out = *y;
    double time = t.time();
    const double end = time_.back(), span = end - time_.front();
    const bool over = time - end > 5e-7 * t.period();
    if (over && *after == After::zero) {
      out.setZero();
      return;
    }
    if (over && *after == After::repeat) time = time_.front() + std::fmod(time - time_.front(), span);
    if (over && *after == After::stop) t.stop("the signal file is at its end", time);
    const Place place = find(time, t.period());
    for (Eigen::Index i = 0; i < out.size(); ++i) {
      const std::vector<double>& column = values_[static_cast<std::size_t>(i)];
      const double from = column[place.line];
      out[i] = *scale * (place.share == 0 ? from : from + place.share * (column[place.line + 1] - from));
    }
  }

private:
  /// A line of the table and how far on the way to the next.
  struct Place {
    std::size_t line;
    double share;
  };

  bool load(const Instance& self) {
    try {
      CsvTable table = read_csv(*file);
      const std::vector<std::size_t> chosen = choose_columns(table, *columns);
      values_.clear();
      for (const std::size_t column : chosen) values_.push_back(table.columns[column]);
      time_ = std::move(table.columns[0]);
    } catch (const std::runtime_error& e) {
      self.report("file", e.what());
      return false;
    }
    const auto fall = std::adjacent_find(time_.begin(), time_.end(), [](double a, double b) { return !(a < b); });
    if (fall != time_.end()) {
      self.report(
          "file",
          "row " + std::to_string(fall - time_.begin() + 2) +
              " of its numbers is no later than the row before it; sort the table by its first column, the time in s");
      return false;
    }
    if (*after == After::repeat && time_.size() < 2)
      self.report("after", "cannot repeat a table of one row; give it more, or choose hold");
    return true;
  }

  Place find(double time, double period) const {
    // A time written in decimal and one counted in ticks may differ in their last digit.
    const double slack = 5e-7 * period;
    const auto next = std::upper_bound(time_.begin(), time_.end(), time + slack);
    if (next == time_.begin()) return {0, 0};
    const auto line = static_cast<std::size_t>(next - time_.begin()) - 1;
    if (*between == Between::hold || next == time_.end()) return {line, 0};
    return {line, std::max(0.0, (time - time_[line]) / (time_[line + 1] - time_[line]))};
  }

  std::vector<double> time_;
  std::vector<std::vector<double>> values_;
};

HILDA_BLOCK(SignalFile, doc)
} // namespace
