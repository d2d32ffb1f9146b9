// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/sketch.h"

#include "engine/run/plan.h"
#include "tools/graphics/detail/draw/sketch/block_marks.h"
#include "tools/graphics/detail/draw/sketch/bundles.h"
#include "tools/graphics/detail/draw/sketch/shape.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace hilda::graphics::draw {

std::string rate_text(double period) {
  if (period >= 1) return fmt::format("{:.6g} s", period);
  return period >= 1e-3 ? fmt::format("{:.6g} ms", period * 1e3) : fmt::format("{:.6g} \xC2\xB5s", period * 1e6);
}

namespace {

std::string parent_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::string last_of(const std::string& path) { return path.substr(path.rfind('.') + 1); }

bool lies_in(const std::string& path, const std::string& subsystem) {
  return subsystem.empty() || path.starts_with(subsystem + ".");
}

class Sketcher {
public:
  Sketcher(const System& system, const SketchOptions& options, const std::vector<WireIndex>& loop_wires)
      : system_(system), options_(options), loop_(loop_wires.begin(), loop_wires.end()) {}

  Sketch make() {
    sketch_.inside = options_.inside;
    sketch_.title = options_.inside.empty() ? system_.name : system_.name + ": " + options_.inside;
    if (!system_.mode.empty()) sketch_.remark = "mode " + system_.mode;
    if (options_.inside.empty()) sketch_.description = system_.doc;
    collect_rates();
    symbol_of_.assign(system_.blocks.size(), -1);
    for (const BlockIndex b : system_.blocks.indices())
      if (lies_in(system_.blocks[b].path, options_.inside)) symbol_of_[b] = place(b);
    place_junctions();
    place_notes();
    for (Symbol& symbol : sketch_.symbols)
      if (const auto pin = options_.hints.pins.find(symbol.path); pin != options_.hints.pins.end())
        symbol.pin = pin->second;
    for (const WireIndex w : system_.wires.indices()) take(w);
    take_unused_outputs();
    sort_ports();
    bundle(sketch_, std::move(strands_));
    open();
    return std::move(sketch_);
  }

private:
  /// Of the whole diagram: a rate keeps its colour in every drawing of a part.
  void collect_rates() {
    std::set<std::int64_t> dividers;
    bool continuous = false;
    for (const SystemBlock& block : system_.blocks) {
      continuous = continuous || block.continuous;
      if (!block.continuous) dividers.insert(block.divider);
    }
    for (const std::int64_t divider : dividers) {
      rates_[divider] = static_cast<int>(sketch_.rates.size());
      sketch_.rates.push_back({rate_text(system_.base.value() * static_cast<double>(divider)), false});
    }
    if (continuous) {
      rates_[0] = static_cast<int>(sketch_.rates.size());
      sketch_.rates.push_back({"continuous", true});
    }
  }

  /// The symbol of a block: its own, or that of the subsystem around it.
  int place(BlockIndex index) {
    const SystemBlock& block = system_.blocks[index];
    const std::size_t skipped = options_.inside.empty() ? 0 : options_.inside.size() + 1;
    const std::size_t end = block.path.find('.', skipped);
    const int rate = rates_[block.continuous ? 0 : block.divider];
    if (end != std::string::npos) {
      const std::string path = block.path.substr(0, end);
      const auto [known, fresh] = by_path_.emplace(path, static_cast<int>(sketch_.symbols.size()));
      if (fresh) {
        Symbol symbol;
        symbol.kind = Symbol::Kind::subsystem;
        symbol.path = path, symbol.name = last_of(path), symbol.rate = rate;
        symbol.details = key_parameters(system_, path, 2);
        sketch_.symbols.push_back(std::move(symbol));
      }
      Symbol& symbol = sketch_.symbols[static_cast<std::size_t>(known->second)];
      if (symbol.rate != rate) symbol.rate = -1;
      mark_states(block, symbol);
      return known->second;
    }
    Symbol symbol;
    symbol.path = block.path, symbol.name = last_of(block.path), symbol.rate = rate;
    symbol.type = block.type->name.substr(block.type->name.find('/') + 1);
    symbol.details = key_parameters(block, 2);
    if (block.type->name == "math/Sum") symbol.kind = Symbol::Kind::sum, symbol.signs = sum_signs(block);
    if (block.type->name == "math/Gain") symbol.kind = Symbol::Kind::gain;
    mark_states(block, symbol);
    symbol.breaks_loops = breaks_loops(block);
    sketch_.symbols.push_back(std::move(symbol));
    return static_cast<int>(sketch_.symbols.size()) - 1;
  }

  /// Buses are drawn though they are gone: a symbol for what bundles and what takes apart.
  void place_junctions() {
    junction_symbol_.assign(system_.junctions.size(), -1);
    for (const JunctionIndex j : system_.junctions.indices()) {
      const Junction& junction = system_.junctions[j];
      const bool bundle = junction.kind == Junction::Kind::bundle;
      if ((!bundle && junction.kind != Junction::Kind::unbundle) || parent_of(junction.path) != options_.inside)
        continue;
      Symbol symbol;
      symbol.path = junction.path, symbol.name = last_of(junction.path);
      symbol.type = bundle ? "Bundle" : "Unbundle";
      symbol.rate = -1;
      if (bundle) symbol.inputs = junction.parts;
      junction_symbol_[j] = static_cast<int>(sketch_.symbols.size());
      sketch_.symbols.push_back(std::move(symbol));
    }
  }

  /// What the author has written on this level, and the areas behind it.
  void place_notes() {
    for (const Hints::Note& note : options_.hints.notes) {
      if (note.inside != options_.inside) continue;
      Symbol symbol;
      symbol.kind = Symbol::Kind::note;
      symbol.path = note.path, symbol.name = last_of(note.path), symbol.rate = -1;
      symbol.note_width = note.width;
      symbol.lines = note_lines(note.text, note.width - 2 * note_edge);
      sketch_.symbols.push_back(std::move(symbol));
    }
    for (const Hints::Area& area : options_.hints.areas)
      if (parent_of(area.path) == options_.inside) sketch_.areas.push_back(area);
  }

  /// Where the wire to an input turns, as the author needs it.
  Hints::Bend bend_to(const std::string& destination) const {
    const auto found = options_.hints.bends.find(destination);
    return found == options_.hints.bends.end() ? Hints::Bend() : found->second;
  }
  std::string destination(const Symbol& end, const std::string& input) const {
    if (end.kind != Symbol::Kind::port) return end.path + "." + input;
    return options_.inside.empty() ? end.name : options_.inside + "." + end.name;
  }

  /// The name under which a signal leaves or enters a subsystem, as its ports are called; empty where it has none.
  /// @param leaves  an input that gets the same signal back is not meant, where there is an output
  std::string port_name(const PortRef& port, const std::string& subsystem, bool leaves = false) const {
    const std::string whole = port_text(system_, port);
    std::string best;
    bool meant = false; // the best one is
    for (const Promise& promise : system_.promises) {
      if (!promise.port.starts_with(subsystem + ".") || promise.signal.block != port.block) continue;
      const std::string signal = port_text(system_, promise.signal);
      if (!whole.starts_with(signal)) continue;
      const std::string name = promise.port.substr(subsystem.size() + 1) + whole.substr(signal.size());
      const bool output = leaves && options_.hints.outputs.contains(promise.port);
      if (best.empty() || (output && !meant) || (output == meant && name.size() < best.size()))
        best = name, meant = output;
    }
    return best;
  }

  int terminal(const std::string& name, bool input) {
    const std::string key = (input ? "input " : "output ") + name;
    const auto [known, fresh] = by_path_.emplace(key, static_cast<int>(sketch_.symbols.size()));
    if (fresh) {
      Symbol port;
      port.kind = Symbol::Kind::port;
      port.name = name;
      sketch_.symbols.push_back(std::move(port));
    }
    return known->second;
  }

  /// A terminal, whole or a part of it.
  bool is_drawn(const std::string& key) const {
    const auto part = [&](const std::string& begin) {
      const auto found = by_path_.lower_bound(begin);
      return found != by_path_.end() && found->first.starts_with(begin);
    };
    return by_path_.contains(key) || part(key + ".") || part(key + "[");
  }

  static int index_of(std::vector<std::string>& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<int>(found - names.begin());
    names.push_back(name);
    return static_cast<int>(names.size()) - 1;
  }

  /// What a symbol calls one of its ports, and, for outputs, the part of it that is taken: "led" and ".force".
  std::pair<std::string, std::string> name_at(const Symbol& symbol, const PortRef& port) const {
    if (symbol.kind == Symbol::Kind::port) return {symbol.name, ""};
    PortRef whole = port;
    whole.part.clear();
    std::string part;
    for (const std::string& each : port.part) part += each.starts_with('[') ? each : "." + each;
    if (symbol.kind == Symbol::Kind::subsystem) {
      if (std::string name = port_name(port, symbol.path, true); !name.empty()) return {name, ""};
      if (std::string name = port_name(whole, symbol.path, true); !name.empty()) return {name, part};
    }
    return {port_text(system_, whole).substr(symbol.path.size() + 1), part};
  }

  /// At its destination a wire to a subsystem has the name of the subsystem's input, which is known by the signal.
  std::string name_at_end(const Symbol& symbol, const Wire& wire) const {
    if (symbol.kind == Symbol::Kind::subsystem)
      if (std::string name = port_name(wire.from, symbol.path); !name.empty()) return without(wire.part, name);
    if (symbol.kind == Symbol::Kind::port) return symbol.name;
    return without(wire.part, port_text(system_, wire.to).substr(symbol.path.size() + 1));
  }

  /// The name of a port with parts, where `name` is that of a part and the wire is one for each.
  static std::string without(const std::string& part, std::string name) {
    if (!part.empty() && name.ends_with(part)) name.resize(name.size() - part.size());
    return name;
  }

  void take(WireIndex index) {
    const Wire& wire = system_.wires[index];
    if (!wire.from.block.valid() || !wire.to.block.valid()) return;
    int from = symbol_of_[wire.from.block];
    int to = symbol_of_[wire.to.block];
    if (from < 0 && to < 0) return;
    if (from < 0 || to < 0) {
      const std::string name = port_name(wire.from, options_.inside, to < 0);
      const int port = terminal(name.empty() ? port_text(system_, from < 0 ? wire.from : wire.to) : name, from < 0);
      (from < 0 ? from : to) = port;
    }
    if (!wire.through.empty() && pass_junctions(wire, from, to)) return;
    Symbol& start = sketch_.symbols[static_cast<std::size_t>(from)];
    Symbol& end = sketch_.symbols[static_cast<std::size_t>(to)];
    if (from == to && end.kind == Symbol::Kind::subsystem) return;
    Strand strand;
    auto [output, part] = name_at(start, wire.from);
    if (const std::string port = without(wire.part, output + part); port != output + part)
      output = port, part.clear(), strand.bus = true;
    strand.from = from, strand.output = index_of(start.outputs, output), strand.part = part;
    strand.to = to, strand.input = input_index(end, wire);
    const std::string where = destination(end, name_at_end(end, wire));
    strand.bend = bend_to(where);
    const auto wish = options_.hints.lines.find(where);
    if (wish != options_.hints.lines.end()) strand.line = wish->second;
    const auto sent = [&](const Passage& each) {
      return system_.junctions[each.junction].kind == Junction::Kind::receiver;
    };
    if (std::any_of(wire.through.begin(), wire.through.end(), sent)) strand.line = Hints::Line::tag;
    strand.in_loop = loop_.contains(index);
    if (strand.in_loop)
      for (const int symbol : {from, to}) sketch_.symbols[static_cast<std::size_t>(symbol)].in_loop = true;
    strand.signal = port_text(system_, wire.from);
    strand.title = strand.signal + " to " + port_text(system_, wire.to);
    add(std::move(strand));
  }

  /// The outputs of what is drawn that no one outside takes: no wire of the system ends there, and the file has one.
  void take_unused_outputs() {
    if (options_.inside.empty()) return;
    for (const Promise& promise : system_.promises) {
      if (parent_of(promise.port) != options_.inside || !options_.hints.outputs.contains(promise.port)) continue;
      const int from = symbol_of_[promise.signal.block];
      const std::string name = last_of(promise.port);
      if (from < 0 || is_drawn("output " + name)) continue;
      const int to = terminal(name, false);
      Strand strand;
      const auto [output, part] = name_at(symbol(from), promise.signal);
      strand.from = from, strand.output = index_of(symbol(from).outputs, output), strand.part = part;
      strand.to = to, strand.input = index_of(symbol(to).inputs, name);
      strand.signal = port_text(system_, promise.signal);
      strand.title = strand.signal + " to " + promise.port;
      strand.bend = bend_to(promise.port);
      add(std::move(strand));
    }
  }

  /// Draws a wire by way of the junctions that are here: source to bundle, bundle to Unbundle, Unbundle to its end.
  /// False where none does.
  bool pass_junctions(const Wire& wire, int from, int to) {
    const std::string signal = port_text(system_, wire.from), title = signal + " to " + port_text(system_, wire.to);
    int at = from;
    std::string output, part;
    std::tie(output, part) = name_at(symbol(from), wire.from);
    Hints::Line line = Hints::Line::any;
    bool bundled = false; // at a bundle
    const auto go = [&](int end, int input, bool to_junction) {
      if (at == end && symbol(end).kind == Symbol::Kind::subsystem) return;
      Strand strand;
      strand.bus = bundled && (to_junction || !wire.part.empty()); // which takes the whole of it
      strand.from = at, strand.output = index_of(symbol(at).outputs, output), strand.part = strand.bus ? "" : part;
      strand.to = end, strand.input = input;
      strand.signal = signal, strand.title = title, strand.line = std::exchange(line, Hints::Line::any);
      const std::vector<std::string>& names = symbol(end).inputs;
      const bool numbered = symbol(end).kind == Symbol::Kind::sum || input >= static_cast<int>(names.size());
      strand.bend = bend_to(
          destination(symbol(end), numbered ? fmt::format("u[{}]", input) : names[static_cast<std::size_t>(input)]));
      add(std::move(strand));
    };
    for (const Passage& each : wire.through) {
      const Junction& junction = system_.junctions[each.junction];
      if (junction.kind == Junction::Kind::receiver) line = Hints::Line::tag;
      const int here = junction_symbol_[each.junction];
      if (here < 0) continue;
      const bool bundle = junction.kind == Junction::Kind::bundle;
      go(here, index_of(symbol(here).inputs, bundle ? each.part : "bus"), true);
      bundled = bundle;
      at = here, output = bundle ? "bus" : each.part, part = bundle ? "." + each.part : "";
    }
    if (at == from) return false;
    go(to, input_index(symbol(to), wire), false);
    return true;
  }

  /// Which of a symbol's inputs a wire ends at; of a sum they are by number.
  int input_index(Symbol& end, const Wire& wire) const {
    if (end.kind != Symbol::Kind::sum) return index_of(end.inputs, name_at_end(end, wire));
    end.inputs.resize(std::max(end.inputs.size(), end.signs.size()));
    return std::max(0, wire.to.item);
  }

  Symbol& symbol(int index) { return sketch_.symbols[static_cast<std::size_t>(index)]; }

  void add(Strand strand) {
    const auto same = [&](const Strand& other) {
      return other.from == strand.from && other.to == strand.to && other.output == strand.output &&
             other.input == strand.input;
    };
    const auto twin = std::find_if(strands_.begin(), strands_.end(), same);
    if (twin == strands_.end()) {
      strands_.push_back(std::move(strand));
    } else {
      twin->title += "\n" + strand.title;
      twin->in_loop = twin->in_loop || strand.in_loop;
    }
  }

  /// Ports in the order in which the block declares them, whatever the order of the connects.
  void sort_ports() {
    for (const BlockIndex b : symbol_of_.indices()) {
      const int s = symbol_of_[b];
      if (s < 0 || sketch_.symbols[static_cast<std::size_t>(s)].path != system_.blocks[b].path) continue;
      Symbol& symbol = sketch_.symbols[static_cast<std::size_t>(s)];
      if (symbol.kind == Symbol::Kind::sum) continue;
      std::vector<std::string> inputs, outputs;
      for (const SystemBlock::Port& port : system_.blocks[b].ports) {
        const Slot& slot = system_.blocks[b].type->slots[port.slot];
        PortRef reference;
        reference.block = b, reference.slot = port.slot, reference.item = port.item;
        (slot.role == HILDA_INPUT ? inputs : outputs)
            .push_back(port_text(system_, reference).substr(symbol.path.size() + 1));
      }
      put_in_order(s, inputs, true);
      put_in_order(s, outputs, false);
    }
  }

  void put_in_order(int s, const std::vector<std::string>& declared, bool input) {
    Symbol& symbol = sketch_.symbols[static_cast<std::size_t>(s)];
    std::vector<std::string>& names = input ? symbol.inputs : symbol.outputs;
    if (names.size() < 2) return;
    const std::vector<std::string> before = names;
    const auto place = [&](const std::string& name) {
      std::size_t best = declared.size();
      for (std::size_t i = 0; i < declared.size(); ++i)
        if (name == declared[i] ||
            (best == declared.size() && (name.starts_with(declared[i]) || declared[i].starts_with(name + "."))))
          best = i;
      return best;
    };
    std::stable_sort(names.begin(), names.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
    for (Strand& strand : strands_) {
      int& port = input ? strand.input : strand.output;
      if ((input ? strand.to : strand.from) == s) port = index_of(names, before[static_cast<std::size_t>(port)]);
    }
  }

  void open() {
    const std::vector<WireIndex> loops(loop_.begin(), loop_.end());
    for (Symbol& symbol : sketch_.symbols)
      if (symbol.kind == Symbol::Kind::subsystem && (options_.depth > 0 || options_.opened.contains(symbol.path)))
        symbol.inside = std::make_shared<const Sketch>(
            sketch_of(system_, {options_.depth - 1, symbol.path, options_.hints, options_.opened}, loops));
  }

  const System& system_;
  const SketchOptions& options_;
  std::set<WireIndex> loop_;
  Sketch sketch_;
  std::map<std::int64_t, int> rates_; ///< by divider; 0: continuous
  std::map<std::string, int> by_path_;
  Indexed<BlockIndex, int> symbol_of_;          ///< -1: not drawn
  Indexed<JunctionIndex, int> junction_symbol_; ///< -1: not drawn here
  std::vector<Strand> strands_;
};

} // namespace

Sketch sketch_of(const System& system, const SketchOptions& options, const std::vector<WireIndex>& loop_wires) {
  return Sketcher(system, options, loop_wires).make();
}

std::size_t symbol_count(const Sketch& sketch) {
  std::size_t count = sketch.symbols.size();
  for (const Symbol& symbol : sketch.symbols)
    if (symbol.inside) count += symbol_count(*symbol.inside);
  return count;
}

std::vector<std::string> subsystem_paths(const System& system) {
  std::set<std::string> paths;
  for (const SystemBlock& block : system.blocks)
    for (std::string path = parent_of(block.path); !path.empty(); path = parent_of(path)) paths.insert(path);
  return {paths.begin(), paths.end()};
}

} // namespace hilda::graphics::draw
