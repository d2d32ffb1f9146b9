// SPDX-License-Identifier: BSD-3-Clause
#include "tests/modules.h"
#include "tools/graphics/content_policy.h"

#include <gtest/gtest.h>

namespace hilda::graphics::svg {
namespace {

std::string hex(const std::string& bytes) {
  std::string text;
  for (const char c : bytes)
    for (const int shift : {4, 0}) text += "0123456789abcdef"[static_cast<unsigned char>(c) >> shift & 15];
  return text;
}

TEST(ContentPolicy, HashesAsTheStandardSays) { // FIPS 180-4, examples of the algorithm
  EXPECT_EQ(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(sha256(std::string(1000000, 'a'))), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(ContentPolicy, EncodesAsTheStandardSays) { // RFC 4648, section 10
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(ContentPolicy, LetsTheGivenScriptsRun) {
  EXPECT_EQ(content_policy({"alert('Hello, world.');"}),
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
            "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='; style-src 'unsafe-inline'; img-src data:; "
            "base-uri 'none'; form-action 'none'\">\n");
}

} // namespace
} // namespace hilda::graphics::svg
