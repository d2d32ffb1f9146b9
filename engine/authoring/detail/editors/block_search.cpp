// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/block_search.h"

#include "engine/authoring/detail/editors/simulink_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <string_view>
#include <utility>

namespace hilda::authoring {
namespace {

/// Words for one thing, as people ask for it and as documentation has it.
constexpr std::array<std::array<std::string_view, 8>, 29> synonyms{{
    {"delay", "lag", "latency", "dead time", "transport", "z^-1", "memory"},
    {"saturation", "saturate", "limiter", "clamp", "clip", "limits each"},
    {"gain", "amplifier", "amplify", "multiplies each", "scale"},
    {"sum", "add", "adds", "subtract", "subtracts", "plus", "minus", "difference"},
    {"product", "multiply", "multiplies", "times"},
    {"divide", "quotient", "ratio", "divides"},
    {"derivative", "differentiate", "differentiator", "rate of change"},
    {"integrator", "integral", "integrate", "integrates", "1/s", "accumulator"},
    {"filter", "low-pass", "lowpass", "smooth", "butterworth"},
    {"pid", "controller", "regulator", "pi", "pd"},
    {"sine", "wave", "oscillator", "sin", "sinusoid"},
    {"noise", "random", "gaussian", "white"},
    {"switch", "multiplexer", "choose", "select", "if"},
    {"mux", "concatenate", "join", "puts scalars", "combine"},
    {"demux", "split", "takes a vector apart"},
    {"record", "scope", "display", "to workspace", "log", "probe"},
    {"terminator", "sink", "ground", "ignore"},
    {"lookup", "table", "interpolate", "interpolation", "curve"},
    {"compare", "greater", "less", "relational", "threshold"},
    {"logic", "and", "or", "not", "boolean"},
    {"stiffness", "spring", "elastic", "damper"},
    {"wrench", "force", "torque", "load"},
    {"pose", "position", "orientation", "frame", "quaternion"},
    {"udp", "socket", "network", "ethernet", "packet"},
    {"friction", "stiction", "stribeck", "coulomb", "stick-slip"},
    {"backlash", "play", "hysteresis", "slack"},
    {"trajectory", "waypoint", "waypoints"},
    {"observer", "estimator", "kalman", "estimates"},
    {"hold", "zoh", "sample and hold", "samples a"},
}};

std::string lower(std::string_view text) {
  std::string made(text);
  for (char& c : made) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return made;
}

/// Blanks in an equation are of no account: "dy/dt=u" finds "dy/dt = u".
std::string without_blanks(std::string_view text) {
  std::string made;
  for (const char c : lower(text))
    if (std::isspace(static_cast<unsigned char>(c)) == 0) made += c;
  return made;
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// Where a word begins in a text: "pi" is in "PI controller" and not in "capital". A word without letters may be
/// anywhere.
bool has_word(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_letter(text[at - 1]) || !is_letter(word.front());
    const bool short_word = word.size() <= 3 && is_letter(word.back());
    const std::size_t end = at + word.size();
    if (begins && (!short_word || end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

/// The texts of a block type that a search reads.
struct Texts {
  std::string name, last, doc, equation, slots;

  explicit Texts(const BlockType& type)
      : name(lower(type.name)), last(name.substr(name.rfind('/') + 1)), doc(lower(type.doc)),
        equation(without_blanks(type.doc)) {
    for (const Slot& slot : type.slots) slots += lower(slot.name) + " " + lower(slot.doc) + "\n";
  }

  int score(const std::string& word) const {
    if (last == word || name == word) return 100;
    if (last.starts_with(word)) return 60;
    if (last.find(word) != std::string::npos && word.size() > 2) return 50;
    if (name.starts_with(word + "/")) return 30;
    if (has_word(doc, word)) return 20;
    const bool formula = word.find_first_of("=+-*/^()") != std::string::npos;
    if (formula && equation.find(without_blanks(word)) != std::string::npos) return 20;
    return has_word(slots, word) ? 5 : 0;
  }
};

/// A word and, at a lower price, what else it is called.
int score(const Texts& texts, const std::string& word) {
  int best = texts.score(word);
  for (const auto& group : synonyms) {
    if (std::find(group.begin(), group.end(), word) == group.end()) continue;
    for (const std::string_view other : group)
      if (!other.empty()) best = std::max(best, texts.score(std::string(other)) * 2 / 3);
  }
  return best;
}

/// Words as a shell gave them, one by one: "pi controller" in quotes is two words, an equation in quotes is one.
std::vector<std::string> separated(const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  for (const std::string& argument : arguments) {
    if (argument.find_first_of("=+*/^()") != std::string::npos) {
      words.push_back(argument);
      continue;
    }
    std::istringstream rest(argument);
    for (std::string word; rest >> word;) words.push_back(word);
  }
  return words;
}

/// hilda's types for what Simulink calls so; none where it has no such block.
std::string_view types_in_simulink(const std::vector<std::string>& words) {
  std::string name;
  for (const std::string& word : words) name += (name.empty() ? "" : " ") + lower(word);
  std::replace(name.begin(), name.end(), '-', ' ');
  for (const SimulinkName& known : simulink_names)
    if (known.name == name) return known.types;
  return {};
}

/// What a type gets for its place in that list: more than any word brings.
int score_in(std::string_view types, std::string_view type) {
  int score = 1'000'000;
  for (std::size_t at = 0; at < types.size(); --score) {
    const std::size_t end = std::min(types.find(' ', at), types.size());
    if (types.substr(at, end - at) == type) return score;
    at = end + 1;
  }
  return 0;
}

/// "dead" and "time" next to one another are one word of the table.
std::vector<std::string> joined(const std::vector<std::string>& words) {
  std::vector<std::string> made;
  for (const std::string& each : words) {
    const std::string pair = made.empty() ? "" : made.back() + " " + lower(each);
    const bool known = std::any_of(synonyms.begin(), synonyms.end(), [&pair](const auto& group) {
      return !pair.empty() && std::find(group.begin(), group.end(), pair) != group.end();
    });
    if (known)
      made.back() = pair;
    else
      made.push_back(lower(each));
  }
  return made;
}

} // namespace

std::vector<const BlockType*> search_blocks(const Catalogue& catalogue, const std::vector<std::string>& words) {
  std::vector<std::pair<int, const BlockType*>> found;
  const std::vector<std::string> single = separated(words);
  const std::vector<std::string> wanted = joined(single);
  const std::string_view simulink = types_in_simulink(single);
  for (const BlockType* type : catalogue.all()) {
    const Texts texts(*type);
    int total = 0;
    for (const std::string& word : wanted) {
      const int points = word.empty() ? 0 : score(texts, word);
      total = points == 0 ? -1'000'000 : total + points;
    }
    total = std::max(total, score_in(simulink, type->name));
    if (total > 0) found.emplace_back(total, type);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<const BlockType*> types;
  for (const auto& [points, type] : found) types.push_back(type);
  return types;
}

} // namespace hilda::authoring
