// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_SHAPES_H
#define HILDA_TESTING_SHAPES_H

// How large the slots of one instance are: from the setup, from parameters, from the block's infer; all others
// are guessed.

#include <functional>
#include <hilda/testing/type.h>
#include <set>
#include <utility>

namespace hilda::testing {

/// How a test sets a block up. A value that is left out has its default or is guessed.
struct Setup {
  std::map<std::string, Value> parameters = {}; ///< by name
  std::map<std::string, Shape> shapes = {};     ///< of inputs and outputs, and of items of repeated ones ("u[0]")
  std::map<std::string, int> counts = {};       ///< of repeated ports
  std::set<std::string> undriven = {};          ///< optional inputs, and items, that nothing drives
  double period = 1e-3;                         ///< s, sample time
  std::string path = "block";
  std::uint64_t seed = 1;
  bool simulated = true;
  std::int64_t dimension_guess = 3; ///< of sizes that nothing gives
  double value_guess = 1;           ///< of numbers without a default; moved into their range
  bool rising_guess = false;        ///< guessed vectors hold multiples of the guess, else the guess alone
  /// Shapes of all slots, where an engine has found them: by role and name, instead of all other rules.
  std::map<std::pair<std::uint32_t, std::string>, Shape> exact_shapes = {};
};

/// "u[2]"
inline std::string item_name(const hilda_slot& slot, int item) {
  return item < 0 ? slot.name : std::string(slot.name) + "[" + std::to_string(item) + "]";
}

/// The sizes of one instance.
class Shapes {
public:
  Shapes(const Type& type, const Setup& setup, std::map<std::string, Value>& parameters) : setup_(setup) {
    for (const hilda_slot& slot : type.slots())
      if (slot.role == HILDA_PARAMETER && slot.element == HILDA_I64 && parameters.count(slot.name) > 0)
        dimensions_[slot.name] = static_cast<std::int64_t>(parameters[slot.name].numbers.at(0));
    for (const hilda_slot& slot : type.slots())
      if (has(slot, HILDA_REPEATED)) counts_[slot.name] = count_of(slot, parameters);
    for (const hilda_slot& slot : type.slots()) {
      if (slot.role == HILDA_PARAMETER && setup.parameters.count(slot.name) > 0)
        learn(slot, parameters[slot.name].shape);
      for (const char* item : {"", "[0]"})
        if (const auto given = setup.shapes.find(slot.name + std::string(item));
            is_port(slot) && given != setup.shapes.end())
          learn(slot, given->second);
    }
    for (const hilda_slot& slot : type.slots())
      if (slot.role == HILDA_PARAMETER && setup.parameters.count(slot.name) == 0) learn_default(slot, parameters);
  }

  /// What the block's infer says.
  void dimension(const std::string& name, std::int64_t value) { dimensions_[name] = value; }
  void item_shape(const std::string& slot, std::uint64_t item, Shape shape) {
    items_[slot + "[" + std::to_string(item) + "]"] = shape;
  }

  int count(const hilda_slot& slot) const { return counts_.at(slot.name); }

  /// Of a slot, or of one item of a repeated port.
  Shape of(const hilda_slot& slot, int item = -1) {
    const std::string name = item_name(slot, item);
    if (const auto exact = setup_.exact_shapes.find({slot.role, name}); exact != setup_.exact_shapes.end())
      return exact->second;
    if (const auto given = setup_.shapes.find(name); is_port(slot) && given != setup_.shapes.end())
      return given->second;
    if (const auto said = items_.find(name); said != items_.end()) return said->second;
    switch (slot.kind) {
    case HILDA_WRENCH:
    case HILDA_TWIST: return {6, 1};
    case HILDA_POSE: return {7, 1};
    case HILDA_QUATERNION: return {4, 1};
    default: break;
    }
    const std::string_view text = pattern(slot);
    if (text.empty()) return {};
    if (text[0] == '*')
      return wholes_.try_emplace(std::string(text.substr(1)), Shape{setup_.dimension_guess, 1}).first->second;
    const std::size_t blank = text.find(' ');
    return {evaluate(text.substr(0, blank)), blank == text.npos ? 1 : evaluate(text.substr(blank + 1))};
  }

private:
  static std::string_view pattern(const hilda_slot& slot) { return slot.shape != nullptr ? slot.shape : ""; }

  int count_of(const hilda_slot& slot, std::map<std::string, Value>& parameters) const {
    if (const auto given = setup_.counts.find(slot.name); given != setup_.counts.end()) return given->second;
    if (slot.count == nullptr) return 2;
    const std::string count = slot.count;
    if (count.rfind("len(", 0) == 0) return static_cast<int>(parameters[count.substr(4, count.size() - 5)].text.size());
    return static_cast<int>(parameters[count].numbers.at(0));
  }

  void learn(const hilda_slot& slot, Shape shape) {
    const std::string_view text = pattern(slot);
    if (text.empty() || slot.kind != HILDA_PLAIN) return;
    if (text[0] == '*') {
      wholes_.try_emplace(std::string(text.substr(1)), shape);
      return;
    }
    const std::size_t blank = text.find(' ');
    learn_dimension(text.substr(0, blank), shape.rows);
    if (blank != text.npos) learn_dimension(text.substr(blank + 1), shape.cols);
  }

  /// One number for a square matrix leaves its size open, n numbers are the diagonal.
  void learn_default(const hilda_slot& slot, std::map<std::string, Value>& parameters) {
    const auto found = parameters.find(slot.name);
    if (found == parameters.end() || found->second.numbers.empty()) return;
    const std::string_view text = pattern(slot);
    const std::size_t blank = text.find(' ');
    const bool square = blank != text.npos && text.substr(0, blank) == text.substr(blank + 1);
    const std::int64_t count = found->second.shape.count();
    if (square && found->second.shape.cols == 1) {
      if (count > 1) learn_dimension(text.substr(0, blank), count);
    } else if (count > 1 || text.empty() || text[0] == '*') {
      learn(slot, found->second.shape);
    }
  }

  /// "n", "n+6", "2*n+1" with one name that is not known yet.
  void learn_dimension(std::string_view text, std::int64_t value) {
    std::string unknown;
    std::int64_t factor = 0, rest = 0;
    each_term(text, [&](std::int64_t times, const std::string& name, bool sum) {
      if (name.empty()) {
        rest += times;
      } else if (dimensions_.count(name) > 0 || sum) {
        rest += times * (sum ? summed(name) : dimensions_[name]);
      } else {
        unknown = name;
        factor += times;
      }
    });
    if (factor != 0 && (value - rest) % factor == 0) dimensions_[unknown] = (value - rest) / factor;
  }

  std::int64_t evaluate(std::string_view text) {
    std::int64_t value = 0;
    each_term(text, [&](std::int64_t times, const std::string& name, bool sum) {
      if (name.empty())
        value += times;
      else
        value += times * (sum ? summed(name) : dimensions_.try_emplace(name, setup_.dimension_guess).first->second);
    });
    if (value < 0) throw Impossible("the shape '" + std::string(text) + "' comes out as " + std::to_string(value));
    return value;
  }

  /// Items of a repeated port that are guessed are all alike.
  std::int64_t summed(const std::string& name) {
    const std::int64_t one = dimensions_.try_emplace(name, setup_.dimension_guess).first->second;
    return counts_.empty() ? one : one * counts_.begin()->second;
  }

  /// Calls take(factor, name or "", is it sum(name)?) for each term.
  template <typename Take> static void each_term(std::string_view text, Take&& take) {
    for (std::int64_t sign = 1; !text.empty();) {
      const std::size_t end = text.find_first_of("+-", 1);
      std::string_view term = text.substr(0, end);
      if (term[0] == '+' || term[0] == '-') {
        sign = term[0] == '-' ? -1 : 1;
        term.remove_prefix(1);
      }
      std::int64_t factor = 1;
      const auto [digits, error] = std::from_chars(term.data(), term.data() + term.size(), factor);
      if (error == std::errc()) term.remove_prefix(static_cast<std::size_t>(digits - term.data()));
      if (!term.empty() && term[0] == '*') term.remove_prefix(1);
      const bool sum = term.substr(0, 4) == "sum(";
      take(sign * factor, std::string(sum ? term.substr(4, term.size() - 5) : term), sum);
      text = end == text.npos ? std::string_view() : text.substr(end);
    }
  }

  const Setup& setup_;
  std::map<std::string, std::int64_t> dimensions_;
  std::map<std::string, Shape> wholes_, items_;
  std::map<std::string, int> counts_;
};

} // namespace hilda::testing

#endif
