#include "plugins/host/shared_object.h"

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <vector>

namespace hilda {

std::string why_not_openable(const std::string& file) {
  std::error_code failed;
  const std::filesystem::file_status status = std::filesystem::status(file, failed);
  if (!std::filesystem::exists(status)) return "there is no such file";
  if (!std::filesystem::is_regular_file(status)) return "it is no regular file";
  const std::uint64_t size = std::filesystem::file_size(file, failed);
  std::ifstream in(file, std::ios::binary);
  if (failed || !in) return "the file cannot be read";

  Elf64_Ehdr head{};
  in.read(reinterpret_cast<char*>(&head), sizeof head);
  if (!in || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return "it is no shared library";
  if (head.e_ident[EI_CLASS] != ELFCLASS64) return "it is a library for another machine, not of 64 bits";
  if (head.e_type != ET_DYN) return "it is no shared library, but an object file or a program";
  if (head.e_phentsize != sizeof(Elf64_Phdr)) return "its program header is damaged";

  std::vector<Elf64_Phdr> segments(head.e_phnum);
  in.seekg(static_cast<std::streamoff>(head.e_phoff));
  in.read(reinterpret_cast<char*>(segments.data()), static_cast<std::streamsize>(segments.size() * sizeof(Elf64_Phdr)));
  bool whole = static_cast<bool>(in);
  for (const Elf64_Phdr& segment : segments)
    whole = whole && segment.p_offset <= size && segment.p_filesz <= size - segment.p_offset;
  return whole ? "" : "the file is cut short";
}

} // namespace hilda
