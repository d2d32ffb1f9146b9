// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_CHECK_MANY_H
#define HILDA_TESTING_CHECK_MANY_H

// The functions for many records at once do what those for one do.

#include <hilda/testing/check_lanes.h>

namespace hilda::testing::detail {

/// Two instances that are called together, by the functions for many.
class Together {
public:
  Together(const Subject& subject, bool in_one_step)
      : table_(subject.type->table()), in_one_step_(in_one_step), one_(*subject.type, subject.setup),
        two_(*subject.type, subject.setup), first_(one_.record() < two_.record() ? one_ : two_),
        second_(&first_ == &one_ ? two_ : one_) {
    // in one step: when the state outputs of both are there
    Bench &caller = in_one_step ? second_ : first_, &other = in_one_step ? first_ : second_;
    caller.surround([this, &caller](const char* phase, const std::function<void()>& body) {
      if (!taken(phase, caller.tick())) return body();
      if (const Many function = many(phase)) call(function);
    });
    other.surround([this, &other](const char* phase, const std::function<void()>& body) {
      if (!taken(phase, other.tick())) body();
    });
  }
  Bench& first() { return first_; }
  Bench& second() { return second_; }

private:
  using Many = void (*)(void*, std::uint64_t, std::uint64_t, const hilda_tick*);

  Many many(const std::string& phase) const {
    if (in_one_step_) return phase == "output" ? table_.step_many : nullptr;
    if (phase == "state_output") return table_.state_output_many;
    if (phase == "output") return table_.output_many;
    if (phase == "update") return table_.update_many;
    return nullptr;
  }
  // The first tick is left to the functions for one: between two records, prime comes before the outputs of both.
  bool taken(const std::string& phase, std::int64_t tick) const {
    if (tick == 0) return false;
    if (in_one_step_ && !first_.computes_output()) return false;
    return many(phase) != nullptr || (in_one_step_ && phase == "update");
  }
  void call(Many function) {
    const auto stride = static_cast<std::uint64_t>(static_cast<const char*>(second_.record()) -
                                                   static_cast<const char*>(first_.record()));
    const hilda_tick now = first_.now();
    function(first_.record(), stride, 2, &now);
  }

  const hilda_block_type& table_;
  bool in_one_step_;
  Bench one_, two_;
  Bench &first_, &second_;
};

inline std::string compare_many(const Subject& subject, bool in_one_step) {
  Together together(subject, in_one_step);
  Bench alone(*subject.type, subject.setup), other(*subject.type, subject.setup);
  // the second of the two gets other inputs: a function that serves only one of them is found
  const Stimulus later = [&](const Piece& input, std::int64_t tick, std::vector<double>& numbers) {
    subject.stimulus(input, tick + 7, numbers);
  };
  Bench &first = together.first(), &second = together.second();
  for (std::int64_t tick = 0; tick < subject.ticks && alone.verdict() == HILDA_GO; ++tick) {
    drive(first, subject.stimulus), drive(alone, subject.stimulus), drive(second, later), drive(other, later);
    first.compute(), second.compute(), alone.compute(), other.compute();
    for (const auto& [many, one] : {std::pair(&first, &alone), std::pair(&second, &other)})
      if (const std::string name = difference(*many, *one, HILDA_OUTPUT); !name.empty())
        return "the output " + quoted(name) + " is another one" + at_tick(first);
    first.advance(), second.advance(), alone.advance(), other.advance();
    for (const auto& [many, one] : {std::pair(&first, &alone), std::pair(&second, &other)})
      if (const std::string name = difference(*many, *one, HILDA_STATE); !name.empty())
        return "the state " + quoted(name) + " is another one" + at_tick(first);
  }
  return {};
}

inline Outcome check_many(const Subject& subject) {
  const hilda_block_type& table = subject.type->table();
  if (table.derivative != nullptr) return not_applicable("of continuous blocks the functions for one are checked");
  const bool separate =
      table.state_output_many != nullptr || table.output_many != nullptr || table.update_many != nullptr;
  if (const std::string differs = check_lanes(subject); !differs.empty()) return failed(differs);
  if (!separate && table.step_many == nullptr) return not_applicable("it has no functions for many records");
  if (separate)
    if (const std::string differs = compare_many(subject, false); !differs.empty())
      return failed("by the functions for many records " + differs);
  if (table.step_many != nullptr)
    if (const std::string differs = compare_many(subject, true); !differs.empty())
      return failed("by step_many " + differs);
  return passed();
}

} // namespace hilda::testing::detail

#endif
