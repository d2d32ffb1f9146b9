#include "tests/mutations/mutation.h"

#include <regex>

namespace hilda::test {

namespace {

/// std::uniform_int_distribution differs between libraries; this does not.
std::size_t pick(std::mt19937_64& random, std::size_t count) { return static_cast<std::size_t>(random() % count); }

struct Place {
  std::size_t line, begin, length;
};

/// Every match's group 1 in the lines that match `where`.
std::vector<Place> places(const std::vector<std::string>& lines, const std::string& where, const std::regex& what) {
  std::vector<Place> found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].find(where) == std::string::npos) continue;
    for (std::sregex_iterator m(lines[i].begin(), lines[i].end(), what), end; m != end; ++m)
      found.push_back({i, static_cast<std::size_t>(m->position(1)), static_cast<std::size_t>(m->length(1))});
  }
  return found;
}

/// Two letters swapped, one doubled, or one lost.
std::string misspelt(const std::string& word, std::mt19937_64& random) {
  std::string w = word;
  const std::size_t i = pick(random, w.size() - 1);
  switch (pick(random, 3)) {
  case 0:
    if (w[i] != w[i + 1]) {
      std::swap(w[i], w[i + 1]);
      return w;
    }
    [[fallthrough]];
  case 1: return w.insert(i, 1, w[i]);
  default: return w.erase(i, 1);
  }
}

Mutation changed(const std::vector<std::string>& lines, Slip slip, std::size_t line, std::string text) {
  Mutation m{slip, lines, {static_cast<int>(line) + 1}, lines[line], text};
  m.lines[line] = std::move(text);
  return m;
}

std::optional<Mutation> replace(const std::vector<std::string>& lines, Slip slip, const std::vector<Place>& found,
                                std::mt19937_64& random, std::string (*with)(const std::string&, std::mt19937_64&)) {
  if (found.empty()) return std::nullopt;
  const Place at = found[pick(random, found.size())];
  std::string text = lines[at.line];
  text.replace(at.begin, at.length, with(text.substr(at.begin, at.length), random));
  return changed(lines, slip, at.line, std::move(text));
}

std::vector<std::size_t> wires(const std::vector<std::string>& lines) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].find("<connect ") != std::string::npos) found.push_back(i);
  return found;
}

std::optional<Mutation> cross(const std::vector<std::string>& lines, std::mt19937_64& random) {
  const std::vector<std::size_t> all = wires(lines);
  if (all.size() < 2) return std::nullopt;
  const std::size_t first = all[pick(random, all.size())], second = all[pick(random, all.size())];
  const std::regex to("to=\"([^\"]*)\"");
  std::smatch a, b;
  if (first == second || !std::regex_search(lines[first], a, to) || !std::regex_search(lines[second], b, to)) return std::nullopt;
  Mutation m = changed(lines, Slip::crossed_wires, first,
                       std::string(a.prefix()) + "to=\"" + b[1].str() + "\"" + std::string(a.suffix()));
  m.lines[second] = std::string(b.prefix()) + "to=\"" + a[1].str() + "\"" + std::string(b.suffix());
  m.at.push_back(static_cast<int>(second) + 1);
  return m;
}

std::string other_unit(const std::string& unit, std::mt19937_64&) { return unit == "A" ? "kg" : "A"; }

std::string broken(const std::string& number, std::mt19937_64& random) {
  static const char* const slips_of_digits[] = {"1..5", "2o", "--3", "0,5", "1e", "4x"};
  (void)number;
  return slips_of_digits[pick(random, std::size(slips_of_digits))];
}

} // namespace

const char* slip_name(Slip slip) {
  switch (slip) {
  case Slip::misspelt_name: return "a name misspelt";
  case Slip::other_unit: return "a unit changed";
  case Slip::cut_wire: return "a wire cut";
  case Slip::doubled_wire: return "a wire doubled";
  case Slip::crossed_wires: return "two wires crossed";
  case Slip::broken_number: return "a number broken";
  case Slip::dropped_tag: return "a tag dropped";
  }
  return "";
}

std::optional<Mutation> mutate(const std::vector<std::string>& lines, Slip slip, std::mt19937_64& random) {
  switch (slip) {
  case Slip::misspelt_name: {
    // ends of wires, types, and the names of attributes and of parameters inside ${}
    std::vector<Place> found = places(lines, "<connect ", std::regex("(?:from|to)=\"([a-z_.]{3,})"));
    for (const Place& p : places(lines, "<block ", std::regex("type=\"([A-Za-z/]+)"))) found.push_back(p);
    for (const Place& p : places(lines, "=\"", std::regex("\\$\\{([a-z_]{3,})\\}"))) found.push_back(p);
    for (const Place& p : places(lines, "<block ", std::regex(" ([a-z_]{4,})=\""))) found.push_back(p);
    return replace(lines, slip, found, random, misspelt);
  }
  case Slip::other_unit:
    return replace(lines, slip, places(lines, "value=\"", std::regex("value=\"[-0-9. ]+ ([A-Za-z][A-Za-z0-9 /]*)\"")), random, other_unit);
  case Slip::cut_wire: {
    const std::vector<std::size_t> all = wires(lines);
    if (all.empty()) return std::nullopt;
    return changed(lines, slip, all[pick(random, all.size())], "");
  }
  case Slip::doubled_wire: {
    const std::vector<std::size_t> all = wires(lines);
    if (all.empty()) return std::nullopt;
    const std::size_t at = all[pick(random, all.size())];
    return changed(lines, slip, at, lines[at] + lines[at]);
  }
  case Slip::crossed_wires: return cross(lines, random);
  case Slip::broken_number:
    return replace(lines, slip, places(lines, "value=\"", std::regex("value=\"(-?[0-9][0-9.e]*)[ \"]")), random, broken);
  case Slip::dropped_tag:
    return replace(lines, slip, places(lines, "<", std::regex("(</?[a-z]|/?>\\s*$)")), random,
                   [](const std::string&, std::mt19937_64&) { return std::string(); });
  }
  return std::nullopt;
}

} // namespace hilda::test
