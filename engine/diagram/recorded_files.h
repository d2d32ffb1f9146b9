// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <map>
#include <string>

namespace hilda::diagram {

/// Files as a log kept them: they replace those of the same names on the disk, which may have changed since.
class RecordedFiles {
public:
  void add(std::string name, std::string text) { texts_.insert_or_assign(std::move(name), std::move(text)); }
  bool empty() const { return texts_.empty(); }
  /// By the name under which it was shown; null: it was not recorded.
  const std::string* text(const std::string& name) const;
  /// Name of the file that `src` means in the file `from`: in its folder, in one above it, or in a library; null: none.
  const std::string* included(const std::string& src, const std::string& from) const;

private:
  std::map<std::string, std::string> texts_; ///< by name
};

} // namespace hilda::diagram
