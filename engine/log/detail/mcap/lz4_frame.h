// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hilda::log::mcap {

/// What a file calls the compression of a chunk.
inline constexpr const char* lz4_compression = "lz4";

/// Bytes that are likely to be those which are `distance` before them, but for a word here and there: a message and
/// the one before it of the same channel.
struct Lz4Repeat {
  std::size_t begin = 0, end = 0, distance = 0;
};

/// Packs bytes piece by piece into one LZ4 frame, so that each piece is packed while it is in the cache.
///
/// Where it is given what repeats what, it compares word by word and searches for nothing: less than half of the time
/// that LZ4's own search takes of messages in which few numbers change. The rest is left to that search.
class Lz4Packer {
public:
  /// The most that a block holds, and the best size of a piece.
  static constexpr std::size_t block_bytes = std::size_t{1} << 16;

  Lz4Packer();
  /// A piece; the first one begins the frame. `repeats` in their order, within the piece.
  void add(std::span<const std::byte> bytes, std::span<const Lz4Repeat> repeats = {});
  /// Ends the frame, which is valid until the next call.
  std::span<const std::byte> finish();
  void clear();

private:
  void room(std::size_t bytes);
  void put(std::uint32_t number);
  void add_block(std::span<const std::byte> bytes, std::span<const Lz4Repeat> repeats);

  std::vector<std::byte> header_, packed_;
  std::size_t size_ = 0; ///< bytes of the frame so far
};

/// Unpacks a frame of unknown origin into `bytes`, `size` at most, and takes memory in proportion to the frame. Of one
/// that is cut or damaged `bytes` holds what precedes that, in whole blocks. True where it gives `size` exactly.
bool unpack_lz4(std::span<const std::byte> frame, std::uint64_t size, std::vector<std::byte>& bytes);

} // namespace hilda::log::mcap
