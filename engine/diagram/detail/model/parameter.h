// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/diagram/attribute.h"
#include "engine/modules.h"
#include "engine/quantity/seldom.h"
#include "engine/quantity/value.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hilda::diagram {

using ParameterIndex = Index<struct ParameterTag>; ///< into a ParameterTable
using ScopeIndex = Index<struct ScopeTag>;         ///< into ParameterTable::scopes

/// A parameter of the diagram or of a subsystem, evaluated: for expressions, people, logs and `--set`.
struct NamedParameter {
  std::string path;   ///< "response_delay", "rig.stiffness"
  Attribute given;    ///< its name, and the text that counts: declared, forwarded or set
  ScopeIndex scope{}; ///< where the names in that text are looked up
  std::string doc;
  std::string group = {}; ///< heading above it in a form
  Value value = {};       ///< as evaluated; in the unit written, for nothing says yet what it is for
};

/// A parameter of a block: evaluated, then in the shape and unit of its slot, as the record takes it.
struct ParameterValue {
  SlotIndex slot{};
  Value value = {};
  Location where = {};
  Seldom<std::string> text = {}; ///< as written where it names parameters by `${}`; else empty
  ScopeIndex scope{};            ///< where these names are looked up
};

/// A text that names parameters and is not a parameter: a sample time, a limit. It counts once, before the first tick.
struct SettledText {
  std::string text;
  Location where;
  ScopeIndex scope{};
};

/// What the names of one use of a diagram mean: its own parameters, and in the body of an inline subsystem those of the
/// diagram around it.
struct ParameterScope {
  ScopeIndex around{};  ///< may be none
  ScopeIndex outside{}; ///< where what is forwarded to these parameters, or set, is looked up
  std::map<std::string, ParameterIndex, std::less<>> names = {}; ///< looked up only
};

/// All parameters that have a name, and who sees which by `${name}`.
class ParameterTable {
public:
  static constexpr ScopeIndex diagram{0};    ///< the scope of the diagram itself
  static constexpr ParameterIndex period{0}; ///< the first parameter, which every scope sees

  /// A scope without names. `outside`: that of the diagram around it; of the diagram itself its own.
  ScopeIndex open_scope(ScopeIndex around, ScopeIndex outside);
  /// Enters a parameter under its name in `scope`; none where that is taken.
  ParameterIndex add(ScopeIndex scope, NamedParameter parameter);

  /// Which parameter `${name}` means in `scope`, or none. `period` is that of the whole system everywhere.
  ParameterIndex find(ScopeIndex scope, std::string_view name) const;
  /// Where another text for a parameter is looked up.
  ScopeIndex outside_of(ParameterIndex parameter) const;
  /// How many names a scope sees, and the names, in the order in which they were entered.
  std::size_t visible(ScopeIndex scope) const;
  std::vector<std::string> names(ScopeIndex scope) const;

  /// Where the parameters are that a text names, outermost first, and those that they name in turn; at most eight.
  std::vector<Location> origins(std::string_view text, ScopeIndex scope) const;

  /// Keeps a text that names parameters though it is none.
  void settle(SettledText text) { settled_.push_back(std::move(text)); }
  const std::vector<SettledText>& settled() const { return settled_; }

  std::size_t size() const { return all_.size(); }
  IndexRange<ParameterIndex> indices() const { return all_.indices(); }
  NamedParameter& operator[](ParameterIndex parameter) { return all_[parameter]; }
  const NamedParameter& operator[](ParameterIndex parameter) const { return all_[parameter]; }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

private:
  Indexed<ParameterIndex, NamedParameter>
      all_; ///< a diagram's before those of its subsystems, in the order of the files
  Indexed<ScopeIndex, ParameterScope> scopes_;
  std::vector<SettledText> settled_;
};

} // namespace hilda::diagram
