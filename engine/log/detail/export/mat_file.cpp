// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/mat_file.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <unistd.h>

namespace hilda::log {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

// types of data and classes of arrays, as the format numbers them
constexpr std::uint32_t int8 = 1, uint8 = 2, int32 = 5, uint32 = 6, real64 = 9, int64 = 12, uint64 = 13, matrix = 14,
                        utf8 = 16;
constexpr unsigned structure_class = 2, logical_flag = 0x200;
constexpr std::size_t name_bytes = 64; ///< of each field of a structure, with the closing zero

std::uint64_t padded(std::uint64_t bytes) { return (bytes + 7) / 8 * 8; }

std::uint32_t type_of(MatArray::Class kind) {
  switch (kind) {
  case MatArray::Class::character: return utf8;
  case MatArray::Class::real: return real64;
  case MatArray::Class::u8: return uint8;
  case MatArray::Class::i64: return int64;
  case MatArray::Class::u64: break;
  }
  return uint64;
}

/// Flags, dimensions and name, each with its tag.
std::uint64_t head_bytes(std::size_t dimensions, std::size_t name) {
  return 16 + 8 + padded(4 * dimensions) + 8 + padded(name);
}

/// What follows the tag of a matrix.
std::uint64_t content_bytes(const MatTree::Entry& entry, bool variable) {
  const std::size_t name = variable ? entry.mat_name.size() : 0;
  if (entry.array) return head_bytes(entry.array->size.size(), name) + 8 + padded(entry.array->bytes());
  std::uint64_t bytes = head_bytes(2, name) + 8 + 8 + entry.tree->entries().size() * name_bytes;
  for (const MatTree::Entry& each : entry.tree->entries()) bytes += 8 + content_bytes(each, false);
  return bytes;
}

} // namespace

bool MatFile::fail(int error_number) {
  if (error_.empty()) error_ = file_.path() + " cannot be written: " + std::system_category().message(error_number);
  return false;
}

bool MatFile::put(std::uint64_t place, std::string_view bytes) {
  while (!bytes.empty() && error_.empty()) {
    const ssize_t written = ::pwrite(file_.descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return fail(written < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<std::size_t>(written));
    place += static_cast<std::uint64_t>(written);
  }
  return error_.empty();
}

bool MatFile::lay_out(MatTree& root) {
  std::string head = "MATLAB 5.0 MAT-file, written by hilda";
  head.resize(116, ' ');
  head.append(8, '\0');
  head += {'\0', '\1', 'I', 'M'}; // version and order of bytes
  pending_ = head;
  for (const MatTree::Entry& entry : root.entries()) element(entry, true);
  flush();
  // numbers that never come are zeros, and a full disk is found now
  if (error_.empty() && ::ftruncate(file_.descriptor(), static_cast<off_t>(position_)) != 0) return fail(errno);
  return error_.empty();
}

void MatFile::element(const MatTree::Entry& entry, bool variable) {
  const std::string name = variable ? entry.mat_name : "";
  const std::uint64_t bytes = content_bytes(entry, variable);
  if (entry.tree) {
    matrix_head(bytes, structure_class, {1, 1}, name);
    return structure(*entry.tree);
  }
  MatArray& of = *entry.array;
  matrix_head(bytes, static_cast<unsigned>(of.kind) | (of.logical ? logical_flag : 0), of.size, name);
  array(of);
}

void MatFile::matrix_head(std::uint64_t bytes, unsigned flags, const std::vector<std::uint64_t>& size,
                          const std::string& name) {
  tag(matrix, bytes);
  tag(uint32, 8);
  number(flags);
  number(0);
  tag(int32, 4 * size.size());
  for (const std::uint64_t each : size) number(static_cast<std::uint32_t>(each));
  pad();
  tag(int8, name.size());
  pending_ += name;
  pad();
}

void MatFile::structure(const MatTree& tree) {
  number(int32 | 4U << 16U); // a tag and its four bytes in one
  number(name_bytes);
  tag(int8, tree.entries().size() * name_bytes);
  for (const MatTree::Entry& each : tree.entries()) {
    std::string name = each.mat_name;
    name.resize(name_bytes, '\0');
    pending_ += name;
  }
  for (const MatTree::Entry& each : tree.entries()) element(each, false);
}

void MatFile::array(MatArray& array) {
  tag(type_of(array.kind), array.bytes());
  if (array.kind == MatArray::Class::character) {
    pending_ += array.text;
    return pad();
  }
  flush();
  array.place = position_;
  position_ += padded(array.bytes());
}

void MatFile::tag(std::uint32_t type, std::uint64_t bytes) {
  number(type);
  number(static_cast<std::uint32_t>(bytes));
}

void MatFile::number(std::uint32_t value) {
  std::array<char, sizeof value> bytes{};
  std::memcpy(bytes.data(), &value, sizeof value);
  pending_.append(bytes.data(), bytes.size());
}

void MatFile::pad() { pending_.append(padded(pending_.size()) - pending_.size(), '\0'); }

void MatFile::flush() {
  put(position_, pending_);
  position_ += pending_.size();
  pending_.clear();
}

} // namespace hilda::log
