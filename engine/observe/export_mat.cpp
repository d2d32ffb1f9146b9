#include "engine/observe/export_mat.h"

#include "engine/observe/export_selection.h"
#include "engine/observe/mat_tree.h"

#include <filesystem>
#include <map>
#include <memory>
#include <utility>

namespace hilda {
namespace {

constexpr std::size_t largest_variable = (std::size_t{1} << 31) - (1 << 20);

template <typename Element> struct MatClass;
template <> struct MatClass<double> {
  static constexpr matio_classes name = MAT_C_DOUBLE;
  static constexpr matio_types type = MAT_T_DOUBLE;
};
template <> struct MatClass<std::int64_t> {
  static constexpr matio_classes name = MAT_C_INT64;
  static constexpr matio_types type = MAT_T_INT64;
};
template <> struct MatClass<std::uint64_t> {
  static constexpr matio_classes name = MAT_C_UINT64;
  static constexpr matio_types type = MAT_T_UINT64;
};
template <> struct MatClass<std::uint8_t> {
  static constexpr matio_classes name = MAT_C_UINT8;
  static constexpr matio_types type = MAT_T_UINT8;
};

template <typename Element>
MatVariable array_of(std::vector<std::size_t> size, const std::vector<Element>& values, int options) {
  return mat_array(MatClass<Element>::name, MatClass<Element>::type, std::move(size), values.data(), options);
}

/// Samples as rows of a table; matrices stay as they are and follow one another along the third dimension.
struct ToMat {
  const LogField& field;
  std::size_t samples;

  template <typename Element> MatVariable operator()(const std::vector<Element>& values) const {
    const int options = field.element == LogElement::boolean ? MAT_F_LOGICAL : 0;
    const std::size_t elements = field.elements();
    if (field.rows > 1 && field.cols > 1)
      return array_of({static_cast<std::size_t>(field.rows), static_cast<std::size_t>(field.cols), samples}, values,
                      options);
    std::vector<Element> table(values.size());
    for (std::size_t i = 0; i < samples; ++i)
      for (std::size_t e = 0; e < elements; ++e) table[e * samples + i] = values[i * elements + e];
    return array_of({samples, elements}, table, options);
  }
};

/// The structure of a block, from its path's names.
MatTree& tree_at(MatTree& root, const std::string& path) {
  MatTree* tree = &root;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t dot = std::min(path.find('.', start), path.size());
    tree = &tree->child(path.substr(start, dot - start));
    start = dot + 1;
  }
  return *tree;
}

/// What stands behind a signal's field name in the name it was asked by, with the field's name.
std::string leaf_name(const Log& log, const Signal& signal, const SignalPlace& place) {
  const LogField& field = log.schema().channels[place.channel].fields[place.field];
  if (signal.field == field) return field.name;
  if (place.elements.count == 1) return field.name + element_suffix(field, place.elements.first);
  const std::string first = element_suffix(field, place.elements.first);
  return field.name + first.substr(0, first.rfind('.'));
}

void add_signals(const Log& log, const std::vector<Signal>& signals, MatTree& root) {
  std::map<std::size_t, MatTree*> blocks;
  for (const Signal& signal : signals) {
    const SignalPlace place = *log.find(signal.name);
    const LogChannel& channel = log.schema().channels[place.channel];
    MatTree*& block = blocks[place.channel];
    if (block == nullptr) {
      block = &tree_at(root, channel.path);
      block->add("time", array_of({signal.samples(), 1}, signal.times(), 0), signal.samples() * sizeof(double));
    }
    const std::string name = leaf_name(log, signal, place);
    block->add(name, std::visit(ToMat{signal.field, signal.samples()}, signal.values),
               signal.samples() * signal.field.bytes());
    if (!signal.field.unit.empty()) block->child("units").add(name, mat_text(signal.field.unit), 0);
  }
}

void add_metadata(const Log& log, MatTree& root) {
  MatTree& about = root.child("hilda_log");
  const Rational& period = log.schema().period;
  about.add("period", mat_text(std::to_string(period.numerator()) + "/" + std::to_string(period.denominator()) + " s"),
            0);
  for (const auto& [key, value] : log.schema().metadata) about.add(key, mat_text(value), value.size());
}

bool write(MatTree& root, const std::string& path, std::string& error) {
  const std::size_t bytes = root.bytes();
  std::unique_ptr<mat_t, int (*)(mat_t*)> file(
      Mat_CreateVer(path.c_str(), "MATLAB 5.0 MAT-file, written by hilda", MAT_FT_MAT5), &Mat_Close);
  bool written = file != nullptr;
  for (MatTree::Entry& entry : root.entries()) {
    const MatVariable variable = written ? entry.tree->structure(entry.mat_name) : nullptr;
    written = variable && Mat_VarWrite(file.get(), variable.get(), MAT_COMPRESSION_NONE) == 0;
  }
  if (file && Mat_Close(file.release()) != 0) written = false;
  // the library does not see every write that fails
  std::error_code problem;
  if (written && (std::filesystem::file_size(path, problem) < bytes || problem)) written = false;
  if (!written) error = path + ": the MAT file cannot be written: no such folder, no permission or no room";
  return written;
}

} // namespace

bool export_mat(Log& log, const std::string& path, const std::vector<std::string>& words, std::string& error) {
  const auto names = selected_signals(log, words, error);
  if (!names) return false;
  const auto signals = log.signals(*names, error);
  if (!signals) return false;
  MatTree root;
  add_signals(log, *signals, root);
  add_metadata(log, root);
  for (MatTree::Entry& entry : root.entries()) {
    if (entry.tree->bytes() <= largest_variable) continue;
    error = "\"" + entry.name +
            "\" has more than the 2 GB that a variable of a MAT file can hold; name fewer signals, "
            "or export to CSV";
    return false;
  }
  return write(root, path, error);
}

} // namespace hilda
