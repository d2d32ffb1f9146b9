// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/fmi/bundle.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::fmi {

/// A shared library of this machine, as bytes.
class Elf {
public:
  explicit Elf(std::string bytes) : bytes_(std::move(bytes)) { read(); }
  bool good() const { return strings_ != 0; }
  const std::vector<std::string>& needed() const { return needed_; }
  HostLibraries needs() const { return needs_; }
  /// Of this machine, and no segment ends behind the file: the dynamic linker maps a file that was cut, and crashes.
  bool whole() const {
#if defined(__x86_64__)
    constexpr int machine = EM_X86_64;
#else
    constexpr int machine = EM_AARCH64;
#endif
    const auto head = at<Elf64_Ehdr>(0);
    const std::vector<Elf64_Phdr> all = segments();
    return std::memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_ident[EI_CLASS] == ELFCLASS64 &&
           head.e_machine == machine && !all.empty() &&
           std::all_of(all.begin(), all.end(), [this](const Elf64_Phdr& of) {
             return of.p_filesz == 0 || (of.p_offset <= bytes_.size() && of.p_filesz <= bytes_.size() - of.p_offset);
           });
  }

  /// What debuggers want goes: all that no segment has.
  void strip() {
    Elf64_Ehdr head = at<Elf64_Ehdr>(0);
    std::uint64_t end = head.e_phoff + std::uint64_t{head.e_phnum} * sizeof(Elf64_Phdr);
    for (const Elf64_Phdr& segment : segments()) end = std::max(end, segment.p_offset + segment.p_filesz);
    if (end >= bytes_.size()) return;
    bytes_.resize(end);
    head.e_shoff = 0, head.e_shnum = 0, head.e_shstrndx = 0;
    std::memcpy(bytes_.data(), &head, sizeof head);
  }

  /// In names of libraries: the text keeps its length.
  void rename(const std::string& name, const std::string& other) {
    const std::string with_ends = '\0' + name + '\0';
    for (std::size_t found = strings_ - 1;
         (found = bytes_.find(with_ends, found)) != std::string::npos && found < strings_ + length_; ++found)
      bytes_.replace(found + 1, name.size(), other);
  }
  std::string take() { return std::move(bytes_); }

private:
  template <class T> T at(std::uint64_t place) const {
    T value{};
    if (place <= bytes_.size() && sizeof value <= bytes_.size() - place)
      std::memcpy(&value, bytes_.data() + place, sizeof value);
    return value;
  }
  std::vector<Elf64_Phdr> segments() const {
    const auto head = at<Elf64_Ehdr>(0);
    std::vector<Elf64_Phdr> all;
    for (std::uint64_t i = 0; i < head.e_phnum; ++i)
      all.push_back(at<Elf64_Phdr>(head.e_phoff + i * sizeof(Elf64_Phdr)));
    return all;
  }
  std::uint64_t in_file(std::uint64_t address) const {
    for (const Elf64_Phdr& segment : segments())
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
        return address - segment.p_vaddr + segment.p_offset;
    return 0;
  }
  void read() {
    std::vector<std::uint64_t> names;
    std::uint64_t versions = 0;
    for (const Elf64_Phdr& segment : segments()) {
      if (segment.p_type != PT_DYNAMIC) continue;
      for (std::uint64_t i = 0; i < segment.p_filesz; i += sizeof(Elf64_Dyn)) {
        const auto entry = at<Elf64_Dyn>(segment.p_offset + i);
        if (entry.d_tag == DT_STRTAB) strings_ = in_file(entry.d_un.d_ptr);
        if (entry.d_tag == DT_STRSZ) length_ = entry.d_un.d_val;
        if (entry.d_tag == DT_VERNEED) versions = in_file(entry.d_un.d_ptr);
        if (entry.d_tag == DT_NEEDED) names.push_back(entry.d_un.d_val);
      }
    }
    if (strings_ == 0 || strings_ + length_ > bytes_.size()) return strings_ = 0, void();
    for (const std::uint64_t name : names)
      if (name < length_) needed_.emplace_back(text(name));
    if (versions != 0) read_versions(versions);
  }
  const char* text(std::uint64_t name) const { return name < length_ ? bytes_.c_str() + strings_ + name : ""; }
  /// "GLIBC_2.34" of "GLIBC_2.": 34, where that is newer.
  static void take_newer(std::string_view version, std::string_view family, int& newest) {
    if (!version.starts_with(family)) return;
    int found = 0;
    const std::string_view digits = version.substr(family.size());
    std::from_chars(digits.data(), digits.data() + digits.size(), found);
    newest = std::max(newest, found);
  }
  void read_versions(std::uint64_t place) {
    for (bool more = true; more;) {
      const auto library = at<Elf64_Verneed>(place);
      std::uint64_t each = place + library.vn_aux;
      for (int left = library.vn_cnt; left > 0; --left) {
        const auto version = at<Elf64_Vernaux>(each);
        take_newer(text(version.vna_name), "GLIBC_2.", needs_.c);
        take_newer(text(version.vna_name), "GLIBCXX_3.4.", needs_.cxx);
        each += version.vna_next;
      }
      place += library.vn_next;
      more = library.vn_next != 0;
    }
  }

  std::string bytes_;
  std::uint64_t strings_ = 0, length_ = 0;
  std::vector<std::string> needed_;
  HostLibraries needs_;
};

} // namespace hilda::fmi
