// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/drawing.h"

#include "tools/graphics/detail/draw/panel.h"
#include "tools/graphics/detail/draw/symbol_picture.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace hilda::graphics::draw {
namespace {

constexpr double margin = 16, title_size = 13, small = 9, line_height = 12;
constexpr std::size_t most_symbols = 400;

/// A text in lines of a width at most; a word that is longer is alone.
std::vector<std::string> wrapped(const std::string& text, double width) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string word = text.substr(at, end - at);
    const std::string longer = line.empty() ? word : line + " " + word;
    if (!line.empty() && svg::text_width(longer, small) > width) {
      lines.push_back(line);
      line = word;
    } else {
      line = longer;
    }
    at = end + 1;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

bool any(const Sketch& sketch, const std::function<bool(const Symbol&)>& says) {
  return std::any_of(sketch.symbols.begin(), sketch.symbols.end(), [&](const Symbol& symbol) {
    return says(symbol) || (symbol.inside && any(*symbol.inside, says));
  });
}

class Page {
public:
  Page(const Sketch& sketch, const SketchPanel& panel) : sketch_(sketch), panel_(panel) {}

  Drawing make() {
    collect_legend();
    width_ = std::max({panel_.width(), 320.0, std::min(legend_width(), std::max(panel_.width(), 560.0))});
    Arrangement arrangement;
    panel_.arrange(arrangement);
    out_.raw(arrangement.metadata());
    head();
    panel_.paint(out_, margin + (width_ - panel_.width()) / 2, y_);
    y_ += panel_.height() + 20;
    legend();
    // a strip is hard to look at on any page
    const double height = std::max(y_ + margin, (width_ + 2 * margin) / 2.4);
    Drawing drawing{out_.text(width_ + 2 * margin, height), panel_.quality()};
    drawing.quality.width = width_ + 2 * margin, drawing.quality.height = height;
    return drawing;
  }

private:
  struct Entry {
    double width;
    std::string text;
    std::function<void(double x, double y)> paint; ///< y: the text's base line
  };

  void head() {
    y_ = margin + title_size - 3;
    out_.text(margin, y_, sketch_.title, {.size = title_size, .bold = true});
    std::string remark = sketch_.remark;
    if (sketch_.rates.size() == 1) remark += (remark.empty() ? "" : " \xC2\xB7 ") + rate_words(sketch_.rates.front());
    out_.text(margin + svg::text_width(sketch_.title, title_size, true) + 12, y_, remark,
              {.size = small, .fill = "#555555"});
    for (const std::string& line : wrapped(sketch_.description, width_))
      out_.text(margin, y_ += line_height + 1, line, {.size = small, .fill = "#555555"});
    y_ += 18;
  }

  static std::string rate_words(const ShownRate& rate) { return rate.continuous ? "continuous" : "every " + rate.text; }

  void entry(double width, std::string text, std::function<void(double, double)> paint) {
    entries_.push_back({width, std::move(text), std::move(paint)});
  }

  /// Only of what is used.
  void collect_legend() {
    if (sketch_.rates.size() > 1)
      for (std::size_t r = 0; r < sketch_.rates.size(); ++r)
        if (any(sketch_,
                [r](const Symbol& s) { return s.rate == static_cast<int>(r) && s.kind != Symbol::Kind::port; }))
          entry(16, rate_words(sketch_.rates[r]), [this, r](double x, double y) {
            const Ink ink = ink_of_rate(sketch_, r);
            out_.rectangle(x, y - 9, 16, 11, 2, {.stroke = ink.stroke, .fill = ink.fill, .width = 1.2});
          });
    if (any(sketch_, [](const Symbol& s) { return s.discrete_state; }))
      entry(14, "holds discrete states", [this](double x, double y) {
        out_.text(x, y, z_inverse, {.size = small, .bold = true, .italic = true, .fill = state_ink});
      });
    if (any(sketch_, [](const Symbol& s) { return s.continuous_state; }))
      entry(14, "holds continuous states", [this](double x, double y) {
        out_.text(x, y, integral, {.size = small, .bold = true, .italic = true, .fill = state_ink});
      });
    if (any(sketch_, [](const Symbol& s) { return s.breaks_loops; }))
      entry(18, "outputs do not follow from inputs of the same tick", [this](double x, double y) {
        out_.rectangle(x, y - 10, 18, 12, 2, {.stroke = "#333333", .fill = "none", .width = 0.9}); // as a symbol has it
        out_.rectangle(x + 4, y - 1.6, 10, 2.4, 0, {.stroke = "", .fill = "#333333", .width = 0});
      });
    if (any(sketch_, [](const Symbol& s) { return s.in_loop; }))
      entry(18, "algebraic loop",
            [this](double x, double y) { out_.line(x, y - 3, x + 18, y - 3, {.stroke = loop_ink, .width = 2}); });
    if (panel_.has_bundles())
      entry(22, "several signals together", [this](double x, double y) {
        out_.line(x, y - 3, x + 17, y - 3, {.stroke = "#222222", .width = 2.2}); // as a wire ends
        out_.polygon({x + 16, y - 6.5, x + 23, y - 3, x + 16, y + 0.5}, {.stroke = "", .fill = "#222222", .width = 0});
      });
    if (panel_.has_tags())
      entry(18, "comes from the named output (wire not drawn)", [this](double x, double y) {
        out_.polygon({x, y - 8, x + 13, y - 8, x + 18, y - 3.5, x + 13, y + 1, x, y + 1},
                     {.stroke = tag_stroke, .fill = tag_fill, .width = 0.9});
      });
  }

  double entry_width(const Entry& each) const { return each.width + 6 + svg::text_width(each.text, small) + 20; }
  double legend_width() const {
    double width = 0;
    for (const Entry& each : entries_) width += entry_width(each);
    return width;
  }

  void legend() {
    double x = margin;
    for (const Entry& each : entries_) {
      if (x > margin && x + entry_width(each) - 20 > margin + width_) x = margin, y_ += 15;
      each.paint(x, y_);
      out_.text(x + each.width + 6, y_, each.text, {.size = small, .fill = "#333333"});
      x += entry_width(each);
    }
  }

  const Sketch& sketch_;
  const SketchPanel& panel_;
  svg::Document out_;
  std::vector<Entry> entries_;
  double width_ = 0, y_ = 0;
};

} // namespace

std::optional<Drawing> draw(const Sketch& sketch, const CompositionOptions& options, std::string& error) {
  if (symbol_count(sketch) > most_symbols) {
    error = fmt::format("{} symbols are too many for one picture ({} at most)\nhelp: a smaller --depth closes "
                        "subsystems, --inside PATH draws one of them",
                        symbol_count(sketch), most_symbols);
    return std::nullopt;
  }
  const SketchPanel panel(sketch, options);
  return Page(sketch, panel).make();
}

} // namespace hilda::graphics::draw
