// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/input.h"

#include "engine/base/error.h"
#include "engine/quantity/value.h"
#include "engine/session/detail/live/inputs/inputs.h"
#include "engine/session/detail/live/inputs/rate.h"
#include "engine/session/find_input.h"

#include <cmath>
#include <cstring>

namespace hilda::session {
namespace {

std::string counted(std::size_t count) { return std::to_string(count) + (count == 1 ? " number" : " numbers"); }

bool whole(hilda_element element, double number) noexcept {
  if (element == HILDA_F64) return true;
  if (element == HILDA_U8) return number == 0 || number == 1;
  return number == std::trunc(number);
}

/// "has 3 numbers", "has 2x3 numbers"
std::string shape_of(const Input& input) {
  return input.cols() == 1 ? counted(input.size())
                           : std::to_string(input.rows()) + "x" + std::to_string(input.cols()) + " numbers";
}

} // namespace

/// Which of the reasons it is.
Written Input::refused(std::span<const double> numbers) const noexcept {
  for (const double number : numbers) {
    if (!std::isfinite(number)) return Written::not_finite;
    if (!(number >= least_ && number <= most_)) return Written::out_of_range;
  }
  return Written::not_whole;
}

Written Input::look(std::span<const double> numbers) const noexcept {
  if (!open()) return Written::gone;
  if (numbers.size() != staged_.size()) return Written::other_size;
  bool good = true;
  for (const double number : numbers) good = good && number >= least_ && number <= most_ && whole(element_, number);
  return good ? Written::taken : refused(numbers);
}

Written Input::write(std::span<const double> numbers) noexcept {
  Inputs* const owner = owner_.load(std::memory_order_relaxed);
  if (numbers.size() == 1 && staged_.size() == 1 && element_ == HILDA_F64 && numbers[0] >= least_ &&
      numbers[0] <= most_ && owner != nullptr && !owner->ends() && !rated()) { // most of them
    staged_[0] = std::bit_cast<std::uint64_t>(numbers[0]);
    owner->wait(*this);
    return Written::taken;
  }
  const Written looked = look(numbers);
  if (looked != Written::taken) return looked;
  if (owner == nullptr || owner->ends()) return Written::gone;
  if (rated() && !owner->within_rate(*this, numbers)) return Written::too_fast;
  if (element_ == HILDA_F64)
    std::memcpy(staged_.data(), numbers.data(), numbers.size_bytes());
  else
    for (std::size_t i = 0; i < numbers.size(); ++i) staged_[i] = word_of(element_, numbers[i]);
  owner->wait(*this);
  return Written::taken;
}

std::string Input::refusal(Written why, std::span<const double> numbers) const {
  const std::string name = "input " + in_quotes(path_);
  const std::string of = unit_.empty() ? "" : " " + unit_;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string which = size() == 1 ? "" : "element " + std::to_string(i) + " of ";
    const double number = numbers[i];
    if (why == Written::not_finite && !std::isfinite(number))
      return which + name + " would be " + decimal(number) + ": write a finite number";
    if (why == Written::out_of_range && !(number >= least_ && number <= most_))
      return which + name + " would be " + decimal(number) + of + ", but must be " + range_;
    if (why == Written::not_whole && !whole(element_, number))
      return which + name + " would be " + decimal(number) + ", but takes " +
             (element_ == HILDA_U8 ? "0 or 1" : "whole numbers");
  }
  switch (why) {
  case Written::other_size:
    return name + " has " + shape_of(*this) + ", and " + counted(numbers.size()) +
           " came: its shape was settled when the diagram was loaded";
  case Written::too_fast:
    return name + " would move by more at once than its rate of " + decimal(rate_) +
           (unit_.empty() ? " 1/s" : of + "/s") +
           " allows for the time since it moved last: go there in steps of at most " + decimal(rate_ * longest_still) +
           of + ", " + decimal(longest_still) + " s from one to the next";
  case Written::no_room: return name + ": too much waits for the loop; write it again after a tick";
  case Written::gone:
    return name + " belongs to a diagram that was reloaded or has ended: ask the present one for its input";
  case Written::other_run: return name + " belongs to another run: ask this one for its input";
  default: return {};
  }
}

} // namespace hilda::session
