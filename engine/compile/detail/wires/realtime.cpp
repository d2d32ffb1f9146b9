// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/wires/realtime.h"

#include "engine/base/error.h"
#include "engine/compile/detail/wires/bounds.h"

#include <algorithm>

namespace hilda::compile {
namespace {

constexpr int lowest_priority = 1, highest_priority = 99; // of SCHED_FIFO on Linux
constexpr int most_processors = 1024;
constexpr int most_lost = 1000; // cycles in a row

class RealtimeReader {
public:
  RealtimeReader(Flattened& flat, FlattenContext& context) : flat_(flat), context_(context) {}

  void read(const Instance& at, const RealtimeDecl& declared) {
    RealtimeSettings& into = flat_.system.realtime;
    if (into.where.file != nullptr) {
      context_.diagnostics.error("duplicate-realtime", declared.where, "the loop has a <realtime> already",
                                 "a diagram has one loop: keep one of the elements",
                                 {{into.where, "the other is here"}});
      return;
    }
    into.where = declared.where;
    for (const Attribute& attribute : declared.values) {
      const std::vector<int> numbers = integers(at, attribute);
      if (numbers.empty()) continue;
      if (attribute.name == "priority")
        priority(attribute, numbers, into);
      else if (attribute.name == "lost_in_a_row")
        lost_in_a_row(attribute, numbers, into);
      else
        processors(numbers, into);
    }
  }

private:
  /// None after a report.
  std::vector<int> integers(const Instance& at, const Attribute& attribute) {
    const std::optional<Value> given = flat_.evaluation.settle(attribute.text, attribute.where, at.scope);
    if (!given) return {};
    Wanted wanted;
    wanted.element = Wanted::Element::integer;
    wanted.extent = given->extent.rank == 0 ? Extent::scalar() : Extent::vector(-1);
    const Result<Shaped> fitted = fit(*given, wanted);
    if (!fitted) {
      refuse(attribute, fitted.error().what);
      return {};
    }
    std::vector<int> numbers;
    for (const double number : fitted->numbers) {
      if (number < 0 || number >= (attribute.name == "lost_in_a_row" ? most_lost + 1 : most_processors)) {
        refuse(attribute, decimal(number) + " is not possible");
        return {};
      }
      numbers.push_back(static_cast<int>(number));
    }
    return numbers;
  }

  void priority(const Attribute& attribute, const std::vector<int>& numbers, RealtimeSettings& into) {
    if (numbers.size() == 1 && numbers.front() >= lowest_priority && numbers.front() <= highest_priority)
      into.priority = numbers.front();
    else
      refuse(attribute,
             numbers.size() == 1 ? std::to_string(numbers.front()) + " is not possible" : "it is one number");
  }

  void lost_in_a_row(const Attribute& attribute, const std::vector<int>& numbers, RealtimeSettings& into) {
    if (numbers.size() == 1)
      into.lost_in_a_row = numbers.front();
    else
      refuse(attribute, "it is one number");
  }

  static void processors(std::vector<int> numbers, RealtimeSettings& into) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    into.processors = std::move(numbers);
  }

  void refuse(const Attribute& attribute, const std::string& what) {
    context_.diagnostics.error("realtime-value", attribute.where, in_quotes(attribute.name) + ": " + what,
                               what_to_do(attribute.name));
  }

  static const char* what_to_do(const std::string& name) {
    if (name == "priority") return "the priority is one of SCHED_FIFO, a whole number from 1 to 99";
    if (name == "lost_in_a_row")
      return "so many cycles in a row may be lost: a whole number from 0 to 1000; leave it out for 5";
    return "processors are numbered from 0: processors=\"2 3\"; leave it out for any";
  }

  Flattened& flat_;
  FlattenContext& context_;
};

} // namespace

void read_realtime(Flattened& flat, FlattenContext& context) {
  RealtimeReader reader(flat, context);
  each_declared(*flat.top, &DiagramDecl::realtime, flat.system.mode,
                [&](const Instance& at, const RealtimeDecl& declared) { reader.read(at, declared); });
}

} // namespace hilda::compile
