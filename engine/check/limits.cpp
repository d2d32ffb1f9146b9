#include "engine/check/limits.h"

#include "engine/check/variants.h"
#include "engine/model/complaint.h"

#include <algorithm>

namespace hilda {
namespace {

/// The limits that a signal of this kind can have.
std::vector<std::string> names_for(hilda_kind kind) {
  const auto pick = [](std::initializer_list<MotionLimits::Kind> kinds) {
    std::vector<std::string> names;
    for (const MotionLimits::Kind k : kinds) names.emplace_back(MotionLimits::names[k]);
    names.emplace_back("stop_time");
    return names;
  };
  using L = MotionLimits;
  switch (kind) {
  case HILDA_POSE:
    return pick({L::position, L::rotation, L::speed, L::angular_speed, L::acceleration, L::angular_acceleration,
                 L::step, L::angular_step});
  case HILDA_TWIST: return pick({L::speed, L::angular_speed, L::acceleration, L::angular_acceleration});
  case HILDA_WRENCH: return pick({L::force, L::torque});
  case HILDA_PLAIN:
  case HILDA_QUATERNION: break;
  }
  return pick({L::magnitude, L::rate});
}

class LimitsReader {
public:
  LimitsReader(Flattened& flat, WireEnds& ends, FlattenContext& context)
      : flat_(flat), ends_(ends), context_(context) {}

  void walk(const Instance& at) {
    for (const LimitsDecl& declared : at.diagram->limits)
      if (in_mode(declared.mode, flat_.system.mode)) read(at, declared);
    for (const auto& child : at.children)
      if (child != nullptr) walk(*child);
  }

private:
  void read(const Instance& at, const LimitsDecl& declared) {
    const WireEnd end = ends_.destination(at, declared.on, declared.where);
    if (end.kind == WireEnd::Kind::wrong || end.kind == WireEnd::Kind::absent) return;
    const Slot* slot = slot_of(end);
    if (slot == nullptr || !slot->is(HILDA_ACTUATION)) {
      context_.diagnostics.error(
          "limits-place", declared.where, quoted(declared.on) + " moves nothing: limits would not be looked at",
          "put the limits where the block that moves something stands, on its input marked 'actuation'");
      return;
    }
    Limits made{{end.block, end.slot, end.item, {}}, {}, declared.where};
    for (const Limits& other : flat_.system.limits)
      if (other.input.block == end.block && other.input.slot == end.slot && other.input.item == end.item)
        context_.diagnostics.error("duplicate-limits", declared.where, quoted(declared.on) + " has limits already",
                                   "write all of an input's limits into one element",
                                   {{other.where, "the others stand here"}});
    for (const Attribute& attribute : declared.values) value(at, *slot, attribute, made.limits);
    flat_.system.limits.push_back(std::move(made));
  }

  const Slot* slot_of(const WireEnd& end) const {
    if (end.kind != WireEnd::Kind::block || end.block < 0 || end.slot < 0) return nullptr;
    const SystemBlock& block = flat_.system.blocks[static_cast<std::size_t>(end.block)];
    return block.type == nullptr ? nullptr : &block.type->slots[static_cast<std::size_t>(end.slot)];
  }

  void value(const Instance& at, const Slot& slot, const Attribute& attribute, MotionLimits& into) {
    const std::vector<std::string> allowed = names_for(slot.kind);
    if (std::find(allowed.begin(), allowed.end(), attribute.name) == allowed.end()) {
      context_.diagnostics.error("limits-kind", attribute.where,
                                 quoted(slot.name) + " cannot have the limit " + quoted(attribute.name),
                                 "it may have: " + listed(allowed));
      return;
    }
    const std::optional<Value> given =
        at.parameters->evaluation().read(attribute.text, attribute.where, *at.parameters);
    if (!given) return;
    const auto name = std::find(MotionLimits::names.begin(), MotionLimits::names.end(), attribute.name);
    const auto kind = static_cast<std::size_t>(name - MotionLimits::names.begin());
    const char* unit = kind < MotionLimits::count ? MotionLimits::units[kind] : "s";
    Wanted wanted;
    wanted.extent = Extent::scalar();
    wanted.unit_text = unit;
    if (*unit != '\0') wanted.unit = *parse_unit(unit);
    const Outcome<Shaped> fitted = fit(*given, wanted);
    if (!fitted) {
      context_.diagnostics.error("limits-value", attribute.where,
                                 quoted(attribute.name) + ": " + fitted.complaint().what, fitted.complaint().help);
      return;
    }
    const double number = fitted->numbers.front();
    if (!(number > 0)) {
      context_.diagnostics.error("limits-value", attribute.where,
                                 quoted(attribute.name) + " is " + decimal(number) + ": a limit is above 0",
                                 "leave the attribute out where nothing is to be limited");
      return;
    }
    (kind < MotionLimits::count ? into.most[kind] : into.stop_time) = number;
  }

  Flattened& flat_;
  WireEnds& ends_;
  FlattenContext& context_;
};

} // namespace

void bind_limits(Flattened& flat, WireEnds& ends, FlattenContext& context) {
  LimitsReader(flat, ends, context).walk(*flat.top);
}

} // namespace hilda
