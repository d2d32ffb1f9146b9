// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/ati_netft/http.h"
#include "tests/drivers_ati/odd_server.h"

#include <gmock/gmock.h>

namespace hilda::netft {
namespace {

using std::chrono::milliseconds;
using test::answering;
using test::OddServer;
using ::testing::HasSubstr;
using Clock = std::chrono::steady_clock;

Page fetch(const sockaddr_in& from, milliseconds within = milliseconds(2000)) {
  return get_page(from, "/netftapi2.xml", Clock::now() + within);
}
Page fetch_of(const std::string& answer) { return fetch(OddServer(answering(answer)).address()); }

TEST(Http, PageOfOurServerComesWhole) {
  PageServer server;
  ASSERT_EQ(server.start(*net::ipv4("127.0.0.1", 0), "/netftapi2.xml", "<netft/>"), "");
  const sockaddr_in at = *net::ipv4("127.0.0.1", server.port());
  for (int i = 0; i < 3; ++i) {
    const Page page = fetch(at);
    EXPECT_EQ(page.problem, "");
    EXPECT_EQ(page.body, "<netft/>");
  }
  EXPECT_THAT(get_page(at, "/other.xml", Clock::now() + milliseconds(2000)).problem, HasSubstr("HTTP status 404"));
}

TEST(Http, ServerOutlivesVisitorsThatSayNothing) {
  PageServer server;
  ASSERT_EQ(server.start(*net::ipv4("127.0.0.1", 0), "/p", "body"), "");
  const sockaddr_in at = *net::ipv4("127.0.0.1", server.port());
  const net::Descriptor silent(::socket(AF_INET, SOCK_STREAM, 0));
  ASSERT_EQ(::connect(silent.get(), net::raw(at), sizeof at), 0);
  EXPECT_EQ(get_page(at, "/p", Clock::now() + milliseconds(8000)).body, "body") << "after the silent one's second";
  server.stop();
  EXPECT_EQ(server.port(), 0);
}

TEST(Http, ServerSaysThatTheAddressIsInUse) {
  PageServer first, second;
  ASSERT_EQ(first.start(*net::ipv4("127.0.0.1", 0), "/p", ""), "");
  EXPECT_THAT(second.start(*net::ipv4("127.0.0.1", first.port()), "/p", ""), HasSubstr("in use by another program"));
}

TEST(Http, LengthDecidesWhereItIsGiven) {
  EXPECT_EQ(fetch_of("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabcdef").body, "abc");
  EXPECT_EQ(fetch_of("HTTP/1.0 200 OK\r\n\r\nabcdef").body, "abcdef");
  EXPECT_EQ(fetch_of("HTTP/1.0 200 OK\n\nbare").body, "bare");
  EXPECT_THAT(fetch_of("HTTP/1.0 200 OK\r\nContent-Length: 30\r\n\r\nabc").problem,
              HasSubstr("breaks off: 3 bytes of 30"));
}

TEST(Http, ErrorsAreNamed) {
  EXPECT_THAT(fetch_of("HTTP/1.0 404 Not Found\r\n\r\nno").problem, HasSubstr("HTTP status 404"));
  EXPECT_THAT(fetch_of("HTTP/1.0 500 Oops\r\n\r\n").problem, HasSubstr("HTTP status 500"));
  EXPECT_THAT(fetch_of("").problem, HasSubstr("does not speak HTTP"));
  EXPECT_THAT(fetch_of("SSH-2.0-OpenSSH\r\n").problem, HasSubstr("does not speak HTTP"));
  EXPECT_THAT(fetch_of(std::string("\0\xff\xfe\r\n\r\n", 7)).problem, HasSubstr("does not speak HTTP"));
  EXPECT_THAT(fetch_of("HTTP/\r\n\r\n").problem, HasSubstr("does not speak HTTP"));
  EXPECT_THAT(fetch_of("HTTP/1.0 99999999999999999999 ?\r\n\r\n").problem, HasSubstr("does not speak HTTP"));
}

TEST(Http, NobodyThereIsNamed) {
  sockaddr_in gone{};
  {
    const OddServer closed_again(answering(""));
    gone = closed_again.address();
    fetch(gone);
  }
  EXPECT_THAT(fetch(gone).problem, HasSubstr("nothing listens there"));
}

TEST(Http, AnEndlessAnswerIsCutOff) {
  const OddServer server([](int visitor, const std::atomic<bool>& over) {
    const std::string piece(65536, 'x');
    answering("HTTP/1.0 200 OK\r\n\r\n")(visitor, over);
    while (!over && ::send(visitor, piece.data(), piece.size(), MSG_NOSIGNAL) > 0) {}
  });
  EXPECT_THAT(fetch(server.address(), milliseconds(10'000)).problem, HasSubstr("longer than 1 MiB"));
}

TEST(Http, ALengthBeyondTheLimitIsNotBelieved) {
  EXPECT_THAT(fetch_of("HTTP/1.0 200 OK\r\nContent-Length: 99999999999\r\n\r\nabc").problem, HasSubstr("breaks off"));
}

TEST(Http, ASlowServerIsLeftInTime) {
  for (const bool drip : {false, true}) {
    const OddServer server([drip](int visitor, const std::atomic<bool>& over) {
      while (!over) {
        if (drip && ::send(visitor, "H", 1, MSG_NOSIGNAL) < 0) return;
        std::this_thread::sleep_for(milliseconds(10));
      }
    });
    const auto before = Clock::now();
    EXPECT_THAT(fetch(server.address(), milliseconds(200)).problem, HasSubstr("does not end in time")) << drip;
    EXPECT_GE(Clock::now() - before, milliseconds(200));
  }
}

} // namespace
} // namespace hilda::netft
