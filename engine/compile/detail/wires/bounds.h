// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

// What the readers of <limits>, <quality> and <realtime> share: elements whose attributes are numbers.

#include "engine/compile/detail/flatten/flatten.h"
#include "engine/compile/detail/flatten/variants.h"

#include <optional>
#include <string>

namespace hilda::compile {

/// Calls `read(at, declared)` for the elements of this mode, a diagram's before those of its subsystems.
template <class Decl, class Read>
void each_declared(const Instance& at, std::vector<Decl> DiagramDecl::*list, const std::string& mode,
                   const Read& read) {
  for (const Decl& declared : at.diagram->*list)
    if (in_mode(declared.mode, mode)) read(at, declared);
  for (const auto& child : at.children)
    if (child != nullptr) each_declared(*child, list, mode, read);
}

/// The number of an attribute; none after a report. `refuse(what, help)` reports what does not fit.
template <class Refuse>
std::optional<double> read_bound(Flattened& flat, const Instance& at, const Attribute& attribute, const Wanted& wanted,
                                 const Refuse& refuse) {
  const std::optional<Value> given = flat.evaluation.settle(attribute.text, attribute.where, at.scope);
  if (!given) return std::nullopt;
  const Result<Shaped> fitted = fit(*given, wanted);
  if (fitted) return fitted->numbers.front();
  refuse(": " + fitted.error().what, fitted.error().help);
  return std::nullopt;
}

} // namespace hilda::compile
