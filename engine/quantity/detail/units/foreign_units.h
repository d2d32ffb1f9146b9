// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <span>
#include <string>
#include <string_view>

namespace hilda::quantity {

/// A unit that hilda does not know, though people write it, and how much it is in one that hilda knows.
struct ForeignUnit {
  std::string_view name;
  std::string_view equals; ///< "0.0254 mm"
};
std::span<const ForeignUnit> foreign_units();

/// What to write in its place; empty where the name is none of them.
std::string help_for_foreign_unit(std::string_view name);

} // namespace hilda::quantity
