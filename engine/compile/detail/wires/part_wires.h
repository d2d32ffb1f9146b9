// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/detail/wires/borders.h"
#include "engine/modules.h"

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hilda::compile {

/// A `<connect>` that ends at an input with parts.
struct PartedWire {
  WireEnd from;
  BlockIndex block; ///< at which it ends
  const PartedPort* port = nullptr;
  const ConnectDecl* declared = nullptr;
  std::string_view part{}; ///< ".arm": of an input with parts that is a part itself
};

/// Makes one wire to each part of an input of a wire to all of them. The bus that comes must have the same parts:
/// units and shapes are then checked as those of any wire. Code: port-parts.
class PartWires {
public:
  /// Gets the wires, which last as long as this object, and the input at which each ends.
  using Take = std::function<void(const Connection& made, const PortRef& to)>;

  PartWires(const Flattened& flat, Borders& borders, FlattenContext& context, Take take)
      : flat_(flat), borders_(borders), context_(context), take_(std::move(take)) {}

  /// When the drivers of all borders are known.
  void spread(const PartedWire& wire);

private:
  void spread_bus(const PartedWire& wire, const SignalOrigin& bus);
  void spread_alike(const PartedWire& wire);
  void lead(const PartedWire& wire, const std::string& part, const WireEnd& from);
  void refuse_signal(const PartedWire& wire);
  void compare(const PartedWire& wire, const Bus& bus);
  std::string help_without_shared(const PartedWire& wire, const std::vector<std::string>& brought);
  WireEnd part_of(const WireEnd& whole, const std::string& part);
  const Slot* slot(const PartedWire& wire, const std::string& part) const;
  std::string port_text(const PartedWire& wire) const;
  Note port_note(const PartedWire& wire) const;

  const Flattened& flat_;
  Borders& borders_;
  FlattenContext& context_;
  Take take_;
  std::deque<std::string> parts_; ///< that the ends of the wires name
  std::deque<ConnectDecl> declared_;
};

} // namespace hilda::compile
