#ifndef HILDA_TESTING_ALLOCATIONS_H
#define HILDA_TESTING_ALLOCATIONS_H

// Counts what a block allocates in the loop. The libraries that are loaded call malloc and its kin through tables of
// addresses; while a watch lives, these lead here. Nothing needs to be preloaded or linked.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
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

/// Sees every allocation and deallocation by the thread that made it, between arm() and disarm(), from any shared
/// library. One at a time.
class AllocationWatch {
public:
  AllocationWatch() {
    count() = 0;
    armed() = false;
    first_called() = nullptr;
    thread() = pthread_self();
    dl_iterate_phdr(&visit, this);
  }
  ~AllocationWatch() {
    for (const auto& [entry, before] : entries_) *entry = before;
  }
  AllocationWatch(const AllocationWatch&) = delete;
  AllocationWatch& operator=(const AllocationWatch&) = delete;

  /// False on machines whose tables are not known here, or where no library allocates at all.
  bool usable() const { return !entries_.empty(); }
  void arm() { armed() = true; }
  void disarm() { armed() = false; }
  long calls() const { return count(); }
  /// The function that was called first: "malloc".
  std::string first() const { return first_called() != nullptr ? first_called() : ""; }

private:
#if defined(__x86_64__)
  static constexpr std::uint32_t slot_type = R_X86_64_JUMP_SLOT, data_type = R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
  static constexpr std::uint32_t slot_type = R_AARCH64_JUMP_SLOT, data_type = R_AARCH64_GLOB_DAT;
#else
  static constexpr std::uint32_t slot_type = 0xffffffffu, data_type = 0xffffffffu;
#endif

  static volatile bool& armed() {
    static volatile bool value = false;
    return value;
  }
  static long& count() {
    static long value = 0;
    return value;
  }
  static const char*& first_called() {
    static const char* value = nullptr;
    return value;
  }
  static pthread_t& thread() {
    static pthread_t value{};
    return value;
  }
  static void note(const char* name) {
    if (!armed() || pthread_equal(thread(), pthread_self()) == 0) return;
    if (count()++ == 0) first_called() = name;
  }

  // glibc resolves these names here as it would for the libraries, so a sanitizer's or another allocator stays in use.
  static void* on_malloc(std::size_t n) { return note("malloc"), std::malloc(n); }
  static void* on_calloc(std::size_t n, std::size_t m) { return note("calloc"), std::calloc(n, m); }
  static void* on_realloc(void* p, std::size_t n) { return note("realloc"), std::realloc(p, n); }
  static void on_free(void* p) {
    if (p != nullptr) note("free");
    std::free(p);
  }
  static void* on_aligned_alloc(std::size_t a, std::size_t n) {
    return note("aligned_alloc"), std::aligned_alloc(a, n);
  }
  static int on_posix_memalign(void** p, std::size_t a, std::size_t n) {
    return note("posix_memalign"), ::posix_memalign(p, a, n);
  }

  static void* replacement(const char* symbol) {
    static const std::pair<const char*, void*> known[] = {
        {"malloc", reinterpret_cast<void*>(&on_malloc)},
        {"calloc", reinterpret_cast<void*>(&on_calloc)},
        {"realloc", reinterpret_cast<void*>(&on_realloc)},
        {"free", reinterpret_cast<void*>(&on_free)},
        {"aligned_alloc", reinterpret_cast<void*>(&on_aligned_alloc)},
        {"posix_memalign", reinterpret_cast<void*>(&on_posix_memalign)}};
    for (const auto& [name, function] : known)
      if (std::strcmp(name, symbol) == 0) return function;
    return nullptr;
  }

  /// One library: operator new and the like end in malloc, called by the C++ library, which is one of them.
  static int visit(dl_phdr_info* info, std::size_t, void* watch) {
    const bool program = info->dlpi_name == nullptr || *info->dlpi_name == '\0';
    Dl_info own;
    const bool ours = dladdr(reinterpret_cast<void*>(&visit), &own) != 0 &&
                      reinterpret_cast<ElfW(Addr)>(own.dli_fbase) == info->dlpi_addr;
    if (program || ours || std::strstr(info->dlpi_name, "vdso") != nullptr) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i)
      if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
        static_cast<AllocationWatch*>(watch)->read_tables(
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
        void* function = replacement(names + symbols[ELF64_R_SYM(relocations[i].r_info)].st_name);
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

#endif
