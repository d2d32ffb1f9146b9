// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/detail/library/dynamic_section.h"

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <optional>
#include <span>

namespace hilda::plugin {
namespace {

/// No real library has tables longer than this.
constexpr std::uint64_t most_bytes = 1u << 20;

/// `bytes` bytes at `offset`, or nothing where the file does not have them.
std::optional<std::vector<char>> part(std::ifstream& in, std::uint64_t offset, std::uint64_t bytes) {
  if (bytes > most_bytes) return std::nullopt;
  std::vector<char> data(bytes);
  in.clear();
  if (!in.seekg(static_cast<std::streamoff>(offset)) || !in.read(data.data(), static_cast<std::streamsize>(bytes)))
    return std::nullopt;
  return data;
}

template <typename T> std::vector<T> table(std::ifstream& in, std::uint64_t offset, std::uint64_t count) {
  if (count > most_bytes / sizeof(T)) return {};
  const auto data = part(in, offset, count * sizeof(T));
  std::vector<T> entries(data ? count : 0);
  if (!entries.empty()) std::memcpy(entries.data(), data->data(), data->size());
  return entries;
}

/// Where an address of the loaded library lies in the file.
std::optional<std::uint64_t> offset_of(std::uint64_t address, std::span<const Elf64_Phdr> segments) {
  for (const Elf64_Phdr& segment : segments)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
      return segment.p_offset + (address - segment.p_vaddr);
  return std::nullopt;
}

std::vector<std::string> folders(const std::string& list) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(':', at), list.size());
    if (end > at) found.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return found;
}

/// The text at `index` of a table of texts that end with a zero.
std::string text_at(const std::vector<char>& texts, std::uint64_t index) {
  if (index >= texts.size()) return "";
  const auto rest = std::span(texts).subspan(index);
  const std::string_view view(rest.data(), rest.size());
  return std::string(view.substr(0, view.find('\0')));
}

} // namespace

DynamicSection read_dynamic_section(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const auto heads = table<Elf64_Ehdr>(in, 0, 1);
  if (heads.empty() || std::memcmp(heads[0].e_ident, ELFMAG, SELFMAG) != 0 || heads[0].e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  const auto segments = table<Elf64_Phdr>(in, heads[0].e_phoff, heads[0].e_phnum);
  std::vector<Elf64_Dyn> entries;
  for (const Elf64_Phdr& segment : segments)
    if (segment.p_type == PT_DYNAMIC)
      entries = table<Elf64_Dyn>(in, segment.p_offset, segment.p_filesz / sizeof(Elf64_Dyn));
  std::uint64_t texts_at = 0, texts_size = 0;
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_STRTAB) texts_at = entry.d_un.d_ptr;
    if (entry.d_tag == DT_STRSZ) texts_size = entry.d_un.d_val;
  }
  const auto offset = offset_of(texts_at, segments);
  const auto texts = offset ? part(in, *offset, texts_size) : std::nullopt;
  if (!texts) return {};
  DynamicSection found;
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_NEEDED) found.needed.push_back(text_at(*texts, entry.d_un.d_val));
    if (entry.d_tag == DT_RPATH) found.rpath = folders(text_at(*texts, entry.d_un.d_val));
    if (entry.d_tag == DT_RUNPATH) found.runpath = folders(text_at(*texts, entry.d_un.d_val));
  }
  if (!found.runpath.empty()) found.rpath.clear();
  return found;
}

} // namespace hilda::plugin
