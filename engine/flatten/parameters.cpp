#include "engine/flatten/parameters.h"

#include "engine/diagnostics/complaint.h"

#include <algorithm>
#include <utility>

namespace hilda {
namespace {

constexpr std::size_t deepest = 200;
constexpr std::size_t most_origins = 8;
constexpr std::size_t largest_value = std::size_t{1} << 20;
constexpr std::size_t most_bytes = std::size_t{1} << 28;

} // namespace

std::optional<Value> Evaluation::read(const std::string& text, Location where, const Parameters& scope) {
  Outcome<Value> value = read_value(text, scope);
  if (!value) {
    const Complaint& why = value.complaint();
    if (why.already_reported()) return std::nullopt;
    std::vector<Note> notes = scope.near_misses(text);
    for (const Location& origin : scope.origins(text)) notes.push_back({origin, "it depends on this"});
    diagnostics.error(why.code.c_str(), where, why.what, why.help, std::move(notes));
    return std::nullopt;
  }
  if (text.find("${") == std::string::npos) return *std::move(value);
  const std::size_t size = value->text.size() + sizeof(double) * value->numbers.size();
  bytes += size;
  if (size <= largest_value && bytes <= most_bytes) return *std::move(value);
  diagnostics.error(
      "value-too-large", where,
      "the text that `${}` makes of " + hilda::in_quotes(text) + " is too long: " + std::to_string(size) + " bytes",
      "one value may have " + std::to_string(largest_value) + " bytes, all together " + std::to_string(most_bytes));
  return std::nullopt;
}

void Parameters::add(Entry entry) {
  if (!by_name_.try_emplace(entry.name, entries_.size()).second) return;
  entries_.push_back(std::move(entry));
  states_.push_back(State::fresh);
  values_.emplace_back();
}

Parameters::Entry* Parameters::own(const std::string& name) {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &entries_[found->second];
}

Parameters::Found Parameters::look_up(const std::string& name) const {
  for (const Parameters* at = name == "period" ? top_ : this; at != nullptr; at = at->around_)
    if (const auto found = at->by_name_.find(name); found != at->by_name_.end()) return {at, found->second};
  return {};
}

const Value* Parameters::value(std::size_t index) const {
  State& state = states_[index];
  const Entry& entry = entries_[index];
  if (state == State::done) return &values_[index];
  if (state == State::failed) return nullptr;
  if (state == State::open) {
    report_cycle(index);
    return nullptr;
  }
  if (entry.missing) {
    state = State::failed;
    std::vector<Note> notes;
    if (entry.element.file != nullptr) notes.push_back({entry.element, "its subsystem stands here"});
    const std::string ways = notes.empty() ? "give it with" : "give it as an attribute of its subsystem, or with";
    evaluation_.diagnostics.error(
        "parameter-without-value", entry.where, "the parameter " + hilda::in_quotes(entry.path) + " has no value",
        ways + " --set " + entry.path + "=..." + (entry.doc.empty() ? "" : "; it is: " + entry.doc), std::move(notes));
    return nullptr;
  }
  if (evaluation_.open.size() >= deepest) {
    state = State::failed;
    evaluation_.diagnostics.error("parameter-chain", entry.where,
                                  "the parameter " + hilda::in_quotes(entry.path) + " stands at the end of " +
                                      std::to_string(deepest) + " that refer to one another",
                                  "shorten the chain");
    return nullptr;
  }
  state = State::open;
  evaluation_.open.push_back({this, index});
  std::optional<Value> read = evaluation_.read(entry.text, entry.where, *entry.reads);
  evaluation_.open.pop_back();
  if (state == State::failed) return nullptr; // found to be part of a cycle meanwhile
  state = read ? State::done : State::failed;
  if (!read) return nullptr;
  values_[index] = *std::move(read);
  return &values_[index];
}

Outcome<const Value*> Parameters::find(const std::string& name) const {
  const Found found = look_up(name);
  if (found.owner == nullptr) return static_cast<const Value*>(nullptr);
  if (const Value* value = found.owner->value(found.index)) return value;
  return Complaint{}; // reported where the parameter stands
}

/// All hops from the parameter back to itself; each counts as failed from now on.
void Parameters::report_cycle(std::size_t index) const {
  std::size_t begin = evaluation_.open.size();
  while (begin > 0) {
    const Evaluation::Step& step = evaluation_.open[--begin];
    if (step.owner == this && step.index == index) break;
  }
  std::vector<Note> hops;
  for (std::size_t i = begin; i < evaluation_.open.size(); ++i) {
    const Evaluation::Step& step = evaluation_.open[i];
    const Entry& entry = step.owner->entries_[step.index];
    step.owner->states_[step.index] = State::failed;
    hops.push_back({entry.where, hilda::in_quotes(entry.path) + " is " + hilda::in_quotes(entry.text)});
  }
  evaluation_.diagnostics.error("parameter-cycle", entries_[index].where,
                                "the parameter " + hilda::in_quotes(entries_[index].path) + " depends on itself",
                                "give one of them a value of its own", std::move(hops));
}

std::vector<std::string> Parameters::names() const {
  std::vector<std::string> result;
  for (const Parameters* at = this; at != nullptr; at = at->around_) {
    if (at->entries_.size() > evaluation_.names_left) return {};
    evaluation_.names_left -= at->entries_.size();
    for (const Entry& entry : at->entries_) result.push_back(entry.name);
  }
  if (top_ != this) result.emplace_back("period");
  return result;
}

std::vector<Note> Parameters::near_misses(std::string_view text) const {
  constexpr int most = 2; // of one name: two may be equally near
  std::vector<Note> notes;
  for (const std::string& name : references(text)) {
    if (look_up(name).owner != nullptr) continue;
    std::vector<std::string> candidates = names();
    for (int i = 0; i < most; ++i) {
      const std::string near = nearest(name, candidates);
      const Found found = near.empty() ? Found{} : look_up(near);
      if (found.owner == nullptr) break;
      const Entry& entry = found.owner->entries_[found.index];
      notes.push_back({entry.where, hilda::in_quotes(entry.name) + " is declared here"});
      candidates.erase(std::find(candidates.begin(), candidates.end(), near));
    }
  }
  return notes;
}

std::vector<Location> Parameters::origins(std::string_view text) const {
  std::vector<Location> places;
  std::vector<Found> found;
  const auto collect = [&](std::string_view in, const Parameters& scope) {
    if (in.find("${") == std::string_view::npos) return;
    for (const std::string& name : references(in))
      if (const Found one = scope.look_up(name); one.owner != nullptr) found.push_back(one);
  };
  collect(text, *this);
  for (std::size_t i = 0; i < found.size() && i < most_origins; ++i) {
    const Entry& entry = found[i].owner->entries_[found[i].index];
    places.push_back(entry.where);
    if (entry.reads != nullptr) collect(entry.text, *entry.reads);
  }
  return places;
}

} // namespace hilda
