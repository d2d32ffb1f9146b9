// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/draw/sketch/bundles.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

namespace hilda::graphics::draw {
namespace {

double likeness(const std::set<int>& a, const std::set<int>& b) {
  std::vector<int> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  const std::size_t all = a.size() + b.size() - common.size();
  return all == 0 ? 0.0 : static_cast<double>(common.size()) / static_cast<double>(all);
}

/// The outputs of one symbol in groups that travel together. An algebraic loop keeps its own wires, to be red.
std::vector<std::vector<int>> bundled_outputs(std::span<const Strand> of_symbol) {
  std::map<int, std::set<int>> destinations;
  std::set<int> alone;
  for (const Strand& strand : of_symbol) {
    destinations[strand.output].insert(strand.to);
    if (strand.in_loop) alone.insert(strand.output);
  }
  std::vector<std::vector<int>> groups;
  std::vector<std::set<int>> reached;
  for (const auto& [output, to] : destinations) {
    std::size_t best = groups.size();
    double most = 0.5;
    for (std::size_t g = 0; g < groups.size(); ++g)
      if (!alone.contains(output) && !alone.contains(groups[g].front()) && likeness(reached[g], to) >= most)
        best = g, most = likeness(reached[g], to) + 1e-9;
    if (best == groups.size()) groups.emplace_back(), reached.emplace_back();
    groups[best].push_back(output);
    reached[best].insert(to.begin(), to.end());
  }
  return groups;
}

void add(Net& net, const Strand& strand, bool sum) {
  auto arrow = std::find_if(net.arrows.begin(), net.arrows.end(),
                            [&](const Arrow& each) { return each.to == strand.to && !sum; });
  if (arrow == net.arrows.end()) arrow = net.arrows.insert(net.arrows.end(), {.to = strand.to});
  arrow->taps.push_back({strand.output, strand.input, strand.part, strand.signal});
  arrow->in_loop = arrow->in_loop || strand.in_loop;
  arrow->bus = arrow->bus || strand.bus;
  if (strand.line != Hints::Line::any) arrow->line = strand.line;
  if (arrow->bend.empty()) arrow->bend = strand.bend;
  if (!arrow->bend.empty() && arrow->line == Hints::Line::any) arrow->line = Hints::Line::wire;
  net.title += (net.title.empty() ? "" : "\n") + strand.title;
}

/// New places for the ports of one side, so that those of a group are neighbours; a group is where its first one
/// did.
std::vector<int> side_by_side(std::size_t ports, const std::vector<std::vector<int>>& groups) {
  std::vector<int> leader(ports, -1);
  for (const std::vector<int>& group : groups)
    for (const int port : group) leader[static_cast<std::size_t>(port)] = *std::min_element(group.begin(), group.end());
  std::vector<int> order(ports);
  for (std::size_t p = 0; p < ports; ++p) order[p] = static_cast<int>(p);
  const auto place = [&](int p) {
    return leader[static_cast<std::size_t>(p)] < 0 ? p : leader[static_cast<std::size_t>(p)];
  };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return place(a) < place(b); });
  std::vector<int> at(ports);
  for (std::size_t p = 0; p < ports; ++p) at[static_cast<std::size_t>(order[p])] = static_cast<int>(p);
  return at;
}

void reorder(std::vector<std::string>& names, const std::vector<int>& at) {
  std::vector<std::string> sorted(names.size());
  for (std::size_t p = 0; p < names.size(); ++p) sorted[static_cast<std::size_t>(at[p])] = names[p];
  names = std::move(sorted);
}

/// The lines of a symbol, by their places in the sketch.
struct SymbolNets {
  std::vector<std::pair<std::size_t, std::size_t>> in; ///< net and arrow
  std::vector<std::size_t> out;                        ///< nets
};

std::vector<SymbolNets> nets_of_symbols(const Sketch& sketch) {
  std::vector<SymbolNets> nets(sketch.symbols.size());
  for (std::size_t n = 0; n < sketch.nets.size(); ++n) {
    nets[static_cast<std::size_t>(sketch.nets[n].from)].out.push_back(n);
    for (std::size_t a = 0; a < sketch.nets[n].arrows.size(); ++a)
      nets[static_cast<std::size_t>(sketch.nets[n].arrows[a].to)].in.emplace_back(n, a);
  }
  return nets;
}

void reorder_inputs(Sketch& sketch, Symbol& symbol, const SymbolNets& nets) {
  std::vector<std::vector<int>> groups;
  for (const auto& [net, arrow] : nets.in) {
    groups.emplace_back();
    for (const Tap& tap : sketch.nets[net].arrows[arrow].taps) groups.back().push_back(tap.input);
  }
  const std::vector<int> at = side_by_side(symbol.inputs.size(), groups);
  reorder(symbol.inputs, at);
  for (const auto& [net, arrow] : nets.in) {
    std::vector<Tap>& taps = sketch.nets[net].arrows[arrow].taps;
    for (Tap& tap : taps) tap.input = at[static_cast<std::size_t>(tap.input)];
    std::sort(taps.begin(), taps.end(), [](const Tap& a, const Tap& b) { return a.input < b.input; });
  }
}

void reorder_outputs(Sketch& sketch, Symbol& symbol, const SymbolNets& nets) {
  std::vector<std::vector<int>> groups;
  for (const std::size_t net : nets.out) groups.push_back(sketch.nets[net].outputs);
  const std::vector<int> at = side_by_side(symbol.outputs.size(), groups);
  reorder(symbol.outputs, at);
  for (const std::size_t n : nets.out) {
    Net& net = sketch.nets[n];
    for (int& output : net.outputs) output = at[static_cast<std::size_t>(output)];
    std::sort(net.outputs.begin(), net.outputs.end());
    for (Arrow& arrow : net.arrows)
      for (Tap& tap : arrow.taps) tap.output = at[static_cast<std::size_t>(tap.output)];
  }
}

} // namespace

void bundle(Sketch& sketch, std::vector<Strand> strands) {
  // the order of the connects in the file says nothing, and an edit changes it
  std::stable_sort(strands.begin(), strands.end(), [](const Strand& a, const Strand& b) {
    return std::tie(a.from, a.output, a.to, a.input) < std::tie(b.from, b.output, b.to, b.input);
  });
  for (std::size_t begin = 0, end = 0; begin < strands.size(); begin = end) {
    const int from = strands[begin].from;
    while (end < strands.size() && strands[end].from == from) ++end;
    const std::span<const Strand> of_symbol(strands.data() + begin, end - begin);
    for (const std::vector<int>& group : bundled_outputs(of_symbol)) {
      Net net{.from = from, .outputs = group};
      for (const Strand& strand : of_symbol)
        if (std::find(group.begin(), group.end(), strand.output) != group.end())
          add(net, strand, sketch.symbols[static_cast<std::size_t>(strand.to)].kind == Symbol::Kind::sum);
      sketch.nets.push_back(std::move(net));
    }
  }
  const std::vector<SymbolNets> nets = nets_of_symbols(sketch);
  for (std::size_t s = 0; s < sketch.symbols.size(); ++s) {
    if (sketch.symbols[s].kind == Symbol::Kind::sum) continue;
    reorder_inputs(sketch, sketch.symbols[s], nets[s]);
    reorder_outputs(sketch, sketch.symbols[s], nets[s]);
  }
}

} // namespace hilda::graphics::draw
