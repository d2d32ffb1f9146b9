// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/word_list.h"
#include "engine/catalogue/signal_parts.h"
#include "engine/catalogue/signal_path.h"
#include "engine/compile/detail/infer/inference.h"
#include "engine/diagram/log_selection.h"
#include "engine/diagram/name_pattern.h"

#include <algorithm>

namespace hilda::compile::inference {
namespace {

/// Of unknown names in all lists, how many get a near miss: each is compared with every signal.
constexpr int most_suggestions = 20;

/// An output of a block, or what is recorded of a power port.
struct Candidate {
  std::string name; ///< as logs call it
  PortRef output;   ///< block -1: of a power port
  std::size_t power_port = 0;
  bool unrecorded = false; ///< kept out of logs by its block: only its own name means it
};

/// The name as a list in a subsystem writes it; empty where it lies outside of it.
std::string relative(const Candidate& candidate, const std::string& scope) {
  if (scope.empty()) return candidate.name;
  const std::string before = (!candidate.output.block.valid() ? "ports." : "") + scope + ".";
  if (!candidate.name.starts_with(before)) return {};
  return (!candidate.output.block.valid() ? "ports." : "") + candidate.name.substr(before.size());
}

class Finder {
public:
  explicit Finder(Inference& in) : in_(in), system_(in.system) {
    if (system_.logs.empty() && system_.figures.empty()) return;
    for (const BlockIndex b : system_.blocks.indices()) {
      const SystemBlock& block = system_.blocks[b];
      for (const SystemBlock::Port& port : block.ports) {
        const Slot& slot = in_.slot(b, port.slot);
        if (slot.role != HILDA_OUTPUT) continue;
        const std::string item = port.item < 0 ? "" : "[" + std::to_string(port.item) + "]";
        candidates_.push_back(
            {block.path + "." + slot.name + item, {b, port.slot, port.item}, 0, slot.is(HILDA_UNRECORDED)});
      }
    }
    for (std::size_t p = 0; p < system_.power_ports.size(); ++p)
      for (const char* field : {".energy", ".power"})
        candidates_.push_back({"ports." + system_.power_ports[p].name + field, {}, p, false});
  }

  void run() {
    for (LogRule& rule : system_.logs) log(rule);
    const LogSelection selection(system_);
    for (const FigureRule& rule : system_.figures) figure(rule, selection);
  }

private:
  using Found = std::vector<const Candidate*>;

  void log(LogRule& rule) {
    if (rule.when.block.valid()) {
      check_condition(in_, "this <log>", rule.when, "when", rule.where);
      if (const auto part = part_of(in_, rule.when, rule.where)) rule.when_offset = part->offset;
    }
    if (Rational() < rule.every) {
      const Rational ticks = rule.every / system_.base;
      if (ticks.denominator() == 1)
        rule.divider = ticks.numerator();
      else
        in_.diagnostics.error("log-every", rule.where,
                              "every " + time_text(rule.every) + " is not a whole number of ticks of " +
                                  time_text(system_.base),
                              "samples are taken at ticks: give a multiple of " + time_text(system_.base));
    }
    for (const std::string& word : rule.signals.words) {
      const Found found = means(rule.signals, word);
      for (const Candidate* each : found) {
        if (!each->output.block.valid())
          rule.power_ports.push_back(each->power_port);
        else
          rule.outputs.push_back(each->output);
      }
      if (!found.empty()) continue;
      if (const PortRef part = part_named(rule.signals, word); !part.block.valid())
        unknown(rule.signals, word);
      else
        in_.diagnostics.error("log-part", rule.signals.where,
                              in_quotes(word) + " is a part of a signal, and a log keeps whole signals",
                              "write " + in_quotes(word.substr(0, word.size() - suffix_of(part).size())));
    }
  }

  void figure(const FigureRule& rule, const LogSelection& selection) {
    std::string missing;
    for (const std::string& word : rule.signals.words) {
      Found found = means(rule.signals, word);
      PortRef part;
      if (found.empty() && is_pattern(word)) found = means_elements(rule.signals, word);
      if (found.empty()) {
        part = part_named(rule.signals, word);
        if (!part.block.valid()) {
          unknown(rule.signals, word);
          continue;
        }
        part_of(in_, part, rule.signals.where);
      }
      const auto shown = [&](const Candidate* each) {
        const KeptSamples kept = !each->output.block.valid()
                                     ? selection.of_power_port(each->power_port)
                                     : selection.of_output(each->output.block, each->output.slot, each->output.item);
        return kept.any && (kept.rule != nullptr || !each->unrecorded);
      };
      const bool seen = found.empty() ? selection.of_output(part.block, part.slot, part.item).any
                                      : std::any_of(found.begin(), found.end(), shown);
      if (!seen) add_word(missing, in_quotes(word));
    }
    if (missing.empty()) return;
    in_.diagnostics.warning("figure-unrecorded", rule.signals.where,
                            "the figure " + in_quotes(rule.title) + " shows " + missing + ", which no log keeps",
                            "name it in a <log> too");
  }

  /// What a word means: a signal by its name or that of the port it passes, all below a path, or what fits a pattern.
  Found means(const SignalList& list, const std::string& word) const {
    Found found;
    const PortRef port = promised(list, word);
    for (const Candidate& each : candidates_) {
      const std::string name = relative(each, list.scope);
      const bool same = name == word || (port.block.valid() && port.part.empty() && each.output.block == port.block &&
                                         each.output.slot == port.slot && each.output.item == port.item);
      if (same || (!name.empty() && !each.unrecorded && pattern_means(word, name))) found.push_back(&each);
    }
    return found.empty() ? means_bus(list, word) : found;
  }

  /// The signals that a bus joins, by the name of a port that it passes: "rig.state".
  Found means_bus(const SignalList& list, const std::string& word) const {
    const std::string begin = (list.scope.empty() ? word : list.scope + "." + word) + ".";
    Found found;
    for (const Candidate& each : candidates_)
      for (const Promise& promise : system_.promises)
        if (!each.unrecorded && each.output.block.valid() && promise.port.starts_with(begin) &&
            promise.signal.part.empty() && promise.signal.block == each.output.block &&
            promise.signal.slot == each.output.slot && promise.signal.item == each.output.item) {
          found.push_back(&each);
          break;
        }
    return found;
  }

  /// A pattern may end in the name of an element: "*.force.x".
  Found means_elements(const SignalList& list, const std::string& word) const {
    Found found;
    for (const Candidate& each : candidates_) {
      const std::string name = relative(each, list.scope);
      if (name.empty() || !each.output.block.valid()) continue;
      const SignalType type = in_.type(each.output.block, each.output.slot, each.output.item);
      bool any = false;
      for (const std::string_view element : element_names(kind_name(type.kind)))
        any = any || pattern_means(word, name + "." + std::string(element));
      for (int i = 0; type.kind == HILDA_PLAIN && type.cols == 1 && type.rows > 1 && i < type.rows && !any; ++i)
        any = pattern_means(word, name + "[" + std::to_string(i) + "]");
      if (any) found.push_back(&each);
    }
    return found;
  }

  /// The signal that passes a port of a subsystem; block -1 where there is no such port.
  PortRef promised(const SignalList& list, const std::string& word) const {
    const std::string name = list.scope.empty() ? word : list.scope + "." + word;
    for (const Promise& promise : system_.promises)
      if (promise.port == name) return promise.signal;
    return {};
  }

  /// The longest beginning of a word that is a signal, and the rest as a part of it; block -1 where there is none.
  PortRef part_named(const SignalList& list, const std::string& word) const {
    if (is_pattern(word)) return {};
    for (std::size_t end = word.size(); end > 0; --end) {
      if (end < word.size() && word[end] != '.' && word[end] != '[') continue;
      PortRef whole = promised(list, word.substr(0, end));
      for (const Candidate& each : candidates_)
        if (!whole.block.valid() && each.output.block.valid() && relative(each, list.scope) == word.substr(0, end))
          whole = each.output;
      if (!whole.block.valid()) continue;
      for (std::string& part : parts_of(std::string_view(word).substr(end)))
        whole.part.change().push_back(std::move(part));
      return whole;
    }
    return {};
  }

  static std::string suffix_of(const PortRef& ref) {
    std::string suffix;
    for (const std::string& part : ref.part) suffix += (part.starts_with('[') ? "" : ".") + part;
    return suffix;
  }

  /// It may be an output of a block that has been reported already.
  bool broken(const SignalList& list, const std::string& word) const {
    const std::string name = list.scope.empty() ? word : list.scope + "." + word;
    return std::any_of(system_.blocks.begin(), system_.blocks.end(), [&](const SystemBlock& block) {
      return block.type == nullptr && begins_with_name(name, block.path);
    });
  }

  void unknown(const SignalList& list, const std::string& word) {
    if (broken(list, word)) return;
    if (is_pattern(word)) {
      in_.diagnostics.warning("log-nothing", list.where,
                              in_quotes(word) + " fits no signal" +
                                  (system_.mode.empty() ? "" : " in mode " + in_quotes(system_.mode)),
                              "* stands for any text and ? for one character: *.wrench, rig.*");
      return;
    }
    std::vector<std::string> names;
    if (suggestions_left_-- > 0) {
      for (const Candidate& each : candidates_)
        if (std::string name = relative(each, list.scope); !name.empty()) names.push_back(std::move(name));
      for (const Promise& promise : system_.promises)
        if (list.scope.empty()) names.push_back(promise.port);
    }
    std::string near = nearest(word, names);
    if (near.empty()) near = nearest_path(word, names);
    in_.diagnostics.error("log-signal", list.where, "there is no signal " + in_quotes(word),
                          !near.empty()
                              ? "did you mean " + in_quotes(near) + "?"
                              : "name an output as block.port, a block or a subsystem; hilda plan lists them");
  }

  /// A block or subsystem that is nearly so called.
  static std::string nearest_path(const std::string& word, const std::vector<std::string>& names) {
    std::vector<std::string> paths;
    for (const std::string& name : names) {
      for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1))
        paths.push_back(name.substr(0, dot));
    }
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    return nearest(word, paths);
  }

  Inference& in_;
  System& system_;
  std::vector<Candidate> candidates_;
  int suggestions_left_ = most_suggestions;
};

} // namespace

void find_observed(Inference& in) {
  if (in.system.logs.empty() && in.system.figures.empty()) return;
  Finder(in).run();
}

} // namespace hilda::compile::inference
