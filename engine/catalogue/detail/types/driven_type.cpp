// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/driven_type.h"

#include <string_view>
#include <utility>

namespace hilda::catalogue {
namespace {

void copy_driven(const BlockType& base, const std::vector<SlotIndex>& parameters, BlockType& made) {
  made.name = base.name, made.doc = base.doc, made.plugin = base.plugin;
  made.order = base.order;
  made.ports = base.ports;
  made.slots = base.slots;
  auto abi = std::make_shared<hilda_block_type>(*base.abi);
  for (const SlotIndex parameter : parameters) {
    Slot input = base.slots[parameter];
    input.role = HILDA_INPUT;
    input.flags = HILDA_BOUND | (input.flags & HILDA_ROTATIONAL);
    input.initial.reset();
    abi->record_size = (abi->record_size + alignof(hilda_view) - 1) / alignof(hilda_view) * alignof(hilda_view);
    input.offset = abi->record_size;
    input.second_offset = 0;
    abi->record_size += sizeof(hilda_view);
    made.slots.push_back(std::move(input));
  }
  made.abi = abi.get();
  made.copy = std::move(abi);
}

/// A state's initial value, of a type that was made for its block: it counts when the block starts.
bool starts_a_state(const BlockType& type, const Slot& parameter) {
  constexpr std::string_view ending = "_initial";
  const std::string& name = parameter.name;
  return type.ports != nullptr && name.ends_with(ending) &&
         type.find(name.substr(0, name.size() - ending.size()), HILDA_STATE).valid();
}

} // namespace

bool may_be_driven(const BlockType& type, const Slot& parameter) {
  const bool number = parameter.element == HILDA_F64 || parameter.element == HILDA_I64 ||
                      parameter.element == HILDA_U64 || parameter.element == HILDA_U8;
  // what a block acquires comes before any wire of the tick
  return parameter.role == HILDA_PARAMETER && parameter.is(HILDA_LIVE) && number && type.abi != nullptr &&
         type.abi->acquire == nullptr && !starts_a_state(type, parameter);
}

std::shared_ptr<const BlockType> driven_type(const BlockType& base, const std::vector<SlotIndex>& parameters) {
  auto made = std::make_shared<BlockType>();
  copy_driven(base, parameters, *made);
  for (const auto& variant : base.variants) {
    made->variants.push_back(std::make_unique<BlockType>());
    copy_driven(*variant, parameters, *made->variants.back());
  }
  return made;
}

std::vector<DrivenParameter> driven_parameters(const BlockType& type) {
  std::vector<DrivenParameter> all;
  if (!has_driven(type)) return all;
  for (std::size_t i = type.abi->slot_count; i < type.slots.size(); ++i) {
    const SlotIndex input(i);
    all.push_back({type.find(type.slots[input].name, HILDA_PARAMETER), input});
  }
  return all;
}

bool is_driven(const BlockType& type, SlotIndex parameter) {
  if (!has_driven(type)) return false;
  for (std::size_t i = type.abi->slot_count; i < type.slots.size(); ++i)
    if (type.slots[SlotIndex(i)].name == type.slots[parameter].name) return true;
  return false;
}

} // namespace hilda::catalogue
