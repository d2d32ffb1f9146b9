// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/catalogue/catalogue.h"
#include "engine/modules.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hilda::catalogue {

/// Block types in source files of a language ("python/Filter"). A file is read when one of its blocks is needed. Types
/// live as long as the catalogue, also where their file has changed since.
class ScriptTypes {
public:
  ScriptTypes() = default;
  ScriptTypes(const ScriptTypes&) = delete;
  ScriptTypes& operator=(const ScriptTypes&) = delete;
  virtual ~ScriptTypes() = default;

  /// Has a type the name of one that would be in a source file?
  virtual bool takes(const std::string& name) const = 0;
  /// From a file of `folder` or of the plugin folders. Null where there is none, or after an error.
  /// Codes: python-block, python-missing.
  virtual const BlockType* find(const std::string& name, const std::string& folder, Diagnostics& diagnostics) = 0;
  /// The names of all that there would be. No file is run for it.
  virtual std::vector<std::string> names(const std::string& folder) const = 0;
};

/// The source files that one diagram may use.
class ScriptScope {
public:
  /// @param types   null: none
  /// @param folder  of the diagram's file
  /// @param given   types that the caller brings; they come first
  ScriptScope(ScriptTypes* types, std::string folder, std::vector<const BlockType*> given, Diagnostics& diagnostics)
      : types_(types), folder_(std::move(folder)), given_(std::move(given)), diagnostics_(diagnostics) {}

  /// Null where there is no such type; the errors of its file are reported.
  const BlockType* find(const std::string& name);
  /// Is a diagnostic there already that says why there is no such type?
  bool reported(const std::string& name) const { return reported_.contains(name); }
  bool takes(const std::string& name) const { return types_ != nullptr && types_->takes(name); }
  std::vector<std::string> names() const;

private:
  ScriptTypes* const types_;
  const std::string folder_;
  const std::vector<const BlockType*> given_;
  Diagnostics& diagnostics_;
  std::set<std::string> reported_;
};

} // namespace hilda::catalogue
