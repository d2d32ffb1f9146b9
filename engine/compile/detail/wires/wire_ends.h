// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/signal_path.h"
#include "engine/compile/detail/flatten/flatten.h"
#include "engine/modules.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hilda::compile {

/// What one end of a wire names.
struct WireEnd {
  enum class Kind {
    block,  ///< a port of a block
    border, ///< a port of a subsystem, see Instance::first_port, or of a junction
    bus,    ///< what a bundle makes, or an output with parts
    parts,  ///< an input with parts
    absent, ///< something of another mode
    wrong   ///< nothing, which is reported
  };
  Kind kind = Kind::wrong;
  BlockIndex block{};
  SlotIndex slot{};
  int item = -1;
  std::size_t border = 0;
  JunctionIndex junction{};          ///< the bundle; of a border that a routing/From names, that
  const PartedPort* port = nullptr;  ///< of `block`: the output or input with parts
  std::string_view parts{};          ///< ".force.x", of a source
  const Instance* refused = nullptr; ///< of a destination that is wrong: a subsystem that has no such input
  bool mended = false; ///< of a destination: reported, and probably this was meant, so nothing else need drive it
};

/// The port that it names of a block whose type is known; else null.
const Slot* slot_of(const System& system, const WireEnd& end);

/// Finds what the paths of wires name. Paths begin with a port of the diagram in which they are, or with a block or
/// subsystem of it. Ports have dots in their names: the longest name counts.
/// Where the diagram has a bus, parts of what passes a border are looked at when its source is known (Borders).
/// Codes: bad-path, unknown-name, unknown-port, unknown-part, wrong-direction, inside-subsystem, part-destination,
/// fixed-parameter.
class WireEnds {
public:
  enum class Report { yes, no };

  WireEnds(const Flattened& flat, FlattenContext& context) : flat_(flat), context_(context) {}

  WireEnd source(const Instance& at, const std::string& text, Location where, Report report = Report::yes);
  WireEnd destination(const Instance& at, const std::string& text, Location where, Report report = Report::yes);
  /// Reports the names that are unknown, each once with all wires of its diagram that have it. After the last wire.
  void report_unknown_names();

private:
  enum class Side { source, destination };
  struct Query {
    const Instance& at;
    const std::string& text;
    Location where;
    Report report;
    Side side;
    bool is_source() const { return side == Side::source; }
  };

  WireEnd in_element(const Query& query, const SignalPath& path);
  WireEnd in_block(const Query& query, std::size_t block, std::string_view rest);
  WireEnd in_parted_port(const Query& query, std::size_t block, const TypeInfo& info, std::string_view rest);
  WireEnd in_junction(const Query& query, std::size_t block, JunctionIndex junction, std::string_view rest);
  WireEnd in_store_reader(const Query& query, std::size_t block, const StoreReader& reader, std::string_view rest);
  WireEnd in_bundle(const Query& query, const BlockDecl& block, JunctionIndex junction, std::string_view rest);
  WireEnd in_subsystem(const Query& query, std::size_t subsystem, std::string_view rest);
  WireEnd refuse_block_port(const Query& query, const BlockDecl& block, const BlockType& type, std::string_view rest);
  WireEnd refuse_border(const Query& query, const Instance& child, std::string_view rest);
  static Location place_of(const Query& query, const std::string& name);
  WireEnd mended(const Query& query, const std::string& text);
  WireEnd refuse_name(const Query& query, const SignalPath& path);
  WireEnd refuse_direction(const Query& query, const std::string& named);
  bool check_parts(const Query& query, std::string_view parts);
  bool exists_elsewhere(const Instance& at, const Instance& child, std::string_view rest, Side side) const;
  WireEnd report(const Query& query, const char* code, const std::string& what, const std::string& help,
                 std::vector<Note> notes = {});

  /// The names, sorted; none once too many have been looked through for messages.
  template <class Map> std::vector<std::string> sorted_names(const Map& map);

  /// A name that a diagram does not have.
  struct UnknownName {
    Location where; ///< the first wire that has it
    std::string what, help;
    std::vector<Note> notes;
    std::size_t wires = 0;
  };

  const Flattened& flat_;
  FlattenContext& context_;
  std::map<std::pair<std::string, std::string>, UnknownName> unknown_; ///< by path of the instance and name
  std::size_t names_left_ = 4'000'000;
};

} // namespace hilda::compile
