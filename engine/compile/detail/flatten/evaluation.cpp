// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/flatten/evaluation.h"

#include "engine/base/error.h"

#include <algorithm>
#include <utility>

namespace hilda::compile {
namespace {

constexpr std::size_t deepest = 200;
constexpr std::size_t largest_value = std::size_t{1} << 20;
constexpr std::size_t most_bytes = std::size_t{1} << 28;

} // namespace

/// What an expression sees: parameters that have been evaluated before.
class Evaluation::View : public Scope {
public:
  View(Evaluation& evaluation, ScopeIndex scope) : evaluation_(evaluation), scope_(scope) {}

  Result<const Value*> find(const std::string& name) const override {
    const ParameterIndex parameter = evaluation_.table_.find(scope_, name);
    if (!parameter.valid()) return static_cast<const Value*>(nullptr);
    if (evaluation_.state(parameter) == State::done) return &std::as_const(evaluation_.table_)[parameter].value;
    return Error{}; // reported where the parameter is
  }
  std::vector<std::string> names() const override { return evaluation_.names(scope_); }

private:
  Evaluation& evaluation_;
  ScopeIndex scope_;
};

Evaluation::State& Evaluation::state(ParameterIndex parameter) {
  if (states_.size() < table_.size()) states_.resize(table_.size(), State::fresh);
  return states_[parameter];
}

const Value* Evaluation::value(ParameterIndex parameter) {
  NamedParameter& asked = table_[parameter];
  switch (state(parameter)) {
  case State::done: return &asked.value;
  case State::failed: return nullptr;
  case State::open: report_cycle(parameter); return nullptr;
  case State::fresh: break;
  }
  if (open_.size() >= deepest) {
    state(parameter) = State::failed;
    diagnostics_.error("parameter-chain", asked.given.where,
                       "the parameter " + hilda::base::in_quotes(asked.path) + " is at the end of " +
                           std::to_string(deepest) + " that refer to one another",
                       "shorten the chain");
    return nullptr;
  }
  state(parameter) = State::open;
  open_.push_back(parameter);
  std::optional<Value> value = read(asked.given.text, asked.given.where, asked.scope);
  open_.pop_back();
  if (state(parameter) == State::failed) return nullptr; // found to be part of a cycle meanwhile
  state(parameter) = value ? State::done : State::failed;
  if (!value) return nullptr;
  asked.value = *std::move(value);
  return &asked.value;
}

std::optional<Value> Evaluation::read(const std::string& text, Location where, ScopeIndex scope) {
  evaluate_named(text, scope);
  Result<Value> value = read_value(text, View(*this, scope));
  if (!value) {
    const Error& why = value.error();
    if (why.already_reported()) return std::nullopt;
    std::vector<Note> notes = near_misses(text, scope);
    for (const Location& origin : table_.origins(text, scope)) notes.push_back({origin, "it depends on this"});
    diagnostics_.error(why.code.c_str(), where, why.what, why.help, std::move(notes));
    return std::nullopt;
  }
  if (text.find("${") == std::string::npos) return *std::move(value);
  const std::size_t size = value->text.size() + sizeof(double) * value->numbers.size();
  bytes_ += size;
  if (size <= largest_value && bytes_ <= most_bytes) return *std::move(value);
  diagnostics_.error("value-too-large", where,
                     "the text that `${}` makes of " + hilda::base::in_quotes(text) +
                         " is too long: " + std::to_string(size) + " bytes",
                     "one value may have " + std::to_string(largest_value) + " bytes, all together " +
                         std::to_string(most_bytes));
  return std::nullopt;
}

std::optional<Value> Evaluation::settle(const std::string& text, Location where, ScopeIndex scope) {
  if (text.find("${") != std::string::npos) table_.settle({text, where, scope});
  return read(text, where, scope);
}

void Evaluation::evaluate_named(const std::string& text, ScopeIndex scope) {
  if (text.find("${") == std::string::npos) return;
  for (const std::string& name : references(text)) {
    const ParameterIndex parameter = table_.find(scope, name);
    if (!parameter.valid() || value(parameter) == nullptr) return;
  }
}

/// All hops from the parameter back to itself; each counts as failed from now on.
void Evaluation::report_cycle(ParameterIndex parameter) {
  std::vector<Note> hops;
  for (auto step = std::find(open_.begin(), open_.end(), parameter); step != open_.end(); ++step) {
    const NamedParameter& hop = table_[*step];
    state(*step) = State::failed;
    hops.push_back(
        {hop.given.where, hilda::base::in_quotes(hop.path) + " is " + hilda::base::in_quotes(hop.given.text)});
  }
  const NamedParameter& at = table_[parameter];
  diagnostics_.error("parameter-cycle", at.given.where,
                     "the parameter " + hilda::base::in_quotes(at.path) + " depends on itself",
                     "give one of them its own value", std::move(hops));
}

std::vector<std::string> Evaluation::names(ScopeIndex scope) {
  const std::size_t count = table_.visible(scope);
  if (count > names_left_) return {};
  names_left_ -= count;
  return table_.names(scope);
}

std::vector<Note> Evaluation::near_misses(const std::string& text, ScopeIndex scope) {
  constexpr int most = 2; // of one name: two may be equally near
  std::vector<Note> notes;
  for (const std::string& name : references(text)) {
    if (table_.find(scope, name).valid()) continue;
    std::vector<std::string> candidates = names(scope);
    for (int i = 0; i < most; ++i) {
      const std::string near = nearest(name, candidates);
      const ParameterIndex found = near.empty() ? ParameterIndex() : table_.find(scope, near);
      if (!found.valid()) break;
      const Attribute& declared = table_[found].given;
      notes.push_back({declared.where, hilda::base::in_quotes(declared.name) + " is declared here"});
      candidates.erase(std::find(candidates.begin(), candidates.end(), near));
    }
  }
  return notes;
}

} // namespace hilda::compile
