#include "engine/infer/inference.h"

namespace hilda {

std::string describe(const SignalType& type) {
  if (type.kind != HILDA_PLAIN) return kind_name(type.kind);
  const bool known = type.rows >= 0 && type.cols >= 0;
  const std::string shape = known ? shape_text(type.rows, type.cols) : "?";
  if (type.element != HILDA_F64) return (shape == "scalar" ? "" : shape + " ") + element_name(type.element);
  return shape + " [" + (type.unit ? type.unit->text() : "?") + "]";
}

std::string time_text(const Rational& seconds) {
  const double s = seconds.value();
  if (s >= 1) return decimal(s) + " s";
  if (s >= 1e-3) return decimal((seconds * Rational(1000)).value()) + " ms";
  return decimal((seconds * Rational(1'000'000)).value()) + " us";
}

std::string rate_text(const System& system, const SystemBlock& block) {
  return block.continuous ? "continuous" : time_text(system.base * Rational(block.divider));
}

} // namespace hilda

namespace hilda::inference {

std::string port_name(const Inference& in, const PortRef& ref) {
  const SystemBlock& block = in.system.blocks[ref.block];
  std::string name = block.path;
  if (block.type != nullptr && ref.slot.valid()) name += "." + in.slot(ref.block, ref.slot).name;
  if (ref.item >= 0) name += "[" + std::to_string(ref.item) + "]";
  for (const std::string& part : ref.part) name += (part.starts_with('[') ? "" : ".") + part;
  return "'" + name + "'";
}

std::string end_text(const Inference& in, const PortRef& ref) {
  const SignalType type = in.type(ref.block, ref.slot, ref.item);
  return port_name(in, ref) + " (" + describe(type) + ", " + rate_text(in.system, in.system.blocks[ref.block]) + ")";
}

std::vector<Note> notes_through(const Inference& in, const ParameterValue& parameter) {
  constexpr std::size_t most = 3;
  std::vector<Note> notes;
  for (const Location& where : in.system.parameters.origins(parameter.text, parameter.scope))
    if (notes.size() < most) notes.push_back({where, "its value comes from here"});
  return notes;
}

} // namespace hilda::inference
