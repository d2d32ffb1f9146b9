#include "tools/draw/layout.h"

#include "tools/svg/picture_file.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <set>
#include <sstream>

namespace hilda::draw {
namespace {

constexpr double px_an_inch = 72; ///< in what we tell dot; only ratios matter

/// A net's ends by direction.
struct Reach {
  int furthest = -1; ///< rank of the last end further right; -1: none
  int nearest = -1;  ///< rank of the first end that is not: feedback; -1: none
};

Reach reach_of(const Net& net, const std::vector<int>& rank) {
  Reach reach;
  const int from = rank[static_cast<std::size_t>(net.from)];
  for (const Net::End& end : net.to) {
    const int to = rank[static_cast<std::size_t>(end.symbol)];
    if (to > from) reach.furthest = std::max(reach.furthest, to);
    if (to <= from) reach.nearest = reach.nearest < 0 ? to : std::min(reach.nearest, to);
  }
  return reach;
}

/// Writes the graph for dot: symbols as boxes, a small node in each rank that a net passes.
class DotWriter {
public:
  DotWriter(const Sketch& sketch, const std::vector<Size>& sizes, Layout& layout)
      : sketch_(sketch), sizes_(sizes), layout_(layout), inside_(sketch.frames.size() + 1) {}

  std::string text() {
    at_rank_.resize(static_cast<std::size_t>(layout_.ranks));
    for (std::size_t s = 0; s < sketch_.symbols.size(); ++s) {
      const std::string name = fmt::format("s{}", s);
      node(name, sizes_[s].width, sizes_[s].height, layout_.rank[s], sketch_.symbols[s].frame);
    }
    for (std::size_t n = 0; n < sketch_.nets.size(); ++n) net(n);
    std::string out = "digraph g {\nrankdir=LR; newrank=true; nodesep=0.2; ranksep=0.4;\n"
                      "node [shape=box, fixedsize=true, label=\"\"];\n";
    frame(-1, out);
    for (const std::string& nodes : at_rank_) out += "{rank=same; " + nodes + "}\n";
    return out + edges_ + "}\n";
  }

private:
  void node(const std::string& name, double width, double height, int rank, int frame) {
    inside_[static_cast<std::size_t>(frame + 1)] +=
        fmt::format("{} [width={:.4f}, height={:.4f}];\n", name, width / px_an_inch, height / px_an_inch);
    at_rank_[static_cast<std::size_t>(rank)] += name + "; ";
  }

  void edge(const std::string& from, const std::string& to, int weight) {
    edges_ += fmt::format("{} -> {} [weight={}];\n", from, to, weight);
  }

  /// The innermost frame that holds all that the net joins.
  int frame_of(const Net& net) const {
    std::vector<int> around;
    for (int f = sketch_.symbols[static_cast<std::size_t>(net.from)].frame; f >= 0;
         f = sketch_.frames[static_cast<std::size_t>(f)].parent)
      around.push_back(f);
    for (const int candidate : around) {
      const auto holds = [&](const Net::End& end) {
        for (int f = sketch_.symbols[static_cast<std::size_t>(end.symbol)].frame; f >= 0;
             f = sketch_.frames[static_cast<std::size_t>(f)].parent)
          if (f == candidate) return true;
        return false;
      };
      if (std::all_of(net.to.begin(), net.to.end(), holds)) return candidate;
    }
    return -1;
  }

  void net(std::size_t n) {
    const Net& net = sketch_.nets[n];
    const Reach reach = reach_of(net, layout_.rank);
    const int from = layout_.rank[static_cast<std::size_t>(net.from)], frame = frame_of(net);
    std::string last = fmt::format("s{}", net.from);
    for (int r = from + 1; r <= reach.furthest; ++r) {
      for (const Net::End& end : net.to)
        if (layout_.rank[static_cast<std::size_t>(end.symbol)] == r) edge(last, fmt::format("s{}", end.symbol), 3);
      if (r == reach.furthest) break;
      const std::string name = fmt::format("a{}_{}", n, r);
      node(name, 4, 6, r, frame);
      edge(last, name, 6);
      last = name;
    }
    if (reach.nearest < 0) return;
    for (int r = reach.nearest; r <= from; ++r) {
      const std::string name = fmt::format("b{}_{}", n, r);
      node(name, 4, 6, r, frame);
      if (r > reach.nearest) edge(fmt::format("b{}_{}", n, r - 1), name, 6);
    }
  }

  void frame(int index, std::string& out) const {
    if (index >= 0)
      out += fmt::format("subgraph cluster_{} {{ margin=12; label=\"{}\"; fontsize=14; labelloc=t;\n", index,
                         std::string(4, 'x'));
    out += inside_[static_cast<std::size_t>(index + 1)];
    for (std::size_t f = 0; f < sketch_.frames.size(); ++f)
      if (sketch_.frames[f].parent == index) frame(static_cast<int>(f), out);
    if (index >= 0) out += "}\n";
  }

  const Sketch& sketch_;
  const std::vector<Size>& sizes_;
  Layout& layout_;
  std::vector<std::string> inside_, at_rank_;
  std::string edges_;
};

/// Heights of dot's nodes in its plain format, from the top in px.
std::map<std::string, double> heights(const std::string& plain) {
  std::map<std::string, double> found;
  std::istringstream lines(plain);
  double total = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    words.imbue(std::locale::classic());
    std::string kind, name;
    double x = 0, y = 0;
    words >> kind;
    if (kind == "graph") {
      double scale = 0, width = 0;
      words >> scale >> width >> total;
    }
    if (kind == "node" && words >> name >> x >> y) found[name] = (total - y) * px_an_inch;
  }
  return found;
}

} // namespace

std::optional<Layout> lay_out(const Sketch& sketch, const std::vector<Size>& sizes, std::string& error) {
  Layout layout;
  layout.rank = ranks_of(sketch);
  layout.ranks = layout.rank.empty() ? 0 : *std::max_element(layout.rank.begin(), layout.rank.end()) + 1;
  const svg::Answer answer = svg::ask_program({"dot", "-Tplain"}, DotWriter(sketch, sizes, layout).text());
  if (!answer.started || answer.status == 127) {
    error = "diagrams are laid out by Graphviz, whose program dot is missing\nhelp: apt-get install graphviz";
    return std::nullopt;
  }
  const std::map<std::string, double> y = heights(answer.out);
  const auto height_of = [&y](const std::string& name) {
    const auto found = y.find(name);
    return found == y.end() ? 0.0 : found->second;
  };
  if (answer.status != 0 || (y.empty() && !sketch.symbols.empty())) {
    error = fmt::format("Graphviz could not lay the diagram out (dot, exit code {})", answer.status);
    return std::nullopt;
  }
  for (std::size_t s = 0; s < sketch.symbols.size(); ++s) layout.y.push_back(height_of(fmt::format("s{}", s)));
  layout.ahead.resize(sketch.nets.size());
  layout.back.resize(sketch.nets.size());
  for (std::size_t n = 0; n < sketch.nets.size(); ++n)
    for (int r = 0; r < layout.ranks; ++r) {
      const std::string ahead = fmt::format("a{}_{}", n, r), back = fmt::format("b{}_{}", n, r);
      if (y.contains(ahead)) layout.ahead[n].push_back({r, height_of(ahead)});
      if (y.contains(back)) layout.back[n].push_back({r, height_of(back)});
    }
  return layout;
}

} // namespace hilda::draw
