// SPDX-License-Identifier: BSD-3-Clause
#include "tools/fmi/unpacked.h"

#include "tools/fmi/detail/elf.h"
#include "tools/fmi/detail/foreign/marked.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <libdeflate.h>
#include <set>
#include <unistd.h>

namespace hilda::fmi {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_bytes = 1ULL << 30, most_files = 20'000, largest_ratio = 1000, small_file = 1 << 20;
constexpr std::uint32_t end_mark = 0x06054b50, list_mark = 0x02014b50, file_mark = 0x04034b50;

const char* const export_again = "get the FMU again, or export it again with its tool";

[[noreturn]] void refuse(std::string what, std::string help = export_again) {
  throw Fault{std::move(what), std::move(help)};
}

/// A relative path without "..", on any system: tools on Windows write '\'.
bool stays_inside(const std::string& name) {
  if (name.empty() || name.front() == '/' || name.find('\\') != std::string::npos ||
      name.find('\0') != std::string::npos || name.find(':') != std::string::npos)
    return false;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    const std::string part = name.substr(at, end - at);
    if (part == ".." || part == "." || (part.empty() && end != name.size())) return false;
    at = end + 1;
  }
  return true;
}

template <class Work> auto caught(Fault& fault, Work&& work) -> decltype(work()) {
  try {
    return work();
  } catch (const Fault& thrown) { fault = thrown; } catch (const std::bad_alloc&) {
    fault = {"there is no memory for the content of the FMU", "free memory, or export the FMU smaller"};
  } catch (const fs::filesystem_error& error) {
    fault = {"it cannot be unpacked: " + std::string(error.what()), "set TMPDIR to a folder with room"};
  }
  return {};
}

std::string file_text(const std::string& file) {
  std::error_code failed;
  if (fs::is_directory(file, failed)) refuse("it is a folder", "give the FMU as the file that its tool wrote");
  const std::uintmax_t size = fs::file_size(file, failed);
  if (failed) refuse("it cannot be read: " + failed.message(), "check the path");
  if (size > most_bytes) refuse("it has more than 1 GB", "export the FMU smaller");
  std::ifstream in(file, std::ios::binary);
  std::string bytes(size, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(size));
  if (!in) refuse("it cannot be read", "check the file's permissions");
  return bytes;
}

} // namespace

std::uint64_t Zip::number(std::uint64_t at, int bytes) const {
  if (at > bytes_.size() || bytes_.size() - at < static_cast<std::uint64_t>(bytes))
    refuse("its list of files goes beyond its end");
  std::uint64_t value = 0;
  for (int i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes_[at + static_cast<unsigned>(i)]);
  return value;
}

void Zip::check(const Entry& entry, std::uint32_t attributes, std::uint16_t made_by, std::uint16_t flags,
                std::uint16_t method) const {
  constexpr std::uint32_t kind = 0170000, link = 0120000, plain = 0100000, folder = 0040000;
  constexpr std::uint16_t of_unix = 3, encrypted = 1, stored = 0, deflate = 8;
  if (!stays_inside(entry.name)) refuse("it has a file outside of its folder: " + marked(entry.name));
  const std::uint32_t mode = attributes >> 16 & kind;
  if (made_by >> 8 == of_unix && mode == link) refuse("it has a link: " + marked(entry.name));
  if (made_by >> 8 == of_unix && mode != 0 && mode != plain && mode != folder)
    refuse("it has what is neither a file nor a folder: " + marked(entry.name));
  if ((flags & encrypted) != 0) refuse(marked(entry.name) + " is encrypted", "export the FMU without a password");
  if (method != stored && method != deflate)
    refuse(marked(entry.name) + " is compressed by method " + std::to_string(method) + "; FMUs have 0 and 8");
  if (entry.packed == 0xffffffff || entry.size == 0xffffffff)
    refuse(marked(entry.name) + " has 4 GB or more", "export the FMU smaller");
  if (method == stored && entry.packed != entry.size) refuse("the sizes of " + marked(entry.name) + " contradict");
  if (entry.size > small_file && entry.size / largest_ratio > entry.packed)
    refuse(marked(entry.name) + " grows from " + std::to_string(entry.packed) + " to " + std::to_string(entry.size) +
               " bytes, more than 1000 times",
           "it is not unpacked: no model compresses so well, and such a file may fill the disk");
}

void Zip::list() {
  constexpr std::uint64_t end_size = 22, longest_comment = 65535, record = 46;
  if (bytes_.size() < end_size) refuse("it is not a ZIP file, which an FMU is");
  std::uint64_t end = bytes_.size() - end_size;
  const std::uint64_t first = end > longest_comment ? end - longest_comment : 0;
  while (number(end, 4) != end_mark) {
    if (end == first) refuse("it is not a ZIP file, which an FMU is");
    --end;
  }
  const std::uint64_t files = number(end + 10, 2);
  std::uint64_t at = number(end + 16, 4), sum = 0;
  if (files > most_files) refuse("it has more than 20000 files", "export the FMU with fewer");
  std::set<std::string> names;
  for (std::uint64_t i = 0; i < files; ++i) {
    if (number(at, 4) != list_mark) refuse("its list of files is damaged");
    const std::uint64_t name = number(at + 28, 2), more = number(at + 30, 2), comment = number(at + 32, 2);
    Entry entry;
    number(at + record + name - 1, 1);
    entry.name = bytes_.substr(at + record, name);
    entry.sum = static_cast<std::uint32_t>(number(at + 16, 4));
    entry.packed = number(at + 20, 4), entry.size = number(at + 24, 4), entry.at = number(at + 42, 4);
    const auto method = static_cast<std::uint16_t>(number(at + 10, 2));
    entry.deflated = method != 0;
    entry.folder = entry.name.ends_with('/');
    check(entry, static_cast<std::uint32_t>(number(at + 38, 4)), static_cast<std::uint16_t>(number(at + 4, 2)),
          static_cast<std::uint16_t>(number(at + 8, 2)), method);
    if (!names.insert(entry.name).second) refuse("it has the file " + marked(entry.name) + " twice");
    sum += entry.size;
    if (sum > most_bytes) refuse("its files have more than 1 GB", "export the FMU smaller");
    entries_.push_back(std::move(entry));
    at += record + name + more + comment;
  }
}

std::optional<Zip> Zip::open(const std::string& file, Fault& fault) {
  std::string bytes;
  if (!caught(fault, [&] { return bytes = file_text(file), true; })) return std::nullopt;
  return of(std::move(bytes), fault);
}

std::optional<Zip> Zip::of(std::string bytes, Fault& fault) {
  return caught(fault, [&]() -> std::optional<Zip> {
    Zip zip;
    zip.bytes_ = std::move(bytes);
    zip.list();
    return zip;
  });
}

const Zip::Entry* Zip::find(const std::string& name) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.name == name; });
  return found == entries_.end() ? nullptr : &*found;
}

std::optional<std::string> Zip::read(const Entry& entry, Fault& fault) const {
  return caught(fault, [&]() -> std::optional<std::string> {
    constexpr std::uint64_t head = 30;
    if (number(entry.at, 4) != file_mark) refuse("the beginning of " + marked(entry.name) + " is damaged");
    const std::uint64_t begin = entry.at + head + number(entry.at + 26, 2) + number(entry.at + 28, 2);
    if (begin > bytes_.size() || bytes_.size() - begin < entry.packed)
      refuse(marked(entry.name) + " goes beyond the end of the file");
    std::string content(entry.size, '\0');
    if (entry.deflated) {
      const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> inflater(
          libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
      std::size_t got = 0;
      if (libdeflate_deflate_decompress(inflater.get(), bytes_.data() + begin, entry.packed, content.data(),
                                        content.size(), &got) != LIBDEFLATE_SUCCESS ||
          got != content.size())
        refuse(marked(entry.name) + " cannot be decompressed, or has another size than the list says");
    } else {
      content.assign(bytes_, begin, entry.packed);
    }
    if (libdeflate_crc32(0, content.data(), content.size()) != entry.sum)
      refuse("the checksum of " + marked(entry.name) + " is wrong");
    return content;
  });
}

namespace {

std::optional<ForeignModel> model_in(const Zip& zip, Fault& fault) {
  const Zip::Entry* const entry = zip.find("modelDescription.xml");
  if (entry == nullptr) {
    fault = {"it has no modelDescription.xml at its top",
             "give an FMU; a folder in the ZIP file must not be around it"};
    return std::nullopt;
  }
  const std::optional<std::string> text = zip.read(*entry, fault);
  return text ? read_foreign_model(*text, fault) : std::nullopt;
}

} // namespace

std::optional<ForeignModel> read_fmu(const std::string& file, Fault& fault) {
  const std::optional<Zip> zip = Zip::open(file, fault);
  return zip ? model_in(*zip, fault) : std::nullopt;
}

std::string platforms_in(const Zip& zip) {
  std::set<std::string> names;
  for (const Zip::Entry& each : zip.entries()) {
    if (!each.name.starts_with("binaries/") || each.folder) continue;
    const std::string rest = each.name.substr(std::strlen("binaries/"));
    if (rest.find('/') != std::string::npos) names.insert(rest.substr(0, rest.find('/')));
  }
  std::string list;
  for (const std::string& each : names) list += (list.empty() ? "" : ", ") + each;
  return list;
}

namespace {

#if defined(__x86_64__)
std::string platform(int version) { return version == 2 ? "linux64" : "x86_64-linux"; }
#else
std::string platform(int) { return "aarch64-linux"; }
#endif

constexpr const char* folder_prefix = "hilda-fmu-";

/// Those of processes that were killed.
void remove_left(const fs::path& temporary) {
  std::error_code failed;
  for (fs::directory_iterator each(temporary, failed), end; !failed && each != end; each.increment(failed)) {
    const std::string name = each->path().filename();
    if (!name.starts_with(folder_prefix)) continue;
    int process = 0;
    const char* const digits = name.data() + std::strlen(folder_prefix);
    const auto [rest, error] = std::from_chars(digits, name.data() + name.size(), process);
    if (error != std::errc() || *rest != '-' || process <= 0) continue;
    if (kill(process, 0) != 0 && errno == ESRCH) fs::remove_all(each->path(), failed);
  }
}

std::string private_folder() {
  const fs::path temporary = fs::temp_directory_path();
  remove_left(temporary);
  std::string made = (temporary / (folder_prefix + std::to_string(getpid()) + "-XXXXXX")).string();
  if (mkdtemp(made.data()) == nullptr)
    refuse("no folder can be made in " + temporary.string() + ": " + std::strerror(errno),
           "set TMPDIR to a folder that you may write to");
  return made;
}

} // namespace

bool Unpacked::fill(const Zip& zip, Fault& fault) {
  const std::string mine = "binaries/" + platform(model_.version) + "/";
  const std::string library = mine + model_.identifier + ".so";
  if (zip.find(library) == nullptr) {
    const std::string there = platforms_in(zip);
    fault = {"it has no library for this machine, " + marked(library) + "; " +
                 (there.empty() ? std::string("it has none at all") : "it has: " + there),
             there.empty() ? "it may have sources alone; export the FMU with its binaries"
                           : "export the FMU for " + platform(model_.version)};
    return false;
  }
  for (const Zip::Entry& each : zip.entries()) {
    const bool wanted =
        each.name.starts_with(mine) || each.name.starts_with("resources/") || each.name == "modelDescription.xml";
    if (!wanted || each.folder) continue;
    const std::optional<std::string> content = zip.read(each, fault);
    if (!content) return false;
    const fs::path to = fs::path(folder_) / each.name;
    std::error_code failed;
    fs::create_directories(to.parent_path(), failed);
    std::ofstream out(to, std::ios::binary);
    out.write(content->data(), static_cast<std::streamsize>(content->size()));
    if (failed || !out.flush()) {
      fault = {"it cannot be unpacked into " + folder_ + ": " +
                   (failed ? failed.message() : std::string("no room, or no permission")),
               "set TMPDIR to a folder with room"};
      return false;
    }
  }
  fs::create_directories(fs::path(folder_) / "resources");
  library_ = folder_ + "/" + library;
  if (!is_whole_library(library_)) {
    fault = {marked(library) + " is not a shared library of this machine, or a part of it is missing", export_again};
    return false;
  }
  return true;
}

std::unique_ptr<Unpacked> Unpacked::open(const std::string& file, Fault& fault) {
  const std::optional<Zip> zip = Zip::open(file, fault);
  std::optional<ForeignModel> model = zip ? model_in(*zip, fault) : std::nullopt;
  if (!model) return nullptr;
  if (!model->co_simulation) {
    fault = {"it is not for co-simulation" + std::string(model->model_exchange ? ", but for model exchange" : ""),
             "export the FMU for co-simulation"};
    return nullptr;
  }
  return caught(fault, [&]() -> std::unique_ptr<Unpacked> {
    std::unique_ptr<Unpacked> made(new Unpacked(std::move(*model), private_folder()));
    if (!made->fill(*zip, fault)) return nullptr;
    return made;
  });
}

Unpacked::~Unpacked() {
  std::error_code failed;
  fs::remove_all(folder_, failed);
}

bool is_whole_library(const std::string& library) {
  const Elf elf(file_text(library));
  return elf.whole();
}

std::string needed_by(const std::string& library) {
  Elf elf(file_text(library));
  std::string list;
  for (const std::string& each : elf.needed()) list += (list.empty() ? "" : ", ") + each;
  return list;
}

} // namespace hilda::fmi
