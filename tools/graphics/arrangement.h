// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/detail/draw/layout/layout.h"
#include "tools/modules.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace hilda::graphics::draw {

/// Who is where in a drawing, and which wires are tags: what the next drawing of the edited diagram keeps. It
/// is in the picture, as text that no viewer shows.
struct Arrangement {
  struct Place {
    int row = 0, column = 0;      ///< row -1: a sink, which is where there is room
    bool joined = true;           ///< with others, by lines or tags
    std::optional<Anchor> anchor; ///< where it is; not in drawings of old
    double width = 0, height = 0; ///< of the symbol with its tags, px
  };
  std::map<std::string, Place> places; ///< by path; of a port of what is drawn "<name" or ">name" behind its path
  std::set<std::string> tags;          ///< "rig figures wrench": from, to and input

  /// Instead of what was known of what the sketch shows.
  void note(const Sketch& sketch, const Placement& placement);
  std::string metadata() const; ///< as an element of an SVG
};

/// The arrangement in an SVG; none, and `error`, where it holds none.
std::optional<Arrangement> arrangement_in(const std::string& svg, std::string& error);

/// An order and a fold as in an earlier drawing, with anchors for what it had; symbols that it did not have are
/// behind what feeds them. None where it knows fewer than half of the symbols.
struct Kept {
  Order order;
  Fold fold;
  std::map<int, std::string> names; ///< of the symbols that were there, as the arrangement calls them
};
std::optional<Kept> kept(const Sketch& sketch, const Order& fresh, const Arrangement& earlier);

/// Of an anchor whether the symbol is another than before, as it is placed now. False where a symbol has another size
/// altogether, as a subsystem that was opened: then anchors say nothing.
bool mark_edited(const Sketch& sketch, const Placement& placement, const Arrangement& earlier, Kept& kept);

/// Tags as they were, and as `fresh` has them for arrows that were not there. Without a tag on a wire of an algebraic
/// loop or against the author's wish.
Tagged kept_tags(const Sketch& sketch, const Kept& kept, const Arrangement& earlier, Tagged fresh);

} // namespace hilda::graphics::draw
