#pragma once

#include <cstddef>
#include <matio.h>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace hilda {

/// A matio variable with its owner.
struct MatVariableDeleter {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using MatVariable = std::unique_ptr<matvar_t, MatVariableDeleter>;

/// A name that MATLAB takes, at most 63 letters, digits and underscores and no keyword, and that is not in `taken`,
/// to which it is added.
std::string mat_name(const std::string& name, std::set<std::string>& taken);

/// A structure under construction: values and structures by name, in the order in which they came.
class MatTree {
public:
  /// The structure of this name inside, made where it is not there.
  MatTree& child(const std::string& name);
  void add(const std::string& name, MatVariable value, std::size_t bytes);

  struct Entry {
    std::string name, mat_name;
    std::unique_ptr<MatTree> tree; ///< null: a value
    MatVariable value;
  };
  std::vector<Entry>& entries() { return entries_; }
  /// Of all values inside.
  std::size_t bytes() const;
  /// As a matio structure; takes the values out of the tree. Null where memory is short.
  MatVariable structure(const std::string& name);

private:
  std::vector<Entry> entries_;
  std::set<std::string> taken_;
  std::size_t bytes_ = 0;
};

/// An array with a copy of `data`, column by column; `options` are matio's flags.
MatVariable mat_array(matio_classes name, matio_types type, std::vector<std::size_t> size, const void* data,
                      int options);
/// A row of characters.
MatVariable mat_text(const std::string& text);

} // namespace hilda
