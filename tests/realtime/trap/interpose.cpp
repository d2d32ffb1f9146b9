// SPDX-License-Identifier: BSD-3-Clause
// The functions of the C and C++ libraries that a loop may not call. This library is preloaded, so that these come
// before the real ones, which they call.
#include "watch.h"

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <dlfcn.h>
#include <new>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

using hilda::trap::catches;
using hilda::trap::Open;
using hilda::trap::record;

namespace {

/// Records `what` where it is an offence and carries it out.
template <typename Call> auto watched(const char* what, Call call) {
  if (!catches()) return call();
  const Open open;
  record(what);
  return call();
}

/// The next library's function of that name. Condition variables exist in two versions; `version` picks the new one.
template <typename Function> Function next(const char* name, const char* version = nullptr) {
  void* found = version != nullptr ? dlvsym(RTLD_NEXT, name, version) : nullptr;
  if (found == nullptr) found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) std::abort();
  return reinterpret_cast<Function>(found);
}

} // namespace

#define EXPORT __attribute__((visibility("default")))
// A function of the C library, watched and passed on.
#define PASS_ON(version, name, parameters, arguments)                                                                  \
  EXPORT int name parameters {                                                                                         \
    static const auto real = next<int(*) parameters>(#name, version);                                                  \
    return watched(#name, [&] { return real arguments; });                                                             \
  }

extern "C" {

// glibc's allocator under the names that it keeps for this.
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

EXPORT void* malloc(std::size_t size) noexcept {
  return watched("malloc", [=] { return __libc_malloc(size); });
}
EXPORT void* calloc(std::size_t count, std::size_t size) noexcept {
  return watched("calloc", [=] { return __libc_calloc(count, size); });
}
EXPORT void* realloc(void* memory, std::size_t size) noexcept {
  return watched("realloc", [=] { return __libc_realloc(memory, size); });
}
EXPORT void free(void* memory) noexcept {
  if (memory != nullptr) watched("free", [=] { __libc_free(memory); });
}
EXPORT void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return watched("memalign", [=] { return __libc_memalign(alignment, size); });
}
EXPORT void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return watched("aligned_alloc", [=] { return __libc_memalign(alignment, size); });
}
EXPORT int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  return watched("posix_memalign", [=] {
    void* const got = __libc_memalign(alignment, size);
    if (got == nullptr) return ENOMEM;
    *memory = got;
    return 0;
  });
}

PASS_ON(nullptr, pthread_mutex_lock, (pthread_mutex_t * mutex) noexcept, (mutex))
PASS_ON(nullptr, pthread_mutex_timedlock, (pthread_mutex_t * mutex, const timespec* until) noexcept, (mutex, until))
PASS_ON(nullptr, pthread_rwlock_rdlock, (pthread_rwlock_t * lock) noexcept, (lock))
PASS_ON(nullptr, pthread_rwlock_wrlock, (pthread_rwlock_t * lock) noexcept, (lock))
PASS_ON("GLIBC_2.3.2", pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t* mutex), (condition, mutex))
PASS_ON("GLIBC_2.3.2", pthread_cond_timedwait,
        (pthread_cond_t * condition, pthread_mutex_t* mutex, const timespec* until), (condition, mutex, until))
PASS_ON(nullptr, pthread_cond_clockwait,
        (pthread_cond_t * condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* until),
        (condition, mutex, clock, until))
PASS_ON(nullptr, pthread_join, (pthread_t thread, void** result), (thread, result))
PASS_ON(nullptr, pthread_create,
        (pthread_t * thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) noexcept,
        (thread, attributes, start, argument))
PASS_ON(nullptr, sem_wait, (sem_t * semaphore), (semaphore))

EXPORT void __cxa_throw(void* exception, void* type, void (*destroy)(void*)) {
  static const auto real = next<void (*)(void*, void*, void (*)(void*))>("__cxa_throw");
  if (catches()) {
    const Open open;
    record("throw");
  }
  real(exception, type, destroy);
  std::abort();
}
}

EXPORT void* operator new(std::size_t size) {
  void* const memory = watched("operator new", [=] { return __libc_malloc(size == 0 ? 1 : size); });
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
