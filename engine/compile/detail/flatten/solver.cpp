// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/flatten/solver.h"

#include "engine/base/characters.h"
#include "engine/base/error.h"
#include "engine/base/word_list.h"

namespace hilda::compile {
namespace {

class SolverReader {
public:
  SolverReader(Flattened& flat, FlattenContext& context) : flat_(flat), context_(context) {}

  /// False: there is no such solver.
  bool kind(const Attribute& given, SolverSettings& settings) {
    if (given.name.empty()) return true;
    const std::optional<SolverKind> kind = solver_named(given.text);
    if (kind) {
      settings.kind = *kind;
      return true;
    }
    context_.diagnostics.error("unknown-solver", given.where,
                               "there is no solver " + hilda::base::in_quotes(given.text),
                               context_.suggestions.help(given.text, solver_names(), "solvers are"));
    return false;
  }

  void number(const Attribute& given, const char* unit, double& into) {
    if (given.name.empty()) return;
    const std::optional<Value> value = flat_.evaluation.settle(given.text, given.where, flat_.top->scope);
    if (value) fit_number(given, *value, unit, into);
  }

  /// "1e-9, swing.x=1 um"
  void tolerances(const Attribute& given, SolverSettings& settings) {
    if (given.name.empty()) return;
    for (std::size_t begin = 0; begin <= given.text.size();) {
      const std::size_t end = std::min(given.text.find(',', begin), given.text.size());
      const std::string item(trimmed(std::string_view(given.text).substr(begin, end - begin)));
      begin = end + 1;
      const std::size_t equals = item.find('=');
      const std::string_view whole = item;
      const std::string path(equals == std::string::npos ? "" : trimmed(whole.substr(0, equals)));
      const std::string text(equals == std::string::npos ? whole : trimmed(whole.substr(equals + 1)));
      const std::optional<Value> value = flat_.evaluation.settle(text, given.where, flat_.top->scope);
      if (!value) continue;
      if (equals != std::string::npos)
        settings.states.push_back({path, *value});
      else
        fit_number({"atol", text, given.where}, *value, "1", settings.atol);
    }
  }

  /// They are given, and a fixed step reads none of them.
  void warn_of_numbers(const DiagramDecl& top, const SolverSettings& settings) {
    std::string names;
    const Attribute* first = nullptr;
    for (const Attribute* each : {&top.rtol, &top.atol, &top.max_step}) {
      if (each->name.empty()) continue;
      add_word(names, each->name);
      if (first == nullptr) first = each;
    }
    if (first == nullptr) return;
    context_.diagnostics.warning(
        "tolerance-ignored", first->where,
        names + ": the diagram's solver, " + solver_name(settings.kind) +
            ", makes one step a tick and does not read such numbers",
        "say solver=\"dopri5\", \"rosenbrock\", \"cvode\" or \"adams\", or leave them out; runs "
        "with --solver and one of these read them too");
  }

private:
  void fit_number(const Attribute& given, const Value& value, const char* unit, double& into) {
    const Result<Shaped> fitted = fit(value, {Wanted::Element::real, Extent::scalar(), *parse_unit(unit), unit});
    if (fitted) {
      into = fitted->numbers[0];
      return;
    }
    const Error& why = fitted.error();
    if (why.already_reported()) return;
    const bool common = given.name == "atol" && why.code == "unit-mismatch";
    context_.diagnostics.error(why.code.c_str(), given.where, given.name + ": " + why.what,
                               common ? "one for all states has no unit, it is in SI of each; with a unit it is that "
                                        "of a state: atol=\"1e-9, block.state=1 um\""
                                      : why.help);
  }

  Flattened& flat_;
  FlattenContext& context_;
};

} // namespace

SolverSettings settle_solver(Flattened& flat, const DiagramDecl& top, FlattenContext& context) {
  SolverSettings settings;
  settings.where = top.solver.name.empty() ? top.where : top.solver.where;
  SolverReader reader(flat, context);
  const bool known = reader.kind(top.solver, settings);
  reader.number(top.rtol, "1", settings.rtol);
  reader.tolerances(top.atol, settings);
  reader.number(top.max_step, "s", settings.max_step);
  settings.located = !top.events.name.empty();                 // its only word was checked when it was read
  if (!known) check_numbers(settings, 0, context.diagnostics); // no solver will do it
  if (known && !has_variable_step(settings.kind)) reader.warn_of_numbers(top, settings);
  return settings;
}

} // namespace hilda::compile
