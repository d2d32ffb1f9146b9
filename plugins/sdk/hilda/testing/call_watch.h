// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_CALL_WATCH_H
#define HILDA_TESTING_CALL_WATCH_H

// Counts the calls of some functions of the C library in the loop. The libraries that are loaded call these through
// tables of addresses; while a watch lives, the tables lead here. Nothing needs to be preloaded or linked.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace hilda::testing {

/// The name of a function, and what is called in its place.
struct Replacement {
  const char* name;
  void* function;
};

template <typename Function> Replacement replacement(const char* name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

/// Sees every call, by the thread that made it, of the functions that `Kind::replacements()` lists, between arm() and
/// disarm(), from any shared library. One of a kind at a time.
template <typename Kind> class CallWatch {
public:
  CallWatch() {
    seen() = {};
    seen().thread = pthread_self();
    dl_iterate_phdr(&visit, this);
  }
  ~CallWatch() {
    for (const auto& [entry, before] : entries_) *entry = before;
  }
  CallWatch(const CallWatch&) = delete;
  CallWatch& operator=(const CallWatch&) = delete;

  /// False on machines whose tables are not known here, or where no library calls any of the functions.
  bool usable() const { return !entries_.empty(); }
  void arm() { seen().armed = true; }
  void disarm() { seen().armed = false; }
  long calls() const { return seen().count; }
  /// The function that was called first: "malloc".
  std::string first() const { return seen().first != nullptr ? seen().first : ""; }

  /// Called by each replacement.
  static void note(const char* name) {
    Seen& s = seen();
    if (!s.armed || pthread_equal(s.thread, pthread_self()) == 0) return;
    if (s.count++ == 0) s.first = name;
  }

private:
#if defined(__x86_64__)
  static constexpr std::uint32_t slot_type = R_X86_64_JUMP_SLOT, data_type = R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
  static constexpr std::uint32_t slot_type = R_AARCH64_JUMP_SLOT, data_type = R_AARCH64_GLOB_DAT;
#else
  static constexpr std::uint32_t slot_type = 0xffffffffu, data_type = 0xffffffffu;
#endif

  struct Seen {
    volatile bool armed = false;
    long count = 0;
    const char* first = nullptr;
    pthread_t thread{};
  };
  static Seen& seen() {
    static Seen value;
    return value;
  }

  static void* function_for(const char* symbol) {
    for (const Replacement& each : Kind::replacements())
      if (std::strcmp(each.name, symbol) == 0) return each.function;
    return nullptr;
  }

  /// One library. What the C++ library calls counts too: operator new ends in malloc there.
  static int visit(dl_phdr_info* info, std::size_t, void* watch) {
    const bool program = info->dlpi_name == nullptr || *info->dlpi_name == '\0';
    Dl_info own;
    const bool ours = dladdr(reinterpret_cast<void*>(&visit), &own) != 0 &&
                      reinterpret_cast<ElfW(Addr)>(own.dli_fbase) == info->dlpi_addr;
    if (program || ours || std::strstr(info->dlpi_name, "vdso") != nullptr) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i)
      if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
        static_cast<CallWatch*>(watch)->read_tables(
            info->dlpi_addr, reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr));
    return 0;
  }

  void read_tables(ElfW(Addr) base, const ElfW(Dyn) * dynamic) {
    const ElfW(Sym)* symbols = nullptr;
    const char* names = nullptr;
    ElfW(Addr) tables[2] = {0, 0};
    std::size_t bytes[2] = {0, 0};
    for (; dynamic->d_tag != DT_NULL; ++dynamic) {
      switch (dynamic->d_tag) {
      case DT_SYMTAB: symbols = reinterpret_cast<const ElfW(Sym)*>(dynamic->d_un.d_ptr); break;
      case DT_STRTAB: names = reinterpret_cast<const char*>(dynamic->d_un.d_ptr); break;
      case DT_JMPREL: tables[0] = dynamic->d_un.d_ptr; break;
      case DT_PLTRELSZ: bytes[0] = dynamic->d_un.d_val; break;
      case DT_RELA: tables[1] = dynamic->d_un.d_ptr; break;
      case DT_RELASZ: bytes[1] = dynamic->d_un.d_val; break;
      default: break;
      }
    }
    if (symbols == nullptr || names == nullptr) return;
    for (int t = 0; t < 2; ++t) {
      const auto* relocations = reinterpret_cast<const ElfW(Rela)*>(tables[t]);
      for (std::size_t i = 0; i < bytes[t] / sizeof(ElfW(Rela)); ++i) {
        const auto type = static_cast<std::uint32_t>(ELF64_R_TYPE(relocations[i].r_info));
        if (type != slot_type && type != data_type) continue;
        void* function = function_for(names + symbols[ELF64_R_SYM(relocations[i].r_info)].st_name);
        if (function != nullptr) redirect(reinterpret_cast<void**>(base + relocations[i].r_offset), function);
      }
    }
  }

  void redirect(void** entry, void* function) {
    // the linker may have made the table read-only once it was filled
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto start = reinterpret_cast<std::uintptr_t>(entry) / page * page;
    if (mprotect(reinterpret_cast<void*>(start), page, PROT_READ | PROT_WRITE) != 0) return;
    entries_.emplace_back(entry, *entry);
    *entry = function;
  }

  std::vector<std::pair<void**, void*>> entries_;
};

} // namespace hilda::testing

/// The replacement of a function of the C library that notes the call and makes it.
#define HILDA_TESTING_PASS_ON(kind, function, parameters, arguments)                                                   \
  hilda::testing::replacement(                                                                                         \
      #function, +[] parameters {                                                                                      \
        hilda::testing::CallWatch<kind>::note(#function);                                                              \
        return ::function arguments;                                                                                   \
      })

#endif
