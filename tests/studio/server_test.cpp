// SPDX-License-Identifier: BSD-3-Clause
// The server as strangers meet it: who comes in, and that no one harms it.
#include "tools/studio/server.h"

#include "tests/modules.h"
#include "tests/studio/web_client.h"
#include "tools/studio/detail/desks/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <thread>

namespace hilda::test {
namespace {

using studio::Hub;
using studio::Server;
using studio::ServerLimits;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* token = "a-token-of-a-test-0123";

class Studio : public ::testing::Test {
protected:
  Studio() {
    std::string error;
    server = Server::open({.token = token, .origins = {"https://app.foxglove.dev"}}, hub, error);
    EXPECT_NE(server, nullptr) << error;
    port = server->port();
  }
  std::string cookie() const { return "Cookie: hilda_" + std::to_string(port) + "=" + token + "\r\n"; }
  /// Does it still answer?
  void expect_alive() const {
    EXPECT_EQ(get(port, "/licences.txt", cookie()).status, studio::page_lacks().empty() ? 200 : 404);
    const WebClient client(port, token, "foxglove.sdk.v1");
    EXPECT_EQ(client.status(), 101);
    EXPECT_NE(client.text_with("serverInfo"), "");
  }

  Hub hub;
  std::unique_ptr<Server> server;
  unsigned port = 0;
};

TEST_F(Studio, TheFirstLinkBecomesACookieThatScriptsDoNotSee) {
  const Reply first = get(port, std::string("/?token=") + token);
  EXPECT_EQ(first.status, 200);
  EXPECT_THAT(first.head, AllOf(HasSubstr("Set-Cookie: hilda_" + std::to_string(port) + "=" + token + "; "),
                                HasSubstr("HttpOnly"), HasSubstr("SameSite=Strict")));
  EXPECT_THAT(first.body, Not(HasSubstr(token)));
  const Reply page = get(port, "/", cookie());
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body, studio::page_html());
}

TEST_F(Studio, WithoutTheTokenNothingIsGiven) {
  for (const char* target :
       {"/", "/studio.js", "/?token=", "/?token=a-token-of-a-test-0124", "/?token=a-token-of-a-test-012"})
    EXPECT_EQ(get(port, target).status, 401) << target;
  EXPECT_EQ(get(port, "/", "Cookie: hilda_1=" + std::string(token) + "\r\n").status, 401);
  EXPECT_EQ(WebClient(port, "wrong", "hilda.v1").status(), 401);
}

TEST_F(Studio, AForeignNameIsMisdirected) {
  const std::string number = std::to_string(port);
  for (const std::string& host : {std::string("evil.example"), "evil.example:" + number, "127.0.0.1.evil:" + number,
                                  std::string("127.0.0.1"), "127.0.0.1:1" + number, "192.168.1.5:" + number})
    EXPECT_EQ(get(port, "/", cookie(), host).status, 421) << host;
  EXPECT_EQ(get(port, "/", cookie(), "localhost:" + number).status, 200);
}

TEST_F(Studio, AForeignPageIsForbiddenTokenOrNotUnlessItIsNamed) {
  for (const char* origin :
       {"https://evil.example", "null", "http://127.0.0.1", "https://app.foxglove.dev.evil.example"}) {
    const std::string head = std::string("Origin: ") + origin + "\r\n";
    EXPECT_EQ(get(port, "/", head + cookie()).status, 403) << origin;
    EXPECT_EQ(get(port, "/", head).status, 403) << origin;
    EXPECT_EQ(WebClient(port, token, "foxglove.sdk.v1", head).status(), 403) << origin;
  }
  const std::string named = "Origin: https://app.foxglove.dev\r\n",
                    own = "Origin: http://127.0.0.1:" + std::to_string(port) + "\r\n";
  EXPECT_EQ(WebClient(port, token, "foxglove.sdk.v1", named).status(), 101);
  EXPECT_EQ(WebClient(port, "wrong", "foxglove.sdk.v1", named).status(), 401);
  EXPECT_EQ(WebClient(port, token, "hilda.v1", own).status(), 101);
}

TEST_F(Studio, APageMayTakeNothingFromElsewhere) {
  for (const char* target : {"/", "/nothing.js", "/../../etc/passwd"})
    EXPECT_THAT(get(port, target, cookie()).head,
                AllOf(HasSubstr("default-src 'none'"), HasSubstr("script-src 'self'"), HasSubstr("connect-src 'self'"),
                      Not(HasSubstr("unsafe")), HasSubstr("nosniff")))
        << target;
  EXPECT_EQ(get(port, "/../../etc/passwd", cookie()).status, 404);
}

TEST_F(Studio, ASubprotocolIsChosenInTheOrderOfTheClient) {
  EXPECT_EQ(WebClient(port, token, "").status(), 400);
  EXPECT_EQ(WebClient(port, token, "mqtt").status(), 400);
  const WebClient client(port, token, "mqtt, foxglove.websocket.v1, hilda.v1");
  EXPECT_EQ(client.status(), 101);
  EXPECT_THAT(client.text_with("serverInfo"), HasSubstr("\"parametersSubscribe\""));
}

TEST_F(Studio, MalformedFramesHarmNobody) {
  std::mt19937 random(20); // seeded: the same each time
  constexpr int frames = 100'000;
  int sent = 0, connections = 0;
  while (sent < frames) {
    const WebClient client(port, token, ++connections % 2 == 0 ? "hilda.v1" : "foxglove.sdk.v1");
    if (client.status() != 101) { // those before have not all gone yet
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      continue;
    }
    while (sent < frames) {
      std::string bytes(1 + random() % 12, '\0');
      // most come whole and as text, so that the reader of messages has its share: bytes that are not text end a
      // connection
      const bool framed = random() % 64 != 0, text = framed && random() % 32 != 0;
      for (char& byte : bytes) byte = static_cast<char>(text ? ' ' + random() % 95 : random());
      const int opcode = text ? 1 : 1 + static_cast<int>(random() % 2);
      if (!(framed ? client.send_frame(opcode, bytes) : client.send_raw(bytes))) break;
      ++sent;
      if (!framed) break; // what follows would be no frame at all
    }
  }
  EXPECT_EQ(sent, frames);
  EXPECT_GT(connections, 1000);
  expect_alive();
}

TEST_F(Studio, AnOversizedMessageIsRefusedBeforeItIsRead) {
  const WebClient client(port, token, "hilda.v1");
  ASSERT_EQ(client.status(), 101);
  std::string head("\x81\xff", 2); // a text of 1 GB, of which nothing comes
  head += std::string("\0\0\0\0\x40\0\0\0", 8) + "mask";
  EXPECT_TRUE(client.send_raw(head));
  bool closed = false;
  while (const auto message = client.receive())
    if (message->opcode == 8) {
      closed = true;
      EXPECT_EQ(static_cast<unsigned char>(message->payload.at(0)) * 256 +
                    static_cast<unsigned char>(message->payload.at(1)),
                1009);
    }
  EXPECT_TRUE(closed);
  EXPECT_TRUE(WebClient(port, token, "hilda.v1").send(std::string(ServerLimits::message, ' ')));
  expect_alive();
}

TEST_F(Studio, AFloodOfMessagesIsCutOff) {
  const WebClient client(port, token, "hilda.v1");
  bool cut = false;
  for (int i = 0; i < 20'000 && !cut; ++i) cut = !client.send("{}");
  while (const auto message = client.receive()) cut = cut || message->opcode == 8;
  EXPECT_TRUE(cut);
  expect_alive();
}

TEST_F(Studio, AThousandConnectionsLeaveRoomForTheNextOne) {
  {
    std::vector<Connection> many;
    int refused = 0;
    for (int i = 0; i < 1000; ++i) {
      many.emplace_back(port);
      if (i > 100 && i % 100 == 0 && many.back().receive(12).starts_with("HTTP/1.1 503")) ++refused;
    }
    EXPECT_GT(refused, 0);
  }
  for (int i = 0; i < 100 && get(port, "/", cookie()).status != 200; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  expect_alive();
}

TEST_F(Studio, MoreThanSoManyDoNotLookOn) {
  std::vector<std::unique_ptr<WebClient>> clients;
  for (std::size_t i = 0; i < ServerLimits::clients; ++i) {
    clients.push_back(std::make_unique<WebClient>(port, token, "foxglove.sdk.v1"));
    EXPECT_EQ(clients.back()->status(), 101);
    EXPECT_NE(clients.back()->text_with("serverInfo"), "");
  }
  EXPECT_EQ(WebClient(port, token, "hilda.v1").status(), 503);
  clients.pop_back();
  int status = 0;
  for (int i = 0; i < 100 && status != 101; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    status = WebClient(port, token, "hilda.v1").status();
  }
  EXPECT_EQ(status, 101);
}

TEST_F(Studio, APortThatIsTakenIsSaid) {
  std::string error;
  EXPECT_EQ(Server::open({.port = port, .token = token, .origins = {}}, hub, error), nullptr);
  EXPECT_THAT(error, HasSubstr("port " + std::to_string(port)));
  EXPECT_EQ(Server::open({.address = "example.org", .token = token, .origins = {}}, hub, error), nullptr);
  EXPECT_THAT(error, HasSubstr("is not an address"));
}

} // namespace
} // namespace hilda::test
