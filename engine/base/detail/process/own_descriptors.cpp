// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/own_descriptors.h"

#include "engine/base/detail/process/high_descriptor.h"

#include <algorithm>
#include <cstdint>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/kcmp.h>
#include <mutex>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace hilda::base {
namespace {

struct OwnEntry {
  int descriptor = -1, copy = -1;
  std::string name;
};

struct OwnDescriptors {
  std::mutex mutex;
  std::vector<OwnEntry> all;
};

/// Never destroyed: plugins are unloaded last.
OwnDescriptors& own_descriptors() {
  static OwnDescriptors& one = *new OwnDescriptors;
  return one;
}

enum class Now : std::uint8_t { same, closed, other };

/// The kernel compares open files. Where it may not, the inodes tell, which all event descriptors share.
Now state_of(const OwnEntry& kept) {
  struct stat is {
  }, was{};
  if (fstat(kept.descriptor, &is) != 0) return Now::closed;
  const pid_t self = getpid();
  const long order = syscall(SYS_kcmp, self, self, KCMP_FILE, kept.descriptor, kept.copy);
  if (order == 0) return Now::same;
  if (order > 0 || fstat(kept.copy, &was) != 0) return Now::other;
  return is.st_ino == was.st_ino && is.st_dev == was.st_dev ? Now::same : Now::other;
}

} // namespace

OwnDescriptor::OwnDescriptor(int descriptor, std::string name) {
  if (descriptor <= STDERR_FILENO) return;
  copy_ = high_copy(descriptor);
  if (copy_ < 0) return;
  const std::lock_guard held(own_descriptors().mutex);
  own_descriptors().all.push_back({descriptor, copy_, std::move(name)});
}

OwnDescriptor::OwnDescriptor(OwnDescriptor&& other) noexcept : copy_(std::exchange(other.copy_, -1)) {}

OwnDescriptor& OwnDescriptor::operator=(OwnDescriptor&& other) noexcept {
  if (this != &other) forget(), copy_ = std::exchange(other.copy_, -1);
  return *this;
}

void OwnDescriptor::forget() noexcept {
  if (copy_ < 0) return;
  const std::lock_guard held(own_descriptors().mutex);
  std::erase_if(own_descriptors().all, [this](const OwnEntry& kept) { return kept.copy == copy_; });
  close(std::exchange(copy_, -1));
}

std::vector<std::string> put_back_descriptors() {
  std::vector<std::string> changed;
  const std::lock_guard held(own_descriptors().mutex);
  for (const OwnEntry& kept : own_descriptors().all) {
    const Now now = state_of(kept);
    if (now == Now::same) continue;
    dup3(kept.copy, kept.descriptor, O_CLOEXEC);
    changed.push_back(fmt::format("descriptor {}, {}: open -> {}", kept.descriptor, kept.name,
                                  now == Now::closed ? "closed" : "another file"));
  }
  return changed;
}

} // namespace hilda::base
