// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_ALLOCATIONS_H
#define HILDA_TESTING_ALLOCATIONS_H

// What a block allocates in the loop.

#include <cstdlib>
#include <hilda/testing/call_watch.h>

namespace hilda::testing {

/// glibc resolves these names here as it would for the libraries, so a sanitizer's or another allocator stays in use.
struct Allocations {
  static const std::vector<Replacement>& replacements() {
    static const std::vector<Replacement> all{
        HILDA_TESTING_PASS_ON(Allocations, malloc, (std::size_t n), (n)),
        HILDA_TESTING_PASS_ON(Allocations, calloc, (std::size_t n, std::size_t m), (n, m)),
        HILDA_TESTING_PASS_ON(Allocations, realloc, (void* p, std::size_t n), (p, n)),
        replacement("free", &on_free),
        HILDA_TESTING_PASS_ON(Allocations, aligned_alloc, (std::size_t a, std::size_t n), (a, n)),
        HILDA_TESTING_PASS_ON(Allocations, posix_memalign, (void** p, std::size_t a, std::size_t n), (p, a, n))};
    return all;
  }

private:
  static void on_free(void* p) {
    if (p != nullptr) CallWatch<Allocations>::note("free");
    std::free(p);
  }
};

/// Sees every allocation and deallocation.
using AllocationWatch = CallWatch<Allocations>;

} // namespace hilda::testing

#endif
