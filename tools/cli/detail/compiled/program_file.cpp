// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/compiled/program_file.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#ifdef HILDA_PACKED_PARTS
#include <lz4hc.h>
#endif

namespace hilda::cli {

namespace {

/// Code in half of its bytes; empty where the head of a program cannot unpack it.
std::string pack([[maybe_unused]] const std::string& bytes) {
#ifdef HILDA_PACKED_PARTS
  if (bytes.size() > LZ4_MAX_INPUT_SIZE) return {};
  std::string packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(bytes.size()))), '\0');
  const int count = LZ4_compress_HC(bytes.data(), packed.data(), static_cast<int>(bytes.size()),
                                    static_cast<int>(packed.size()), LZ4HC_CLEVEL_DEFAULT);
  packed.resize(static_cast<std::size_t>(std::max(count, 0)));
  return packed;
#else
  return {};
#endif
}

} // namespace

void ProgramFile::add(const std::string& kind, const std::string& name, const std::string& bytes) {
  const bool for_launcher = kind == "loader" || kind == "system" || kind == "head"; // which does not unpack
  const std::string packed = kind == "file" || for_launcher ? "" : pack(bytes);
  const std::string& kept = packed.empty() ? bytes : packed;
  parts_.push_back({kind, bytes_.size(), kept.size(), hash_of(kept), packed.empty() ? 0 : bytes.size(), name});
  bytes_ += kept;
}

bool ProgramFile::begin(const std::string& file, const std::string& bytes, std::string& error) {
  head_ = bytes;
  mark_ = head_.find(ProgramMark::text);
  if (mark_ != std::string::npos && head_.find(ProgramMark::text, mark_ + 1) == std::string::npos) return true;
  error = fmt::format("{} has no place for the list of a program's parts: it is not of this hilda", file);
  return false;
}

std::string ProgramFile::take() {
  for (Part& each : parts_) each.at += head_.size();
  const std::string list = list_text(parts_);
  ProgramMark mark{};
  std::memcpy(&mark, head_.data() + mark_, sizeof mark);
  mark.list = head_.size() + bytes_.size();
  mark.list_bytes = list.size();
  mark.list_hash = hash_of(list);
  std::memcpy(head_.data() + mark_, &mark, sizeof mark);
  return head_ + bytes_ + list;
}

} // namespace hilda::cli
