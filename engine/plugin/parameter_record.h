// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <cstddef>
#include <memory>
#include <string>

namespace hilda::plugin {

/// Zeroes for records, from the begin of a cache line to the end of one; given back with std::free.
char* zeroed_memory(std::size_t size);

/// Elements of a slot whose shape is made of numbers alone.
std::size_t fixed_count(const Slot& slot);

/// Does a parameter's range have this number, in SI?
bool within_range(const Slot& slot, double number);
/// "above 0 s and at most 1 s"
std::string range_text(const Slot& slot);

/// Copies a parameter's value into a record in which the slot's memory is bound.
void write_parameter(char* record, const Slot& slot, const Value& value);
/// The numbers of a value as a slot's memory has them, `room` at most.
void write_numbers(void* to, std::size_t room, const Slot& slot, const Value& value);
/// All parameters of a block.
void write_parameters(char* record, const SystemBlock& block, const BlockType& layout);

/// A record on its own that knows its parameters and nothing else: for feeds_through and infer.
class ParameterRecord {
public:
  explicit ParameterRecord(const SystemBlock& block);
  ~ParameterRecord();
  ParameterRecord(const ParameterRecord&) = delete;
  ParameterRecord& operator=(const ParameterRecord&) = delete;
  void* get() const { return record_; }

private:
  const BlockType& type_;
  std::unique_ptr<char, void (*)(void*)> memory_;
  void* record_;
};

} // namespace hilda::plugin
