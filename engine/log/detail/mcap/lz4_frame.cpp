// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/detail/mcap/lz4_frame.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <lz4.h>
#include <lz4frame.h>
#include <memory>
#include <new>

namespace hilda::log::mcap {
namespace {

/// No frame gives more than this for its own byte.
constexpr std::uint64_t most_expansion = 255;
/// The last bytes of a block are never part of a match, and no match begins in more of them.
constexpr std::size_t last_literals = 5, no_match_begins = 12;
constexpr std::size_t shortest_match = 4, word = 8, farthest = 65535;
/// Of a block that is stored as it is.
constexpr std::uint32_t stored_mark = 0x80000000U;

std::uint64_t word_at(const std::byte* from) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Writes the sequences of a block (lz4's doc/lz4_Block_format.md): literals, and then a match.
class BlockWriter {
public:
  BlockWriter(std::span<const std::byte> from, std::byte* to) : from_(from), to_(to), begin_(to) {}

  void match(std::size_t at, std::size_t length, std::size_t distance) {
    const std::size_t extra = length - shortest_match;
    literals(at, std::min<std::size_t>(extra, 15));
    *to_++ = static_cast<std::byte>(distance & 0xFFU);
    *to_++ = static_cast<std::byte>(distance >> 8U);
    if (extra >= 15) more(extra - 15);
    done_ = at + length;
  }
  std::size_t finish() {
    literals(from_.size(), 0);
    return static_cast<std::size_t>(to_ - begin_);
  }

private:
  void literals(std::size_t end, std::size_t low_bits) {
    const std::size_t count = end - done_;
    *to_++ = static_cast<std::byte>(std::min<std::size_t>(count, 15) << 4U | low_bits);
    if (count >= 15) more(count - 15);
    if (count > 0) std::memcpy(to_, from_.data() + done_, count);
    to_ += count;
  }
  void more(std::size_t count) {
    for (; count >= 255; count -= 255) *to_++ = std::byte{255};
    *to_++ = static_cast<std::byte>(count);
  }

  std::span<const std::byte> from_;
  std::byte *to_, *begin_;
  std::size_t done_ = 0;
};

/// The words in which a repeat differs become literals.
void write_repeat(std::span<const std::byte> bytes, const Lz4Repeat& repeat, BlockWriter& writer) {
  const std::byte *const now = bytes.data(), *const before = now - repeat.distance;
  const std::size_t end = std::min(repeat.end, bytes.size() - last_literals);
  for (std::size_t at = repeat.begin; at + no_match_begins <= bytes.size() && at + word <= end;) {
    const std::size_t begin = at;
    while (at + word <= end && word_at(now + at) == word_at(before + at)) at += word;
    if (at > begin) writer.match(begin, at - begin, repeat.distance);
    at += word;
  }
}

} // namespace

Lz4Packer::Lz4Packer() : header_(LZ4F_HEADER_SIZE_MAX) {
  LZ4F_cctx* made = nullptr;
  if (LZ4F_isError(LZ4F_createCompressionContext(&made, LZ4F_VERSION)) != 0) throw std::bad_alloc();
  const std::unique_ptr<LZ4F_cctx, LZ4F_errorCode_t (*)(LZ4F_cctx*)> context(made, &LZ4F_freeCompressionContext);
  LZ4F_preferences_t how = LZ4F_INIT_PREFERENCES;
  how.frameInfo.blockSizeID = LZ4F_max64KB;
  // what precedes a damaged block is available, and so can what follows a cut one
  how.frameInfo.blockMode = LZ4F_blockIndependent;
  const std::size_t size = LZ4F_compressBegin(context.get(), header_.data(), header_.size(), &how);
  if (LZ4F_isError(size) != 0) throw std::bad_alloc();
  header_.resize(size);
}

void Lz4Packer::room(std::size_t bytes) {
  if (packed_.size() < size_ + bytes) packed_.resize(std::max(2 * packed_.size(), size_ + bytes));
}

void Lz4Packer::put(std::uint32_t number) {
  room(sizeof number);
  std::memcpy(packed_.data() + size_, &number, sizeof number);
  size_ += sizeof number;
}

void Lz4Packer::add(std::span<const std::byte> bytes, std::span<const Lz4Repeat> repeats) {
  if (size_ == 0) {
    room(header_.size());
    std::memcpy(packed_.data(), header_.data(), header_.size());
    size_ = header_.size();
  }
  if (bytes.size() <= block_bytes && !bytes.empty()) return add_block(bytes, repeats);
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(block_bytes, bytes.size())))
    add_block(bytes.first(std::min(block_bytes, bytes.size())), {});
}

void Lz4Packer::add_block(std::span<const std::byte> bytes, std::span<const Lz4Repeat> repeats) {
  const auto bound = static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(block_bytes)));
  room(sizeof(std::uint32_t) + bound);
  std::byte* const target = packed_.data() + size_ + sizeof(std::uint32_t);
  std::size_t told = 0, size = 0;
  for (const Lz4Repeat& repeat : repeats) told += repeat.end - repeat.begin;
  if (2 * told > bytes.size()) {
    BlockWriter writer(bytes, target);
    for (const Lz4Repeat& repeat : repeats)
      if (repeat.distance <= farthest) write_repeat(bytes, repeat, writer);
    size = writer.finish();
  } else {
    size = static_cast<std::size_t>(LZ4_compress_default(reinterpret_cast<const char*>(bytes.data()),
                                                         reinterpret_cast<char*>(target),
                                                         static_cast<int>(bytes.size()), static_cast<int>(bound)));
  }
  const bool packed = size < bytes.size();
  put(packed ? static_cast<std::uint32_t>(size) : static_cast<std::uint32_t>(bytes.size()) | stored_mark);
  if (!packed) std::memcpy(target, bytes.data(), bytes.size());
  size_ += packed ? size : bytes.size();
}

std::span<const std::byte> Lz4Packer::finish() {
  if (size_ == 0) add({});
  put(0);
  return std::span<const std::byte>(packed_).first(size_);
}

void Lz4Packer::clear() { size_ = 0; }

bool unpack_lz4(std::span<const std::byte> frame, std::uint64_t size, std::vector<std::byte>& bytes) {
  const std::uint64_t possible = most_expansion * frame.size() + Lz4Packer::block_bytes;
  bytes.resize(static_cast<std::size_t>(std::min(size, possible)));
  LZ4F_dctx* made = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&made, LZ4F_VERSION)) != 0) throw std::bad_alloc();
  const std::unique_ptr<LZ4F_dctx, LZ4F_errorCode_t (*)(LZ4F_dctx*)> context(made, &LZ4F_freeDecompressionContext);
  LZ4F_decompressOptions_t options{};
  options.stableDst = 1;
  std::size_t done = 0, read = 0, hint = 1;
  while (hint != 0 && read < frame.size()) {
    std::size_t given = bytes.size() - done, taken = frame.size() - read;
    hint = LZ4F_decompress(context.get(), bytes.data() + done, &given, frame.data() + read, &taken, &options);
    if (LZ4F_isError(hint) != 0) break;
    done += given, read += taken;
    if (given == 0 && taken == 0) break; // it has more than was reported
  }
  const bool whole = hint == 0 && read == frame.size() && done == size;
  bytes.resize(done);
  return whole;
}

} // namespace hilda::log::mcap
