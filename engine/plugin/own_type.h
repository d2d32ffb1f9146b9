// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/catalogue/catalogue.h"
#include "engine/diagram/diagram.h"
#include "engine/modules.h"

#include <memory>
#include <string>

namespace hilda::plugin {

/// Whether each block of this type has its own slots, by what is inside it ("hilda.ports/1").
bool has_own_slots(const BlockType& type);

/// Asks a plugin for the type of one block. Elements with `value` or `initial` have a `unit` and a `shape`. Null after
/// a report. Codes: block-body, plugin-descriptor.
std::shared_ptr<const BlockType> make_own_type(const BlockType& base, const std::string& path, const BlockDecl& block,
                                               Diagnostics& diagnostics);

/// Gives a fresh record which type it is of, where that was made for its block.
void bind_own_type(const BlockType& type, void* record);

} // namespace hilda::plugin
