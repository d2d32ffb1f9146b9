// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/detail/export/mat_tree.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace hilda::log {
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

std::uint64_t MatArray::bytes() const {
  if (kind == Class::character) return text.size();
  std::uint64_t count = 1;
  for (const std::uint64_t each : size) count *= each;
  return count * (kind == Class::u8 ? 1 : 8);
}

MatTree& MatTree::child(const std::string& name) {
  for (Entry& entry : entries_)
    if (entry.tree && entry.name == name) return *entry.tree;
  entries_.push_back({name, mat_name(name, taken_), std::make_unique<MatTree>(), nullptr});
  return *entries_.back().tree;
}

MatArray& MatTree::add(const std::string& name, MatArray array) {
  entries_.push_back({name, mat_name(name, taken_), nullptr, std::make_unique<MatArray>(std::move(array))});
  return *entries_.back().array;
}

MatArray& MatTree::add_text(const std::string& name, const std::string& text) {
  return add(name, {MatArray::Class::character, false, {1, text.size()}, text});
}

std::uint64_t bytes_of(const MatTree::Entry& entry) {
  if (entry.array) return entry.array->bytes();
  std::uint64_t bytes = 0;
  for (const MatTree::Entry& each : entry.tree->entries()) bytes += bytes_of(each);
  return bytes;
}

} // namespace hilda::log
