// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/detail/library/shared_object.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

namespace hilda::plugin {
namespace {

#if defined(__x86_64__)
constexpr Elf64_Half this_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half this_machine = EM_AARCH64;
#else
constexpr Elf64_Half this_machine = EM_NONE; // any: the dynamic linker says what it thinks
#endif

std::string machine_name(Elf64_Half machine) {
  switch (machine) {
  case EM_X86_64: return "x86-64";
  case EM_AARCH64: return "aarch64 (ARM, 64 bits)";
  case EM_ARM: return "ARM (32 bits)";
  case EM_386: return "x86 (32 bits)";
  case EM_RISCV: return "RISC-V";
  case EM_PPC64: return "POWER";
  case EM_S390: return "s390x";
  default: return "machine " + std::to_string(machine) + " of the ELF list";
  }
}

} // namespace

std::string why_not_openable(const std::string& file) {
  std::error_code failed;
  const std::filesystem::file_status status = std::filesystem::status(file, failed);
  if (!std::filesystem::exists(status)) return "there is no such file";
  if (!std::filesystem::is_regular_file(status)) return "it is not a regular file";
  const std::uint64_t size = std::filesystem::file_size(file, failed);
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (failed || !in)
    return "the file cannot be read" + (errno != 0 ? ": " + std::generic_category().message(errno) : "");

  Elf64_Ehdr head{};
  in.read(reinterpret_cast<char*>(&head), sizeof head);
  if (!in || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return "it is not a shared library";
  if (head.e_ident[EI_CLASS] != ELFCLASS64) return "it is a library for another machine, not of 64 bits";
  if (head.e_ident[EI_DATA] != ELFDATA2LSB) return "it is a library for another machine, with the other order of bytes";
  if (this_machine != EM_NONE && head.e_machine != this_machine)
    return "it is built for " + machine_name(head.e_machine) + ", and this program runs on " +
           machine_name(this_machine);
  if (head.e_type != ET_DYN) return "it is not a shared library, but an object file or a program";
  if (head.e_phentsize != sizeof(Elf64_Phdr)) return "its program header is damaged";

  std::vector<Elf64_Phdr> segments(head.e_phnum);
  in.seekg(static_cast<std::streamoff>(head.e_phoff));
  in.read(reinterpret_cast<char*>(segments.data()), static_cast<std::streamsize>(segments.size() * sizeof(Elf64_Phdr)));
  bool whole = static_cast<bool>(in);
  for (const Elf64_Phdr& segment : segments)
    whole = whole && segment.p_offset <= size && segment.p_filesz <= size - segment.p_offset;
  return whole ? "" : "the file is cut short";
}

} // namespace hilda::plugin
