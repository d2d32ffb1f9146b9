// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/report/encoding.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <zlib.h>

namespace hilda::graphics::report {
namespace {

bool single_is_enough(std::span<const double> values) {
  double low = std::numeric_limits<double>::infinity(), high = -low, error = 0;
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    low = std::min(low, v), high = std::max(high, v);
    error = std::max(error, std::abs(v - static_cast<double>(static_cast<float>(v))));
  }
  return !(high > low) ? error == 0 : error <= 1e-6 * (high - low);
}

/// Byte k of all numbers, then byte k + 1 of all.
template <typename Number> std::vector<unsigned char> by_significance(std::span<const double> values) {
  std::vector<unsigned char> bytes(values.size() * sizeof(Number));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto number = static_cast<Number>(values[i]);
    unsigned char one[sizeof(Number)];
    std::memcpy(one, &number, sizeof number);
    for (std::size_t k = 0; k < sizeof(Number); ++k) bytes[k * values.size() + i] = one[k];
  }
  return bytes;
}

} // namespace

std::string base64(std::span<const unsigned char> bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    unsigned long word = 0;
    for (std::size_t k = 0; k < 3; ++k) word = word << 8U | (k < left ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= left ? digits[word >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

Encoded encode(std::span<const double> values) {
  Encoded encoded;
  encoded.width = single_is_enough(values) ? 4 : 8;
  const std::vector<unsigned char> plain =
      encoded.width == 4 ? by_significance<float>(values) : by_significance<double>(values);
  uLongf size = compressBound(static_cast<uLong>(plain.size()));
  std::vector<unsigned char> packed(size);
  if (compress2(packed.data(), &size, plain.data(), static_cast<uLong>(plain.size()), 6) != Z_OK)
    throw std::runtime_error("no memory to compress a signal");
  packed.resize(size);
  encoded.text = base64(packed);
  return encoded;
}

} // namespace hilda::graphics::report
