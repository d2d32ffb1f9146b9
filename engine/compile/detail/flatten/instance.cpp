// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/flatten/instance.h"

#include "engine/compile/detail/flatten/variants.h"

namespace hilda::compile {
namespace {

using Kind = NameIndex::Kind;

template <class Elements> void enter(const Elements& elements, Kind kind, const std::string& mode, NameIndex& index) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (in_mode(elements[i].mode, mode))
      index.elements.insert_or_assign(elements[i].name, NameIndex::Entry{kind, static_cast<std::uint32_t>(i)});
    else
      index.elements.try_emplace(elements[i].name, NameIndex::Entry{});
  }
}

} // namespace

const NameIndex& NameIndexes::of(const DiagramDecl& diagram) {
  std::unique_ptr<NameIndex>& index = indexes_[&diagram];
  if (index != nullptr) return *index;
  index = std::make_unique<NameIndex>();
  index->elements.reserve(diagram.blocks.size() + diagram.subsystems.size());
  enter(diagram.blocks, Kind::block, mode_, *index);
  enter(diagram.subsystems, Kind::subsystem, mode_, *index);
  for (std::size_t i = 0; i < diagram.subsystems.size(); ++i)
    if (!diagram.subsystems[i].mode.empty()) index->variants[diagram.subsystems[i].name].push_back(i);
  const auto ports = [&](const std::vector<PortDecl>& list, auto& here, auto& elsewhere) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (in_mode(list[i].mode, mode_))
        here.emplace(list[i].name, i);
      else
        elsewhere.emplace(list[i].name, &list[i]);
    }
  };
  ports(diagram.inputs, index->inputs, index->other_inputs);
  ports(diagram.outputs, index->outputs, index->other_outputs);
  return *index;
}

} // namespace hilda::compile
