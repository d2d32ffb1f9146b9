#include "tools/draw/sketch/bundles.h"

#include <algorithm>
#include <map>
#include <set>

namespace hilda::draw {
namespace {

double likeness(const std::set<int>& a, const std::set<int>& b) {
  std::vector<int> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  const std::size_t all = a.size() + b.size() - common.size();
  return all == 0 ? 0.0 : static_cast<double>(common.size()) / static_cast<double>(all);
}

/// The outputs of one symbol in groups that travel together. An algebraic loop keeps wires of its own, to be red.
std::vector<std::vector<int>> groups_of(const std::vector<Strand>& strands, int from) {
  std::map<int, std::set<int>> destinations;
  std::set<int> alone;
  for (const Strand& strand : strands) {
    if (strand.from != from) continue;
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
  if (strand.line != Hints::Line::any) arrow->line = strand.line;
  net.title += (net.title.empty() ? "" : "\n") + strand.title;
}

/// New places for the ports of one side, so that those of a group are neighbours; a group stands where its first one
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

void reorder_inputs(Sketch& sketch, int symbol) {
  std::vector<std::vector<int>> groups;
  for (const Net& net : sketch.nets)
    for (const Arrow& arrow : net.arrows) {
      if (arrow.to != symbol) continue;
      groups.emplace_back();
      for (const Tap& tap : arrow.taps) groups.back().push_back(tap.input);
    }
  std::vector<std::string>& names = sketch.symbols[static_cast<std::size_t>(symbol)].inputs;
  const std::vector<int> at = side_by_side(names.size(), groups);
  reorder(names, at);
  for (Net& net : sketch.nets)
    for (Arrow& arrow : net.arrows) {
      if (arrow.to != symbol) continue;
      for (Tap& tap : arrow.taps) tap.input = at[static_cast<std::size_t>(tap.input)];
      std::sort(arrow.taps.begin(), arrow.taps.end(), [](const Tap& a, const Tap& b) { return a.input < b.input; });
    }
}

void reorder_outputs(Sketch& sketch, int symbol) {
  std::vector<std::vector<int>> groups;
  for (const Net& net : sketch.nets)
    if (net.from == symbol) groups.push_back(net.outputs);
  std::vector<std::string>& names = sketch.symbols[static_cast<std::size_t>(symbol)].outputs;
  const std::vector<int> at = side_by_side(names.size(), groups);
  reorder(names, at);
  for (Net& net : sketch.nets) {
    if (net.from != symbol) continue;
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
  for (int s = 0; s < static_cast<int>(sketch.symbols.size()); ++s)
    for (const std::vector<int>& group : groups_of(strands, s)) {
      Net net{.from = s, .outputs = group};
      for (const Strand& strand : strands) {
        const bool mine = strand.from == s && std::find(group.begin(), group.end(), strand.output) != group.end();
        if (mine) add(net, strand, sketch.symbols[static_cast<std::size_t>(strand.to)].kind == Symbol::Kind::sum);
      }
      sketch.nets.push_back(std::move(net));
    }
  for (int s = 0; s < static_cast<int>(sketch.symbols.size()); ++s) {
    if (sketch.symbols[static_cast<std::size_t>(s)].kind == Symbol::Kind::sum) continue;
    reorder_inputs(sketch, s);
    reorder_outputs(sketch, s);
  }
}

} // namespace hilda::draw
