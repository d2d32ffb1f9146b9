// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace hilda::log {

/// A name that MATLAB takes, at most 63 letters, digits and underscores and no keyword, and that is not in `taken`,
/// to which it is added.
std::string mat_name(const std::string& name, std::set<std::string>& taken);

/// An array of a MAT file. Numbers are written later, where `place` says; a text is held here.
struct MatArray {
  enum class Class : std::uint8_t { character = 4, real = 6, u8 = 9, i64 = 14, u64 = 15 };
  Class kind = Class::real;
  bool logical = false;
  std::vector<std::uint64_t> size; ///< at least two; the first runs fastest
  std::string text;
  std::uint64_t place = 0; ///< of the first number in the file, once it is laid out

  std::uint64_t bytes() const;
};

/// A structure under construction: arrays and structures by name, in the order in which they came.
class MatTree {
public:
  /// The structure of this name inside, made where it is not there.
  MatTree& child(const std::string& name);
  /// The array lives as long as the tree.
  MatArray& add(const std::string& name, MatArray array);
  MatArray& add_text(const std::string& name, const std::string& text);

  struct Entry {
    std::string name, mat_name;
    std::unique_ptr<MatTree> tree; ///< one of the two
    std::unique_ptr<MatArray> array;
  };
  const std::vector<Entry>& entries() const { return entries_; }

private:
  std::vector<Entry> entries_;
  std::set<std::string> taken_;
};

/// Of all arrays inside.
std::uint64_t bytes_of(const MatTree::Entry& entry);

} // namespace hilda::log
