#include "equation_model.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace equations {
namespace {

constexpr int largest_side = 10'000;

bool is_tag(const hilda_child& child, const char* tag) { return std::strcmp(child.tag, tag) == 0; }

const hilda_child& child_at(const hilda_body& body, std::uint64_t index) {
  return *reinterpret_cast<const hilda_child*>(reinterpret_cast<const char*>(body.children) +
                                               index * body.child_stride);
}

/// "0 0 0", or "0 0; 0 0" of a matrix.
std::string zeros(const Type& type) {
  std::string text;
  for (int i = 0; i < type.rows; ++i) {
    for (int j = 0; j < type.cols; ++j) text += text.empty() || text.ends_with(' ') ? "0" : " 0";
    if (type.cols > 1 && (i + 1 < type.rows || type.rows == 1)) text += "; ";
  }
  return text;
}

/// The attributes that an element may have.
std::vector<std::string> attributes_of(const std::string& tag) {
  if (tag == "equation") return {"is", "when", "doc"};
  if (tag == "parameter") return {"name", "value", "unit", "shape", "doc"};
  if (tag == "state") return {"name", "initial", "unit", "shape", "doc"};
  return {"name", "unit", "shape", "doc"};
}

} // namespace

void Model::refuse(std::uint64_t child, const char* attribute, const std::string& what, const std::string& help) const {
  body_.report(body_.engine, child, attribute, what.c_str(), help.c_str());
}

const char* Model::attribute(const hilda_child& child, const char* name) const {
  for (std::uint32_t i = 0; i < child.attribute_count; ++i)
    if (std::strcmp(child.names[i], name) == 0) return child.texts[i];
  return nullptr;
}

const char* Model::keep(std::string text) { return texts_.emplace_back(std::move(text)).c_str(); }

const Model::Declared* Model::find(const std::vector<Declared>& in, const std::string& name) const {
  const auto found = std::find_if(in.begin(), in.end(), [&](const Declared& each) { return each.name == name; });
  return found == in.end() ? nullptr : &*found;
}

Model::State* Model::state(const std::string& name) {
  const auto found = std::find_if(states.begin(), states.end(), [&](const State& each) { return each.name == name; });
  return found == states.end() ? nullptr : &*found;
}

bool Model::read_shape(std::uint64_t index, const std::string& text, Type& type) {
  const char *at = text.data(), *const end = at + text.size();
  int sides[2] = {1, 1};
  std::size_t count = 0;
  while (at != end) {
    if (*at == ' ') {
      ++at;
      continue;
    }
    if (count == 2) break;
    const auto [after, error] = std::from_chars(at, end, sides[count]);
    if (error != std::errc() || sides[count] < 1 || sides[count] > largest_side) break;
    ++count, at = after;
  }
  if (at != end) {
    refuse(index, "shape", "has the shape '" + text + "', which is none",
           "a shape is a number for a vector, two for a matrix; a wrench or a pose comes in by its parts");
    return false;
  }
  type.rows = sides[0], type.cols = sides[1];
  return true;
}

bool Model::declare(std::uint64_t index) {
  const hilda_child& child = child_at(body_, index);
  Declared made;
  made.child = index;
  const char* name = attribute(child, "name");
  if (name == nullptr || !is_identifier(name) || std::strcmp(name, "t") == 0 || std::strcmp(name, "pi") == 0) {
    refuse(index, "name",
           name == nullptr ? "has no name" : std::string("has the name '") + name + "', which equations cannot use",
           "a name is letters, digits and '_', not beginning with a digit, and neither t nor pi");
    return false;
  }
  made.name = name;
  if (symbols_.contains(made.name)) {
    refuse(index, "name", "has the name '" + made.name + "', which is taken", "each name is declared once");
    return false;
  }
  const auto text = [&](const char* what) { return attribute(child, what) == nullptr ? "" : attribute(child, what); };
  made.unit = text("unit"), made.shape = text("shape"), made.doc = text("doc");
  const bool parameter = is_tag(child, "parameter"), state_element = is_tag(child, "state");
  double factor = 1;
  if (body_.unit(body_.engine, index, made.unit.c_str(), made.type.unit.data(), &factor) != 0) return false;
  if (!parameter && factor != 1) {
    refuse(index, "unit", "is in '" + made.unit + "', but signals and states are in SI",
           "give the unit in SI: m and not mm, rad/s and not Hz");
    return false;
  }
  if (!read_shape(index, made.shape, made.type)) return false;
  Symbol symbol{.kind = Symbol::Kind::memory, .type = made.type};
  if (is_tag(child, "input")) symbol.kind = Symbol::Kind::input;
  if (is_tag(child, "output")) symbol.kind = Symbol::Kind::defined;
  symbols_[made.name] = symbol;
  if (state_element) {
    states.push_back({.name = made.name, .type = made.type, .child = index});
    Declared initial = made;
    initial.name += "_initial";
    initial.doc = "Value of " + made.name + " at the start";
    initial.has_initial = true, initial.initial = zeros(made.type);
    symbols_[initial.name] = {.kind = Symbol::Kind::memory, .type = made.type};
    parameters_.push_back(std::move(initial));
    return true;
  }
  (parameter ? parameters_ : is_tag(child, "input") ? inputs_ : outputs_).push_back(std::move(made));
  return true;
}

bool Model::read_line(std::uint64_t index) {
  const hilda_child& child = child_at(body_, index);
  const char *is = attribute(child, "is"), *when = attribute(child, "when");
  if (is == nullptr) {
    refuse(index, nullptr, "has no attribute 'is'", "write <equation is=\"x' = v\"/>");
    return false;
  }
  Line line;
  line.child = index;
  const char* reading = "is";
  try {
    line.equation = read_equation(is);
    reading = "when";
    if (when != nullptr) line.when = read_expression(when), line.has_when = true;
  } catch (const Refusal& refusal) {
    refuse(index, reading, refusal.what(), refusal.help);
    return false;
  }
  if (line.has_when && line.equation.form != Equation::Form::next) {
    refuse(index, "when", "has a condition, but sets no next value",
           "when it becomes true a state is set: write n+ = n + 1");
    return false;
  }
  lines_.push_back(std::move(line));
  return true;
}

bool Model::reads_input(const Node& node) const {
  std::vector<std::string> names;
  collect_names(node, names);
  return std::any_of(names.begin(), names.end(), [&](const std::string& each) {
    const auto found = from_input_.find(each);
    return find(inputs_, each) != nullptr || (found != from_input_.end() && found->second);
  });
}

void Model::compile_outputs(Compiler& compiler, bool from_inputs) {
  for (const Line& line : defining_) {
    const Declared* declared = find(outputs_, line.equation.left);
    if (from_input_.at(line.equation.left) != from_inputs && declared != nullptr) continue;
    if (!from_inputs && from_input_.at(line.equation.left)) continue;
    at_fault_ = line.child;
    compiler.define(line.equation.left, line.equation.right);
  }
  for (const Declared& each : outputs_) {
    if (from_input_.at(each.name) != from_inputs) continue;
    at_fault_ = each.child;
    for (const Line& line : defining_)
      if (line.equation.left == each.name) at_fault_ = line.child;
    Node name{.kind = Node::Kind::name, .number = 0, .text = each.name, .of = {}};
    const Compiler::Value value = compiler.compile(name);
    compiler.fit(value, each.type, "the output '" + each.name + "'");
    compiler.store(value, each.type, each.at);
  }
}

void Model::compile_updates(Compiler& compiler) {
  struct Setting {
    const State* of;
    Compiler::Value value, condition;
    bool always;
  };
  std::vector<Setting> settings;
  std::vector<std::pair<Compiler::Value, std::uint64_t>> conditions_now;
  std::size_t next = 0;
  const Type plain{};
  for (const Line& line : lines_) {
    if (line.equation.form != Equation::Form::next) continue;
    at_fault_ = line.child;
    const State& of = *state(line.equation.left);
    Setting made{&of, compiler.compile(line.equation.right), {}, !line.has_when};
    compiler.fit(made.value, of.type, "the state '" + of.name + "'");
    if (line.has_when) {
      const std::uint64_t last = conditions[next++];
      const std::string before = "when " + std::to_string(next);
      symbols_[before] = {.kind = Symbol::Kind::memory, .offset = last};
      const auto named = [](const std::string& text) {
        return Node{.kind = Node::Kind::name, .number = 0, .text = text, .of = {}};
      };
      Node fresh{.kind = Node::Kind::operation,
                 .number = 0,
                 .text = "&&",
                 .of = {line.when, {.kind = Node::Kind::inversion, .number = 0, .text = "", .of = {named(before)}}}};
      made.condition = compiler.compile(fresh);
      compiler.fit(made.condition, plain, "the condition");
      conditions_now.emplace_back(compiler.compile(line.when), last);
    }
    settings.push_back(made);
  }
  // All right sides are those before: nothing is written until all is read.
  for (const Setting& each : settings)
    if (each.always)
      compiler.store(each.value, each.of->type, each.of->at);
    else
      compiler.store_if(each.condition, each.value, each.of->type, each.of->at);
  for (const auto& [value, at] : conditions_now) compiler.store(value, plain, at);
}

bool Model::compile() {
  for (const Line& line : defining_) from_input_[line.equation.left] = reads_input(line.equation.right);
  numbers.assign(1, 0); // the time
  const auto unit_text = [this](const Powers& powers) {
    char text[80] = "";
    body_.unit_text(body_.engine, powers.data(), text, sizeof text);
    return std::string(text);
  };
  // Each line by itself, so that all that is wrong is told; a line that both kinds of outputs hang on, once.
  std::vector<std::uint64_t> refused;
  const auto attempt = [&](const auto& work) {
    try {
      work();
    } catch (const Refusal& refusal) {
      if (std::find(refused.begin(), refused.end(), at_fault_) != refused.end()) return;
      refused.push_back(at_fault_);
      refuse(at_fault_, "is", refusal.what(), refusal.help);
    }
  };
  Compiler of_states(symbols_, numbers, unit_text), of_inputs(symbols_, numbers, unit_text),
      rates(symbols_, numbers, unit_text), updates(symbols_, numbers, unit_text);
  attempt([&] { compile_outputs(of_states, false); });
  attempt([&] { compile_outputs(of_inputs, true); });
  double factor = 1;
  Powers second{};
  body_.unit(body_.engine, body_.child_count, "s", second.data(), &factor);
  for (const Line& line : lines_) {
    if (line.equation.form != Equation::Form::derivative) continue;
    at_fault_ = line.child;
    attempt([&] {
      const State& of = *state(line.equation.left);
      Type rate = of.type;
      for (std::size_t i = 0; i < rate.unit.size(); ++i) rate.unit[i] -= second[i];
      const Compiler::Value value = rates.compile(line.equation.right);
      rates.fit(value, rate, "the rate of change of '" + of.name + "'");
      rates.store(value, rate, of.derivative);
    });
  }
  attempt([&] { compile_updates(updates); });
  if (!refused.empty()) return false;
  feeding_ = of_inputs.inputs;
  state_output = std::move(of_states.program);
  output = std::move(of_inputs.program);
  derivative = std::move(rates.program);
  update = std::move(updates.program);
  return true;
}

void Model::add_slot(std::uint32_t role, const Declared& what, std::uint32_t flags, std::uint64_t second) {
  hilda_slot slot{};
  slot.size = sizeof slot;
  slot.role = role;
  slot.element = HILDA_F64;
  slot.flags = flags;
  slot.name = keep(what.name);
  slot.shape = keep(what.type.scalar()    ? ""
                    : what.type.cols == 1 ? std::to_string(what.type.rows)
                                          : std::to_string(what.type.rows) + " " + std::to_string(what.type.cols));
  slot.unit = keep(what.unit);
  slot.doc = keep(what.doc.empty() ? "As the diagram declares it" : what.doc);
  slot.initial = what.has_initial ? keep(what.initial) : nullptr;
  slot.minimum = -std::numeric_limits<double>::infinity();
  slot.maximum = std::numeric_limits<double>::infinity();
  slot.offset = what.at;
  slot.second_offset = second;
  made_.push_back(slot);
}

void Model::add_slots() {
  for (const Declared& each : inputs_) add_slot(HILDA_INPUT, each, feeding_.contains(each.name) ? 0 : HILDA_IN_UPDATE);
  for (const Declared& each : outputs_)
    add_slot(HILDA_OUTPUT, each, from_input_.at(each.name) ? 0 : HILDA_STATE_OUTPUT);
  for (const Declared& each : parameters_) add_slot(HILDA_PARAMETER, each, HILDA_LIVE);
  for (const State& each : states) {
    const hilda_child& child = child_at(body_, each.child);
    Declared what{.name = each.name,
                  .unit = attribute(child, "unit") == nullptr ? "" : attribute(child, "unit"),
                  .shape = {},
                  .doc = {},
                  .initial = {},
                  .type = each.type};
    if (attribute(child, "doc") != nullptr) what.doc = attribute(child, "doc");
    what.at = each.at;
    add_slot(HILDA_STATE, what, each.continuous ? HILDA_CONTINUOUS : 0, each.derivative);
  }
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    Declared what;
    what.name = "when_" + std::to_string(i + 1);
    what.doc = "Whether this condition was true at the last sample";
    what.at = conditions[i];
    add_slot(HILDA_STATE, what, 0);
  }
  slot_count = static_cast<std::uint32_t>(made_.size());
  table_.resize(1 + (made_.size() * sizeof(hilda_slot) + 7) / 8);
  const Model* const self = this;
  std::memcpy(table_.data(), &self, sizeof self);
  if (!made_.empty()) std::memcpy(table_.data() + 1, made_.data(), made_.size() * sizeof(hilda_slot));
}

bool Model::read() {
  bool good = true;
  if (body_.child_count == 0) {
    refuse(0, nullptr, "has no equations", "write them inside: <state name=\"x\"/> <equation is=\"x' = -x/tau\"/>");
    return false;
  }
  double factor = 1;
  symbols_["t"] = {.kind = Symbol::Kind::time};
  body_.unit(body_.engine, body_.child_count, "s", symbols_["t"].type.unit.data(), &factor);
  symbols_["pi"] = {.kind = Symbol::Kind::constant, .number = M_PI};
  for (std::uint64_t i = 0; i < body_.child_count; ++i) {
    const hilda_child& child = child_at(body_, i);
    const std::vector<std::string> known = attributes_of(child.tag);
    for (std::uint32_t a = 0; a < child.attribute_count; ++a)
      if (std::find(known.begin(), known.end(), child.names[a]) == known.end()) {
        std::string list;
        for (const std::string& each : known) list += (list.empty() ? "" : ", ") + each;
        refuse(i, child.names[a], std::string("knows no attribute '") + child.names[a] + "'", "it may have: " + list);
        good = false;
      }
    good = (is_tag(child, "equation") ? read_line(i) : declare(i)) && good;
  }
  if (!good || !assign() || !sort_lines()) return false;
  const auto place = [this](const Type& type) {
    const std::uint64_t at = record_size;
    record_size += static_cast<std::uint64_t>(type.count()) * sizeof(double);
    return at;
  };
  for (Declared& each : inputs_) symbols_[each.name].offset = each.at = place({});
  for (auto* list : {&outputs_, &parameters_})
    for (Declared& each : *list) symbols_[each.name].offset = each.at = place(each.type);
  for (State& each : states) {
    symbols_[each.name].offset = each.at = place(each.type);
    if (each.continuous) each.derivative = place(each.type);
    each.initial = find(parameters_, each.name + "_initial")->at;
  }
  for (const Line& line : lines_)
    if (line.has_when) conditions.push_back(place({}));
  if (!compile()) return false;
  add_slots();
  return true;
}

} // namespace equations
