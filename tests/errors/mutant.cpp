// SPDX-License-Identifier: BSD-3-Clause
#include "tests/errors/mutant.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;
using Kind = Mutant::Kind;
using Lines = std::vector<std::string>;

/// The same numbers on every machine.
class Choice {
public:
  explicit Choice(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_()) % count; }

private:
  std::mt19937 engine_;
};

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

struct Found {
  std::size_t line = 0, at = 0, length = 0;
};

/// Every place where the first group of the pattern matches.
std::vector<Found> find(const Lines& lines, const char* pattern) {
  const std::regex wanted(pattern);
  std::vector<Found> found;
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (std::sregex_iterator at(lines[i].begin(), lines[i].end(), wanted), end; at != end; ++at)
      found.push_back({i, static_cast<std::size_t>(at->position(1)), static_cast<std::size_t>(at->length(1))});
  return found;
}

std::string attribute(const std::string& line, const char* name) {
  std::smatch found;
  return std::regex_search(line, found, std::regex(std::string("\\b") + name + "=\"([^\"]*)\"")) ? found[1].str() : "";
}

/// Changes the lines; false where the seed's choice does not apply.
class Mutator {
public:
  Mutator(Lines& lines, Mutant& mutant, unsigned seed) : lines_(lines), mutant_(mutant), choice_(seed) {}

  bool run() {
    constexpr Kind kinds[] = {Kind::misspelt, Kind::unit,    Kind::number, Kind::cut,      Kind::doubled,
                              Kind::crossed,  Kind::dropped, Kind::tag,    Kind::misspelt, Kind::misspelt};
    mutant_.kind = kinds[choice_.below(std::size(kinds))];
    switch (mutant_.kind) {
    case Kind::misspelt: return misspell();
    case Kind::unit: return change_unit();
    case Kind::number: return break_number();
    case Kind::cut: return take_away("(<connect )", "to");
    case Kind::doubled: return repeat();
    case Kind::crossed: return cross();
    case Kind::dropped: return take_away("(<(?:parameter|input|output|block|power_port) )", "name");
    case Kind::tag: return drop_tag();
    }
    return false;
  }

private:
  /// One of the places where the pattern matches, or none.
  std::optional<Found> pick(const char* pattern) {
    const std::vector<Found> found = find(lines_, pattern);
    if (found.empty()) return std::nullopt;
    return found[choice_.below(found.size())];
  }

  void replace(const Found& at, const std::string& with) {
    std::string& line = lines_[at.line];
    mutant_.before = line;
    line.replace(at.at, at.length, with);
    mutant_.after = line;
    mutant_.lines = {static_cast<int>(at.line) + 1};
  }

  bool misspell() {
    const auto at = pick("(?:^ *<(?!diagram)\\w+ name|\\btype|\\bfrom|\\bto|\\bsrc)=\"([^\"]{3,})\"");
    if (!at) return false;
    std::string word = lines_[at->line].substr(at->at, at->length);
    const std::size_t letter = choice_.below(word.size() - 1);
    if (std::isalpha(static_cast<unsigned char>(word[letter])) == 0) return false;
    if (word[letter] != word[letter + 1] && std::isalpha(static_cast<unsigned char>(word[letter + 1])) != 0)
      std::swap(word[letter], word[letter + 1]);
    else
      word.erase(letter, 1);
    replace(*at, word);
    return true;
  }

  bool change_unit() {
    const auto at = pick("=\"[-+0-9.e ]+ (?=[a-zA-Z])([a-zA-Z][a-zA-Z/0-9 ]*)\"");
    if (!at) return false;
    const std::string unit = lines_[at->line].substr(at->at, at->length);
    constexpr const char* others[] = {"kg", "A", "m", "s", "rad"};
    const std::string other = others[choice_.below(std::size(others))];
    if (unit == other) return false;
    replace(*at, other);
    return true;
  }

  bool break_number() {
    const auto at = pick("\\w=\"(\\d[^\"$]*)\"");
    if (!at || lines_[at->line].find("<diagram") != std::string::npos) return false;
    std::string text = lines_[at->line].substr(at->at, at->length);
    text.insert(1, choice_.below(2) == 0 ? "x" : "..");
    replace(*at, text);
    return true;
  }

  /// "metrics.energy[1]": "energy".
  static std::string last_name(const std::string& path) {
    const std::string last = path.substr(path.rfind('.') + 1);
    return last.substr(0, last.find('['));
  }

  /// Empties the line of an element that is on one line.
  bool take_away(const char* pattern, const char* name) {
    const auto at = pick(pattern);
    if (!at) return false;
    const std::string line = lines_[at->line];
    if (line.find("/>") == std::string::npos || line.find('<') != line.rfind('<')) return false;
    mutant_.gone = last_name(attribute(line, name));
    mutant_.source = last_name(attribute(line, "from"));
    replace({at->line, 0, line.size()}, "");
    return true;
  }

  bool repeat() {
    const auto at = pick("(<connect [^>]*/>)");
    if (!at) return false;
    const std::string wire = lines_[at->line].substr(at->at, at->length);
    replace(*at, wire + wire);
    return true;
  }

  bool cross() {
    const auto one = pick("<connect [^>]*\\bto=\"([^\"]*)\"");
    const auto two = pick("<connect [^>]*\\bto=\"([^\"]*)\"");
    if (!one || !two || one->line == two->line) return false;
    const std::string first = lines_[one->line].substr(one->at, one->length);
    const std::string second = lines_[two->line].substr(two->at, two->length);
    replace(*one, second);
    replace(*two, first);
    mutant_.lines.push_back(static_cast<int>(one->line) + 1);
    return true;
  }

  bool drop_tag() {
    const auto at = choice_.below(2) == 0 ? pick("(/>)") : pick("(</subsystem>|<subsystem [^>]*[^/]>)");
    if (!at) return false;
    const bool opens = lines_[at->line].substr(at->at, 2) == "<s";
    if (opens) mutant_.gone = "subsystem";
    replace(*at, at->length == 2 ? ">" : "");
    return true;
  }

  Lines& lines_;
  Mutant& mutant_;
  Choice choice_;
};

} // namespace

std::string Mutant::kind_name() const {
  switch (kind) {
  case Kind::misspelt: return "misspelt";
  case Kind::unit: return "unit changed";
  case Kind::number: return "number broken";
  case Kind::cut: return "wire cut";
  case Kind::doubled: return "wire doubled";
  case Kind::crossed: return "wires crossed";
  case Kind::dropped: return "element dropped";
  case Kind::tag: return "tag dropped";
  }
  return "";
}

std::string Mutant::text() const {
  return kind_name() + " at " + file + ":" + std::to_string(lines.front()) + "\n  was " + before + "\n  is  " + after;
}

Workbench::Workbench(const fs::path& diagrams) : before_(fs::current_path()) {
  fs::copy(diagrams, folder_.path(), fs::copy_options::recursive);
  folder_.write(".hilda-library", "");
  fs::current_path(folder_.path());
}

Workbench::~Workbench() { fs::current_path(before_); }

std::vector<std::string> Workbench::tops() const {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_.path()))
    if (entry.path().extension() == ".xml") names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<Mutant> Workbench::mutate(const Sources& files, unsigned seed) const {
  if (files.files().empty()) return std::nullopt;
  const Sources::File& file = *files.files()[Choice(seed + 1).below(files.files().size())];
  Mutant mutant;
  mutant.file = file.name;
  mutant.original = file.text;
  Lines lines = lines_of(file.text);
  if (!Mutator(lines, mutant, seed).run()) return std::nullopt;
  std::ofstream(file.name, std::ios::binary) << joined(lines);
  return mutant;
}

void Workbench::restore(const Mutant& mutant) const { std::ofstream(mutant.file, std::ios::binary) << mutant.original; }

} // namespace hilda::test
