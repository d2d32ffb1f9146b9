// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/edit/seen_views.h"

#include "tools/studio/detail/desks/list_changes.h"

#include <chrono>
#include <utility>

namespace hilda::studio {
namespace {

constexpr std::size_t most_seen = 16; ///< places; then they are all reported again

} // namespace

SeenViews::SeenViews()
    : last_(std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch())
                .count()) {}

/// What was seen becomes what there is now.
void SeenViews::take(Seen& seen, Json elements, Json wires, const Json* scene) {
  const bool has_drawing = scene != nullptr && !scene->is_null();
  if (!has_drawing || seen.scene.is_null()) {
    seen = {++last_, 0, std::move(elements), std::move(wires), has_drawing ? *scene : Json(), Json()};
    return;
  }
  bool same = true;
  Json changes{{"scene", scene_changes(seen.scene, *scene, same)},
               {"elements", list_changes(seen.elements, elements)},
               {"wires", list_changes(seen.wires, wires)}};
  if (same && is_none(changes["elements"]) && is_none(changes["wires"])) return;
  seen.before = std::exchange(seen.number, ++last_);
  seen.changes = std::move(changes);
}

void SeenViews::tell(Json& reply, const std::string& place, std::int64_t since, Json elements, Json wires,
                     const Json* scene) {
  if (seen_.size() >= most_seen && !seen_.contains(place)) seen_.clear();
  Seen& seen = seen_[place];
  take(seen, std::move(elements), std::move(wires), scene);
  reply["number"] = seen.number;
  const bool unchanged = since != 0 && since == seen.number && !seen.scene.is_null();
  if (unchanged)
    reply["changes"] = Json::object();
  else if (since != 0 && since == seen.before && !seen.changes.is_null())
    reply["changes"] = seen.changes;
  if (reply.contains("changes")) return;
  if (scene != nullptr) reply["scene"] = *scene;
  reply["elements"] = seen.elements;
  reply["wires"] = seen.wires;
}

} // namespace hilda::studio
