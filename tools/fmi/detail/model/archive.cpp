// SPDX-License-Identifier: BSD-3-Clause
#include "tools/fmi/archive.h"

#include <libdeflate.h>
#include <memory>
#include <new>

namespace hilda::fmi {
namespace {

class Record {
public:
  explicit Record(std::string& to) : to_(to) {}
  Record& two(std::uint64_t number) { return put(number, 2); }
  Record& four(std::uint64_t number) { return put(number, 4); }

private:
  Record& put(std::uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) to_ += static_cast<char>(number >> (8 * i) & 0xff);
    return *this;
  }
  std::string& to_;
};

constexpr std::uint64_t version = 20, utf8 = 0x800, deflated = 8, first_of_1980 = 0x21;

std::string compressed(const std::string& content) {
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(6), &libdeflate_free_compressor);
  if (!compressor) throw std::bad_alloc();
  std::string out(libdeflate_deflate_compress_bound(compressor.get(), content.size()), '\0');
  out.resize(libdeflate_deflate_compress(compressor.get(), content.data(), content.size(), out.data(), out.size()));
  return out;
}

} // namespace

void Archive::add(const std::string& name, const std::string& content) {
  const std::string packed = compressed(content);
  const std::uint32_t sum = libdeflate_crc32(0, content.data(), content.size());
  const auto common = [&](Record& record) {
    record.two(version).two(utf8).two(deflated).two(0).two(first_of_1980).four(sum);
    record.four(packed.size()).four(content.size()).two(name.size()).two(0);
  };
  Record listed(list_);
  listed.four(0x02014b50).two(version);
  common(listed);
  listed.two(0).two(0).two(0).four(0).four(bytes_.size());
  list_ += name;
  Record head(bytes_);
  head.four(0x04034b50);
  common(head);
  bytes_ += name + packed;
  ++files_;
}

std::string Archive::take() {
  const std::size_t at = bytes_.size(), size = list_.size();
  bytes_ += list_;
  Record(bytes_).four(0x06054b50).two(0).two(0).two(files_).two(files_).four(size).four(at).two(0);
  return std::move(bytes_);
}

} // namespace hilda::fmi
