#include "engine/check/observed.h"

#include "engine/check/period.h"
#include "engine/check/variants.h"
#include "engine/model/complaint.h"
#include "engine/model/name_pattern.h"

#include <algorithm>

namespace hilda {
namespace {

class Reader {
public:
  Reader(Flattened& flat, WireEnds& ends, FlattenContext& context, const FindCondition& condition)
      : flat_(flat), ends_(ends), context_(context), condition_(condition) {}

  /// @param decided  a diagram around this one has elements of its own
  void walk(const Instance& at, bool decided) {
    bool decides = false;
    for (const LogDecl& declared : at.diagram->logs) {
      if (!in_mode(declared.mode, flat_.system.mode)) continue;
      decides = true;
      log(at, declared, !decided);
    }
    for (const FigureDecl& declared : at.diagram->figures)
      if (in_mode(declared.mode, flat_.system.mode))
        flat_.system.figures.push_back({declared.title, words(at, declared.signals, "figure")});
    for (const auto& child : at.children)
      if (child != nullptr) walk(*child, decided || decides);
  }

private:
  void log(const Instance& at, const LogDecl& declared, bool decides) {
    LogRule made;
    made.signals = words(at, declared.signals, "log");
    made.decides = decides;
    made.where = declared.where;
    if (!declared.every.text.empty())
      made.every = read_time(declared.every.text, declared.every.where, *at.parameters, context_.diagnostics)
                       .value_or(Rational());
    if (!declared.when.text.empty()) made.when = condition_(at, declared.when);
    flat_.system.logs.push_back(std::move(made));
  }

  SignalList words(const Instance& at, const Attribute& list, const std::string& element) {
    SignalList made{at.path, {}, list.where};
    for (std::string& word : words_of_list(list.text))
      if (!absent(at, word, list.where)) made.words.push_back(std::move(word));
    if (words_of_list(list.text).empty())
      context_.diagnostics.error("log-signal", list.where, "this <" + element + "> names no signal",
                                 "write signals=\"lead.led rig.wrench\"; * stands for any text");
    return made;
  }

  /// Only another mode has it.
  bool absent(const Instance& at, const std::string& word, Location where) {
    return !is_pattern(word) && ends_.source(at, word, where, WireEnds::Report::no).kind == WireEnd::Kind::absent;
  }

  Flattened& flat_;
  WireEnds& ends_;
  FlattenContext& context_;
  const FindCondition& condition_;
};

bool lies_in(const std::string& path, const std::string& scope) {
  return scope.empty() || (path.size() > scope.size() && path.starts_with(scope) && path[scope.size()] == '.');
}

} // namespace

void bind_observed(Flattened& flat, WireEnds& ends, FlattenContext& context, const FindCondition& condition) {
  Reader(flat, ends, context, condition).walk(*flat.top, false);
}

LogSelection::LogSelection(const System& system) : system_(system) {
  for (const LogRule& rule : system.logs) {
    if (!rule.decides) continue;
    for (const PortRef& output : rule.outputs) outputs_[{output.block, output.slot, output.item}] = &rule;
    for (const std::size_t port : rule.power_ports) power_ports_[port] = &rule;
  }
}

KeptSamples LogSelection::kept(const LogRule* rule, const std::string& path, std::int64_t own) const {
  if (rule != nullptr) return {true, std::max(rule->divider, own), rule};
  const bool decided = std::any_of(system_.logs.begin(), system_.logs.end(), [&](const LogRule& each) {
    return each.decides && lies_in(path, each.signals.scope);
  });
  return {!decided, own, nullptr};
}

KeptSamples LogSelection::of_output(int block, int slot, int item) const {
  const SystemBlock& owner = system_.blocks[static_cast<std::size_t>(block)];
  const auto rule = outputs_.find({block, slot, item});
  return kept(rule == outputs_.end() ? nullptr : rule->second, owner.path, owner.continuous ? 1 : owner.divider);
}

KeptSamples LogSelection::of_power_port(std::size_t port) const {
  const auto rule = power_ports_.find(port);
  return kept(rule == power_ports_.end() ? nullptr : rule->second, system_.power_ports[port].name, 1);
}

} // namespace hilda
