// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/authoring/diagram_editor.h"
#include "engine/diagram/diagram.h"
#include "engine/diagram/name_pattern.h"
#include "tests/modules.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <random>
#include <regex>
#include <string>
#include <vector>

namespace hilda::test {

inline std::string first_of(const std::string& path) { return path.substr(0, path.find_first_of(".[")); }

/// An operation, and what it makes of a diagram.
struct Drawn {
  Words words;
  std::function<void(DiagramDecl&)> meaning;
};

/// Draws operations that a diagram allows.
class Draws {
public:
  explicit Draws(unsigned seed) : engine_(seed) {}

  std::size_t below(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(engine_); }
  template <class List> const auto& one(const List& list) { return list[below(list.size())]; }

  std::string value() {
    static const std::vector<std::string> values = {"4 ms",    "1 2 3 N",       "",          "a < b && c",
                                                    "\"x\" y", "it's \"both\"", "${period}", "&amp; \xC3\xA4 > ]]>",
                                                    "-->",     "line\nline"};
    return one(values);
  }

  /// None where the diagram has nothing of the kind that was drawn.
  Drawn draw(const DiagramDecl& d) {
    switch (below(8)) {
    case 0: return set(d);
    case 1: return set_parameter(d);
    case 2: return add();
    case 3: return remove(d);
    case 4: return connect(d);
    case 5: return disconnect(d);
    case 6: return rename(d);
    default: return rename_parameter(d);
    }
  }

private:
  /// "block:" where a parameter has the same name, for operations that take both.
  static std::string path_of(const std::string& name) { return "block:" + name; }

  Drawn set(const DiagramDecl& d) {
    if (d.blocks.empty()) return {};
    const BlockDecl& block = one(d.blocks);
    const bool twins = std::count_if(d.blocks.begin(), d.blocks.end(),
                                     [&](const BlockDecl& each) { return each.name == block.name; }) > 1;
    if (twins) return {};
    const std::string name =
        block.parameters.empty() || below(2) == 0 ? "new_one" + std::to_string(below(3)) : one(block.parameters).name;
    const std::string text = value(), of = block.name;
    return {{"set", of + "." + name + "=" + text}, [=](DiagramDecl& after) {
              for (BlockDecl& each : after.blocks) {
                if (each.name != of) continue;
                const auto there = std::find_if(each.parameters.begin(), each.parameters.end(),
                                                [&](const Attribute& a) { return a.name == name; });
                if (there != each.parameters.end())
                  there->text = text;
                else
                  each.parameters.push_back({name, text, {}});
              }
            }};
  }

  Drawn set_parameter(const DiagramDecl& d) {
    if (d.parameters.empty()) return {};
    const std::string name = one(d.parameters).name, text = value();
    if (std::count_if(d.parameters.begin(), d.parameters.end(), [&](const auto& p) { return p.name == name; }) > 1)
      return {};
    return {{"set", name + "=" + text}, [=](DiagramDecl& after) {
              for (ParameterDecl& each : after.parameters)
                if (each.name == name) each.text = text;
            }};
  }

  Drawn add() {
    const std::string name = "added" + std::to_string(number_++), text = value();
    return {{"add", "math/Gain", name, "gain=" + text, "doc=seed"}, [=](DiagramDecl& after) {
              BlockDecl made;
              made.name = name, made.type = "math/Gain", made.doc = "seed";
              made.parameters.push_back({"gain", text, {}});
              after.blocks.push_back(made);
            }};
  }

  /// A list without the words that begin with this name.
  static std::string without_words(const std::string& list, const std::string& name) {
    std::string left;
    for (const std::string& word : words_of_list(list))
      if (first_of(word) != name) left += word + " ";
    return left;
  }
  /// Lists of which nothing is left go with their elements.
  template <class Element> static void drop_words(std::vector<Element>& lists, const std::string& name) {
    std::erase_if(lists, [&](Element& each) {
      const bool was_empty = words_of_list(each.signals.text).empty();
      each.signals.text = without_words(each.signals.text, name);
      return !was_empty && each.signals.text.empty();
    });
  }

  static bool is_output(const DiagramDecl& d, const std::string& path) {
    return std::any_of(d.outputs.begin(), d.outputs.end(), [&](const PortDecl& port) { return port.name == path; });
  }

  Drawn remove(const DiagramDecl& d) {
    if (d.blocks.empty()) return {};
    const std::string name = one(d.blocks).name;
    const auto conditional = [&](const auto& each) {
      return each.name != name && (first_of(each.enable) == name || first_of(each.reset) == name);
    };
    if (std::any_of(d.blocks.begin(), d.blocks.end(), conditional) ||
        std::any_of(d.subsystems.begin(), d.subsystems.end(), conditional) ||
        std::any_of(d.subsystems.begin(), d.subsystems.end(),
                    [&](const SubsystemDecl& each) { return each.name != name && first_of(each.trigger) == name; }) ||
        std::regex_search(d.atol.text, std::regex("(^|[, \n])" + name + "[^A-Za-z0-9_]")) || // osc.x=1 um
        std::any_of(d.logs.begin(), d.logs.end(), [&](const LogDecl& log) { return first_of(log.when.text) == name; }))
      return {};
    return {{"remove", path_of(name)}, [=](DiagramDecl& after) {
              std::erase_if(after.blocks, [&](const auto& each) { return each.name == name; });
              std::erase_if(after.subsystems, [&](const auto& each) { return each.name == name; });
              std::erase_if(after.connects, [&](const auto& each) {
                return first_of(each.from) == name || (first_of(each.to) == name && !is_output(after, each.to));
              });
              std::erase_if(after.limits, [&](const auto& each) { return first_of(each.on) == name; });
              std::erase_if(after.quality, [&](const auto& each) { return first_of(each.on) == name; });
              std::erase_if(after.power_ports, [&](const auto& each) {
                return first_of(each.effort) == name || first_of(each.flow) == name;
              });
              for (PowerPortDecl& each : after.power_ports)
                for (std::string* side : {&each.from, &each.to})
                  if (first_of(*side) == name) side->clear();
              std::erase_if(after.live, [&](const auto& each) { return each.path.starts_with(name + "."); });
              drop_words(after.logs, name);
              drop_words(after.figures, name);
            }};
  }

  Drawn connect(const DiagramDecl& d) {
    if (d.blocks.empty()) return {};
    const std::string from = one(d.blocks).name + ".y", to = one(d.blocks).name + ".drawn" + std::to_string(number_++);
    return {{"connect", from, to}, [=](DiagramDecl& after) {
              ConnectDecl made;
              made.from = from, made.to = to;
              after.connects.push_back(made);
            }};
  }

  Drawn disconnect(const DiagramDecl& d) {
    if (d.connects.empty()) return {};
    const ConnectDecl wire = one(d.connects);
    return {{"disconnect", wire.from, wire.to}, [=](DiagramDecl& after) {
              std::erase_if(after.connects,
                            [&](const auto& each) { return each.from == wire.from && each.to == wire.to; });
            }};
  }

  static void replace_first(std::string& path, const std::string& old, const std::string& name) {
    if (first_of(path) == old) path.replace(0, old.size(), name);
  }
  static void replace_first(Seldom<std::string>& path, const std::string& old, const std::string& name) {
    if (!path.empty()) replace_first(path.change(), old, name);
  }
  static void replace_words(std::string& list, const std::string& old, const std::string& name) {
    std::string out;
    for (std::string word : words_of_list(list)) {
      replace_first(word, old, name);
      out += word + " ";
    }
    list = out;
  }

  Drawn rename(const DiagramDecl& d) {
    if (d.blocks.empty()) return {};
    const std::string old = one(d.blocks).name, name = "renamed" + std::to_string(number_++);
    return {{"rename", path_of(old), name}, [=](DiagramDecl& after) {
              const auto element = [&](auto& each) {
                if (each.name == old) each.name = name;
                replace_first(each.enable, old, name);
                replace_first(each.reset, old, name);
              };
              for (BlockDecl& each : after.blocks) element(each);
              for (SubsystemDecl& each : after.subsystems) element(each), replace_first(each.trigger, old, name);
              for (ConnectDecl& each : after.connects) {
                replace_first(each.from, old, name);
                if (!is_output(after, each.to)) replace_first(each.to, old, name);
              }
              for (LimitsDecl& each : after.limits) replace_first(each.on, old, name);
              for (QualityDecl& each : after.quality) replace_first(each.on, old, name);
              for (PowerPortDecl& each : after.power_ports)
                for (std::string* path : {&each.effort, &each.flow, &each.from, &each.to})
                  replace_first(*path, old, name);
              for (LogDecl& each : after.logs) {
                replace_words(each.signals.text, old, name);
                replace_first(each.when.text, old, name);
              }
              for (LiveDecl& each : after.live)
                if (each.path.starts_with(old + ".")) each.path.replace(0, old.size(), name);
              for (FigureDecl& each : after.figures) replace_words(each.signals.text, old, name);
            }};
  }

  Drawn rename_parameter(const DiagramDecl& d) {
    const bool nested = std::any_of(d.subsystems.begin(), d.subsystems.end(),
                                    [](const SubsystemDecl& each) { return each.src.empty(); });
    if (d.parameters.empty() || nested) return {}; // inline bodies: operations_test.cpp
    const std::string old = one(d.parameters).name, name = "renamed" + std::to_string(number_++);
    return {{"rename", "parameter:" + old, name}, [=](DiagramDecl& after) {
              const std::regex word("(^|[^A-Za-z0-9_.])" + old + "(?![A-Za-z0-9_.(])");
              const auto text = [&](std::string& in) {
                std::string out;
                std::size_t at = 0;
                for (std::size_t open = in.find("${"); open != std::string::npos; open = in.find("${", at)) {
                  const std::size_t close = in.find('}', open);
                  if (close == std::string::npos) break;
                  out += in.substr(at, open + 2 - at) +
                         std::regex_replace(in.substr(open + 2, close - open - 2), word, "$1" + name);
                  at = close;
                }
                in = out + in.substr(at);
              };
              const auto all = [&](std::vector<Attribute>& list) {
                for (Attribute& each : list) text(each.text);
              };
              text(after.period);
              for (ParameterDecl& each : after.parameters) {
                if (each.name == old) each.name = name;
                text(each.text);
              }
              for (BlockDecl& each : after.blocks) all(each.parameters), text(each.sample_time.change());
              for (SubsystemDecl& each : after.subsystems) all(each.parameters), text(each.sample_time);
              for (LimitsDecl& each : after.limits) all(each.values);
              for (QualityDecl& each : after.quality) all(each.values);
              for (RealtimeDecl& each : after.realtime) all(each.values);
              for (LogDecl& each : after.logs) text(each.every.text);
              for (PortDecl& each : after.inputs) text(each.default_value.text);
              for (LiveDecl& each : after.live) {
                text(each.rate.text);
                if (each.path == old) each.path = name;
              }
            }};
  }

  std::mt19937 engine_;
  int number_ = 0;
};

} // namespace hilda::test
