// SPDX-License-Identifier: BSD-3-Clause
#include "tools/fmi/bundle.h"

#include "tools/fmi/detail/elf.h"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <link.h>
#include <memory>
#include <optional>
#include <vector>

namespace hilda::fmi {
namespace {

/// Where the dynamic linker finds a library; empty, and `error`.
std::string place_of(const std::string& name, std::string& error) {
  const std::unique_ptr<void, int (*)(void*)> handle(dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL), &dlclose);
  link_map* map = nullptr;
  if (!handle || dlinfo(handle.get(), RTLD_DI_LINKMAP, &map) != 0) {
    const char* why = dlerror();
    error = fmt::format("the library {} is not found: {}", name, why != nullptr ? why : "no reason given");
    return {};
  }
  return map->l_name;
}

} // namespace

/// A process has one of each: the C library, the C++ library and the compiler's.
bool Bundle::of_system(const std::string& name) {
  static constexpr const char* names[] = {"libc.so.",  "libm.so.", "libpthread.so.", "libdl.so.",
                                          "librt.so.", "ld-linux", "libstdc++.so.",  "libgcc_s.so."};
  return std::any_of(std::begin(names), std::end(names), [&](const char* each) { return name.starts_with(each); });
}

std::string Bundle::travelling(const std::string& name) const {
  return names_ == Names::own && name.starts_with("lib") ? "hld" + name.substr(3) : name;
}

std::string Bundle::needs() const {
  return fmt::format("glibc 2.{} and libstdc++ 3.4.{} (GLIBCXX)", needs_.c, needs_.cxx);
}

bool Bundle::add(const std::string& file, const std::string& name, std::string& error) {
  if (files_.contains(name)) return true;
  std::ifstream in(file, std::ios::binary);
  std::error_code unreadable;
  const std::uintmax_t size = std::filesystem::file_size(file, unreadable);
  std::string bytes(unreadable ? 0 : size, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  Elf elf(std::move(bytes));
  if (!in || !elf.good()) {
    error = fmt::format("{} cannot be read as a shared library", file);
    return false;
  }
  elf.strip();
  needs_.c = std::max(needs_.c, elf.needs().c);
  needs_.cxx = std::max(needs_.cxx, elf.needs().cxx);
  const std::string real = std::filesystem::path(file).filename();
  if (travelling(real) == name) elf.rename(real, name);
  std::vector<std::string> others;
  for (const std::string& each : elf.needed()) {
    if (system_ == System::left && of_system(each)) continue;
    elf.rename(each, travelling(each));
    others.push_back(each);
  }
  if (name.starts_with("hld")) elf.rename("lib" + name.substr(3), name); // its own name
  files_[name] = elf.take();
  for (const std::string& each : others) {
    const std::string place = place_of(each, error);
    if (place.empty() || !add(place, travelling(each), error)) return false;
  }
  order_.push_back(name);
  return true;
}

} // namespace hilda::fmi
