// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/output_file.h"
#include "engine/log/detail/export/mat_tree.h"
#include "engine/modules.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace hilda::log {

/// A MAT file (version 5, as MathWorks' "MAT-File Format" describes it) whose numbers are not held in memory: first
/// all heads are written, and each array gets its place; then numbers are put where they belong, in any order.
class MatFile {
public:
  explicit MatFile(OutputFile& file) : file_(file) {}

  /// Writes everything but the numbers; each entry of `root` is a variable. False where the file cannot be written.
  bool lay_out(MatTree& root);
  /// Numbers, as they lie in memory.
  bool put(std::uint64_t place, std::string_view bytes);
  const std::string& error() const { return error_; }

private:
  void element(const MatTree::Entry& entry, bool variable);
  void array(MatArray& array);
  void structure(const MatTree& tree);
  void matrix_head(std::uint64_t bytes, unsigned flags, const std::vector<std::uint64_t>& size,
                   const std::string& name);
  void tag(std::uint32_t type, std::uint64_t bytes);
  void number(std::uint32_t value);
  void pad();
  void flush();
  bool fail(int error_number);

  OutputFile& file_;
  std::string pending_;        ///< heads that are not written yet
  std::uint64_t position_ = 0; ///< where they begin
  std::string error_;
};

} // namespace hilda::log
