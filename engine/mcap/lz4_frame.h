#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hilda::mcap {

/// What a file calls the compression of a chunk.
inline constexpr const char* lz4_compression = "lz4";

/// Packs bytes piece by piece into one LZ4 frame, so that each piece is packed while it is in the cache.
class Lz4Packer {
public:
  Lz4Packer();
  ~Lz4Packer();
  Lz4Packer(const Lz4Packer&) = delete;
  Lz4Packer& operator=(const Lz4Packer&) = delete;

  /// A piece; the first one begins the frame. Throws std::bad_alloc where there is no memory, nothing else.
  void add(std::span<const std::byte> bytes);
  /// Ends the frame; it is valid until the next `add`.
  std::span<const std::byte> finish();
  void clear();

private:
  void room(std::size_t bytes);

  struct Context;
  Context* context_;
  std::vector<std::byte> packed_;
  std::size_t size_ = 0; ///< bytes of the frame so far
};

/// Unpacks a frame of unknown origin into `bytes`, `size` at most, and takes memory in proportion to the frame. Of one
/// that is cut or damaged `bytes` holds what stands before that, in whole blocks. True where it gives `size` exactly.
bool unpack_lz4(std::span<const std::byte> frame, std::uint64_t size, std::vector<std::byte>& bytes);

} // namespace hilda::mcap
