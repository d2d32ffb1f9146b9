// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"
#include "tools/studio/detail/clients/session.h"

namespace hilda::studio {

// What a client has received once is updated by what has changed in it: of a thousand blocks an edit means one,
// and nearly all of the time would go into telling the others.

/// What makes `now` out of a list of objects: `cut` `[at, removed, [new ones]]` or none, then `entries` `[[index,
/// value]]`, then `shifts` `[[key, first, count, by]]` of those that are counted through: of as many, from the first
/// on, the number `key` is another one by as much. Makes it so.
Json list_changes(Json& before, const Json& now);
bool is_none(const Json& changes);

/// Of a drawing its lists by their changes, all else as it is now. Makes it so.
/// @param same  becomes false where something has changed
Json scene_changes(Json& before, const Json& now, bool& same);

/// Of all that `hello` says: the parts that have changed, lists and the drawing by their changes. Updates `before`.
Json hello_changes(Json& before, const Json& now);

} // namespace hilda::studio
