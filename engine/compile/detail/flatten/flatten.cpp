// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/flatten/flatten.h"

#include "engine/base/characters.h"
#include "engine/base/error.h"
#include "engine/catalogue/driven_type.h"
#include "engine/compile/detail/flatten/block_parameters.h"
#include "engine/compile/detail/flatten/instance_builder.h"
#include "engine/compile/detail/flatten/period.h"
#include "engine/compile/detail/flatten/solver.h"
#include "engine/compile/detail/flatten/variants.h"
#include "engine/compile/junctions.h"
#include "engine/plugin/own_type.h"

#include <algorithm>

namespace hilda::compile {
namespace {

/// What an input of the diagram itself stands for where nothing but someone outside gives it a value.
constexpr const char* outside_type = "sources/Constant";

/// Walks over the instances in the order of the files and makes the system's blocks.
class Flattener {
public:
  Flattener(Flattened& flat, const std::string& mode, FlattenContext& context)
      : flat_(flat), mode_(mode), context_(context), parameters_(flat.evaluation, context, mode),
        junctions_(flat, context, parameters_) {}

  void walk(Instance& instance, GuardIndex guard, const SampleTime& sample_time) {
    const std::vector<BlockDecl>& blocks = instance.diagram->blocks;
    const std::vector<SubsystemDecl>& subsystems = instance.diagram->subsystems;
    if (instance.parent == nullptr) {
      flat_.system.blocks.reserve(blocks.size());
      stand_for_inputs(instance);
    }
    // Both lists are in the order of the file: merge them by line.
    for (std::size_t b = 0, s = 0; b < blocks.size() || s < subsystems.size();) {
      const bool block_next =
          s == subsystems.size() || (b < blocks.size() && blocks[b].where.line <= subsystems[s].where.line);
      if (block_next) {
        if (in_mode(blocks[b].mode, mode_)) place(instance, b, guard, sample_time);
        ++b;
      } else {
        if (instance.children[s] != nullptr) subsystem(*instance.children[s], guard, sample_time);
        ++s;
      }
    }
  }

  /// When all is walked over.
  void finish() {
    junctions_.check_receivers();
    junctions_.check_stores();
  }

private:
  /// A block, or a piece of wire that has the form of one.
  void place(Instance& instance, std::size_t index, GuardIndex guard, const SampleTime& sample_time) {
    const BlockDecl& declared = instance.diagram->blocks[index];
    const std::optional<Junction::Kind> kind = junction_kind(declared.type);
    const TypeInfo* info = kind || reads_store(declared.type) ? flat_.types.find(declared.type) : nullptr;
    if (info != nullptr && kind)
      junctions_.read(instance, index, *kind, *info);
    else if (info != nullptr)
      junctions_.read_store_reader(instance, index, *info);
    else {
      instance.blocks[index] = block(instance, declared, guard, sample_time, Wires::may_drive);
      junctions_.note_block(instance, index);
    }
  }

  /// Inputs of the diagram itself with a default: a constant block of that name, the value of which is the parameter
  /// that they are.
  void stand_for_inputs(Instance& top) {
    top.sources.resize(top.diagram->inputs.size());
    for (std::size_t i = 0; i < top.sources.size(); ++i) {
      const PortDecl& input = top.diagram->inputs[i];
      if (!input.has_default() || !in_mode(input.mode, mode_)) continue;
      BlockDecl declared;
      declared.name = input.name;
      declared.type = outside_type;
      declared.where = input.where;
      declared.doc = input.doc;
      declared.parameters = {{"value", "${" + input.name + "}", input.default_value.where}};
      top.sources[i] = block(top, declared, {}, {}, Wires::drive_nothing);
    }
  }

  void subsystem(Instance& instance, GuardIndex guard, const SampleTime& around) {
    const SubsystemDecl& element = *instance.element;
    const Attribute* setting = instance.settings != nullptr ? instance.settings->take("sample_time") : nullptr;
    const SampleTime sample_time = read_sample_time(element, setting, around, *instance.parent);
    walk(instance, guarded(element, guard, instance.path, *instance.parent, element.reset), sample_time);
  }

  /// Whether connects of the diagram may end at the block's parameters.
  enum class Wires : std::uint8_t { may_drive, drive_nothing };

  BlockIndex block(const Instance& instance, const BlockDecl& written, GuardIndex guard, const SampleTime& around,
                   Wires wires) {
    BlockDecl filled;
    const TypeInfo* own = nullptr;
    const TypeInfo* const base = flat_.types.find(written.type);
    const bool has_own = base != nullptr && has_own_slots(*base->type);
    if (has_own) {
      filled = written;
      own = own_type(instance, filled, *base);
    } else if (!written.children.empty() && base != nullptr) {
      refuse_children(written);
    }
    const BlockDecl& declared = has_own ? filled : written;
    SettingNode* settings = instance.settings != nullptr ? instance.settings->below(declared.name) : nullptr;
    const TypeInfo* info = has_own ? own : base;
    if (info != nullptr && wires == Wires::may_drive) info = with_driven(instance, declared.name, *info);
    const BlockIndex index = flat_.system.blocks.next();
    SystemBlock& made = flat_.system.blocks.emplace_back();
    flat_.infos.push_back(info);
    made.path = instance.path_of(declared.name);
    made.where = declared.where;
    made.doc = declared.doc;
    if (settings != nullptr) identify(*settings, made.path, info);
    const Attribute* setting = settings != nullptr ? settings->take("sample_time") : nullptr;
    made.sample_time = read_sample_time(declared, setting, around, instance);
    // the element as written stays, as the paths in it must
    static const std::string no_reset;
    const bool wired = wires_reset(written, info, settings);
    if (wired) flat_.reset_wires.push_back({&instance, reset_wire(written)});
    made.guard = guarded(written, guard, made.path, instance, wired ? no_reset : text_of(written.reset));
    if (info == nullptr) {
      if (!has_own) report_unknown_type(declared);
      return index;
    }
    made.type = info->type;
    flat_.buses = flat_.buses || info->gives_bus();
    bool complete = true;
    made.parameters = parameters_.read(declared, *info, instance, settings, complete);
    if (!complete) flat_.incomplete.push_back(index);
    return index;
  }

  /// The type with an input for each parameter that a wire drives.
  const TypeInfo* with_driven(const Instance& at, const std::string& block, const TypeInfo& info) {
    const std::vector<SlotIndex> driven = parameters_.wires().driven(*at.diagram, block, *info.type);
    if (driven.empty()) return &info;
    flat_.system.own_types.push_back(driven_type(*info.type, driven));
    return flat_.types.add(*flat_.system.own_types.back());
  }

  /// With reset_on a block of such a type does its reset itself: the attribute is a wire to its input.
  static bool wires_reset(const BlockDecl& block, const TypeInfo* info, SettingNode* settings) {
    if (block.reset.empty() || info == nullptr || !info->resets_itself) return false;
    if (settings != nullptr && settings->take("reset_on") != nullptr) return true;
    return std::any_of(block.parameters.begin(), block.parameters.end(),
                       [](const Attribute& each) { return each.name == "reset_on"; });
  }

  static ConnectDecl reset_wire(const BlockDecl& block) {
    ConnectDecl made;
    made.from = block.reset;
    made.to = block.name + ".reset";
    made.mode = block.mode;
    made.where = block.where;
    return made;
  }

  /// The type of a block that has its own slots, by what is inside it; what that gives for parameters becomes
  /// attributes of the block. Null after a report.
  const TypeInfo* own_type(const Instance& at, BlockDecl& block, const TypeInfo& base) {
    std::vector<Attribute> given;
    bool sound = true;
    for (ChildDecl& child : block.children.change()) {
      const auto text = [&](std::string_view name) {
        for (const Attribute& each : child.attributes)
          if (each.name == name) return each;
        return Attribute{};
      };
      const Attribute name = text("name"), value = text("value"), initial = text("initial");
      const Attribute& number = value.name.empty() ? initial : value;
      if (name.text.empty() || number.name.empty()) continue;
      const std::string who =
          hilda::base::in_quotes(name.text) + " of " + hilda::base::in_quotes(at.path_of(block.name));
      sound = complete_child(at, who, child, number, text("unit").name.empty(), text("shape").name.empty()) && sound;
      given.push_back({name.text + (value.name.empty() ? "_initial" : ""), number.text, number.where});
    }
    if (!sound) return nullptr; // units of its equations would be reported that no one meant
    const std::shared_ptr<const BlockType> made =
        make_own_type(*base.type, at.path_of(block.name), block, context_.diagnostics);
    if (made == nullptr) return nullptr;
    flat_.system.own_types.push_back(made);
    for (Attribute& each : given) {
      const auto twice = std::find_if(block.parameters.begin(), block.parameters.end(),
                                      [&](const Attribute& other) { return other.name == each.name; });
      if (twice == block.parameters.end())
        block.parameters.push_back(std::move(each));
      else
        context_.diagnostics.error("block-body", twice->where,
                                   hilda::base::in_quotes(at.path_of(block.name)) + " gives " +
                                       hilda::base::in_quotes(each.name) + " a value as an attribute and inside",
                                   "remove one of them", {{each.where, "the one inside is here"}});
    }
    return flat_.types.add(*made);
  }

  /// Adds the unit and the shape that a value inside a block has, where the element does not say them.
  bool complete_child(const Instance& at, const std::string& who, ChildDecl& child, const Attribute& number, bool unit,
                      bool shape) {
    const std::optional<Value> value = flat_.evaluation.read(number.text, number.where, at.scope);
    if (!value) return false;
    Wanted numbers;
    numbers.extent = Extent::any();
    if (const Result<Shaped> fitted = fit(*value, numbers); !fitted) {
      const Error& why = fitted.error();
      context_.diagnostics.error(why.code.c_str(), number.where, who + ": " + why.what, why.help,
                                 {{child.where, "<" + child.tag + "> begins here"}});
      return false;
    }
    if (unit && lost_unit(at, who, number)) return false;
    if (unit && value->unit()) child.attributes.push_back({"unit", value->unit()->written_text(), number.where});
    const Extent& extent = value->extent;
    if (shape && extent.rank > 0)
      child.attributes.push_back(
          {"shape",
           std::to_string(extent.rows) + (extent.rank == 2 ? " " + std::to_string(extent.cols) : std::string()),
           number.where});
    return true;
  }

  /// The parameter behind a text that was set to a bare number instead of one with a unit; none where there is none.
  ParameterIndex set_without_unit(const std::string& text, ScopeIndex scope, int depth = 0) const {
    constexpr int deepest = 100;
    if (depth > deepest) return {};
    const ParameterTable& table = flat_.system.parameters;
    for (const std::string& name : references(text)) {
      const ParameterIndex named = table.find(scope, name);
      if (!named.valid()) continue;
      if (flat_.without_unit.contains(named)) return named;
      const ParameterIndex behind = set_without_unit(table[named].given.text, table[named].scope, depth + 1);
      if (behind.valid()) return behind;
    }
    return {};
  }

  /// An element inside a block has the unit of its value: one that is set without a unit would change the equations.
  bool lost_unit(const Instance& at, const std::string& who, const Attribute& number) {
    if (flat_.without_unit.empty()) return false;
    const ParameterIndex named = set_without_unit(number.text, at.scope);
    if (!named.valid()) return false;
    const NamedParameter& set = flat_.system.parameters[named];
    const Value& replaced = flat_.without_unit.at(named);
    context_.diagnostics.error("setting-unit", set.given.where,
                               hilda::base::in_quotes(set.path) + " is set to " +
                                   hilda::base::in_quotes(set.given.text) + ", without a unit, and replaces " +
                                   hilda::base::in_quotes(replaced.text) + ": " + who + " has its unit",
                               "write " + set.path + "='" + set.given.text + " " + replaced.unit_text() + "'",
                               {{number.where, "it is used here"}});
    return true;
  }

  void refuse_children(const BlockDecl& block) {
    const ChildDecl& first = block.children[0];
    context_.diagnostics.error("misplaced-element", first.where,
                               "<" + first.tag + "> is inside <block> " + hilda::base::in_quotes(block.name) +
                                   ", of type " + block.type + ", which takes no elements",
                               "close the block before it with '/>'", {{block.where, "the block begins here"}});
  }

  static void identify(SettingNode& settings, const std::string& path, const TypeInfo* info) {
    if (info == nullptr) return settings.pass_over();
    std::vector<std::string> names;
    for (const SlotIndex slot : info->parameters) names.push_back(info->type->slots[slot].name);
    names.emplace_back("sample_time");
    settings.identify("the block " + hilda::base::in_quotes(path), std::move(names));
  }

  /// The plugin's own error, once: that its blocks are missing follows from it.
  void report_refused(const BlockDecl& block, const RefusedPlugin& refused) {
    context_.diagnostics.error(refused.code.c_str(), {&refused.file, 0}, refused.what, refused.help,
                               {{block.where, "the block " + hilda::base::in_quotes(block.name) + " is of type " +
                                                  block.type + " and needs this plugin"}});
  }

  /// Of a type that would be in a source file.
  void report_unknown_script(const BlockDecl& block) {
    ScriptScope& scripts = *context_.scripts;
    if (scripts.reported(block.type)) return;
    const std::string own_name = block.type.substr(block.type.rfind('/') + 1);
    const std::string near = context_.suggestions.near(block.type, scripts.names());
    context_.diagnostics.error("unknown-type", block.where,
                               "the block " + hilda::base::in_quotes(block.name) + " is of type " +
                                   hilda::base::in_quotes(block.type) + ", and no file *.py declares the class " +
                                   hilda::base::in_quotes(own_name) + " with @hilda.block",
                               near.empty() ? "put the file next to the diagram, or name its folder with --plugins; in "
                                              "Python, blocks=[" +
                                                  own_name + "] gives the class itself"
                                            : "did you mean " + hilda::base::in_quotes(near) + "?");
  }

  void report_unknown_type(const BlockDecl& block) {
    if (block.type.empty()) return; // a missing attribute, reported by the reader
    if (context_.scripts != nullptr && context_.scripts->takes(block.type)) return report_unknown_script(block);
    const std::vector<std::string> names = context_.catalogue.names();
    const std::size_t slash = block.type.find('/');
    const std::string plugin = slash == std::string::npos ? "" : block.type.substr(0, slash + 1);
    const bool loaded = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return !plugin.empty() && name.starts_with(plugin);
    });
    const RefusedPlugin* refused = loaded ? nullptr : context_.catalogue.refused(plugin.substr(0, slash));
    if (refused != nullptr) return report_refused(block, *refused);
    std::string near = context_.suggestions.near(block.type, names), help;
    if (near.empty() && !plugin.empty() && !loaded)
      help = "no plugin " + hilda::base::in_quotes(block.type.substr(0, slash)) +
             " is loaded; --plugins FOLDER, or HILDA_PLUGIN_PATH, says where your own ones are";
    // The right block of the wrong plugin, or without one.
    const std::string own_name = block.type.substr(block.type.rfind('/') + 1);
    for (std::size_t i = 0; i < names.size() && near.empty(); ++i)
      if (names[i].substr(names[i].rfind('/') + 1) == own_name) near = names[i];
    if (!near.empty())
      help += (help.empty() ? "did you mean " : "; or did you mean ") + hilda::base::in_quotes(near) + "?";
    if (help.empty()) help = "'hilda blocks' lists all types";
    context_.diagnostics.error("unknown-type", block.where,
                               "the block " + hilda::base::in_quotes(block.name) + " is of type " +
                                   hilda::base::in_quotes(block.type) + ", which no plugin has",
                               std::move(help));
  }

  /// The guard of an element: its own where it has enable or reset, else the one around it.
  template <class Element>
  GuardIndex guarded(const Element& element, GuardIndex around, const std::string& path, const Instance& at,
                     const std::string& reset) {
    if (!element.outputs.empty() && element.enable.empty())
      context_.diagnostics.error("outputs-without-enable", element.where,
                                 hilda::base::in_quotes(path) + " has outputs=" +
                                     hilda::base::in_quotes(text_of(element.outputs)) + " but no enable",
                                 "outputs says what is given while disabled: add enable=\"...\" or remove it");
    const std::string* trigger = trigger_of(element, path);
    if (element.enable.empty() && reset.empty() && trigger == nullptr) return around;
    const GuardIndex guard = flat_.system.guards.next();
    Guard made;
    made.parent = around;
    made.has_enable = !element.enable.empty();
    made.has_reset = !reset.empty();
    made.reset_outputs = text_of(element.outputs) == "reset";
    if (trigger != nullptr) made.edge = edge_of(element);
    made.path = path;
    made.where = element.where;
    flat_.system.guards.push_back(std::move(made));
    flat_.guards.push_back(
        {.guard = guard, .at = &at, .enable = &text_of(element.enable), .reset = &reset, .trigger = trigger});
    return guard;
  }

  /// Of a block or of a subsystem, which keep them differently.
  static const std::string& text_of(const std::string& text) { return text; }

  /// Blocks have none.
  static const std::string* trigger_of(const BlockDecl&, const std::string&) { return nullptr; }
  static Guard::Edge edge_of(const BlockDecl&) { return Guard::Edge::none; }
  static Guard::Edge edge_of(const SubsystemDecl& element) {
    return element.edge == "falling"  ? Guard::Edge::falling
           : element.edge == "either" ? Guard::Edge::either
                                      : Guard::Edge::rising;
  }

  const std::string* trigger_of(const SubsystemDecl& element, const std::string& path) {
    if (element.trigger.empty()) {
      if (!element.edge.empty())
        context_.diagnostics.error(
            "edge-without-trigger", element.where,
            hilda::base::in_quotes(path) + " has edge=" + hilda::base::in_quotes(element.edge) + " but no trigger",
            "edge says at which changes of the trigger it runs: add trigger=\"...\" or remove it");
      return nullptr;
    }
    if (element.outputs == "reset" && !element.enable.empty())
      context_.diagnostics.error("trigger-outputs", element.where,
                                 hilda::base::in_quotes(path) + " has a trigger and outputs='reset'",
                                 "between two edges outputs are held: remove outputs, or the trigger");
    return &element.trigger;
  }

  template <class Element>
  SampleTime read_sample_time(const Element& element, const Attribute* setting, const SampleTime& around,
                              const Instance& at) {
    const std::string& text = setting != nullptr ? setting->text : text_of(element.sample_time);
    const Location where = setting != nullptr ? setting->where : element.where;
    if (text.empty()) return around;
    if (text == "inherited") return {SampleTime::Kind::inherited, {}, where};
    if (text == "continuous") return {SampleTime::Kind::continuous, {}, where};
    const bool is_word = std::all_of(text.begin(), text.end(), is_letter);
    if (const std::string near = is_word ? context_.suggestions.near(text, {"inherited", "continuous"}) : "";
        !near.empty()) {
      context_.diagnostics.error(
          "bad-time", where, "sample_time of " + in_quotes(element.name) + ": " + in_quotes(text) + " is not a time",
          "did you mean " + in_quotes(near) + "?");
      return around;
    }
    const std::optional<Rational> period =
        read_time("sample_time of " + in_quotes(element.name), text, where, at.scope, flat_.evaluation);
    if (!period) return around;
    return {SampleTime::Kind::periodic, *period, where};
  }

  Flattened& flat_;
  const std::string& mode_;
  FlattenContext& context_;
  BlockParameterReader parameters_;
  JunctionReader junctions_;
};

} // namespace

std::unique_ptr<Flattened> flatten(const DiagramDecl& top, const FlattenOptions& options, FlattenContext& context) {
  auto flat = std::make_unique<Flattened>(context.catalogue, options.mode, context.diagnostics);
  flat->types.look_in(context.scripts);
  if (!options.settings.empty()) {
    flat->settings = std::make_unique<SettingNode>();
    for (const Attribute& setting : options.settings) flat->settings->enter(setting);
  }
  InstanceBuilder builder(*flat, options, context);
  flat->top = builder.top(top);
  System& system = flat->system;
  system.name = top.name;
  system.mode = options.mode;
  system.doc = top.doc;
  system.where = top.where;
  system.period = settle_period(*flat, builder.period_rig(), context);
  system.solver = settle_solver(*flat, top, context);
  for (const ParameterIndex each : system.parameters.indices()) flat->evaluation.value(each);
  Flattener flattener(*flat, options.mode, context);
  flattener.walk(*flat->top, {}, {});
  flattener.finish();
  if (flat->settings != nullptr) flat->settings->report_unused(context.suggestions, context.diagnostics);
  return flat;
}

} // namespace hilda::compile
