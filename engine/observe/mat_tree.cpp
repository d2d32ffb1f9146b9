#include "engine/observe/mat_tree.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace hilda {
namespace {

constexpr std::size_t longest_name = 63;

bool keyword(const std::string& name) {
  static constexpr std::array keywords{
      "break",  "case", "catch",     "classdef", "continue",   "else",   "elseif", "end",    "for", "function",
      "global", "if",   "otherwise", "parfor",   "persistent", "return", "spmd",   "switch", "try", "while"};
  return std::find(keywords.begin(), keywords.end(), name) != keywords.end();
}

bool ascii_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

} // namespace

std::string mat_name(const std::string& name, std::set<std::string>& taken) {
  std::string legal;
  for (const char c : name) {
    if (ascii_letter_or_digit(c))
      legal += c;
    else if (legal.empty() || legal.back() != '_')
      legal += '_';
  }
  if (name.ends_with(']') && legal.ends_with('_')) legal.pop_back();
  if (legal.empty() || legal[0] == '_' || (legal[0] >= '0' && legal[0] <= '9')) legal.insert(0, "x");
  if (keyword(legal)) legal += '_';
  legal.resize(std::min(legal.size(), longest_name));
  std::string unique = legal;
  for (int number = 2; !taken.insert(unique).second; ++number) {
    const std::string suffix = "_" + std::to_string(number);
    unique = legal.substr(0, longest_name - suffix.size()) + suffix;
  }
  return unique;
}

MatTree& MatTree::child(const std::string& name) {
  for (Entry& entry : entries_)
    if (entry.tree && entry.name == name) return *entry.tree;
  entries_.push_back({name, mat_name(name, taken_), std::make_unique<MatTree>(), nullptr});
  return *entries_.back().tree;
}

void MatTree::add(const std::string& name, MatVariable value, std::size_t bytes) {
  bytes_ += bytes;
  entries_.push_back({name, mat_name(name, taken_), nullptr, std::move(value)});
}

std::size_t MatTree::bytes() const {
  std::size_t bytes = bytes_;
  for (const Entry& entry : entries_)
    if (entry.tree) bytes += entry.tree->bytes();
  return bytes;
}

MatVariable MatTree::structure(const std::string& name) {
  std::vector<const char*> names;
  for (const Entry& entry : entries_) names.push_back(entry.mat_name.c_str());
  std::array<std::size_t, 2> one{1, 1};
  MatVariable structure(
      Mat_VarCreateStruct(name.c_str(), 2, one.data(), names.data(), static_cast<unsigned>(names.size())));
  for (std::size_t i = 0; structure && i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    MatVariable value = entry.tree ? entry.tree->structure(entry.mat_name) : std::move(entry.value);
    if (!value) return nullptr;
    Mat_VarSetStructFieldByIndex(structure.get(), i, 0, value.release());
  }
  return structure;
}

MatVariable mat_array(matio_classes name, matio_types type, std::vector<std::size_t> size, const void* data,
                      int options) {
  // the library copies the data but does not say so in its types
  return MatVariable(
      Mat_VarCreate(nullptr, name, type, static_cast<int>(size.size()), size.data(), const_cast<void*>(data), options));
}

MatVariable mat_text(const std::string& text) {
  return mat_array(MAT_C_CHAR, MAT_T_UTF8, {1, text.size()}, text.data(), 0);
}

} // namespace hilda
