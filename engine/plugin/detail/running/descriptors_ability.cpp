// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/descriptors_ability.h"

#include "engine/base/own_descriptors.h"

#include <exception>
#include <memory>

namespace hilda::plugin {
namespace {

void* watch(std::int32_t descriptor, const char* name) {
  try {
    return std::make_unique<base::OwnDescriptor>(descriptor, name != nullptr ? name : "of a plugin").release();
  } catch (const std::exception&) { return nullptr; }
}

void forget(void* watched) {
  const std::unique_ptr<const base::OwnDescriptor> ends(static_cast<base::OwnDescriptor*>(watched));
}

} // namespace

const hilda_descriptors_1& descriptors_ability() {
  static constexpr hilda_descriptors_1 table{sizeof(hilda_descriptors_1), 0, &watch, &forget};
  return table;
}

} // namespace hilda::plugin
