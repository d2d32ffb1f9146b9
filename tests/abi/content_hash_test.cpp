// SPDX-License-Identifier: BSD-3-Clause
// What a log names a plugin by: the hash of the bytes that were loaded, made when it is asked for.

#include "engine/plugin/detail/library/content_hash.h"
#include "tests/abi/plugin_folder.h"
#include "tests/modules.h"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/stat.h>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

void write(const std::string& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

/// FNV-1a over words of 8 bytes, the last padded with zeros, folded after each 64 KiB: by its definition, so that logs
/// of earlier releases still know the plugins that they name.
std::string hash_by_definition(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  bytes.resize((bytes.size() + 7) / 8 * 8);
  std::uint64_t h = 14695981039346656037u;
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    h = (h ^ word) * 1099511628211u;
    if ((at + 8) % 65536 == 0 || at + 8 == bytes.size()) h ^= h >> 32;
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(h));
  return text;
}

/// Bytes that this process has read by calls so far.
std::uint64_t bytes_read() {
  std::ifstream in("/proc/self/io");
  std::string word;
  std::uint64_t count = 0;
  in >> word >> count;
  EXPECT_EQ(word, "rchar:");
  return count;
}

TEST(ContentHash, OfALibraryIsThatOfItsBytes) {
  const Folder folder;
  for (const char* name : {"lag", "twin_one"}) {
    for (const int more : {0, 1, 7, 8, 70000}) {
      // bytes behind a library's end change nothing of what it does
      const std::string copy = folder / (name + std::to_string(more) + ".so");
      fs::copy_file(plugin(name), copy);
      std::ofstream(copy, std::ios::app | std::ios::binary) << std::string(static_cast<std::size_t>(more), 'x');
      Host host;
      Diagnostics diagnostics;
      host.load(copy, diagnostics);
      ASSERT_TRUE(diagnostics.ok()) << diagnostics.text();
      EXPECT_EQ(host.libraries().at(0)->hash.text(), hash_by_definition(copy)) << copy;
      EXPECT_EQ(host.hashes().at(host.libraries().at(0)->name), hash_by_definition(copy));
    }
  }
}

TEST(ContentHash, OfWholeAndBrokenWordsAndPieces) {
  const Folder folder;
  const std::string file = folder / "bytes";
  for (const std::size_t size : {0, 1, 8, 9, 65535, 65536, 65537, 131072, 200003}) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 131 + i / 251);
    write(file, bytes);
    EXPECT_EQ(ContentHash(file).text(), hash_by_definition(file)) << size;
  }
}

TEST(ContentHash, IsNotMadeBeforeItIsAskedFor) {
  const Folder folder;
  const std::string copy = folder / "long.so";
  fs::copy_file(plugin("lag"), copy);
  fs::resize_file(copy, 64 << 20);
  Host host;
  Diagnostics diagnostics;
  const std::uint64_t before = bytes_read();
  host.load(copy, diagnostics);
  ASSERT_TRUE(diagnostics.ok()) << diagnostics.text();
  const std::uint64_t loaded = bytes_read();
  EXPECT_LT(loaded - before, 1u << 20);
  host.libraries().at(0)->hash.text();
  EXPECT_GE(bytes_read() - loaded, 64u << 20);
  const std::uint64_t once = bytes_read();
  host.libraries().at(0)->hash.text();
  EXPECT_LT(bytes_read() - once, 1u << 20);
}

TEST(ContentHash, StaysThatOfTheLoadedFileWhereABuildReplacesIt) {
  const Folder folder;
  const std::string file = folder / "p.so", next = folder / "next";
  write(file, "the first");
  const std::string first = hash_by_definition(file);
  ContentHash replaced(file), removed(file);
  replaced.confirm(file), removed.confirm(file);
  write(next, "the other");
  fs::rename(next, file);
  EXPECT_EQ(replaced.text(), first);
  fs::remove(file);
  EXPECT_EQ(removed.text(), first);
}

TEST(ContentHash, IsNoneWhereTheFileIsNotWhatWasLoaded) {
  const Folder folder;
  const std::string file = folder / "p.so", next = folder / "next";
  write(file, "the first");
  const std::string first = hash_by_definition(file);

  ContentHash overwritten(file);
  overwritten.confirm(file);
  const ContentHash moved(std::move(overwritten));
  const timespec long_ago[2] = {{1, 0}, {1, 5}};
  write(file, "the other"); // of the same length; a copy that keeps a time sets another one
  ASSERT_EQ(utimensat(AT_FDCWD, file.c_str(), long_ago, 0), 0);
  EXPECT_EQ(moved.text(), "unknown (the file was changed since it was loaded)");

  ContentHash raced(file); // between our opening and the linker's
  write(next, "the third");
  ASSERT_EQ(utimensat(AT_FDCWD, next.c_str(), long_ago, 0), 0);
  fs::rename(next, file);
  raced.confirm(file);
  EXPECT_EQ(raced.text(), "unknown (the file was replaced while it was loaded)");

  ContentHash gone(file);
  fs::remove(file);
  gone.confirm(file);
  EXPECT_EQ(gone.text(), "unknown (the file was replaced while it was loaded)");
}

TEST(ContentHash, SaysWhereThereIsNothingToRead) {
  const Folder folder;
  EXPECT_EQ(ContentHash(folder / "none").text(), "unknown (the file cannot be read)");
  EXPECT_EQ(ContentHash(folder.path()).text(), "unknown (the file cannot be read)");
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  ContentHash(pipe).text(); // does not wait
}

} // namespace
} // namespace hilda::test
