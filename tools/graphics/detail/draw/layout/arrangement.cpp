// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/arrangement.h"

#include "engine/base/plain_number.h"
#include "tools/graphics/svg.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace hilda::graphics::draw {
namespace {

constexpr const char *begin_mark = "<metadata>hilda arrangement 1\n", *end_mark = "</metadata>";
constexpr int most_places = 400;                      ///< rows, and columns of a row
constexpr double farthest = 1e6;                      ///< px
constexpr double much_wider = 300, much_higher = 120; ///< than before, px: the symbol was opened or closed

std::string name_of(const Sketch& sketch, int s) {
  const Symbol& symbol = sketch.symbols[static_cast<std::size_t>(s)];
  if (symbol.kind != Symbol::Kind::port) return symbol.path;
  return (symbol.outputs.empty() ? ">" : "<") + sketch.inside + "/" + symbol.name;
}

/// The subsystem in which a name of an arrangement is.
std::string level_of(const std::string& name) {
  if (name.starts_with('<') || name.starts_with('>')) return name.substr(1, name.find('/') - 1);
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(0, dot);
}

std::string tag_name(const Sketch& sketch, const std::string& from, const std::string& to, const Arrow& arrow) {
  const Symbol& end = sketch.symbols[static_cast<std::size_t>(arrow.to)];
  const int input = arrow.taps.empty() ? -1 : arrow.taps.front().input;
  // a sum's inputs have no names
  const std::string& port = end.kind == Symbol::Kind::sum || input < 0 || input >= static_cast<int>(end.inputs.size())
                                ? std::to_string(input)
                                : end.inputs[static_cast<std::size_t>(input)];
  return from + " " + to + " " + port;
}

std::string place_text(const Arrangement::Place& place) {
  if (!place.anchor) return "";
  return " " + svg::px(place.anchor->x) + " " + svg::px(place.anchor->y) + " " + svg::px(place.width) + " " +
         svg::px(place.height) + (place.joined ? "" : " alone");
}

/// False where it is damaged. Drawings of old have no more than the place of a sink.
bool read_place(std::istringstream& words, Arrangement::Place& place, bool sink) {
  std::vector<double> numbers;
  std::string word;
  while (words >> word && word != "alone") {
    const std::optional<double> number = plain_number(word);
    if (!number || !(std::abs(*number) <= farthest)) return false;
    numbers.push_back(*number);
  }
  place.joined = word != "alone";
  if (numbers.size() == 4) place.width = numbers[2], place.height = numbers[3];
  if (numbers.size() == 4 || (sink && numbers.size() == 2)) place.anchor = Anchor{numbers[0], numbers[1]};
  return numbers.size() == 4 || numbers.size() == (sink ? 2 : 0);
}

std::string unescaped(std::string text) {
  for (const auto& [from, to] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
      text.replace(at, std::string(from).size(), to);
  return text;
}

/// A symbol that was renamed is the only one that is new where only one is gone.
void pair_renamed(std::map<int, std::string>& names, const std::vector<int>& fresh, const Arrangement& earlier) {
  if (fresh.size() != 1) return;
  std::set<std::string> gone;
  for (const auto& [name, place] : earlier.places) gone.insert(name);
  for (const auto& [s, name] : names) gone.erase(name);
  // other levels of the diagram are in the arrangement too
  std::erase_if(gone, [&](const std::string& name) {
    return std::none_of(names.begin(), names.end(),
                        [&](const auto& known) { return level_of(known.second) == level_of(name); });
  });
  if (gone.size() == 1) names[fresh.front()] = *gone.begin();
}

class Keeper {
public:
  Keeper(const Sketch& sketch, const Order& fresh, const Arrangement& earlier)
      : sketch_(sketch), fresh_(fresh), earlier_(earlier) {}

  std::optional<Kept> result() {
    std::vector<int> unknown;
    for (int s = 0; s < static_cast<int>(sketch_.symbols.size()); ++s) {
      const auto place = earlier_.places.find(name_of(sketch_, s));
      // what was alone and is joined now had no reason to be there
      if (place != earlier_.places.end() && (place->second.joined || !joined(s)))
        kept_.names[s] = place->first;
      else
        unknown.push_back(s);
    }
    if (2 * kept_.names.size() < sketch_.symbols.size()) return std::nullopt;
    pair_renamed(kept_.names, unknown, earlier_);
    kept_.order = fresh_;
    rank_.assign(sketch_.symbols.size(), -1);
    known_ranks();
    new_ranks();
    for (std::size_t s = 0; s < rank_.size(); ++s) kept_.order.rank[s] = std::max(0, rank_[s]);
    for (const auto& [s, name] : kept_.names)
      if (const auto& anchor = earlier_.places.at(name).anchor) kept_.order.anchors.try_emplace(s, *anchor);
    return std::move(kept_);
  }

private:
  bool stays(int s) const {
    const auto name = kept_.names.find(s);
    if (name == kept_.names.end()) return false;
    return (earlier_.places.at(name->second).row < 0) == fresh_.sink[static_cast<std::size_t>(s)] || !gives(s);
  }
  bool joined(int s) const {
    return std::any_of(sketch_.nets.begin(), sketch_.nets.end(), [s](const Net& net) {
      return (net.from == s && !net.arrows.empty()) ||
             std::any_of(net.arrows.begin(), net.arrows.end(), [s](const Arrow& arrow) { return arrow.to == s; });
    });
  }
  bool gives(int s) const {
    return std::any_of(sketch_.nets.begin(), sketch_.nets.end(),
                       [s](const Net& net) { return net.from == s && !net.arrows.empty(); });
  }

  /// Rows one behind the other, without the columns that are empty now.
  void known_ranks() {
    std::map<std::pair<int, int>, std::vector<int>> columns;
    for (const auto& [s, name] : kept_.names) {
      const Arrangement::Place& place = earlier_.places.at(name);
      if (!stays(s)) continue;
      kept_.order.sink[static_cast<std::size_t>(s)] = place.row < 0;
      if (place.row < 0 && place.anchor) kept_.order.wish[s] = {place.anchor->x, place.anchor->y};
      if (place.row >= 0) columns[{place.row, place.column}].push_back(s);
    }
    int rank = 0, row = -1;
    for (const auto& [place, symbols] : columns) {
      if (place.first != row) kept_.fold.first.push_back(rank), row = place.first;
      for (const int s : symbols) rank_[static_cast<std::size_t>(s)] = rank;
      ++rank;
    }
    kept_.order.ranks = std::max(1, rank);
    if (kept_.fold.first.empty()) kept_.fold.first.push_back(0);
  }

  /// Behind what feeds it, or before what it feeds; a new last column where there is none behind.
  void new_ranks() {
    for (bool more = true; more;) {
      more = false;
      for (const Net& net : sketch_.nets)
        for (const Arrow& arrow : net.arrows) {
          int &from = rank_[static_cast<std::size_t>(net.from)], &to = rank_[static_cast<std::size_t>(arrow.to)];
          if (from >= 0 && to < 0 && !kept_.order.sink[static_cast<std::size_t>(arrow.to)]) to = from + 1, more = true;
          if (to >= 0 && from < 0) from = std::max(0, to - 1), more = true;
          kept_.order.ranks = std::max({kept_.order.ranks, from + 1, to + 1});
        }
    }
  }

  const Sketch& sketch_;
  const Order& fresh_;
  const Arrangement& earlier_;
  Kept kept_;
  std::vector<int> rank_; ///< by symbol; -1: not yet known, or a sink
};

} // namespace

void Arrangement::note(const Sketch& sketch, const Placement& placement) {
  const auto shown = [&](const std::string& name) { return level_of(name) == sketch.inside; };
  std::erase_if(places, [&](const auto& each) { return shown(each.first); });
  std::erase_if(tags, [&](const std::string& tag) { return shown(tag.substr(0, tag.find(' '))); });
  for (int s = 0; s < static_cast<int>(sketch.symbols.size()); ++s) {
    const Spot& spot = placement.spots[static_cast<std::size_t>(s)];
    const Shape& shape = placement.shapes[static_cast<std::size_t>(s)];
    places[name_of(sketch, s)] = {.row = spot.row,
                                  .column = spot.column,
                                  .joined = !shape.groups.empty(),
                                  .anchor = Anchor{spot.x - placement.left, spot.y - placement.top},
                                  .width = shape.width + tags_beside(sketch, placement, s),
                                  .height = shape.height};
  }
  for (std::size_t n = 0; n < sketch.nets.size(); ++n)
    for (std::size_t a = 0; a < sketch.nets[n].arrows.size(); ++a) {
      const Arrow& arrow = sketch.nets[n].arrows[a];
      if (placement.tagged[n][a])
        tags.insert(tag_name(sketch, name_of(sketch, sketch.nets[n].from), name_of(sketch, arrow.to), arrow));
    }
}

std::string Arrangement::metadata() const {
  std::string text;
  for (const auto& [name, place] : places)
    text += (place.row < 0 ? "sink " + name
                           : "at " + name + " " + std::to_string(place.row) + " " + std::to_string(place.column)) +
            place_text(place) + "\n";
  for (const std::string& tag : tags) text += "tag " + tag + "\n";
  return begin_mark + svg::escaped(text) + end_mark + "\n";
}

std::optional<Arrangement> arrangement_in(const std::string& svg, std::string& error) {
  const std::size_t begin = svg.find(begin_mark), end = svg.find(end_mark, begin == std::string::npos ? 0 : begin);
  if (begin == std::string::npos || end == std::string::npos) {
    error = "it holds no arrangement of blocks: it is not an SVG that hilda draw has written";
    return std::nullopt;
  }
  const std::size_t text = begin + std::string(begin_mark).size();
  std::istringstream lines(unescaped(svg.substr(text, end - text)));
  Arrangement found;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind, name;
    Arrangement::Place place;
    words >> kind >> name;
    if (kind == "tag" && !name.empty()) {
      found.tags.insert(line.substr(4));
      continue;
    }
    const bool sink = kind == "sink", known = sink || (kind == "at" && words >> place.row >> place.column);
    if (!known || !read_place(words, place, sink) || place.row < 0 || place.row >= most_places || place.column < 0 ||
        place.column >= most_places) {
      error = "its arrangement of blocks is damaged: '" + line.substr(0, 60) + "'";
      return std::nullopt;
    }
    if (sink) place.row = -1;
    found.places[name] = place;
  }
  return found;
}

std::optional<Kept> kept(const Sketch& sketch, const Order& fresh, const Arrangement& earlier) {
  return Keeper(sketch, fresh, earlier).result();
}

bool mark_edited(const Sketch& sketch, const Placement& placement, const Arrangement& earlier, Kept& kept) {
  for (const auto& [s, name] : kept.names) {
    const auto anchor = kept.order.anchors.find(s);
    if (anchor == kept.order.anchors.end() || anchor->second.pinned) continue;
    const Arrangement::Place& before = earlier.places.at(name);
    const Shape& shape = placement.shapes[static_cast<std::size_t>(s)];
    const double wider = shape.width + tags_beside(sketch, placement, s) - before.width,
                 higher = shape.height - before.height;
    if (std::abs(wider) > much_wider || std::abs(higher) > much_higher) return false;
    anchor->second.edited = std::abs(wider) > 1 || std::abs(higher) > 1;
  }
  return true;
}

Tagged kept_tags(const Sketch& sketch, const Kept& kept, const Arrangement& earlier, Tagged fresh) {
  for (std::size_t n = 0; n < sketch.nets.size(); ++n)
    for (std::size_t a = 0; a < sketch.nets[n].arrows.size(); ++a) {
      const Arrow& arrow = sketch.nets[n].arrows[a];
      const auto from = kept.names.find(sketch.nets[n].from), to = kept.names.find(arrow.to);
      if (from == kept.names.end() || to == kept.names.end()) continue;
      if (arrow.in_loop || arrow.line != Hints::Line::any) continue;
      const auto pinned = [&kept](int s) {
        const auto anchor = kept.order.anchors.find(s);
        return anchor != kept.order.anchors.end() && anchor->second.pinned;
      };
      if (pinned(sketch.nets[n].from) && pinned(arrow.to)) continue;
      if (kept.order.sink[static_cast<std::size_t>(arrow.to)]) continue;
      fresh[n][a] = earlier.tags.contains(tag_name(sketch, from->second, to->second, arrow));
    }
  return fresh;
}

} // namespace hilda::graphics::draw
