// SPDX-License-Identifier: BSD-3-Clause
#include "tests/values/wrong_values.h"

#include "engine/quantity/value.h"
#include "tests/modules.h"

#include <cmath>

namespace hilda::test {
namespace {

const std::vector<WrongValue> broken_expressions = {{"unknown name in ${}", "${no_such_name}"},
                                                    {"broken ${}", "${1 +}"},
                                                    {"open ${", "1 ${"},
                                                    {"${} in ${}", "${${no_such_name}}"}};

const std::vector<WrongValue> no_numbers = {{"ragged matrix", "1;2 3"},
                                            {"ragged matrix", "-5 0; 0"},
                                            {"empty row", "1;;2"},
                                            {"empty first row", ";1"},
                                            {"empty", ""},
                                            {"blanks", "   "},
                                            {"NaN", "nan"},
                                            {"NaN among numbers", "1 NaN 2"},
                                            {"beyond a double", "1e400"},
                                            {"beyond a double", "-1e400"},
                                            {"unknown unit", "1 nonsense"},
                                            {"text", "fast"},
                                            {"decimal comma", "1,5"},
                                            {"hexadecimal", "0x10"},
                                            {"two signs", "--5"},
                                            {"open exponent", "1e"},
                                            {"boolean for number", "true"},
                                            {"two points", "1.2.3"},
                                            {"number behind unit", "1 m 2"},
                                            {"commas between", "1, 2, 3"},
                                            {"brackets", "[1 2 3]"}};

std::string repeated(const std::string& word, std::int64_t count) {
  std::string text;
  for (std::int64_t i = 0; i < count; ++i) text += (i == 0 ? "" : " ") + word;
  return text;
}

void add(std::vector<WrongValue>& list, const std::vector<WrongValue>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

bool fixed_vector(const Slot& slot) { return slot.shape.fixed() && slot.shape.cols.constant == 1; }

void add_numbers(std::vector<WrongValue>& list, const Slot& slot) {
  add(list, no_numbers);
  if (slot.unit.fixed()) list.push_back({"another unit", "1 kg5 mol3"});
  if (fixed_vector(slot)) {
    const std::int64_t count = slot.shape.rows.constant;
    const std::string one = sound_value(slot).substr(0, sound_value(slot).find(' '));
    list.push_back({"too many", repeated(one, count + 1)});
    if (count > 1) list.push_back({"too few", repeated(one, count - 1)});
    list.push_back({"matrix for vector", "1 2;3 4"});
  }
  if (slot.element != HILDA_F64) {
    add(list, {{"no whole number", "1.5"}, {"infinite", "inf"}, {"beyond whole numbers", "1e300"}});
    if (slot.element == HILDA_U64) list.push_back({"negative", "-1"});
  }
  const std::int64_t count = fixed_vector(slot) ? slot.shape.rows.constant : 1;
  const auto outside = [&](double number) { list.push_back({"out of range", repeated(decimal(number), count)}); };
  if (std::isfinite(slot.minimum)) {
    outside(slot.minimum - 1 - std::abs(slot.minimum));
    if (slot.is(HILDA_ABOVE)) outside(slot.minimum);
  }
  if (std::isfinite(slot.maximum)) {
    outside(slot.maximum + 1 + std::abs(slot.maximum));
    if (slot.is(HILDA_BELOW)) outside(slot.maximum);
  }
}

} // namespace

std::vector<WrongValue> wrong_values(const Slot& slot) {
  std::vector<WrongValue> list = broken_expressions;
  switch (slot.element) {
  case HILDA_F64:
  case HILDA_I64:
  case HILDA_U64: add_numbers(list, slot); break;
  case HILDA_U8:
    add(list, {{"no boolean", "maybe"},
               {"empty", ""},
               {"number for boolean", "1"},
               {"number for boolean", "2"},
               {"ragged matrix", "1;2 3"}});
    if (slot.shape.fixed() && slot.shape.rows.constant == 1) list.push_back({"too many", "true false true"});
    break;
  case HILDA_CHOICE:
    add(list, {{"no choice", "no such word"}, {"empty", ""}, {"number for choice", "1"}, {"ragged matrix", "1;2 3"}});
    break;
  case HILDA_PATH:
    add(list, {{"outside of the roots", "../../../../../../../../etc/passwd"},
               {"absolute path", "/etc/passwd"},
               {"no file", "no_such_file"}});
    break;
  default: break;
  }
  return list;
}

std::string sound_value(const Slot& slot) {
  if (slot.element == HILDA_CHOICE) return slot.choices.front();
  if (slot.element == HILDA_U8) return "true";
  if (slot.element == HILDA_TEXT) return "x";
  if (slot.element == HILDA_PATH) return "";
  double number = 1;
  if (std::isfinite(slot.minimum) && !(number > slot.minimum)) number = slot.minimum + 1;
  if (std::isfinite(slot.maximum) && !(number < slot.maximum)) {
    const double low = std::isfinite(slot.minimum) ? slot.minimum : slot.maximum - 2;
    number = slot.element == HILDA_F64 ? (low + slot.maximum) / 2 : slot.maximum;
  }
  return repeated(decimal(number), fixed_vector(slot) ? slot.shape.rows.constant : 1);
}

} // namespace hilda::test
