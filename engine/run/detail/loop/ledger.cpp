// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/loop/ledger.h"

#include "engine/diagram/attribute_words.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <numeric>

namespace hilda::run {
namespace {

/// Neumaier's sum in place.
void add(double& sum, double& rest, double x) noexcept {
  const double both = sum + x;
  rest += std::abs(sum) >= std::abs(x) ? (sum - both) + x : (x - both) + sum;
  sum = both;
}

const double* part(const Memory& memory, const PortRef& ref, int offset) {
  return static_cast<const double*>(memory.span(ref.block, ref.slot, ref.item).data) + offset;
}

std::int64_t ticks_of(const System& system, const PortRef& ref) {
  const SystemBlock& block = system.blocks[ref.block];
  return block.continuous ? 1 : block.divider;
}

} // namespace

void Ledger::Flow::add(double work) noexcept {
  run::add(sum, rest, work);
  energy = sum + rest;
  lowest = std::min(lowest, energy);
  highest = std::max(highest, energy);
}

Ledger::Ledger(const System& system, const Memory& memory) {
  static constexpr std::array<Rule, power_rules.size()> rules = {Rule::backward, Rule::forward, Rule::trapezoid};
  for (const PowerPort& port : system.power_ports) {
    Tap tap;
    tap.effort = part(memory, port.effort, port.effort_offset);
    tap.flow = part(memory, port.flow, port.flow_offset);
    tap.count = port.count;
    tap.rule = rules.at(
        static_cast<std::size_t>(std::find(power_rules.begin(), power_rules.end(), port.rule) - power_rules.begin()));
    tap.divider = std::gcd(ticks_of(system, port.effort), ticks_of(system, port.flow));
    tap.period = (system.base * Rational(tap.divider)).value();
    tap.from = element(port.from);
    tap.to = element(port.to);
    taps_.push_back(tap);
    names_.push_back({.name = port.name, .rule = port.rule, .from = port.from, .to = port.to});
  }
  flows_.resize(taps_.size());
  for (const BlockIndex block : system.blocks.indices()) {
    const hilda_block_type& type = *memory.layout(block).abi;
    if (type.extension == nullptr) continue;
    const auto* energy = static_cast<const hilda_energy_1*>(type.extension("hilda.energy/1"));
    if (energy == nullptr || energy->stored == nullptr) continue;
    const std::string& path = system.blocks[block].path;
    ElementIndex owner;
    for (const ElementIndex e : elements_.indices()) {
      const std::string below = elements_[e] + ".";
      const bool inside = path == elements_[e] || path.compare(0, below.size(), below) == 0;
      if (inside && (!owner.valid() || elements_[e].size() > elements_[owner].size())) owner = e;
    }
    if (!owner.valid()) continue;
    const std::int64_t divider = system.blocks[block].continuous ? 1 : system.blocks[block].divider;
    stores_.push_back({.stored = energy->stored, .record = memory.record(block), .divider = divider, .element = owner});
  }
  levels_.resize(stores_.size());
}

Ledger::ElementIndex Ledger::element(const std::string& path) {
  if (path.empty()) return {};
  const auto found = std::find(elements_.begin(), elements_.end(), path) - elements_.begin();
  if (found == std::ssize(elements_)) elements_.push_back(path);
  return ElementIndex(found);
}

void Ledger::tick(std::int64_t index) noexcept {
  for (std::size_t p = 0; p < taps_.size(); ++p) {
    const Tap& tap = taps_[p];
    if (tap.divider != 1 && index % tap.divider != 0) continue;
    Flow& flow = flows_[p];
    double power = 0.0;
    for (int i = 0; i < tap.count; ++i) power += tap.effort[i] * tap.flow[i];
    const double before = flow.power;
    flow.power = power;
    if (tap.rule == Rule::backward)
      flow.add(tap.period * power);
    else if (flow.ticks > 0)
      flow.add(tap.rule == Rule::forward ? tap.period * before : 0.5 * tap.period * (power + before));
    ++flow.ticks;
  }
  for (std::size_t s = 0; s < stores_.size(); ++s) {
    const Store& store = stores_[s];
    if (store.divider != 1 && index % store.divider != 0) continue;
    levels_[s].now = store.stored(store.record);
    if (index == 0) levels_[s].initially = levels_[s].now;
  }
}

std::vector<Ledger::Port> Ledger::ports() const {
  std::vector<Port> list = names_;
  for (std::size_t p = 0; p < list.size(); ++p)
    list[p].energy = flows_[p].energy, list[p].lowest = flows_[p].lowest, list[p].highest = flows_[p].highest;
  return list;
}

Indexed<Ledger::ElementIndex, Ledger::Element> Ledger::elements() const {
  Indexed<ElementIndex, Element> list;
  for (const std::string& path : elements_) list.push_back({path});
  for (std::size_t p = 0; p < taps_.size(); ++p) {
    if (taps_[p].from.valid()) list[taps_[p].from].given += flows_[p].energy;
    if (taps_[p].to.valid()) list[taps_[p].to].received += flows_[p].energy;
  }
  for (std::size_t s = 0; s < stores_.size(); ++s) {
    Element& owner = list[stores_[s].element];
    owner.stored_initially += levels_[s].initially;
    owner.stored += levels_[s].now;
  }
  return list;
}

double Ledger::residual() const {
  double sum = 0.0, rest = 0.0;
  for (const Element& e : elements()) {
    add(sum, rest, e.made());
    add(sum, rest, e.stored_initially - e.stored);
  }
  for (std::size_t p = 0; p < taps_.size(); ++p) {
    if (taps_[p].from.valid()) add(sum, rest, -flows_[p].energy);
    if (taps_[p].to.valid()) add(sum, rest, flows_[p].energy);
  }
  return sum + rest;
}

void Ledger::save(std::vector<unsigned char>& bytes) const {
  const auto append = [&bytes](const auto& list) {
    const auto* from = reinterpret_cast<const unsigned char*>(list.data());
    bytes.insert(bytes.end(), from, from + list.size() * sizeof(list[0]));
  };
  append(flows_);
  append(levels_);
}

bool Ledger::load(const std::vector<unsigned char>& bytes, std::size_t& at) {
  const auto take = [&](auto& list) {
    const std::size_t size = list.size() * sizeof(list[0]);
    if (size > bytes.size() - at) return false;
    if (size > 0) std::memcpy(list.data(), bytes.data() + at, size);
    at += size;
    return true;
  };
  return take(flows_) && take(levels_);
}

bool Ledger::take_over(const Ledger& from) {
  const auto same = [](const Port& a, const Port& b) {
    return a.name == b.name && a.rule == b.rule && a.from == b.from && a.to == b.to;
  };
  if (!std::equal(names_.begin(), names_.end(), from.names_.begin(), from.names_.end(), same)) return false;
  if (elements_ != from.elements_ || levels_.size() != from.levels_.size()) return false;
  flows_ = from.flows_; // in place: recorders point into it
  levels_ = from.levels_;
  return true;
}

std::string account_text(const Ledger& ledger) {
  std::vector<Ledger::Element> elements = ledger.elements();
  std::stable_sort(elements.begin(), elements.end(), [](const Ledger::Element& a, const Ledger::Element& b) {
    return std::abs(a.made()) > std::abs(b.made());
  });
  std::string text;
  for (const Ledger::Element& e : elements) {
    const double made = e.made();
    if (std::abs(made) <= 1e-6 * std::abs(elements.front().made())) continue;
    text += fmt::format("{}{} {} {:.4g} J", text.empty() ? "" : "; ", e.path, made > 0 ? "made" : "dissipated",
                        std::abs(made));
  }
  return text.empty() && !elements.empty() ? "no element made or dissipated energy" : text;
}

} // namespace hilda::run
