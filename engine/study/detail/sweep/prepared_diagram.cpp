// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/detail/sweep/prepared_diagram.h"

#include "engine/plugin/parameter_questions.h"

#include <algorithm>
#include <utility>

namespace hilda::study {
namespace {

bool names(const Dimension& dimension, const std::string& name) {
  return std::any_of(dimension.terms.begin(), dimension.terms.end(),
                     [&](const Dimension::Term& term) { return term.name == name; });
}

/// A port's shape, or how many there are of it, may be the parameter's value.
bool sizes_a_slot(const BlockType& type, const std::string& name) {
  return std::any_of(type.slots.begin(), type.slots.end(), [&](const Slot& slot) {
    return slot.count == name || slot.count == "len(" + name + ")" || names(slot.shape.rows, name) ||
           names(slot.shape.cols, name);
  });
}

/// Blocks are made again for each run, so all may change but what loading has asked: `infer` sees every parameter, and
/// a text or a path has been read. Feedthrough is asked again.
bool follows(const System& system, const BlockParameter& which) {
  const SystemBlock& block = system.blocks[which.block];
  const Slot& slot = block.type->slots[block.parameters[which.index].slot];
  if (slot.is(HILDA_LIVE) || slot.is(HILDA_RECONFIGURE)) return true;
  return block.type->abi->infer == nullptr && slot.shape.fixed() && slot.unit.fixed() && slot.element != HILDA_TEXT &&
         slot.element != HILDA_PATH && !sizes_a_slot(*block.type, slot.name);
}

/// The order of computation was made for these answers.
bool feeds_through_as_before(const System& system, const ParameterChange& change) {
  Diagnostics unheard;
  return std::all_of(change.blocks.begin(), change.blocks.end(),
                     [&](const ParameterChange::InBlock& each) {
                       const BlockIndex block = each.parameter.block;
                       return feeds_through_now(system, block, unheard) == system.blocks[block].feeds_through;
                     }) &&
         unheard.all().empty();
}

} // namespace

std::string files_of(const RunPoint& point) {
  std::string files = point.diagram + '\n' + point.rig;
  for (const std::string& overlay : point.overlays) files += '\n' + overlay;
  return files;
}

PreparedDiagram::PreparedDiagram(const LoadedStudy& study, const RunPoint& point)
    : files_(files_of(point)), settings_(point.settings), diagram_(study.catalogue()) {}

std::unique_ptr<PreparedDiagram> PreparedDiagram::load(const LoadedStudy& study, const RunPoint& point,
                                                       Diagnostics& diagnostics) {
  std::unique_ptr<PreparedDiagram> fresh(new PreparedDiagram(study, point));
  if (!fresh->diagram_.load(point.diagram, study.options(point))) {
    diagnostics.take(fresh->diagram_.diagnostics(), false);
    return nullptr;
  }
  fresh->system_ = fresh->diagram_.take_system();
  fresh->dependencies_.emplace(*fresh->system_);
  return fresh;
}

const Attribute* PreparedDiagram::setting(const std::string& path) const {
  const auto found =
      std::find_if(settings_.begin(), settings_.end(), [&](const Attribute& other) { return other.name == path; });
  return found != settings_.end() ? &*found : nullptr;
}

bool PreparedDiagram::follows(const std::string& path) {
  const auto [known, fresh] = follows_.try_emplace(path, false);
  if (!fresh) return known->second;
  const std::optional<ParameterText> found = find_parameter(*system_, path);
  if (!found || found->parameter == ParameterTable::period) return false; // all depends on the period
  places_.emplace(path, *found);
  if (!found->parameter.valid()) return known->second = study::follows(*system_, found->in_block);
  const Dependents dependents = dependencies_->of({found->parameter});
  known->second = dependents.settled.empty() &&
                  std::all_of(dependents.blocks.begin(), dependents.blocks.end(),
                              [this](const BlockParameter& each) { return study::follows(*system_, each); });
  return known->second;
}

bool PreparedDiagram::serves(const RunPoint& point) {
  return point.settings.size() == settings_.size() && files_of(point) == files_ &&
         std::all_of(point.settings.begin(), point.settings.end(), [this](const Attribute& wanted) {
           const Attribute* loaded = setting(wanted.name);
           return loaded != nullptr && (loaded->text == wanted.text || follows(wanted.name));
         });
}

std::optional<System> PreparedDiagram::with(const RunPoint& point) const {
  std::vector<ParameterText> texts;
  for (const Attribute& wanted : point.settings)
    if (setting(wanted.name)->text != wanted.text) {
      texts.push_back(places_.at(wanted.name));
      texts.back().given = wanted;
    }
  if (texts.empty()) return *system_;
  Diagnostics unheard;
  const std::optional<ParameterChange> change = change_parameters(*system_, *dependencies_, texts, unheard);
  if (!change || !change->settled.empty() || !unheard.all().empty()) return std::nullopt;
  std::optional<System> system = *system_;
  adopt(*system, *change);
  if (!feeds_through_as_before(*system, *change)) return std::nullopt;
  return system;
}

} // namespace hilda::study
