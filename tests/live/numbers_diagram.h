// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/session/output.h"
#include "tests/live/live_diagram.h"
#include "tests/modules.h"

#include <random>
#include <string>
#include <vector>

namespace hilda::test {

/// A diagram that a seed makes: inputs from outside, live parameters, and blocks behind them, discrete and continuous.
struct NumbersDiagram {
  struct Entry {
    std::string path, unit;
    std::size_t size = 1;
  };

  explicit NumbersDiagram(unsigned seed, const std::string& solver = "") : random_(seed) {
    text_ = "<diagram format=\"1\" name=\"numbers\" period=\"1 ms\"" + solver + ">\n";
    for (std::size_t i = 0; i < 1 + below(3); ++i) chain("n" + std::to_string(i), below(3) == 0 ? 1 + below(20) : 1);
    text_ += "</diagram>";
  }
  DiagramText text() const { return {"numbers.xml", text_}; }
  const std::string& xml() const { return text_; }
  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<Entry>& inputs() const { return inputs_; }

private:
  std::size_t below(std::size_t limit) { return random_() % limit; }

  /// An input of `size` numbers and what it drives.
  void chain(const std::string& name, std::size_t size) {
    const std::string unit = below(2) == 0 ? "N" : "";
    std::string zeros;
    for (std::size_t i = 0; i < size; ++i) zeros += i == 0 ? "0" : " 0";
    text_ += "  <input name=\"" + name + "\" default=\"" + zeros + (unit.empty() ? "" : " " + unit) + "\"/>\n";
    entries_.push_back({name, unit, size});
    inputs_.push_back(entries_.back());
    static const std::vector<std::string> types{"math/Gain", "discrete/DiscreteIntegrator", "continuous/Integrator",
                                                "discrete/Delay", "math/Abs"};
    std::string from = name;
    for (std::size_t i = 0; i < 1 + below(5); ++i) {
      const std::string& type = types[below(types.size())];
      const std::string block = name + "_" + std::to_string(i);
      text_ += "  <block name=\"" + block + "\" type=\"" + type + "\"" +
               (type == "math/Gain"        ? " gain=\"1.5\""
                : type == "discrete/Delay" ? " delay=\"" + std::to_string(1 + below(4)) + " ms\""
                                           : "") +
               "/>\n  <connect from=\"" + from + "\" to=\"" + block + ".u\"/>\n";
      if (type == "math/Gain") entries_.push_back({block + ".gain", "", 1});
      from = block + ".y";
    }
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<Entry> entries_, inputs_;
};

/// What comes from outside, tick by tick.
class Outside {
public:
  explicit Outside(unsigned seed) : random_(seed) {}
  struct Change {
    std::size_t entry = 0;
    std::vector<double> numbers;
  };
  std::vector<Change> next(const std::vector<NumbersDiagram::Entry>& entries) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (random_() % 3 != 0) continue;
      Change change{i, {}};
      for (std::size_t k = 0; k < entries[i].size; ++k)
        change.numbers.push_back(random_() % 5 == 0 ? static_cast<double>(random_() % 3)
                                                    : std::uniform_real_distribution<double>(-1, 1)(random_) *
                                                          std::exp2(random_() % 9));
      changes.push_back(std::move(change));
    }
    return changes;
  }

private:
  std::mt19937 random_;
};

inline LiveSetting as_text(const NumbersDiagram::Entry& entry, const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : " ") + decimal(number);
  return {entry.path, entry.unit.empty() ? text : text + " " + entry.unit};
}

inline std::vector<std::shared_ptr<Input>> handles(Tuning& tuning, const std::vector<NumbersDiagram::Entry>& entries) {
  std::vector<std::shared_ptr<Input>> all;
  for (const NumbersDiagram::Entry& each : entries) {
    Diagnostics diagnostics;
    all.push_back(tuning.input(each.path, diagnostics));
    EXPECT_NE(all.back(), nullptr) << diagnostics.text();
  }
  return all;
}

} // namespace hilda::test
