// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/wires/observed.h"

#include "engine/base/error.h"
#include "engine/compile/detail/flatten/period.h"
#include "engine/compile/detail/flatten/variants.h"
#include "engine/diagram/name_pattern.h"

namespace hilda::compile {
namespace {

class ObservedReader {
public:
  ObservedReader(Flattened& flat, WireEnds& ends, FlattenContext& context, const FindCondition& condition)
      : flat_(flat), ends_(ends), context_(context), condition_(condition) {}

  /// @param decided  a diagram around this one has its own elements
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
      made.every = read_time("every", declared.every.text, declared.every.where, at.scope, flat_.evaluation)
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

} // namespace

void bind_observed(Flattened& flat, WireEnds& ends, FlattenContext& context, const FindCondition& condition) {
  ObservedReader(flat, ends, context, condition).walk(*flat.top, false);
}

} // namespace hilda::compile
