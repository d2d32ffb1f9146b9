// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/wires/quality.h"

#include "engine/base/error.h"
#include "engine/compile/detail/wires/bounds.h"

#include <algorithm>
#include <cmath>

namespace hilda::compile {
namespace {

using Q = QualityLimits;

/// What a value of that name is in; none where the block does not fix the signal's own unit.
std::optional<UnitReading> unit_of_quality(const Slot& slot, std::size_t kind) {
  if (kind == Q::delay) return *parse_unit("s");
  if (kind == Q::rate) return *parse_unit("1/s");
  switch (slot.kind) { // the first half of what has two
  case HILDA_POSE: return *parse_unit("m");
  case HILDA_TWIST: return *parse_unit("m/s");
  case HILDA_WRENCH: return *parse_unit("N");
  case HILDA_QUATERNION: return *parse_unit("");
  case HILDA_PLAIN: break;
  }
  if (!slot.unit.fixed()) return std::nullopt;
  UnitReading unit;
  unit.unit = slot.unit.constant.unit;
  return unit;
}

class QualityReader {
public:
  QualityReader(Flattened& flat, WireEnds& ends, FlattenContext& context)
      : flat_(flat), ends_(ends), context_(context) {}

  void read(const Instance& at, const QualityDecl& declared) {
    const WireEnd end = ends_.source(at, declared.on, declared.where);
    if (end.kind == WireEnd::Kind::wrong || end.kind == WireEnd::Kind::absent) return;
    const Slot* slot = slot_of(flat_.system, end);
    if (slot == nullptr || !end.parts.empty() || !slot->is(HILDA_MEASUREMENT) || slot->element != HILDA_F64) {
      context_.diagnostics.error("quality-place", declared.where,
                                 in_quotes(declared.on) +
                                     " is not a whole measured output of real numbers: nothing would be measured",
                                 "put the element where the device's block is, on an output marked 'measurement'");
      return;
    }
    Quality made{.output = {end.block, end.slot, end.item}, .doc = declared.doc, .where = declared.where};
    for (const Quality& other : flat_.system.quality)
      if (other.output.block == end.block && other.output.slot == end.slot && other.output.item == end.item)
        context_.diagnostics.error(
            "duplicate-quality", declared.where, in_quotes(declared.on) + " has a <quality> already",
            "write all that is asked of a signal into one element", {{other.where, "the other is here"}});
    for (const Attribute& attribute : declared.values) value(at, *slot, attribute, made);
    flat_.system.quality.push_back(std::move(made));
  }

private:
  void value(const Instance& at, const Slot& slot, const Attribute& attribute, Quality& into) {
    const auto name = std::find(Q::names.begin(), Q::names.end(), attribute.name);
    const auto kind = static_cast<std::size_t>(name - Q::names.begin());
    Wanted wanted;
    wanted.extent = Extent::scalar();
    wanted.unit = unit_of_quality(slot, kind);
    if (wanted.unit) wanted.unit_text = wanted.unit->unit.text();
    wanted.rotational = slot.is(HILDA_ROTATIONAL) && (kind == Q::resolution || kind == Q::noise);
    std::vector<Location> through = flat_.system.parameters.origins(attribute.text, at.scope);
    const auto refuse = [&](const std::string& what, const std::string& help) {
      std::vector<Note> notes;
      for (const Location& origin : through) notes.push_back({origin, "its value comes from here"});
      context_.diagnostics.error("quality-value", attribute.where, in_quotes(attribute.name) + what, help,
                                 std::move(notes));
    };
    const std::optional<double> bound = read_bound(flat_, at, attribute, wanted, refuse);
    if (!bound) return;
    const double number = *bound;
    if (kind == Q::rate && !(number >= 0 && std::isfinite(number)))
      return refuse(" is " + decimal(number) + ": a rate is a number of samples a second", "0 asks for none");
    if (kind != Q::rate && !(number > 0))
      return refuse(" is " + decimal(number) + ": the largest allowed value must be above 0",
                    "inf, or no attribute, where nothing is asked for");
    into.limits.given[kind] = number;
    into.through[kind] = std::move(through);
  }

  Flattened& flat_;
  WireEnds& ends_;
  FlattenContext& context_;
};

} // namespace

void bind_quality(Flattened& flat, WireEnds& ends, FlattenContext& context) {
  QualityReader reader(flat, ends, context);
  each_declared(*flat.top, &DiagramDecl::quality, flat.system.mode,
                [&](const Instance& at, const QualityDecl& declared) { reader.read(at, declared); });
}

} // namespace hilda::compile
