#include "engine/mcap/lz4_frame.h"

#include <algorithm>
#include <lz4frame.h>
#include <memory>
#include <new>

namespace hilda::mcap {
namespace {

/// Blocks that stand alone: what precedes a damaged one can be had, and one is no larger than a core's own cache.
LZ4F_preferences_t preferences() {
  LZ4F_preferences_t all = LZ4F_INIT_PREFERENCES;
  all.frameInfo.blockSizeID = LZ4F_max64KB;
  all.frameInfo.blockMode = LZ4F_blockIndependent;
  all.autoFlush = 1;
  return all;
}

/// No frame gives more than this for a byte of its own.
constexpr std::uint64_t most_expansion = 255;
constexpr std::size_t block_bytes = std::size_t{1} << 16;

} // namespace

struct Lz4Packer::Context {
  LZ4F_cctx* lz4 = nullptr;
  LZ4F_preferences_t how = preferences();
};

Lz4Packer::Lz4Packer() : context_(new Context) {
  if (LZ4F_isError(LZ4F_createCompressionContext(&context_->lz4, LZ4F_VERSION)) != 0) {
    delete context_;
    throw std::bad_alloc();
  }
}

Lz4Packer::~Lz4Packer() {
  LZ4F_freeCompressionContext(context_->lz4);
  delete context_;
}

void Lz4Packer::room(std::size_t bytes) {
  if (packed_.size() < size_ + bytes) packed_.resize(std::max(2 * packed_.size(), size_ + bytes));
}

void Lz4Packer::add(std::span<const std::byte> bytes) {
  const auto took = [this](std::size_t count) {
    if (LZ4F_isError(count) != 0) throw std::bad_alloc(); // there was room for everything, so it was that
    size_ += count;
  };
  if (size_ == 0) {
    room(LZ4F_HEADER_SIZE_MAX);
    took(LZ4F_compressBegin(context_->lz4, packed_.data(), packed_.size(), &context_->how));
  }
  room(LZ4F_compressBound(bytes.size(), &context_->how));
  took(LZ4F_compressUpdate(context_->lz4, packed_.data() + size_, packed_.size() - size_, bytes.data(), bytes.size(),
                           nullptr));
}

std::span<const std::byte> Lz4Packer::finish() {
  room(LZ4F_compressBound(0, &context_->how));
  const std::size_t count = LZ4F_compressEnd(context_->lz4, packed_.data() + size_, packed_.size() - size_, nullptr);
  if (LZ4F_isError(count) != 0) throw std::bad_alloc();
  return std::span<const std::byte>(packed_).first(size_ + count);
}

void Lz4Packer::clear() { size_ = 0; }

bool unpack_lz4(std::span<const std::byte> frame, std::uint64_t size, std::vector<std::byte>& bytes) {
  const std::uint64_t possible = most_expansion * frame.size() + block_bytes;
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
    if (given == 0 && taken == 0) break; // it has more than was said
  }
  const bool whole = hint == 0 && read == frame.size() && done == size;
  bytes.resize(done);
  return whole;
}

} // namespace hilda::mcap
