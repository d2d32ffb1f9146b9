// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/parameter_record.h"

#include "engine/plugin/kept_paths.h"
#include "engine/plugin/own_type.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>

namespace hilda::plugin {

namespace {

template <typename T> T* at(char* record, std::uint64_t offset) { return reinterpret_cast<T*>(record + offset); }

constexpr std::size_t rounded(std::size_t size) { return (size + 7) / 8 * 8; }

std::size_t behind_bytes(const SystemBlock& block, const BlockType& layout) {
  std::size_t total = 0;
  for (const ParameterValue& p : block.parameters)
    if (layout.slots[p.slot].is(HILDA_BOUND)) total += rounded(p.value.numbers.size() * 8);
  return total;
}

void bind_parameters(char* record, char* behind, const SystemBlock& block, const BlockType& layout) {
  for (const ParameterValue& p : block.parameters) {
    const Slot& slot = layout.slots[p.slot];
    if (!slot.is(HILDA_BOUND)) continue;
    *at<hilda_array>(record, slot.offset) = {behind, p.value.extent.rows, p.value.extent.cols};
    behind += rounded(p.value.numbers.size() * 8);
  }
}

} // namespace

char* zeroed_memory(std::size_t size) {
  constexpr std::size_t cache_line = 64;
  const std::size_t whole = (size + cache_line - 1) / cache_line * cache_line + cache_line;
  void* p = std::aligned_alloc(cache_line, whole);
  if (p == nullptr) throw std::bad_alloc();
  std::memset(p, 0, whole);
  return static_cast<char*>(p);
}

std::size_t fixed_count(const Slot& slot) {
  switch (slot.kind) {
  case HILDA_WRENCH:
  case HILDA_TWIST: return 6;
  case HILDA_POSE: return 7;
  case HILDA_QUATERNION: return 4;
  case HILDA_PLAIN: break;
  }
  return static_cast<std::size_t>(slot.shape.rows.constant * slot.shape.cols.constant);
}

bool within_range(const Slot& slot, double number) {
  const double least = slot.declared.to_si(slot.minimum), most = slot.declared.to_si(slot.maximum);
  const bool above = slot.is(HILDA_ABOVE) ? number > least : number >= least;
  const bool below = slot.is(HILDA_BELOW) ? number < most : number <= most;
  return above && below;
}

std::string range_text(const Slot& slot) {
  const bool bare = slot.unit_text.empty() || slot.unit_text == "1" || !slot.unit.fixed();
  const std::string unit = bare ? "" : " " + slot.unit_text;
  const bool low = std::isfinite(slot.minimum) || slot.is(HILDA_ABOVE),
             high = std::isfinite(slot.maximum) || slot.is(HILDA_BELOW);
  std::string text;
  if (low) text += (slot.is(HILDA_ABOVE) ? "above " : "at least ") + decimal(slot.minimum) + unit;
  if (low && high) text += " and ";
  if (high) text += (slot.is(HILDA_BELOW) ? "below " : "at most ") + decimal(slot.maximum) + unit;
  return text.empty() ? "a number" : text;
}

void write_parameter(char* record, const Slot& slot, const Value& value) {
  if (slot.element == HILDA_TEXT || slot.element == HILDA_PATH) {
    const bool constants = slot.is(HILDA_EXPRESSION) && !value.with_constants().empty();
    const char* const text = slot.element == HILDA_PATH ? KeptPaths::opened_as(value.text) : value.text.c_str();
    *at<const char*>(record, slot.offset) = constants ? value.with_constants().c_str() : text;
    return;
  }
  void* to = slot.is(HILDA_BOUND) ? at<hilda_array>(record, slot.offset)->data : record + slot.offset;
  const std::size_t room = slot.is(HILDA_BOUND)           ? value.numbers.size()
                           : slot.element == HILDA_CHOICE ? 1
                                                          : fixed_count(slot);
  write_numbers(to, room, slot, value);
}

void write_numbers(void* to, std::size_t room, const Slot& slot, const Value& value) {
  for (std::size_t i = 0; i < value.numbers.size() && i < room; ++i) {
    const double number = value.numbers[i];
    switch (slot.element) {
    case HILDA_F64: static_cast<double*>(to)[i] = number; break;
    case HILDA_I64:
    case HILDA_CHOICE: static_cast<std::int64_t*>(to)[i] = static_cast<std::int64_t>(number); break;
    case HILDA_U64: static_cast<std::uint64_t*>(to)[i] = static_cast<std::uint64_t>(number); break;
    case HILDA_U8: static_cast<std::uint8_t*>(to)[i] = number != 0 ? 1 : 0; break;
    case HILDA_TEXT:
    case HILDA_PATH: break;
    }
  }
}

void write_parameters(char* record, const SystemBlock& block, const BlockType& layout) {
  for (const ParameterValue& p : block.parameters) write_parameter(record, layout.slots[p.slot], p.value);
}

ParameterRecord::ParameterRecord(const SystemBlock& block)
    : type_(*block.type),
      memory_(zeroed_memory(rounded(type_.abi->record_size) + behind_bytes(block, type_)), &std::free) {
  record_ = memory_.get();
  if (type_.abi->construct != nullptr) type_.abi->construct(record_);
  bind_own_type(type_, record_);
  bind_parameters(static_cast<char*>(record_), memory_.get() + rounded(type_.abi->record_size), block, type_);
  write_parameters(static_cast<char*>(record_), block, type_);
}

ParameterRecord::~ParameterRecord() {
  if (type_.abi->destroy != nullptr) type_.abi->destroy(record_);
}

} // namespace hilda::plugin
