// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/draw/panel.h"

#include "tools/graphics/detail/draw/symbol_picture.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace hilda::graphics::draw {
namespace {

constexpr double arrow_length = 7, arrow_half = 3;

constexpr double deepest_point = 7; ///< of a tag: a deeper one would cut the outer of several lines

/// A pentagon that points at `tip`.
std::vector<double> pointer(double tip_x, double y, double width, double height, bool to_right) {
  const double depth = std::min(height / 2.6, deepest_point), back = to_right ? tip_x - width : tip_x + width,
               neck = to_right ? tip_x - depth : tip_x + depth;
  return {back, y - height / 2, neck, y - height / 2, tip_x, y, neck, y + height / 2, back, y + height / 2};
}

/// An arrowhead that ends at a point, coming from another.
std::vector<double> arrowhead(std::pair<double, double> from, std::pair<double, double> to) {
  const double dx = to.first - from.first, dy = to.second - from.second, length = std::max(1e-9, std::hypot(dx, dy));
  const double ux = dx / length, uy = dy / length, bx = to.first - arrow_length * ux,
               by = to.second - arrow_length * uy;
  return {to.first, to.second, bx - arrow_half * uy, by + arrow_half * ux, bx + arrow_half * uy, by - arrow_half * ux};
}

} // namespace

SketchPanel::SketchPanel(const Sketch& sketch, const CompositionOptions& options) : sketch_(sketch) {
  CompositionOptions inside;
  inside.like = options.like, inside.hold = options.hold, inside.routes = options.routes;
  std::vector<Inside> sizes;
  for (const Symbol& symbol : sketch.symbols) {
    insides_.push_back(symbol.inside ? std::make_unique<SketchPanel>(*symbol.inside, inside) : nullptr);
    sizes.push_back(insides_.back() ? Inside{insides_.back()->width(), insides_.back()->height()} : Inside{});
  }
  composition_ = compose(sketch, sizes, options);
  extent();
}

void SketchPanel::extent() {
  const Placement& place = composition_.placement;
  double right = 0, bottom = 0;
  const auto reach = [&](double x0, double y0, double x1, double y1) {
    left_ = std::min(left_, x0), top_ = std::min(top_, y0), right = std::max(right, x1), bottom = std::max(bottom, y1);
  };
  for (std::size_t s = 0; s < place.spots.size(); ++s) {
    const Spot& spot = place.spots[s];
    const Shape& shape = place.shapes[s];
    const bool named_below =
        sketch_.symbols[s].kind == Symbol::Kind::gain || sketch_.symbols[s].kind == Symbol::Kind::sum;
    const double name = named_below ? (svg::text_width(sketch_.symbols[s].name, type_size, true) - shape.width) / 2 : 0;
    reach(spot.x - std::max(2.0, name), spot.y - 2, spot.x + shape.width + std::max(2.0, name),
          spot.y + shape.height + (named_below ? 12 : 2));
    for (const PortGroup& group : shape.groups) {
      if (!group.input() || !place.tagged[static_cast<std::size_t>(group.net)][static_cast<std::size_t>(group.arrow)])
        continue;
      const Net& net = sketch_.nets[static_cast<std::size_t>(group.net)];
      const double width = tag_width(tag_lines(sketch_, net, net.arrows[static_cast<std::size_t>(group.arrow)])) + grid;
      reach(group.side == Side::left ? spot.x - width : spot.x, spot.y,
            group.side == Side::right ? spot.x + shape.width + width : spot.x, spot.y);
    }
  }
  for (const auto& net : composition_.routes.of)
    for (const Route& route : net)
      for (const auto& [x, y] : route) reach(x - 3, y - 3, x + 3, y + 3);
  for (const Hints::Area& area : sketch_.areas) {
    const double x = place.left + area.place.x, y = place.top + area.place.y;
    const double title = 16 + svg::text_width(area.title, area_title, true);
    reach(x - 2, y - 2, x + std::max(area.width, title) + 2, y + area.height + 2);
  }
  width_ = right - left_, height_ = bottom - top_;
}

void SketchPanel::arrange(Arrangement& arrangement) const {
  arrangement.note(sketch_, composition_.placement);
  for (const auto& inside : insides_)
    if (inside) inside->arrange(arrangement);
}

void SketchPanel::paint(svg::Document& out, double x, double y) const {
  const Origin at{x - left_, y - top_};
  paint_areas(out, at);
  // red lines last, so that they lie over the others
  for (const bool in_loop : {false, true}) paint_lines(out, at, in_loop);
  for (std::size_t n = 0; n < sketch_.nets.size(); ++n) paint_junctions(out, at, n);
  for (std::size_t s = 0; s < sketch_.symbols.size(); ++s) {
    const Spot& spot = composition_.placement.spots[s];
    const Shape& shape = composition_.placement.shapes[s];
    paint_symbol(out, sketch_, sketch_.symbols[s], shape, at.x + spot.x, at.y + spot.y);
    paint_tags(out, at, static_cast<int>(s));
    if (!insides_[s]) continue;
    const auto [inside_x, inside_y] = inside_place(s);
    insides_[s]->paint(out, at.x + inside_x, at.y + inside_y);
  }
}

void SketchPanel::paint_areas(svg::Document& out, Origin at) const {
  const Placement& place = composition_.placement;
  for (const Hints::Area& area : sketch_.areas) {
    const double x = at.x + place.left + area.place.x, y = at.y + place.top + area.place.y;
    out.begin("", area.path);
    out.rectangle(x, y, area.width, area.height, 4, {.stroke = area_stroke, .fill = area_fill, .width = 1});
    out.text(x + 8, y + 14, area.title, {.size = area_title, .bold = true, .fill = area_ink});
    out.end();
  }
}

std::pair<double, double> SketchPanel::inside_place(std::size_t symbol) const {
  const Spot& spot = composition_.placement.spots[symbol];
  const Symbol& around = sketch_.symbols[symbol];
  double names = 0; // at the left border
  for (const std::string& name : spot.mirrored ? around.outputs : around.inputs)
    names = std::max(names, svg::text_width(name, port_size));
  return {spot.x + names + 12, spot.y + composition_.placement.shapes[symbol].header};
}

void SketchPanel::paint_lines(svg::Document& out, Origin at, bool in_loop) const {
  const auto& routes = composition_.routes.of;
  // every line first in white, so that a crossing shows which one goes over
  for (const bool halo : {true, false})
    for (std::size_t n = 0; n < sketch_.nets.size(); ++n) {
      if (!halo) out.begin("", sketch_.nets[n].title);
      for (const bool thick : {false, true})
        for (std::size_t a = 0; a < routes[n].size(); ++a) {
          const Arrow& arrow = sketch_.nets[n].arrows[a];
          if (arrow.in_loop != in_loop || routes[n][a].empty() || arrow.several() != thick) continue;
          if (halo) {
            std::vector<double> xy;
            for (const auto& [x, y] : routes[n][a]) xy.push_back(at.x + x), xy.push_back(at.y + y);
            out.polyline(xy, {.stroke = "#ffffff", .width = thick ? 5.5 : 4});
          } else {
            paint_line(out, at, n, a);
          }
        }
      if (!halo) out.end();
    }
}

void SketchPanel::paint_line(svg::Document& out, Origin at, std::size_t net, std::size_t arrow) const {
  const Route& route = composition_.routes.of[net][arrow];
  const Arrow& end = sketch_.nets[net].arrows[arrow];
  const char* ink = end.in_loop ? loop_ink : "#222222";
  std::vector<double> xy;
  for (const auto& [x, y] : route) xy.push_back(at.x + x), xy.push_back(at.y + y);
  const auto [fx, fy] = route[route.size() - 2];
  const auto [tx, ty] = route.back();
  const std::vector<double> head = arrowhead({at.x + fx, at.y + fy}, {at.x + tx, at.y + ty});
  // the line ends inside its head
  xy[xy.size() - 2] = (head[0] + (head[2] + head[4]) / 2) / 2,
                 xy[xy.size() - 1] = (head[1] + (head[3] + head[5]) / 2) / 2;
  out.polyline(xy, {.stroke = ink,
                    .width = end.in_loop     ? 2.0
                             : end.several() ? 2.2
                                             : 1.1,
                    .extra = "stroke-linejoin=\"round\""});
  out.polygon(head, {.stroke = "", .fill = ink, .width = 0});
  const std::string& part = end.taps.front().part;
  const Symbol& symbol = sketch_.symbols[static_cast<std::size_t>(end.to)];
  const bool said =
      !symbol.inputs.empty() && part == "." + symbol.inputs[static_cast<std::size_t>(end.taps.front().input)];
  if (end.several() || part.empty() || said || std::abs(tx - fx) < svg::text_width(part, port_size) + 16) return;
  const bool to_right = tx > fx;
  out.text(at.x + tx + (to_right ? -9 : 9), at.y + ty - 3, part,
           {port_size - 0.5, to_right ? svg::Anchor::end : svg::Anchor::start, false, false, "#666666"});
}

/// A dot where three pieces of a net's lines meet.
void SketchPanel::paint_junctions(svg::Document& out, Origin at, std::size_t net) const {
  std::map<std::pair<double, double>, std::set<std::pair<int, int>>> ways;
  bool thick = false, red = false;
  for (std::size_t a = 0; a < composition_.routes.of[net].size(); ++a) {
    const Route& route = composition_.routes.of[net][a];
    if (route.empty()) continue;
    thick = thick || sketch_.nets[net].arrows[a].several(), red = red || sketch_.nets[net].arrows[a].in_loop;
    for (std::size_t i = 0; i + 1 < route.size(); ++i) {
      const int dx = (route[i + 1].first > route[i].first) - (route[i + 1].first < route[i].first);
      const int dy = (route[i + 1].second > route[i].second) - (route[i + 1].second < route[i].second);
      for (auto p = route[i]; p != route[i + 1]; p = {p.first + dx * grid, p.second + dy * grid}) {
        ways[p].insert({dx, dy});
        ways[{p.first + dx * grid, p.second + dy * grid}].insert({-dx, -dy});
      }
    }
  }
  for (const auto& [point, directions] : ways)
    if (directions.size() > 2)
      out.circle(at.x + point.first, at.y + point.second, thick ? 2.8 : 2.3,
                 {"", red ? loop_ink : "#222222", 0, "", ""});
}

const PortGroup* SketchPanel::group_of(std::size_t net, int arrow, int& symbol) const {
  symbol = arrow < 0 ? sketch_.nets[net].from : sketch_.nets[net].arrows[static_cast<std::size_t>(arrow)].to;
  for (const PortGroup& group : composition_.placement.shapes[static_cast<std::size_t>(symbol)].groups)
    if (group.net == static_cast<int>(net) && group.arrow == arrow) return &group;
  return nullptr;
}

void SketchPanel::paint_tags(svg::Document& out, Origin at, int symbol) const {
  const Placement& place = composition_.placement;
  for (const PortGroup& group : place.shapes[static_cast<std::size_t>(symbol)].groups) {
    const auto n = static_cast<std::size_t>(group.net);
    if (!group.input()) {
      if (std::find(place.tagged[n].begin(), place.tagged[n].end(), true) != place.tagged[n].end())
        paint_flag(out, at, symbol, group);
      continue;
    }
    if (!place.tagged[n][static_cast<std::size_t>(group.arrow)]) continue;
    const std::vector<std::string> lines =
        tag_lines(sketch_, sketch_.nets[n], sketch_.nets[n].arrows[static_cast<std::size_t>(group.arrow)]);
    const auto [x, y] = border_point(place, symbol, group);
    const bool left = group.side != Side::right;
    const double height = port_line * static_cast<double>(lines.size()) + 1, width = tag_width(lines) - 4;
    double tip = at.x + x + (left ? -grid : grid), middle = at.y + y;
    if (group.side == Side::top || group.side == Side::bottom) {
      // a sum's: the tag is next to the end of a short line
      middle += (group.side == Side::top ? -1 : 1) * port_line, tip = at.x + x;
      out.line(tip, at.y + y, tip, middle, {.stroke = "#222222", .width = 1.1});
    } else {
      out.line(at.x + x, middle, tip, middle, {.stroke = "#222222", .width = 1.1});
    }
    out.polygon(pointer(tip, middle, width, height, left), {.stroke = tag_stroke, .fill = tag_fill, .width = 0.9});
    const double inset =
        lines.size() > 1 ? deepest_point + 2 * static_cast<double>(lines.size() - 1) : 5 + 0.6 * height / 2.6;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const double text_y =
          middle + port_line * (static_cast<double>(i) - static_cast<double>(lines.size() - 1) / 2) + 3;
      out.text(tip + (left ? -inset : inset), text_y, lines[i],
               {.size = port_size, .anchor = left ? svg::Anchor::end : svg::Anchor::start, .fill = tag_ink});
    }
  }
}

/// Says that a signal continues elsewhere; anyone who points at it reads where to.
void SketchPanel::paint_flag(svg::Document& out, Origin at, int symbol, const PortGroup& group) const {
  const Placement& place = composition_.placement;
  const Net& net = sketch_.nets[static_cast<std::size_t>(group.net)];
  const std::vector<bool>& tagged = place.tagged[static_cast<std::size_t>(group.net)];
  std::string title;
  for (std::size_t a = 0; a < net.arrows.size(); ++a)
    if (tagged[a])
      title += (title.empty() ? "to " : ", ") + sketch_.symbols[static_cast<std::size_t>(net.arrows[a].to)].name;
  const bool alone = std::find(tagged.begin(), tagged.end(), false) == tagged.end(), right = group.side != Side::left;
  const auto [x, y] = border_point(place, symbol, group);
  const double start = at.x + x + (right ? 3 : -3), middle = at.y + y - (alone ? 0 : 8);
  out.begin("", title);
  if (alone) out.line(at.x + x, middle, start, middle, {.stroke = "#222222", .width = 1.1});
  out.polygon(pointer(start + (right ? 11 : -11), middle, 11, 8, right),
              {.stroke = tag_stroke, .fill = tag_fill, .width = 0.9});
  out.end();
}

bool SketchPanel::has_tags() const {
  const auto any = [](const std::vector<bool>& net) { return std::find(net.begin(), net.end(), true) != net.end(); };
  return std::any_of(composition_.placement.tagged.begin(), composition_.placement.tagged.end(), any) ||
         std::any_of(insides_.begin(), insides_.end(), [](const auto& inside) { return inside && inside->has_tags(); });
}

bool SketchPanel::has_bundles() const {
  const auto bundled = [](const Net& net) {
    return std::any_of(net.arrows.begin(), net.arrows.end(), [](const Arrow& a) { return a.several(); });
  };
  return std::any_of(sketch_.nets.begin(), sketch_.nets.end(), bundled) ||
         std::any_of(insides_.begin(), insides_.end(),
                     [](const auto& inside) { return inside && inside->has_bundles(); });
}

} // namespace hilda::graphics::draw
