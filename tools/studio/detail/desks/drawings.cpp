// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/desks/drawings.h"

#include "engine/base/error.h"
#include "tools/graphics/loop_wires.h"

#include <algorithm>

namespace hilda::studio {

const Json* Drawings::last(const System& system, const Sources& sources, const Json& request, std::string& error,
                           bool whole) {
  constexpr int deepest = 20;
  constexpr std::size_t most_kept = 64;
  draw::SketchOptions options;
  options.inside = request.value("inside", std::string());
  options.depth = std::clamp(request.value("depth", 0), 0, deepest);
  for (const Json& each : request.value("open", Json::array()))
    if (each.is_string()) options.opened.insert(each.get<std::string>());
  const std::vector<std::string> paths = draw::subsystem_paths(system);
  if (!options.inside.empty() && std::find(paths.begin(), paths.end(), options.inside) == paths.end()) {
    error = "there is no subsystem " + in_quotes(options.inside);
    return nullptr;
  }
  options.hints = draw::hints_of(system, sources);
  problems_ = options.hints.problems;
  std::string open = options.inside + " " + std::to_string(options.depth);
  for (const std::string& each : options.opened) open += " " + each;
  const std::string closed = options.inside + " 0";
  const bool again = request.value("from_scratch", request.value("anew", false)); // `anew`: its name in 0.1.0
  if (places_.size() >= most_kept || again) places_.clear(), drawn_.clear();
  // a subsystem opened for the first time begins with the places that it has while it is closed
  if (const auto known = places_.find(closed); known != places_.end()) places_.try_emplace(open, known->second);
  draw::Sketch sketch = draw::sketch_of(system, options, whole ? draw::loop_wires(system) : std::vector<WireIndex>());
  Drawn& drawn = drawn_[open];
  // who is where takes most of the time, and another value of a parameter hardly ever moves anything
  if (drawn.scene.is_null() || !draw::retell(drawn.scene, drawn.sketch, sketch))
    drawn.scene = draw::scene(sketch, places_[open], drawn.routes);
  drawn.sketch = std::move(sketch);
  return &drawn.scene;
}

} // namespace hilda::studio
