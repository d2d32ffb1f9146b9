#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/model/attribute.h"
#include "engine/value/value.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hilda {

/// A parameter of the diagram or of a subsystem, evaluated: for expressions, people, logs and `--set`.
struct NamedParameter {
  std::string path; ///< "response_delay", "rig.stiffness"
  Attribute given;  ///< its name, and the text that counts: declared, forwarded or set
  int scope = -1;   ///< where the names in that text are looked up, into ParameterTable::scopes
  std::string doc;
  Value value = {}; ///< as evaluated; in the unit written, for nothing says yet what it is for
};

/// A parameter of a block: evaluated, then in the shape and unit of its slot, as the record takes it.
struct ParameterValue {
  SlotIndex slot{};
  Value value = {};
  Location where = {};
  std::string text = {}; ///< as written where it names parameters by `${}`; else empty
  int scope = -1;        ///< where these names are looked up, into ParameterTable::scopes
};

/// A text that names parameters and is no parameter: a sample time, a limit. It counts once, before the first tick.
struct SettledText {
  std::string text;
  Location where;
  int scope = -1;
};

/// What the names of one use of a diagram mean: its own parameters, and in the body of an inline subsystem those of the
/// diagram around it.
struct ParameterScope {
  int around = -1;  ///< into ParameterTable::scopes; -1: none
  int outside = -1; ///< where what is forwarded to these parameters, or set, is looked up
  std::map<std::string, int, std::less<>> names = {}; ///< into the table; looked up only
};

/// All parameters that have a name, and who sees which by `${name}`. Scope 0 is the diagram's own.
class ParameterTable {
public:
  /// A scope without names. `outside`: that of the diagram around it; of the diagram itself its own, 0.
  int open_scope(int around, int outside);
  /// Enters a parameter under its name in `scope`; -1 where that is taken, else its place.
  int add(int scope, NamedParameter parameter);

  /// Which parameter `${name}` means in `scope`, or -1. `period` is that of the whole system everywhere.
  int find(int scope, std::string_view name) const;
  /// Where another text for a parameter is looked up.
  int outside_of(int parameter) const;
  /// How many names a scope sees, and the names, in the order in which they were entered.
  std::size_t visible(int scope) const;
  std::vector<std::string> names(int scope) const;

  /// Where the parameters stand that a text names, outermost first, and those that they name in turn; at most eight.
  std::vector<Location> origins(std::string_view text, int scope) const;

  /// Keeps a text that names parameters though it is none.
  void settle(SettledText text) { settled_.push_back(std::move(text)); }
  const std::vector<SettledText>& settled() const { return settled_; }

  std::size_t size() const { return all_.size(); }
  NamedParameter& operator[](int parameter) { return all_[static_cast<std::size_t>(parameter)]; }
  const NamedParameter& operator[](int parameter) const { return all_[static_cast<std::size_t>(parameter)]; }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

private:
  std::vector<NamedParameter> all_; ///< a diagram's before those of its subsystems, in the order of the files
  std::vector<ParameterScope> scopes_;
  std::vector<SettledText> settled_;
};

} // namespace hilda
