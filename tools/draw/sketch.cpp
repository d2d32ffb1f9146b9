#include "tools/draw/sketch.h"

#include "engine/plan/graph.h"
#include "engine/plan/plan.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace hilda::draw {
namespace {

std::string parent_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::string last_of(const std::string& path) { return path.substr(path.rfind('.') + 1); }

bool lies_in(const std::string& path, const std::string& subsystem) {
  return subsystem.empty() || path.starts_with(subsystem + ".");
}

bool breaks_loops(const SystemBlock& block) {
  bool inputs = false, feeds = false, outputs = false, follows = false;
  for (const Slot& slot : block.type->slots) {
    if (slot.role == HILDA_INPUT) inputs = true, feeds = feeds || feeds_through(block, slot);
    if (slot.role == HILDA_OUTPUT) outputs = true, follows = follows || !from_state(block, slot);
  }
  return inputs && outputs && (!feeds || !follows);
}

void mark_states(const SystemBlock& block, Symbol& symbol) {
  for (const Slot& slot : block.type->slots) {
    if (slot.role != HILDA_STATE) continue;
    (slot.is(HILDA_CONTINUOUS) ? symbol.continuous_state : symbol.discrete_state) = true;
  }
}

std::string rate_text(double period) {
  if (period >= 1) return fmt::format("{:.6g} s", period);
  return period >= 1e-3 ? fmt::format("{:.6g} ms", period * 1e3) : fmt::format("{:.6g} \xC2\xB5s", period * 1e6);
}

std::string sum_signs(const SystemBlock& block) {
  for (const ParameterValue& each : block.parameters)
    if (block.type->slots[static_cast<std::size_t>(each.slot)].name == "signs") return each.value.text;
  return {};
}

/// Wires between the same symbols, before those that branch are put together.
struct Bundle {
  int from = -1;
  Net::End to;
  bool in_loop = false;
  std::vector<std::string> labels, titles;
};

class Sketcher {
public:
  Sketcher(const System& system, const SketchOptions& options, const std::vector<int>& loop_wires)
      : system_(system), options_(options), loop_(loop_wires.begin(), loop_wires.end()) {}

  Sketch make() {
    sketch_.title = options_.inside.empty() ? system_.name : system_.name + ": " + options_.inside;
    if (!system_.mode.empty()) sketch_.title += ", mode " + system_.mode;
    if (options_.inside.empty()) sketch_.subtitle = system_.doc;
    collect_rates();
    symbol_of_.assign(system_.blocks.size(), -1);
    for (std::size_t b = 0; b < system_.blocks.size(); ++b)
      if (lies_in(system_.blocks[b].path, options_.inside)) symbol_of_[b] = place(b);
    for (std::size_t w = 0; w < system_.wires.size(); ++w) take(w);
    join_branches();
    return std::move(sketch_);
  }

private:
  void collect_rates() {
    std::set<std::int64_t> dividers;
    bool continuous = false;
    for (const SystemBlock& block : system_.blocks) {
      if (!lies_in(block.path, options_.inside)) continue;
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

  /// The symbol of a block: its own, or that of the closed subsystem around it.
  int place(std::size_t index) {
    const SystemBlock& block = system_.blocks[index];
    const std::size_t skipped = options_.inside.empty() ? 0 : options_.inside.size() + 1;
    std::size_t end = skipped;
    for (int level = 0; level <= options_.depth && end != std::string::npos; ++level)
      end = block.path.find('.', end == skipped ? end : end + 1);
    const int rate = rates_[block.continuous ? 0 : block.divider];
    if (end != std::string::npos) {
      const std::string path = block.path.substr(0, end);
      auto [known, fresh] = by_path_.emplace(path, static_cast<int>(sketch_.symbols.size()));
      if (fresh) {
        Symbol symbol{Symbol::Kind::subsystem,          path, last_of(path),          "",
                      key_parameters(system_, path, 4), "",   frame(parent_of(path)), rate};
        sketch_.symbols.push_back(std::move(symbol));
      }
      Symbol& symbol = sketch_.symbols[static_cast<std::size_t>(known->second)];
      if (symbol.rate != rate) symbol.rate = -1;
      mark_states(block, symbol);
      return known->second;
    }
    Symbol symbol{Symbol::Kind::block,      block.path, last_of(block.path),          last_of_type(*block.type),
                  key_parameters(block, 3), "",         frame(parent_of(block.path)), rate};
    if (block.type->name == "math/Sum") symbol.kind = Symbol::Kind::sum, symbol.signs = sum_signs(block);
    if (block.type->name == "math/Gain") symbol.kind = Symbol::Kind::gain;
    mark_states(block, symbol);
    symbol.breaks_loops = breaks_loops(block);
    sketch_.symbols.push_back(std::move(symbol));
    return static_cast<int>(sketch_.symbols.size()) - 1;
  }

  static std::string last_of_type(const BlockType& type) { return type.name.substr(type.name.find('/') + 1); }

  /// The frame of an opened subsystem, with those around it; -1 at the top.
  int frame(const std::string& path) {
    if (path.empty() || path == options_.inside) return -1;
    if (const auto known = frames_.find(path); known != frames_.end()) return known->second;
    const int parent = frame(parent_of(path));
    sketch_.frames.push_back({path, last_of(path), parent});
    return frames_[path] = static_cast<int>(sketch_.frames.size()) - 1;
  }

  /// The name under which a signal leaves or enters a subsystem, as its ports are called.
  std::string port_name(const PortRef& port, const std::string& subsystem) const {
    const std::string whole = port_text(system_, port);
    std::string best;
    for (const Promise& promise : system_.promises) {
      if (!promise.port.starts_with(subsystem + ".") || promise.signal.block != port.block) continue;
      const std::string signal = port_text(system_, promise.signal);
      if (!whole.starts_with(signal)) continue;
      const std::string name = promise.port.substr(subsystem.size() + 1) + whole.substr(signal.size());
      if (best.empty() || name.size() < best.size()) best = name;
    }
    return best;
  }

  int terminal(const std::string& name) {
    const auto [known, fresh] = by_path_.emplace("port " + name, static_cast<int>(sketch_.symbols.size()));
    if (fresh) {
      Symbol port;
      port.kind = Symbol::Kind::port;
      port.name = name;
      sketch_.symbols.push_back(std::move(port));
    }
    return known->second;
  }

  /// Outputs that carry the obvious name are not labelled with it.
  std::string label_of(const Wire& wire, int from) const {
    const Symbol& symbol = sketch_.symbols[static_cast<std::size_t>(from)];
    if (symbol.kind == Symbol::Kind::port) return unit_of(wire);
    std::string name;
    if (symbol.kind == Symbol::Kind::subsystem) name = port_name(wire.from, symbol.path);
    if (name.empty()) name = port_text(system_, wire.from).substr(symbol.path.size() + 1);
    if (name == "y") name.clear();
    const std::string unit = unit_of(wire);
    return name.empty() || unit.empty() ? name + unit : name + " " + unit;
  }

  static std::string unit_of(const Wire& wire) {
    if (wire.type.kind != HILDA_PLAIN || !wire.type.unit || wire.type.unit->dimensionless()) return {};
    return "[" + wire.type.unit->text() + "]";
  }

  void take(std::size_t index) {
    const Wire& wire = system_.wires[index];
    if (wire.from.block < 0 || wire.to.block < 0) return;
    int from = symbol_of_[static_cast<std::size_t>(wire.from.block)];
    int to = symbol_of_[static_cast<std::size_t>(wire.to.block)];
    if (from < 0 && to < 0) return;
    if (from < 0 || to < 0) {
      const std::string name = port_name(wire.from, options_.inside);
      const int port = terminal(name.empty() ? port_text(system_, from < 0 ? wire.from : wire.to) : name);
      (from < 0 ? from : to) = port;
    }
    const Symbol& end = sketch_.symbols[static_cast<std::size_t>(to)];
    if (from == to && end.kind == Symbol::Kind::subsystem) return;
    const Net::End at{to, end.kind == Symbol::Kind::sum ? wire.to.item : -1};
    const bool in_loop = loop_.contains(static_cast<int>(index));
    if (in_loop)
      for (const int symbol : {from, to}) sketch_.symbols[static_cast<std::size_t>(symbol)].in_loop = true;
    Bundle& bundle = bundles_[{from, to, at.item, in_loop}];
    bundle.from = from, bundle.to = at, bundle.in_loop = in_loop;
    const std::string label = label_of(wire, from);
    if (!label.empty() && std::find(bundle.labels.begin(), bundle.labels.end(), label) == bundle.labels.end())
      bundle.labels.push_back(label);
    bundle.titles.push_back(port_text(system_, wire.from) + " to " + port_text(system_, wire.to));
  }

  /// The same signals from one symbol to several are one line that branches.
  void join_branches() {
    std::map<std::tuple<int, std::vector<std::string>, bool>, std::size_t> nets;
    for (auto& [key, bundle] : bundles_) {
      std::vector<std::string> names = bundle.labels;
      std::sort(names.begin(), names.end());
      const auto [known, fresh] = nets.emplace(std::tuple(bundle.from, names, bundle.in_loop), sketch_.nets.size());
      if (fresh) sketch_.nets.push_back({bundle.from, {}, bundle.labels, bundle.in_loop, ""});
      Net& net = sketch_.nets[known->second];
      net.to.push_back(bundle.to);
      for (const std::string& title : bundle.titles) net.title += (net.title.empty() ? "" : "\n") + title;
    }
  }

  const System& system_;
  const SketchOptions& options_;
  std::set<int> loop_;
  Sketch sketch_;
  std::map<std::int64_t, int> rates_; ///< by divider; 0: continuous
  std::map<std::string, int> by_path_, frames_;
  std::vector<int> symbol_of_; ///< by block; -1: not drawn
  std::map<std::tuple<int, int, int, bool>, Bundle> bundles_;
};

} // namespace

Sketch sketch_of(const System& system, const SketchOptions& options, const std::vector<int>& loop_wires) {
  return Sketcher(system, options, loop_wires).make();
}

std::vector<std::string> subsystem_paths(const System& system) {
  std::set<std::string> paths;
  for (const SystemBlock& block : system.blocks)
    for (std::string path = parent_of(block.path); !path.empty(); path = parent_of(path)) paths.insert(path);
  return {paths.begin(), paths.end()};
}

} // namespace hilda::draw
