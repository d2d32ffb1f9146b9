// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/output_limits.h"

#include "engine/base/error.h"

#include <cstddef>
#include <hilda/limits.h>
#include <optional>

namespace hilda::catalogue {
namespace {

/// Reads one entry. Nothing in it is believed before it is checked.
class LimitReader {
public:
  LimitReader(const BlockType& type, std::vector<std::string>& problems) : type_(type), problems_(problems) {}

  std::optional<OutputLimits> read(const hilda_limit& from) {
    const std::string output = from.output != nullptr ? from.output : "";
    made_.output = type_.find(output, HILDA_OUTPUT);
    if (!made_.output.valid() || slot(made_.output).element != HILDA_F64 || slot(made_.output).is(HILDA_REPEATED))
      return refuse("limits are of an output of real numbers that is given once, which " + in_quotes(output) +
                    " is not");
    const std::optional<OutputLimits::Limit> lower = limit(from.lower), upper = limit(from.upper);
    if (!lower || !upper) return std::nullopt;
    made_.lower = *lower, made_.upper = *upper;
    if (!lower->parameter.valid() && !upper->parameter.valid())
      return refuse("output " + in_quotes(output) + " has neither a lower nor an upper limit");
    if (*lower == *upper) return refuse("both limits of output " + in_quotes(output) + " are the same");
    return made_;
  }

private:
  static std::string unit_of(const Slot& slot) { return in_quotes(slot.unit_text.empty() ? "1" : slot.unit_text); }
  const Slot& slot(SlotIndex index) const { return type_.slots[index]; }

  std::nullopt_t refuse(const std::string& what) {
    problems_.push_back(type_.name + ": hilda.limits/1: " + what);
    return std::nullopt;
  }

  std::optional<OutputLimits::Limit> limit(const char* text) {
    OutputLimits::Limit made;
    if (text == nullptr) return made;
    made.negative = *text == '-';
    const std::string name = made.negative ? text + 1 : text;
    made.parameter = type_.find(name, HILDA_PARAMETER);
    if (!made.parameter.valid() || slot(made.parameter).element != HILDA_F64)
      return refuse("a limit is a parameter of real numbers, which " + in_quotes(name) + " is not");
    const UnitExpression &unit = slot(made.parameter).unit, &of_output = slot(made_.output).unit;
    if (unit.constant.unit == of_output.constant.unit && unit.variables == of_output.variables) return made;
    return refuse("parameter " + in_quotes(name) + " is in " + unit_of(slot(made.parameter)) + " and limits output " +
                  in_quotes(slot(made_.output).name) + ", which is in " + unit_of(slot(made_.output)));
  }

  const BlockType& type_;
  std::vector<std::string>& problems_;
  OutputLimits made_;
};

} // namespace

std::vector<OutputLimits> output_limits(const BlockType& type, std::vector<std::string>& problems) {
  std::vector<OutputLimits> all;
  if (type.abi == nullptr || type.abi->extension == nullptr) return all;
  const auto* table = static_cast<const hilda_limits_1*>(type.abi->extension("hilda.limits/1"));
  // A smaller one is none: an older plugin may answer to any name, which is for `test-plugin` to find.
  if (table == nullptr || table->size < sizeof *table) return all;
  if (table->limit_stride < sizeof(hilda_limit) || table->limit_stride % alignof(hilda_limit) != 0 ||
      table->limits == nullptr || table->limit_count > type.slots.size()) {
    problems.push_back(type.name + ": hilda.limits/1: its table is malformed: limit_stride or limit_count is not "
                                   "that of a hilda_limits_1, or limits is null");
    return all;
  }
  const auto* bytes = reinterpret_cast<const char*>(table->limits);
  for (std::uint64_t i = 0; i < table->limit_count; ++i)
    if (const auto made =
            LimitReader(type, problems).read(*reinterpret_cast<const hilda_limit*>(bytes + i * table->limit_stride)))
      all.push_back(*made);
  return all;
}

} // namespace hilda::catalogue
