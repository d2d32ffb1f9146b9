// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "equation_body.h"

#include <hilda/block.h>
#include <hilda/flags.h>
#include <hilda/ports.h>
#include <memory>

namespace equations {

/// What a block is whose slots the diagram writes, before it is written: its name and words, and no slots.
inline hilda_block_type plain_type(const char* name, const char* doc, std::uint32_t flags,
                                   const void* (*extension)(const char*)) {
  static constexpr hilda_slot none{};
  hilda_block_type type{};
  type.size = sizeof type;
  type.slots = &none;
  type.flags = flags | HILDA_RAISES_NO_FLAGS; // a constant may be infinite
  type.name = name;
  type.doc = doc;
  type.record_size = sizeof(RecordHead);
  type.record_align = 8;
  type.slot_stride = sizeof(hilda_slot);
  type.destroy = &destroy_record;
  type.extension = extension;
  return type;
}

/// One that a diagram wrote: its model and its descriptor.
template <class Model> struct Written {
  hilda_block_type type{}; // comes first: the engine gives this back
  std::unique_ptr<Model> model;

  /// With the slots that the body declares, and without phases; null where the body has mistakes, which it reports.
  static std::unique_ptr<Written> read(const hilda_body* body, const hilda_block_type& plain) {
    auto made = std::make_unique<Written>();
    made->model = std::make_unique<Model>(*body);
    if (!made->model->read()) return nullptr;
    made->type = plain;
    made->type.flags &= ~HILDA_RAISES_NO_FLAGS; // a word between a plugin's files, not for the engine
    made->type.record_size = made->model->record_size;
    made->type.slots = made->model->slots();
    made->type.slot_count = made->model->slot_count;
    return made;
  }

  static void release(const hilda_block_type* type) {
    delete reinterpret_cast<Written*>(const_cast<hilda_block_type*>(type));
  }
};

inline void bind_record(const hilda_block_type* type, void* record) {
  static_cast<RecordHead*>(record)->body = &Body::of(type->slots);
}

} // namespace equations
