// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/chart_picture.h"

#include "tools/graphics/svg.h"

#include <algorithm>
#include <cmath>

namespace hilda::graphics::draw {
namespace {

constexpr double edge = 16, head_size = 13, state_size = 11.5, small_size = 9, line_step = 12, port_step = 16;
constexpr double gap = 36, inner_gap = 24, frame_pad = 18, least_width = 96, lane_pad = 10;
constexpr const char *state_stroke = "#1f3a5f", *state_fill = "#f4f8fc", *frame_fill = "#fbfcfe", *way_ink = "#333333";

struct Box {
  double left = 0, top = 0, width = 0, height = 0, header = 0; ///< header: name, actions and ports of a frame
  std::size_t ports[2] = {0, 0}, taken[2] = {0, 0};            ///< on the left, on the right
  double right() const { return left + width; }
  double bottom() const { return top + height; }
  double middle() const { return left + width / 2; }
};

/// A transition and where it runs.
struct Way {
  const ChartTransition* of = nullptr;
  bool straight = false;
  int side = 1; ///< 0: lane on the left, 1: on the right
  double from = 0, to = 0, lane = 0, label = 0;
  double length() const { return std::abs(to - from); }
};

class ChartPage {
public:
  explicit ChartPage(const ChartSketch& chart) : chart_(chart), boxes_(chart.states.size()) {}

  std::string make() {
    choose_ways();
    measure();
    place();
    choose_lanes();
    const double head = chart_.description.empty() ? 2 * edge + 6 : 3 * edge + 6;
    const double width = std::max(right_ - left_ + 2 * edge, 2 * edge + head_width());
    out_.text(edge, edge + head_size - 3, chart_.title, {.size = head_size, .bold = true});
    out_.text(edge, edge + head_size + 14, chart_.description, {.size = small_size, .fill = "#555555"});
    out_.begin("transform=\"translate(" + svg::px(edge - left_) + " " + svg::px(head) + ")\"");
    for (std::size_t i = 0; i < boxes_.size(); ++i) paint_state(i);
    for (const Way& way : ways_) paint(way);
    out_.end();
    return out_.text(width, head + bottom_ + 2 * edge);
  }

private:
  double head_width() const {
    return std::max(svg::text_width(chart_.title, head_size, true), svg::text_width(chart_.description, small_size));
  }
  bool holds(std::size_t state) const {
    return std::any_of(chart_.states.begin(), chart_.states.end(),
                       [&](const ChartState& each) { return each.parent == static_cast<int>(state); });
  }
  /// The state that is below it, with nothing between; its own size: none.
  std::size_t below(std::size_t state) const {
    std::size_t next = state + 1;
    if (holds(state))
      while (next < boxes_.size() && chart_.states[next].parent == static_cast<int>(state)) ++next;
    return next;
  }

  void choose_ways() {
    std::vector<bool> used(boxes_.size(), false);
    for (const ChartTransition& each : chart_.transitions) {
      Way way;
      way.of = &each;
      way.straight = each.to == below(each.from) && !used[each.from] && each.from != each.to;
      if (way.straight) used[each.from] = true;
      way.side = each.to < each.from ? 0 : 1;
      if (!way.straight) ++boxes_[each.from].ports[way.side], ++boxes_[each.to].ports[way.side];
      ways_.push_back(way);
    }
  }

  void measure() {
    column_ = least_width;
    for (const Way& way : ways_) // a text next to an arrow within a frame stays within
      if (way.straight)
        column_ = std::max(column_, 2 * (svg::text_width(way.of->text, small_size) + 8) - 2 * frame_pad);
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      const ChartState& state = chart_.states[i];
      column_ = std::max(column_, svg::text_width(state.name, state_size, true) + 24);
      for (const std::string& each : state.actions) column_ = std::max(column_, svg::text_width(each, small_size) + 20);
      const double ports = port_step * static_cast<double>(std::max(boxes_[i].ports[0], boxes_[i].ports[1])) + 8;
      boxes_[i].header = std::max(22 + line_step * static_cast<double>(state.actions.size()), ports);
    }
  }

  void place() {
    double at = 14;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      const bool inner = chart_.states[i].parent >= 0, outer = holds(i);
      Box& box = boxes_[i];
      box.left = outer ? -frame_pad : 0, box.width = column_ + (outer ? 2 * frame_pad : 0);
      box.top = at, box.height = box.header;
      at = box.bottom() + (outer ? inner_gap : gap);
      if (!inner) continue;
      Box& around = boxes_[static_cast<std::size_t>(chart_.states[i].parent)];
      around.height = box.bottom() + frame_pad / 2 - around.top;
      const bool last = i + 1 == boxes_.size() || chart_.states[i + 1].parent != chart_.states[i].parent;
      if (last) at = around.bottom() + gap;
    }
    for (const Box& each : boxes_)
      left_ = std::min(left_, each.left), right_ = std::max(right_, each.right()),
      bottom_ = std::max(bottom_, each.bottom());
  }

  double port(Box& box, int side) {
    const double number = static_cast<double>(box.taken[side]++) + 0.5;
    return box.top + box.header * number / static_cast<double>(box.ports[side]);
  }

  /// Short ones near the states; each lane has room for its label.
  void choose_lanes() {
    std::vector<Way*> open;
    for (Way& way : ways_)
      if (!way.straight) open.push_back(&way);
    const auto span = [&](const Way* way) { return std::abs(boxes_[way->of->to].top - boxes_[way->of->from].top); };
    std::stable_sort(open.begin(), open.end(), [&](const Way* a, const Way* b) { return span(a) < span(b); });
    for (Way* way : open) {
      way->to = port(boxes_[way->of->to], way->side);
      way->from = port(boxes_[way->of->from], way->side);
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
      Way& way = *open[i];
      const double room = lane_pad + svg::text_width(way.of->text, small_size) + 6;
      if (way.side == 1)
        way.lane = right_ + lane_pad, right_ = way.lane + room;
      else
        way.lane = left_ - lane_pad, left_ = way.lane - room;
      place_label(way, open, i);
    }
    for (const Way& way : ways_)
      if (way.straight)
        right_ = std::max(right_, boxes_[way.of->from].middle() + svg::text_width(way.of->text, small_size) + 16);
  }

  /// Within the span, as far as may be from the lines to lanes further out, which pass over this one.
  void place_label(Way& way, const std::vector<Way*>& open, std::size_t self) const {
    const double top = std::min(way.from, way.to), bottom = std::max(way.from, way.to);
    double best = -1;
    for (int i = 0; i <= 20; ++i) {
      const double y = top + (bottom - top) * i / 20;
      double near = 20 - std::abs(y - (top + bottom) / 2) * 0.05;
      for (std::size_t other = self + 1; other < open.size(); ++other)
        if (open[other]->side == way.side)
          near = std::min({near, std::abs(open[other]->from - y), std::abs(open[other]->to - y)});
      if (near > best) best = near, way.label = y;
    }
  }

  void paint_state(std::size_t index) {
    const ChartState& state = chart_.states[index];
    const Box& box = boxes_[index];
    const bool frame = holds(index);
    out_.begin("class=\"state\"", state.name);
    out_.rectangle(box.left, box.top, box.width, box.height, 10,
                   {.stroke = state_stroke, .fill = frame ? frame_fill : state_fill, .width = 1.3});
    if (state.ends)
      out_.rectangle(box.left + 3, box.top + 3, box.width - 6, box.height - 6, 8,
                     {.stroke = state_stroke, .width = 0.8});
    out_.text(box.middle(), box.top + 15, state.name,
              {.size = state_size, .anchor = svg::Anchor::middle, .bold = true});
    double at = box.top + 17;
    for (const std::string& each : state.actions)
      out_.text(box.left + 10, at += line_step, each, {.size = small_size, .fill = "#333333"});
    out_.end();
    if (!state.start) return;
    out_.circle(box.left + 16, box.top - 13, 4, {.stroke = "", .fill = way_ink, .width = 0});
    arrow({box.left + 16, box.top - 13, box.left + 16, box.top});
  }

  /// A line with a head at its end, which comes from above or from a side.
  void arrow(const std::vector<double>& line) {
    out_.polyline(line, {.stroke = way_ink, .width = 1.1});
    const std::size_t n = line.size();
    const double x = line[n - 2], y = line[n - 1], dx = x - line[n - 4], dy = y - line[n - 3];
    const double length = std::max(std::hypot(dx, dy), 1e-9), ux = dx / length, uy = dy / length;
    out_.polygon({x, y, x - 7 * ux - 3 * uy, y - 7 * uy + 3 * ux, x - 7 * ux + 3 * uy, y - 7 * uy - 3 * ux},
                 {.stroke = "", .fill = way_ink, .width = 0});
  }

  void paint(const Way& way) {
    const Box &from = boxes_[way.of->from], &to = boxes_[way.of->to];
    out_.begin("class=\"transition\"",
               chart_.states[way.of->from].name + " to " + chart_.states[way.of->to].name + " " + way.of->text);
    if (way.straight) {
      arrow({from.middle(), from.bottom(), from.middle(), to.top});
      out_.text(from.middle() + 6, to.top - 12, way.of->text, {.size = small_size, .fill = way_ink});
    } else {
      const bool right = way.side == 1;
      arrow({right ? from.right() : from.left, way.from, way.lane, way.from, way.lane, way.to,
             right ? to.right() : to.left, way.to});
      out_.text(way.lane + (right ? 4 : -4), way.label + 3, way.of->text,
                {.size = small_size, .anchor = right ? svg::Anchor::start : svg::Anchor::end, .fill = way_ink});
    }
    out_.end();
  }

  const ChartSketch& chart_;
  std::vector<Box> boxes_;
  std::vector<Way> ways_;
  svg::Document out_;
  double column_ = 0, left_ = 0, right_ = 0, bottom_ = 0;
};

} // namespace

std::string chart_picture(const ChartSketch& chart) { return ChartPage(chart).make(); }

} // namespace hilda::graphics::draw
