// SPDX-License-Identifier: BSD-3-Clause
// The first half of a compiled program: it opens the libraries that are in its own file, the engine last.
//
// The linker opens files and no parts of files, so each library is copied into memory that has a descriptor. Nothing is
// written to a disk.
#include "tools/cli/compiled_head.h"

#include "tools/cli/commands.h"
#include "tools/cli/program_parts.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>
#include <vector>

#ifdef HILDA_PACKED_PARTS
#include <lz4.h>
#endif

namespace hilda::cli {
namespace {

constexpr int exit_bad_program = 2;

/// Read by its address: `hilda compile` writes into the copy's file.
const volatile ProgramMark mark = {"mark of compiled hilda\n", 0, 0, 0};

/// Where the program's file and its list of parts are.
struct Place {
  int file = -1; ///< descriptor; -1: the program's own file is to be opened
  unsigned long long list = 0, list_bytes = 0, list_hash = 0;
};

/// The launcher (launcher/launcher.c) has started us from memory, and says so.
Place place_of_list() {
  Place place{-1, mark.list, mark.list_bytes, mark.list_hash};
  const char* const launched = std::getenv("HILDA_COMPILED");
  if (place.list != 0 || launched == nullptr) return place;
  std::sscanf(launched, "%d %llu %llu %llu", &place.file, &place.list, &place.list_bytes, &place.list_hash);
  return place;
}

int wrong(const std::string& text, const char* help) {
  std::fprintf(stderr, "error%s\nhelp: %s\n", text.c_str(), help);
  return exit_bad_program;
}

std::string reason() { return std::strerror(errno); }

/// What a program whose bytes are not those that were written says.
int cut_or_changed(const std::string& what) {
  return wrong("[program-damaged]: the program is cut or changed: " + what,
               "copy it again from where it is whole; 'sha256sum' on both sides shows whether a copy is");
}

class CompiledProgram {
public:
  int open() {
    file_ = place_.file >= 0 ? place_.file : ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    ::unsetenv("HILDA_COMPILED"); // neither this nor what the launcher has opened is for programs that this one starts
    for (int each = place_.file; each >= 0 && ::fcntl(each, F_SETFD, FD_CLOEXEC) == 0;) ++each;
    if (file_ < 0)
      return wrong("[program-proc]: /proc/self/exe, the program's own file, cannot be opened: " + reason(),
                   "mount /proc (in a chroot: mount -t proc proc ROOT/proc)");
    if (const int failed = read_list(); failed != 0) return failed;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Part& part = parts_[i];
      given_.push_back({part.kind.c_str(), part.name.c_str(), part.at, part.bytes, part.hash, -1});
      const bool opened_before = part.kind == "loader" || part.kind == "system" || part.kind == "head";
      if (part.kind == "file" || opened_before) continue;
      if (const int failed = copy(part, given_.back().memory); failed != 0) return failed;
      if (part.kind == "plugin" || part.kind == "data") continue; // the engine opens it
      if (const int failed = load(part, given_.back().memory); failed != 0) return failed;
    }
    return library_ != nullptr ? 0 : cut_or_changed("it has no engine");
  }
  void* library() const { return library_; }
  int run(int count, char** arguments) const {
    const auto function = reinterpret_cast<decltype(&hilda_run_program)>(dlsym(library_, "hilda_run_program"));
    return function != nullptr ? function(count, arguments, file_, given_.data(), given_.size())
                               : cut_or_changed("its engine has no function hilda_run_program");
  }

private:
  int read_list() {
    std::string text(place_.list_bytes, '\0');
    const ssize_t got = ::pread(file_, text.data(), text.size(), static_cast<off_t>(place_.list));
    if (got < 0 || static_cast<std::uint64_t>(got) != place_.list_bytes)
      return cut_or_changed("its list of parts is cut");
    if (hash_of(text) != place_.list_hash) return cut_or_changed("its list of parts has other bytes");
    parts_ = parts_of(text);
    return 0;
  }

  int copy(const Part& part, int& memory) const {
    memory = ::memfd_create(part.name.c_str(), MFD_CLOEXEC);
    if (memory < 0) return no_memory(part);
    if (part.unpacked != 0) return unpack(part, memory);
    off_t at = static_cast<off_t>(part.at);
    for (std::uint64_t left = part.bytes; left > 0;) {
      const ssize_t sent = ::sendfile(memory, file_, &at, left);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0) return no_memory(part);
      if (sent == 0) return cut_or_changed(part.name + " is cut");
      left -= static_cast<std::uint64_t>(sent);
    }
    return 0;
  }

  int unpack(const Part& part, int memory) const {
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const std::uint64_t before = part.at % page, packed = part.bytes + before;
    if (::ftruncate(memory, static_cast<off_t>(part.unpacked)) != 0) return no_memory(part);
    void* const from = ::mmap(nullptr, packed, PROT_READ, MAP_PRIVATE, file_, static_cast<off_t>(part.at - before));
    void* const to = ::mmap(nullptr, part.unpacked, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, memory, 0);
    if (from == MAP_FAILED || to == MAP_FAILED) return no_memory(part);
    const bool whole = unpacked(static_cast<const char*>(from) + before, part, static_cast<char*>(to));
    ::munmap(from, packed);
    ::munmap(to, part.unpacked);
    return whole ? 0 : cut_or_changed(part.name + " cannot be unpacked");
  }

  static bool unpacked([[maybe_unused]] const char* from, [[maybe_unused]] const Part& part,
                       [[maybe_unused]] char* to) {
#ifdef HILDA_PACKED_PARTS
    const int count = LZ4_decompress_safe(from, to, static_cast<int>(part.bytes), static_cast<int>(part.unpacked));
    return count >= 0 && static_cast<std::uint64_t>(count) == part.unpacked;
#else
    return false;
#endif
  }

  static int no_memory(const Part& part) {
    return wrong("[program-memory]: " + part.name + " cannot be copied into memory: " + reason(),
                 "allow the program more memory (ulimit -v, cgroup) and files (ulimit -n)");
  }

  int load(const Part& part, int memory) {
    void* const opened = ::dlopen(("/proc/self/fd/" + std::to_string(memory)).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr) {
      const char* const why = dlerror();
      return wrong(
          "[program-library]: " + part.name +
              ", which is in the program, cannot be loaded: " + (why != nullptr ? why : "no reason given"),
          "the line above names what this computer lacks; a program of 'hilda compile --with-libc' needs nothing");
    }
    if (part.kind == "engine") library_ = opened;
    return 0;
  }

  const Place place_ = place_of_list();
  int file_ = -1;
  void* library_ = nullptr;
  std::vector<Part> parts_;
  std::vector<hilda_program_part> given_;
};

} // namespace

bool is_compiled_program() { return place_of_list().list != 0; }

int run_compiled_program(int count, char** arguments, void (*opened)(void* library)) {
  static CompiledProgram program; // to the end of the process, as its libraries
  if (const int failed = program.open(); failed != 0) return failed;
  opened(program.library());
  return program.run(count, arguments);
}

} // namespace hilda::cli
