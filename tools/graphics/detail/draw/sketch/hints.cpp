// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/draw/sketch/hints.h"

#include "engine/base/plain_number.h"
#include "engine/diagram/plain_document.h"
#include "tools/graphics/detail/draw/sketch/shape.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <sstream>

namespace hilda::graphics::draw {
namespace {

constexpr int most_nesting = 64, most_places = 400;
constexpr double farthest = 100'000; ///< px

class HintReader {
public:
  HintReader(const Sources& sources, const std::string& mode, Hints& hints)
      : sources_(sources), mode_(mode), hints_(hints) {}

  void file(const Sources::File& from, const std::string& scope, int depth) {
    // The drawing may be older than the files: one may include itself by now, and that has been reported.
    if (std::find(open_.begin(), open_.end(), &from) != open_.end()) return;
    std::string unread; // a file that is not an XML has been reported already
    const auto root = plain_xml(from.text, from.name, unread);
    if (!root) return;
    open_.push_back(&from);
    body(*root, from, scope, depth);
    open_.pop_back();
  }

private:
  void body(const PlainElement& parent, const Sources::File& from, const std::string& scope, int depth) {
    for (const PlainElement& each : parent.children) {
      if (each.name == "block" || each.name == "subsystem") pin(each, from, scope);
      if (each.name == "connect") line(each, from, scope);
      if (each.name == "note" && elsewhere_ == 0) note(each, from, scope);
      if (each.name == "area" && elsewhere_ == 0) area(each, from, scope);
      if (each.name == "output" && depth > 0) hints_.outputs.insert(scope + std::string(each.attribute("name")));
      if (each.name != "subsystem" || depth >= most_nesting) continue;
      const std::string path = scope + std::string(each.attribute("name")) + ".";
      const bool elsewhere = !each.attribute("mode").empty() && each.attribute("mode") != mode_;
      elsewhere_ += elsewhere ? 1 : 0;
      if (each.attribute("src").empty())
        body(each, from, path, depth + 1);
      else if (const Sources::File* inside = included(each.attribute("src"), from))
        file(*inside, path, depth + 1);
      elsewhere_ -= elsewhere ? 1 : 0;
    }
  }

  /// Next to the file that includes it, else in whatever folder it was found.
  const Sources::File* included(std::string_view src, const Sources::File& from) const {
    namespace fs = std::filesystem;
    const std::string beside = (fs::path(from.absolute).parent_path() / src).lexically_normal().string();
    const std::string end = "/" + std::string(src);
    const Sources::File* elsewhere = nullptr;
    for (const auto& each : sources_.files()) {
      if (each->absolute == beside) return each.get();
      if (elsewhere == nullptr && (("/" + each->name).ends_with(end) || each->absolute.ends_with(end)))
        elsewhere = each.get();
    }
    return elsewhere;
  }

  void pin(const PlainElement& element, const Sources::File& from, const std::string& scope) {
    const Hints::Pin pin{place(element, "ui.row", from), place(element, "ui.column", from), corner(element, from)};
    if (pin.row >= 0 || pin.column >= 0 || pin.place) hints_.pins[scope + std::string(element.attribute("name"))] = pin;
  }

  std::optional<Hints::Place> corner(const PlainElement& element, const Sources::File& from) {
    if (element.attribute("ui.x").empty() && element.attribute("ui.y").empty()) return std::nullopt;
    const std::optional<double> x = length(element, "ui.x", from), y = length(element, "ui.y", from);
    if (!x || !y) return std::nullopt;
    return Hints::Place{std::round(*x / grid) * grid, std::round(*y / grid) * grid};
  }

  void note(const PlainElement& element, const Sources::File& from, const std::string& scope) {
    pin(element, from, scope);
    hints_.notes.push_back({scope.empty() ? "" : scope.substr(0, scope.size() - 1),
                            scope + std::string(element.attribute("name")), std::string(element.attribute("text")),
                            extent(element, "ui.width", 192, from)});
  }

  void area(const PlainElement& element, const Sources::File& from, const std::string& scope) {
    const std::optional<Hints::Place> place = corner(element, from);
    if (place)
      hints_.areas.push_back({scope + std::string(element.attribute("name")), std::string(element.attribute("title")),
                              *place, extent(element, "ui.width", 240, from), extent(element, "ui.height", 144, from)});
  }

  /// On the grid, and large enough for a symbol.
  double extent(const PlainElement& element, const char* name, double otherwise, const Sources::File& from) {
    constexpr double least = 48;
    const std::string_view text = element.attribute(name);
    if (text.empty()) return otherwise;
    if (const std::optional<double> number = plain_number(text); number && *number >= least && *number <= farthest)
      return std::round(*number / grid) * grid;
    problem(from, element.line, std::string(name) + " is '" + std::string(text) + "'", "write px, from 48 to 100000");
    return otherwise;
  }

  std::optional<double> length(const PlainElement& element, const char* name, const Sources::File& from) {
    const std::string_view text = element.attribute(name);
    const std::optional<double> number = plain_number(text);
    if (number && std::abs(*number) <= farthest) return number;
    if (text.empty())
      problem(from, element.line, std::string("ui.x and ui.y belong together, and ") + name + " is missing",
              "the symbol is placed automatically until both are there");
    else
      problem(from, element.line, std::string(name) + " is '" + std::string(text) + "'",
              "write the left upper corner in px, between -100000 and 100000: ui.x=\"240\" ui.y=\"96\"");
    return std::nullopt;
  }

  void problem(const Sources::File& from, int line, std::string what, std::string help) {
    hints_.problems.push_back({.severity = Diagnostic::Severity::warning,
                               .code = "drawing-hint",
                               .file = from.name,
                               .line = line,
                               .what = std::move(what),
                               .help = std::move(help)});
  }

  int place(const PlainElement& element, const char* name, const Sources::File& from) {
    const std::string_view text = element.attribute(name);
    if (text.empty()) return -1;
    int number = -1;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure == std::errc() && end == text.data() + text.size() && number >= 0 && number < most_places)
      return number;
    problem(from, element.line, std::string(name) + " is '" + std::string(text) + "'",
            "rows and columns are numbered from 0");
    return -1;
  }

  void bend(const PlainElement& element, const Sources::File& from, const std::string& scope) {
    constexpr std::size_t most_turns = 24;
    std::istringstream words{std::string(element.attribute("ui.bend"))};
    Hints::Bend turns;
    for (std::string word; words >> word;) {
      const std::optional<double> number = plain_number(word);
      if (!number || std::abs(*number) > farthest || turns.size() == most_turns)
        return problem(from, element.line, "ui.bend is '" + std::string(element.attribute("ui.bend")) + "'",
                       "write at most 24 distances in px, sideways and down by turns: ui.bend=\"60 -48\"");
      turns.push_back(std::round(*number / grid) * grid);
    }
    if (!turns.empty()) hints_.bends[scope + std::string(element.attribute("to"))] = std::move(turns);
  }

  void line(const PlainElement& element, const Sources::File& from, const std::string& scope) {
    bend(element, from, scope);
    const std::string_view text = element.attribute("ui.draw");
    if (text.empty()) return;
    if (text == "wire" || text == "tag")
      hints_.lines[scope + std::string(element.attribute("to"))] = text == "tag" ? Hints::Line::tag : Hints::Line::wire;
    else
      problem(from, element.line, "ui.draw is '" + std::string(text) + "'", "it is wire or tag");
  }

  const Sources& sources_;
  const std::string& mode_;
  Hints& hints_;
  int elsewhere_ = 0; ///< subsystems around that are another mode's: their notes are not drawn
  std::vector<const Sources::File*> open_;
};

} // namespace

Hints hints_of(const System& system, const Sources& sources) {
  Hints hints;
  for (const auto& each : sources.files())
    if (system.where.file != nullptr && each->name == *system.where.file) {
      HintReader(sources, system.mode, hints).file(*each, "", 0);
      break;
    }
  return hints;
}

} // namespace hilda::graphics::draw
