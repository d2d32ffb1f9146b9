#include "tools/draw/drawing.h"

#include "tools/draw/straighten.h"
#include "tools/draw/symbol_picture.h"
#include "tools/draw/wiring.h"
#include "tools/svg/svg.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace hilda::draw {
namespace {

constexpr double label_size = 8.5, small = 9, track_distance = 8, margin = 14, frame_pad = 13, arrow = 7;
constexpr std::size_t most_symbols = 400;

class Drawing {
public:
  Drawing(const Sketch& sketch, const std::vector<Size>& sizes, const Layout& layout, const Wiring& wiring)
      : sketch_(sketch), sizes_(sizes), layout_(layout), wiring_(wiring) {}

  std::string text() {
    place_columns();
    const double top = place_rows();
    for (std::size_t f = 0; f < sketch_.frames.size(); ++f) frame(f);
    // red lines last, so that they lie over the others
    for (const bool in_loop : {false, true})
      for (std::size_t n = 0; n < sketch_.nets.size(); ++n)
        if (sketch_.nets[n].in_loop == in_loop) net(n);
    for (std::size_t s = 0; s < sketch_.symbols.size(); ++s) symbol(s);
    head(top);
    legend();
    return out_.text(std::max(width_, legend_end_) + margin, height_ + margin);
  }

private:
  double y(double height) const { return height + shift_; }
  double left_of(std::size_t s) const { return middle_[rank(s)] - sizes_[s].width / 2; }
  double right_of(std::size_t s) const { return middle_[rank(s)] + sizes_[s].width / 2; }
  std::size_t rank(std::size_t s) const { return static_cast<std::size_t>(layout_.rank[s]); }
  double track(std::size_t channel, int index) const { return track_[channel] + track_distance * index; }

  /// First and last rank of what a frame holds, nested frames included.
  struct Extent {
    std::size_t first = static_cast<std::size_t>(-1), last = 0;
    double low = 1e300, high = -1e300;
    int nested = 0; ///< frames inside frames inside it
  };
  Extent extent_of(std::size_t frame) const {
    Extent extent;
    for (std::size_t s = 0; s < sketch_.symbols.size(); ++s) {
      if (sketch_.symbols[s].frame != static_cast<int>(frame)) continue;
      extent.first = std::min(extent.first, rank(s)), extent.last = std::max(extent.last, rank(s));
      extent.low = std::min(extent.low, layout_.y[s] - sizes_[s].height / 2);
      extent.high = std::max(extent.high, layout_.y[s] + sizes_[s].height / 2);
    }
    for (std::size_t f = 0; f < sketch_.frames.size(); ++f) {
      if (sketch_.frames[f].parent != static_cast<int>(frame)) continue;
      const Extent inner = extent_of(f);
      extent.first = std::min(extent.first, inner.first), extent.last = std::max(extent.last, inner.last);
      extent.low = std::min(extent.low, inner.low - frame_pad - 12);
      extent.high = std::max(extent.high, inner.high + frame_pad);
      extent.nested = std::max(extent.nested, inner.nested + 1);
    }
    return extent;
  }

  void place_columns() {
    const auto ranks = static_cast<std::size_t>(layout_.ranks);
    std::vector<double> before(ranks, 0), after(ranks, 0), column(ranks, 0), label(ranks, 0);
    for (std::size_t f = 0; f < sketch_.frames.size(); ++f) {
      const Extent extent = extent_of(f);
      before[extent.first] = std::max(before[extent.first], frame_pad * (1 + extent.nested));
      after[extent.last] = std::max(after[extent.last], frame_pad * (1 + extent.nested));
    }
    for (std::size_t s = 0; s < sketch_.symbols.size(); ++s)
      column[rank(s)] = std::max(column[rank(s)], sizes_[s].width);
    for (std::size_t s = 0; s < sketch_.symbols.size(); ++s)
      for (const PortPlace& port : wiring_.outputs[s])
        for (const std::string& line : sketch_.nets[static_cast<std::size_t>(port.net)].labels)
          label[rank(s)] =
              std::max(label[rank(s)], svg::text_width(line, label_size) + 8 - (column[rank(s)] - sizes_[s].width) / 2);
    double x = margin;
    for (std::size_t r = 0; r <= ranks; ++r) {
      track_.push_back(x + 6);
      x += wiring_.channels[r].tracks > 0 ? 6 + track_distance * (wiring_.channels[r].tracks - 1) + 6 : 4;
      if (r == ranks) break;
      x += before[r] + arrow + 2;
      frame_left_.push_back(x - arrow + 1);
      middle_.push_back(x + column[r] / 2);
      x += column[r] + std::max(label[r], 8.0) + after[r];
      frame_right_.push_back(x - 2);
    }
    width_ = x;
  }

  /// Room for the head; returns its place.
  double place_rows() {
    double low = 1e300, high = -1e300;
    for (std::size_t s = 0; s < sketch_.symbols.size(); ++s) {
      low = std::min(low, layout_.y[s] - sizes_[s].height / 2);
      high = std::max(high, layout_.y[s] + sizes_[s].height / 2);
    }
    for (std::size_t f = 0; f < sketch_.frames.size(); ++f) {
      const Extent extent = extent_of(f);
      low = std::min(low, extent.low - frame_pad - 12), high = std::max(high, extent.high + frame_pad);
    }
    for (const auto* passes : {&layout_.ahead, &layout_.back})
      for (const auto& list : *passes)
        for (const Pass& pass : list) low = std::min(low, pass.y), high = std::max(high, pass.y);
    if (low > high) low = high = 0;
    shift_ = margin + 24 - low;
    height_ = high + shift_;
    return margin + 9;
  }

  void head(double top) {
    out_.text(margin, top, sketch_.title, {12.5, svg::Anchor::start, true});
    const double room = std::max(width_, 300.0) - margin - svg::text_width(sketch_.title, 12.5, true) - 12;
    std::string subtitle = sketch_.subtitle;
    while (!subtitle.empty() && svg::text_width(subtitle + "...", small) > room) subtitle.pop_back();
    if (subtitle.size() < sketch_.subtitle.size()) subtitle.resize(std::min(subtitle.size(), subtitle.rfind(' ')));
    if (subtitle.size() < sketch_.subtitle.size() && !subtitle.empty()) subtitle += " ...";
    out_.text(margin + svg::text_width(sketch_.title, 12.5, true) + 12, top, subtitle,
              {small, svg::Anchor::start, false, false, "#555555"});
  }

  void frame(std::size_t f) {
    const Extent extent = extent_of(f);
    const double extra = frame_pad * extent.nested;
    const double x = frame_left_[extent.first] - 4 - extra, right = frame_right_[extent.last] - frame_pad + 6 + extra;
    const double top = y(extent.low) - frame_pad - 10;
    out_.rectangle(x, top, right - x, y(extent.high) + frame_pad - top, 4, {"#777777", "#fafafa", 0.9, "5 3", ""});
    out_.text(x + 6, top + 11, sketch_.frames[f].name, {small + 0.5, svg::Anchor::start, true, false, "#444444"});
  }

  std::string stroke_of(const Net& net) const { return net.in_loop ? loop_ink : "#222222"; }

  void net(std::size_t n) {
    const Net& net = sketch_.nets[n];
    const svg::Style line{stroke_of(net), "none", net.in_loop ? 2.0 : 1.0, "", "stroke-linecap=\"square\""};
    out_.begin("", net.title);
    for (std::size_t c = 0; c < wiring_.channels.size(); ++c)
      for (const Crossbar& bar : wiring_.channels[c].bars)
        if (bar.net == static_cast<int>(n)) crossbar(c, bar, net, line);
    for (std::size_t c = 0; c + 1 < wiring_.channels.size(); ++c) passes(n, c, line);
    label(net, n);
    out_.end();
  }

  /// Where a crossbar's line begins for a height on its left or ends on its right.
  double bar_x(std::size_t channel, int net) const {
    for (const Crossbar& bar : wiring_.channels[channel].bars)
      if (bar.net == net) return bar.track < 0 ? track_[channel] : track(channel, bar.track);
    return track_[channel];
  }

  void crossbar(std::size_t c, const Crossbar& bar, const Net& net, const svg::Style& line) {
    const double x = bar_x(c, bar.net);
    if (bar.track >= 0) {
      out_.line(x, y(bar.low()), x, y(bar.high()), line);
      std::vector<double> heights = bar.left;
      heights.insert(heights.end(), bar.right.begin(), bar.right.end());
      for (const double h : heights) {
        const auto near = [h](double other) { return std::abs(other - h) < 0.01; };
        const auto ends = std::count_if(heights.begin(), heights.end(), near) + (h > bar.low() + 0.01 ? 1 : 0) +
                          (h < bar.high() - 0.01 ? 1 : 0);
        if (ends > 2) out_.circle(x, y(h), 2.1, {"", stroke_of(net), 0, "", ""});
      }
    }
    // to the symbols on either side
    for (std::size_t s = 0; s < sketch_.symbols.size(); ++s) {
      if (rank(s) + 1 == c)
        for (const PortPlace& port : wiring_.outputs[s])
          if (port.net == bar.net) out_.line(exit_x(s, port.y), y(port.y), x, y(port.y), line);
      if (rank(s) == c)
        for (const PortPlace& port : wiring_.inputs[s])
          if (port.net == bar.net) enter(s, port, x, net, line);
    }
  }

  void passes(std::size_t n, std::size_t r, const svg::Style& line) {
    for (const auto* list : {&layout_.ahead[n], &layout_.back[n]})
      for (const Pass& pass : *list)
        if (pass.rank == static_cast<int>(r))
          out_.line(bar_x(r, static_cast<int>(n)), y(pass.y), bar_x(r + 1, static_cast<int>(n)), y(pass.y), line);
  }

  double exit_x(std::size_t s, double height) const {
    const double off = std::abs(height - layout_.y[s]), radius = sizes_[s].width / 2;
    if (sketch_.symbols[s].kind == Symbol::Kind::sum)
      return middle_[rank(s)] + std::sqrt(std::max(0.0, radius * radius - off * off));
    if (sketch_.symbols[s].kind == Symbol::Kind::gain)
      return right_of(s) - sizes_[s].width * off / (sizes_[s].height / 2);
    return right_of(s);
  }

  double entry_x(std::size_t s, double height) const {
    const double off = std::abs(height - layout_.y[s]), radius = sizes_[s].width / 2;
    if (sketch_.symbols[s].kind == Symbol::Kind::sum)
      return middle_[rank(s)] - std::sqrt(std::max(0.0, radius * radius - off * off));
    return left_of(s);
  }

  void enter(std::size_t s, const PortPlace& port, double from, const Net& net, const svg::Style& line) {
    const double x = entry_x(s, port.y), h = y(port.y);
    out_.line(from, h, x - 2, h, line);
    out_.polygon({x, h, x - arrow, h - 2.8, x - arrow, h + 2.8}, {"", stroke_of(net), 0, "", ""});
    const Symbol& symbol = sketch_.symbols[s];
    const int item = net.to[static_cast<std::size_t>(port.end)].item;
    if (item < 0 || static_cast<std::size_t>(item) >= symbol.signs.size()) return;
    // beside the arrow, on the side away from the circle's middle
    const double beside = port.y > layout_.y[s] + 0.5 ? 12 : -4;
    out_.text(x - 2, h + beside, symbol.signs[static_cast<std::size_t>(item)] == '-' ? "\xE2\x88\x92" : "+",
              {11, svg::Anchor::end, true});
  }

  void label(const Net& net, std::size_t n) {
    const auto s = static_cast<std::size_t>(net.from);
    for (const PortPlace& port : wiring_.outputs[s]) {
      if (port.net != static_cast<int>(n)) continue;
      for (std::size_t i = 0; i < net.labels.size(); ++i)
        out_.text(exit_x(s, port.y) + 4, y(port.y) - 3 - 9 * static_cast<double>(net.labels.size() - 1 - i),
                  net.labels[i], {label_size, svg::Anchor::start, false, false, net.in_loop ? loop_ink : "#333333"});
    }
  }

  void symbol(std::size_t s) {
    const Symbol& symbol = sketch_.symbols[s];
    paint_symbol(out_, symbol, ink_of(sketch_, symbol), left_of(s), y(layout_.y[s]) - sizes_[s].height / 2, sizes_[s]);
  }

  void legend() {
    height_ += 22;
    double x = margin;
    const auto entry = [&](double room, const std::string& text) {
      out_.text(x + room + 5, height_, text, {small, svg::Anchor::start, false, false, "#333333"});
      x += room + 5 + svg::text_width(text, small) + 18;
    };
    const auto any = [this](auto member) {
      return std::any_of(sketch_.symbols.begin(), sketch_.symbols.end(),
                         [member](const Symbol& s) { return s.*member; });
    };
    for (std::size_t r = 0; r < sketch_.rates.size(); ++r) {
      const Ink ink = ink_of_rate(sketch_, r);
      out_.rectangle(x, height_ - 9, 16, 11, 2, {ink.stroke, ink.fill, 1.2, "", ""});
      entry(16, sketch_.rates[r].continuous ? "continuous" : "every " + sketch_.rates[r].text);
    }
    if (any(&Symbol::discrete_state)) {
      out_.text(x, height_, "z\xE2\x81\xBB\xC2\xB9", {small, svg::Anchor::start, true, true, state_ink});
      entry(14, "holds discrete states");
    }
    if (any(&Symbol::continuous_state)) {
      out_.text(x, height_, "1/s", {small, svg::Anchor::start, true, true, state_ink});
      entry(14, "holds continuous states");
    }
    if (any(&Symbol::breaks_loops)) {
      out_.rectangle(x, height_ - 9, 2.6, 11, 0, {"", "#333333", 0, "", ""});
      entry(3, "outputs do not follow from inputs of the same tick");
    }
    if (any(&Symbol::in_loop)) {
      out_.line(x, height_ - 4, x + 16, height_ - 4, {loop_ink, "none", 2, "", ""});
      entry(16, "algebraic loop");
    }
    legend_end_ = x;
  }

  const Sketch& sketch_;
  const std::vector<Size>& sizes_;
  const Layout& layout_;
  const Wiring& wiring_;
  svg::Document out_;
  std::vector<double> track_, middle_, frame_left_, frame_right_; ///< by channel; by rank
  double width_ = 0, height_ = 0, shift_ = 0, legend_end_ = 0;
};

} // namespace

std::optional<std::string> diagram_svg(const Sketch& sketch, std::string& error) {
  if (sketch.symbols.size() > most_symbols) {
    error = fmt::format("{} symbols are too many for one picture ({} at most)\nhelp: a smaller --depth closes "
                        "subsystems, --inside PATH draws one of them",
                        sketch.symbols.size(), most_symbols);
    return std::nullopt;
  }
  std::vector<double> inputs(sketch.symbols.size(), 0), outputs(sketch.symbols.size(), 0);
  for (const Net& net : sketch.nets) {
    outputs[static_cast<std::size_t>(net.from)] += port_room(net.labels.size());
    for (const Net::End& end : net.to) inputs[static_cast<std::size_t>(end.symbol)] += port_room(1);
  }
  std::vector<Size> sizes;
  for (std::size_t s = 0; s < sketch.symbols.size(); ++s)
    sizes.push_back(symbol_size(sketch.symbols[s], std::max(inputs[s], outputs[s])));
  std::optional<Layout> layout = lay_out(sketch, sizes, error);
  if (!layout) return std::nullopt;
  for (int round = 0; round < 2; ++round) straighten(sketch, sizes, wire_up(sketch, sizes, *layout), *layout);
  return Drawing(sketch, sizes, *layout, wire_up(sketch, sizes, *layout)).text();
}

} // namespace hilda::draw
