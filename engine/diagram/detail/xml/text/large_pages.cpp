// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/detail/xml/text/large_pages.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <vector>

namespace hilda::diagram {
namespace {

constexpr std::size_t large_page = std::size_t{2} << 20;
constexpr std::size_t least = 5000; ///< elements: below it a load takes no memory to speak of
constexpr std::size_t an_element =
    800; ///< bytes that it takes, whatever it is: 600 to 800 follow from docs/results/measurements/load.md
constexpr std::size_t largest_threshold = std::numeric_limits<int>::max();
constexpr std::size_t most = largest_threshold / 2;

/// The largest size that malloc takes from the heap instead of a separate mapping. The second one is the size that
/// malloc reaches by itself, too, once large blocks have been given back.
constexpr int largest_piece = 32 << 20, piece = largest_piece - (1 << 20), from_heap = 4 << 20;

bool limited(__rlimit_resource what) {
  rlimit limit{};
  return getrlimit(what, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

void advise(std::uintptr_t begin, std::uintptr_t end) {
  begin = (begin + large_page - 1) / large_page * large_page;
  end = end / large_page * large_page;
  // a hint: where it is not taken pages are small, and nothing else differs
  if (begin < end) static_cast<void>(madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE));
}

} // namespace

void make_room_for_elements(std::size_t count) {
  static std::atomic<std::size_t> so_far{0};
  if (count < least || count <= so_far.load() || limited(RLIMIT_AS) || limited(RLIMIT_DATA)) return;
  // another malloc does not know these, and its pieces are not on the heap
  if (mallopt(M_MMAP_THRESHOLD, largest_piece) != 1) return;
  so_far = count;
  const std::size_t all = std::min(most / an_element, count) * an_element;
  std::vector<void*> pieces;
  pieces.reserve(most / piece + 1);  // not between the pieces
  std::uintptr_t begin = 0, end = 0; ///< of pieces that lie in a row
  for (std::size_t room = all; room > 0; room -= std::min<std::size_t>(room, piece)) {
    void* const taken = std::malloc(std::min<std::size_t>(room, piece));
    if (taken == nullptr) break;
    pieces.push_back(taken);
    const auto at = reinterpret_cast<std::uintptr_t>(taken);
    if (at < end || at > end + 64) advise(begin, end), begin = at;
    end = at + std::min<std::size_t>(room, piece);
  }
  advise(begin, end);
  // free memory at the end of the heap goes back to the system from this size on
  mallopt(M_TRIM_THRESHOLD, static_cast<int>(std::min(largest_threshold, 2 * all)));
  for (void* const each : pieces) std::free(each);
  mallopt(M_MMAP_THRESHOLD, from_heap);
}

} // namespace hilda::diagram
