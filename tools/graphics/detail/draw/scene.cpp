// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/scene.h"

#include "tools/graphics/detail/draw/panel.h"
#include "tools/graphics/detail/draw/symbol_picture.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <tuple>

namespace hilda::graphics::draw {
namespace {

using SceneJson = nlohmann::ordered_json;

constexpr std::array kind_names{"block", "subsystem", "port", "gain", "sum", "note"};
constexpr std::array side_names{"left", "right", "top", "bottom"};

const char* side_name(Side side) { return side_names.at(static_cast<std::size_t>(side)); }

/// What a symbol says of its block.
std::vector<std::string> details_of(const Symbol& symbol) {
  return symbol.kind == Symbol::Kind::gain ? std::vector<std::string>{gain_text(symbol)} : symbol.details;
}

/// One level of the drawing; opened subsystems are their own levels.
class SceneLevel {
public:
  /// @param x,y  of the level's left upper corner, px
  SceneLevel(const SketchPanel& panel, double x, double y)
      : panel_(panel), sketch_(panel.sketch()), place_(panel.composition().placement), x_(x - panel.left()),
        y_(y - panel.top()) {}

  SceneJson make() const {
    SceneJson level = {{"inside", sketch_.inside},   {"title", sketch_.title},        {"remark", sketch_.remark},
                       {"doc", sketch_.description}, {"width", panel_.width()},       {"height", panel_.height()},
                       {"rates", rates()},           {"symbols", SceneJson::array()}, {"wires", SceneJson::array()},
                       {"flags", SceneJson::array()}};
    level["areas"] = areas();
    level["origin"] = {{"x", x_ + place_.left}, {"y", y_ + place_.top}};
    for (std::size_t s = 0; s < sketch_.symbols.size(); ++s) {
      level["symbols"].push_back(symbol(s));
      for (const PortGroup& group : place_.shapes[s].groups)
        if (!group.input()) add_flag(level["flags"], s, group);
    }
    for (std::size_t n = 0; n < sketch_.nets.size(); ++n)
      for (std::size_t a = 0; a < sketch_.nets[n].arrows.size(); ++a) level["wires"].push_back(wire(n, a));
    return level;
  }

private:
  SceneJson rates() const {
    SceneJson list = SceneJson::array();
    for (std::size_t r = 0; r < sketch_.rates.size(); ++r) {
      const Ink ink = ink_of_rate(sketch_, r);
      list.push_back({{"text", sketch_.rates[r].text},
                      {"continuous", sketch_.rates[r].continuous},
                      {"stroke", ink.stroke},
                      {"fill", ink.fill}});
    }
    return list;
  }

  SceneJson areas() const {
    SceneJson list = SceneJson::array();
    for (const Hints::Area& area : sketch_.areas)
      list.push_back({{"path", area.path},
                      {"title", area.title},
                      {"x", x_ + place_.left + area.place.x},
                      {"y", y_ + place_.top + area.place.y},
                      {"width", area.width},
                      {"height", area.height}});
    return list;
  }

  static SceneJson lines_of(const Symbol& note) {
    SceneJson list = SceneJson::array();
    for (const NoteLine& line : note.lines) {
      SceneJson pieces = SceneJson::array();
      for (const NotePiece& piece : line.pieces)
        pieces.push_back({{"text", piece.text}, {"bold", piece.bold}, {"link", piece.link}});
      list.push_back({{"indent", line.indent}, {"pieces", std::move(pieces)}});
    }
    return list;
  }

  SceneJson symbol(std::size_t s) const {
    const Symbol& symbol = sketch_.symbols[s];
    const Shape& shape = place_.shapes[s];
    const Spot& spot = place_.spots[s];
    SceneJson json = {{"path", symbol.path},
                      {"name", symbol.name},
                      {"kind", kind_names.at(static_cast<std::size_t>(symbol.kind))},
                      {"type", symbol.type},
                      {"details", details_of(symbol)},
                      {"signs", symbol.signs},
                      {"x", x_ + spot.x},
                      {"y", y_ + spot.y},
                      {"width", shape.width},
                      {"height", shape.height},
                      {"header", shape.header},
                      {"mirrored", spot.mirrored},
                      {"rate", symbol.kind == Symbol::Kind::port ? -1 : symbol.rate},
                      {"state", state_text(symbol)},
                      {"breaks_loops", symbol.breaks_loops},
                      {"in_loop", symbol.in_loop},
                      {"ports", ports(s)}};
    if (symbol.kind == Symbol::Kind::note) json["lines"] = lines_of(symbol);
    if (const SketchPanel* inside = panel_.inside(s)) {
      const auto [x, y] = panel_.inside_place(s);
      json["scene"] = SceneLevel(*inside, x_ + x, y_ + y).make();
    }
    return json;
  }

  SceneJson ports(std::size_t s) const {
    SceneJson list = SceneJson::array();
    const Symbol& symbol = sketch_.symbols[s];
    const std::vector<PortGroup>& groups = place_.shapes[s].groups;
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (std::size_t i = 0; i < groups[g].ports.size(); ++i) {
        const auto port = static_cast<std::size_t>(groups[g].ports[i]);
        const auto& names = groups[g].input() ? symbol.inputs : symbol.outputs;
        const auto [x, y] = port_place(s, groups[g], i);
        const std::string signal = signal_at(groups[g], groups[g].ports[i]);
        list.push_back({{"name", port < names.size() ? names[port] : ""},
                        {"input", groups[g].input()},
                        {"item", groups[g].ports[i]},
                        {"side", side_name(groups[g].side)},
                        {"x", x},
                        {"y", y},
                        {"group", g},
                        {"signal", signal.empty() ? SceneJson(nullptr) : SceneJson(signal)}});
      }
    return list;
  }

  /// Of a port's middle on the border.
  std::pair<double, double> port_place(std::size_t s, const PortGroup& group, std::size_t i) const {
    const Shape& shape = place_.shapes[s];
    const double left = x_ + place_.spots[s].x, top = y_ + place_.spots[s].y;
    const auto step = static_cast<double>(i) - (static_cast<double>(group.ports.size()) - 1) / 2;
    switch (group.side) {
    case Side::left: return {left, top + group.at + port_line * step};
    case Side::right: return {left + shape.width, top + group.at + port_line * step};
    case Side::top: return {left + group.at, top};
    case Side::bottom: return {left + group.at, top + shape.height};
    }
    return {left, top};
  }

  std::string signal_at(const PortGroup& group, int port) const {
    const Net& net = sketch_.nets[static_cast<std::size_t>(group.net)];
    for (std::size_t a = 0; a < net.arrows.size(); ++a) {
      if (group.input() && static_cast<int>(a) != group.arrow) continue;
      for (const Tap& tap : net.arrows[a].taps) {
        if (group.input() && tap.input == port) return tap.signal;
        // of an output the whole signal, though a wire takes a part
        if (!group.input() && tap.output == port) return tap.signal.substr(0, tap.signal.size() - tap.part.size());
      }
    }
    return {};
  }

  SceneJson taps(const Net& net, const Arrow& arrow) const {
    SceneJson list = SceneJson::array();
    const auto name = [](const std::vector<std::string>& names, int i) {
      return i >= 0 && i < static_cast<int>(names.size()) ? names[static_cast<std::size_t>(i)] : std::string();
    };
    for (const Tap& tap : arrow.taps)
      list.push_back({{"output", name(sketch_.symbols[static_cast<std::size_t>(net.from)].outputs, tap.output)},
                      {"input", name(sketch_.symbols[static_cast<std::size_t>(arrow.to)].inputs, tap.input)},
                      {"part", tap.part},
                      {"signal", tap.signal}});
    return list;
  }

  SceneJson wire(std::size_t n, std::size_t a) const {
    const Net& net = sketch_.nets[n];
    const Arrow& arrow = net.arrows[a];
    SceneJson points = SceneJson::array();
    for (const auto& [x, y] : panel_.composition().routes.of[n][a]) points.push_back({x_ + x, y_ + y});
    SceneJson json = {{"net", n},
                      {"from", sketch_.symbols[static_cast<std::size_t>(net.from)].path},
                      {"to", sketch_.symbols[static_cast<std::size_t>(arrow.to)].path},
                      {"title", net.title},
                      {"taps", taps(net, arrow)},
                      {"in_loop", arrow.in_loop},
                      {"points", std::move(points)}};
    if (arrow.bus) json["bus"] = true;
    if (panel_.composition().routes.by_hand.contains({n, a})) json["bent"] = true;
    if (place_.tagged[n][a]) json["tag"] = tag(n, a);
    return json;
  }

  SceneJson tag(std::size_t n, std::size_t a) const {
    const Net& net = sketch_.nets[n];
    const int to = net.arrows[a].to;
    const std::vector<PortGroup>& groups = place_.shapes[static_cast<std::size_t>(to)].groups;
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const PortGroup& each) {
      return each.net == static_cast<int>(n) && each.arrow == static_cast<int>(a);
    });
    if (group == groups.end()) return nullptr;
    const auto [x, y] = border_point(place_, to, *group);
    const std::vector<std::string> lines = tag_lines(sketch_, net, net.arrows[a]);
    return {
        {"x", x_ + x}, {"y", y_ + y}, {"side", side_name(group->side)}, {"lines", lines}, {"width", tag_width(lines)}};
  }

  /// The mark of an output whose signal continues at tags.
  void add_flag(SceneJson& flags, std::size_t s, const PortGroup& group) const {
    const auto n = static_cast<std::size_t>(group.net);
    const std::vector<bool>& tagged = place_.tagged[n];
    if (std::find(tagged.begin(), tagged.end(), true) == tagged.end()) return;
    SceneJson to = SceneJson::array();
    for (std::size_t a = 0; a < tagged.size(); ++a)
      if (tagged[a]) to.push_back(sketch_.symbols[static_cast<std::size_t>(sketch_.nets[n].arrows[a].to)].name);
    const auto [x, y] = border_point(place_, static_cast<int>(s), group);
    flags.push_back({{"net", n},
                     {"x", x_ + x},
                     {"y", y_ + y},
                     {"side", side_name(group.side)},
                     {"alone", std::find(tagged.begin(), tagged.end(), false) == tagged.end()},
                     {"to", std::move(to)}});
  }

  const SketchPanel& panel_;
  const Sketch& sketch_;
  const Placement& place_;
  double x_, y_; ///< of the composition's origin, px
};

bool differ_in_details_alone(const Symbol& a, const Symbol& b) {
  const auto rest = [](const Symbol& s) {
    return std::tie(s.kind, s.path, s.name, s.type, s.signs, s.inputs, s.outputs, s.rate, s.discrete_state,
                    s.continuous_state, s.breaks_loops, s.in_loop, s.pin, s.lines, s.note_width);
  };
  return rest(a) == rest(b);
}

bool same_places(const Sketch& before, const Sketch& now) {
  const auto alike = [](const Symbol& a, const Symbol& b) {
    if (!differ_in_details_alone(a, b) || (a.inside == nullptr) != (b.inside == nullptr)) return false;
    return a.inside == nullptr || same_places(*a.inside, *b.inside);
  };
  if (before.inside != now.inside || before.nets != now.nets || before.rates != now.rates ||
      before.areas != now.areas ||
      !std::equal(before.symbols.begin(), before.symbols.end(), now.symbols.begin(), now.symbols.end(), alike))
    return false;
  const std::vector<Inside> closed(now.symbols.size());
  const std::vector<Shape> were = shapes_of(before, closed), are = shapes_of(now, closed);
  return std::equal(were.begin(), were.end(), are.begin(), are.end(), [](const Shape& a, const Shape& b) {
    return a.width == b.width && a.height == b.height && a.header == b.header;
  });
}

void write_texts(SceneJson& drawn, const Sketch& now) {
  drawn["title"] = now.title, drawn["remark"] = now.remark, drawn["doc"] = now.description;
  for (std::size_t s = 0; s < now.symbols.size(); ++s) {
    const Symbol& symbol = now.symbols[s];
    drawn["symbols"][s]["details"] = details_of(symbol);
    if (symbol.inside) write_texts(drawn["symbols"][s]["scene"], *symbol.inside);
  }
}

} // namespace

bool retell(nlohmann::ordered_json& drawn, const Sketch& before, const Sketch& now) {
  if (!same_places(before, now)) return false;
  write_texts(drawn, now);
  return true;
}

nlohmann::ordered_json scene(const Sketch& sketch, Arrangement& places, RouteMemories& routes) {
  CompositionOptions options;
  if (!places.places.empty()) options.like = places;
  options.hold = true;
  options.routes = &routes;
  const SketchPanel panel(sketch, options);
  panel.arrange(places);
  return SceneLevel(panel, 0, 0).make();
}

} // namespace hilda::graphics::draw
