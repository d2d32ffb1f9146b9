// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"
#include "tools/studio/detail/clients/requests.h"

#include <cstdint>
#include <map>
#include <string>

namespace hilda::studio {

/// The last views that clients have got, so that the next one of the same place shows just what has changed in it
/// (list_changes).
class SeenViews {
public:
  SeenViews();

  /// Adds elements, wires and the drawing to a reply, with the `number` of this view: all of them, or as `changes`
  /// where `since` is the number of the place's last one, or, since several clients watch, of the one before that.
  /// @param scene  null: there is no drawing, or none is required
  void tell(Json& reply, const std::string& place, std::int64_t since, Json elements, Json wires, const Json* scene);

private:
  struct Seen {
    std::int64_t number = 0; ///< another one, never 0, whenever something has changed
    std::int64_t before = 0; ///< the number of the one that `changes` begin with
    Json elements, wires, scene;
    Json changes; ///< from the one before; null: there is none
  };
  void take(Seen& seen, Json elements, Json wires, const Json* scene);

  std::map<std::string, Seen> seen_; ///< by place
  std::int64_t last_; ///< begins with the time, so that a page that continues with another server receives all
};

} // namespace hilda::studio
