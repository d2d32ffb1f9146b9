// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/ati_netft/netft_config.h"

#include "drivers/net/answer_text.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace hilda::netft {
namespace {

struct UnitName {
  const char* name;
  double si;
};
constexpr double pound = 4.4482216152605, kilopond = 9.80665, inch = 0.0254, foot = 0.3048;
constexpr UnitName force_units[] = {{"n", 1},
                                    {"kn", 1e3},
                                    {"lbf", pound},
                                    {"lb", pound},
                                    {"klbf", 1e3 * pound},
                                    {"klb", 1e3 * pound},
                                    {"kgf", kilopond},
                                    {"kg", kilopond},
                                    {"gf", 1e-3 * kilopond},
                                    {"g", 1e-3 * kilopond}};
constexpr UnitName torque_units[] = {{"nm", 1},
                                     {"nmm", 1e-3},
                                     {"knm", 1e3},
                                     {"lbfin", pound* inch},
                                     {"lbin", pound* inch},
                                     {"inlb", pound* inch},
                                     {"lbfft", pound* foot},
                                     {"lbft", pound* foot},
                                     {"ftlb", pound* foot},
                                     {"kgfcm", 1e-2 * kilopond},
                                     {"kgcm", 1e-2 * kilopond}};

/// Lower case; blanks, hyphens and dots between factors left out.
std::string plain(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == 0xB7u || byte == 0xC2u || c == '-' || c == '.' || c == '*' || std::isspace(byte) != 0) continue;
    result += static_cast<char>(std::tolower(byte));
  }
  return result;
}

template <std::size_t N> std::optional<double> find(const UnitName (&units)[N], std::string_view name) {
  const std::string wanted = plain(name);
  for (const UnitName& unit : units)
    if (wanted == unit.name) return unit.si;
  return std::nullopt;
}

/// The text between <name> and </name>: the boxes write neither attributes nor nested elements. Their pages are not
/// always well-formed, so this asks for no more than the element itself.
std::optional<std::string_view> element(std::string_view page, std::string_view name) {
  const std::string open = "<" + std::string(name) + ">", close = "</" + std::string(name) + ">";
  const std::size_t begin = page.find(open);
  if (begin == std::string_view::npos) return std::nullopt;
  page.remove_prefix(begin + open.size());
  const std::size_t end = page.find(close);
  if (end == std::string_view::npos) return std::nullopt;
  return trimmed(page.substr(0, end));
}

std::optional<unsigned long> bits(std::string_view text) {
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) text.remove_prefix(2), base = 16;
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// For a message: no control characters, and not a page full.
std::string shown(std::string_view text) {
  std::string result = "\"";
  for (const char c : text.substr(0, 40)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > 40 ? "...\"" : "\"");
}

/// What makes a page that lacks something usable.
std::string lacks(const char* name, const char* what, const char* parameter) {
  return std::string("its configuration has no ") + name + " (" + what + "); give the parameter `" + parameter +
         "`, from the sensor's calibration sheet";
}

bool agree(const char* parameter, const std::string& given, const char* name, const std::string& said,
           std::string& problem) {
  problem = std::string("the parameter `") + parameter + "` says " + given + ", the box's " + name + " says " + said +
            ": one of them is wrong";
  return false;
}

bool read_counts(std::string_view page, const char* name, const char* what, const char* parameter, double given,
                 double& to, std::string& problem) {
  const std::optional<std::string_view> text = element(page, name);
  if (!text) {
    if (given > 0) return to = given, true;
    problem = lacks(name, what, parameter);
    return false;
  }
  const std::optional<double> value = number_of(*text);
  if (!value || *value <= 0) {
    problem = std::string("its configuration says ") + name + " = " + shown(*text) + ", and " + what +
              " are a number above 0";
    return false;
  }
  if (given > 0 && std::abs(given - *value) > 1e-9 * *value)
    return agree(parameter, decimal(given), name, decimal(*value), problem);
  to = *value;
  return true;
}

bool read_unit(std::string_view page, const char* name, const char* what, const char* parameter,
               const std::string& given, std::optional<double> (*look)(std::string_view), std::string& written,
               double& si, std::string& problem) {
  const auto read = [&](const std::string& from, const std::string& text) {
    const std::optional<double> value = look(text);
    if (value) return written = text, si = *value, true;
    problem = from + shown(text) + ", which is not a unit of " + what + " that is known here";
    return false;
  };
  if (!given.empty() && !read(std::string("the parameter `") + parameter + "` says ", given)) return false;
  const std::optional<std::string_view> text = element(page, name);
  if (!text) {
    if (!given.empty()) return true;
    problem = lacks(name, (std::string("unit of ") + what).c_str(), parameter);
    return false;
  }
  const double wanted = si;
  if (!read(std::string("its configuration says ") + name + " = ", std::string(*text))) return false;
  return given.empty() || wanted == si || agree(parameter, given, name, std::string(*text), problem);
}

} // namespace

std::optional<double> force_unit(std::string_view name) { return find(force_units, name); }
std::optional<double> torque_unit(std::string_view name) { return find(torque_units, name); }

std::optional<Config> parse_config(std::string_view page, std::string& problem, const GivenConfig& given) {
  Config config;
  if (!read_counts(page, "cfgcpf", "counts per force", "counts_per_force", given.counts_per_force,
                   config.counts_per_force, problem) ||
      !read_counts(page, "cfgcpt", "counts per torque", "counts_per_torque", given.counts_per_torque,
                   config.counts_per_torque, problem) ||
      !read_unit(page, "scfgfu", "force", "force_unit", given.force_unit, &force_unit, config.force_unit,
                 config.newtons, problem) ||
      !read_unit(page, "scfgtu", "torque", "torque_unit", given.torque_unit, &torque_unit, config.torque_unit,
                 config.newton_metres, problem))
    return std::nullopt;
  if (const auto text = element(page, "comrdte")) {
    const std::string word = plain(*text);
    config.streams = word != "disabled" && word != "0" && word != "off";
  }
  if (const auto text = element(page, "comrdtrate")) config.rate = number_of(*text);
  if (const auto text = element(page, "runstat")) config.status = bits(*text);
  return config;
}

std::string decimal(double value) {
  char text[40];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

std::string config_page(const Config& config) {
  std::string page = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<netft>\n";
  const auto add = [&](const char* name, const std::string& value) {
    page += std::string("<") + name + ">" + value + "</" + name + ">\n";
  };
  if (config.status) add("runstat", std::to_string(*config.status));
  add("cfgcpf", decimal(config.counts_per_force));
  add("cfgcpt", decimal(config.counts_per_torque));
  add("scfgfu", config.force_unit);
  add("scfgtu", config.torque_unit);
  add("comrdte", config.streams ? "Enabled" : "Disabled");
  if (config.rate) add("comrdtrate", decimal(*config.rate));
  return page + "</netft>\n";
}

} // namespace hilda::netft
