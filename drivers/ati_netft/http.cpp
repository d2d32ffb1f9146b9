// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/ati_netft/http.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <optional>
#include <poll.h>
#include <string_view>
#include <sys/eventfd.h>

namespace hilda::netft {
namespace {

using Clock = std::chrono::steady_clock;

int milliseconds_left(Clock::time_point until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  return static_cast<int>(std::clamp<long>(left, 0, 60'000));
}

/// False: the time is over.
bool ready(int fd, short events, Clock::time_point until) {
  pollfd look{fd, events, 0};
  while (true) {
    const int left = milliseconds_left(until);
    if (left == 0) return false;
    if (::poll(&look, 1, left) > 0) return true;
  }
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

struct Head {
  std::size_t bytes = 0; ///< with the empty line
  int status = 0;
  std::optional<std::size_t> length; ///< of the body, where the head says so
};

/// Nothing: it is not whole yet, or none at all.
std::optional<Head> parse_head(std::string_view text) {
  Head head;
  std::size_t end = text.find("\r\n\r\n"), gap = 4;
  if (const std::size_t bare = text.find("\n\n"); bare < end) end = bare, gap = 2;
  if (end == std::string_view::npos) return std::nullopt;
  head.bytes = end + gap;
  text = text.substr(0, end);
  if (!text.starts_with("HTTP/")) return head;
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos) return head;
  std::from_chars(text.data() + blank + 1, text.data() + text.size(), head.status);
  const std::string fields = lower(text);
  const std::string_view name = "\ncontent-length:";
  if (std::size_t at = fields.find(name); at != std::string::npos) {
    at += name.size();
    while (at < fields.size() && fields[at] == ' ') ++at;
    std::size_t length = 0;
    if (std::from_chars(fields.data() + at, fields.data() + fields.size(), length).ec == std::errc())
      head.length = length;
  }
  return head;
}

/// The length that an answer will have, where its head shows.
std::optional<std::size_t> whole_length(const std::string& answer) {
  const std::optional<Head> head = parse_head(answer);
  if (!head || !head->length || *head->length > most_page_bytes) return std::nullopt;
  return head->bytes + *head->length;
}

std::string connect_to(const net::Descriptor& socket, const sockaddr_in& server, Clock::time_point until) {
  if (::connect(socket.get(), net::raw(server), sizeof server) == 0) return "";
  if (errno != EINPROGRESS) return net::system_text(errno);
  if (!ready(socket.get(), POLLOUT, until)) return "it does not answer in time";
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size);
  return error == 0 ? "" : net::system_text(error);
}

/// False: the time is over or the other side is gone.
bool send_all(int fd, std::string_view text, Clock::time_point until) {
  while (!text.empty()) {
    const ssize_t sent = ::send(fd, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0)
      text.remove_prefix(static_cast<std::size_t>(sent));
    else if ((errno != EAGAIN && errno != EINTR) || !ready(fd, POLLOUT, until))
      return false;
  }
  return true;
}

std::string receive_answer(int fd, Clock::time_point until, std::string& answer) {
  std::array<char, 4096> piece{};
  while (true) {
    if (!ready(fd, POLLIN, until)) return "its answer does not end in time";
    const ssize_t got = ::recv(fd, piece.data(), piece.size(), MSG_DONTWAIT);
    if (got == 0) return "";
    if (got < 0) {
      if (errno == EAGAIN || errno == EINTR) continue;
      return net::system_text(errno);
    }
    answer.append(piece.data(), static_cast<std::size_t>(got));
    if (answer.size() > most_page_bytes) return "its answer is longer than 1 MiB";
    if (const auto length = whole_length(answer); length && answer.size() >= *length) return "";
  }
}

} // namespace

Page parse_answer(const std::string& answer) {
  const std::optional<Head> head = parse_head(answer);
  if (!head || head->status == 0) return {"", "what answers there does not speak HTTP"};
  if (head->status != 200) return {"", "it answers with HTTP status " + std::to_string(head->status)};
  std::string body = answer.substr(head->bytes);
  if (head->length && body.size() < *head->length)
    return {"", "its answer breaks off: " + std::to_string(body.size()) + " bytes of " + std::to_string(*head->length)};
  if (head->length) body.resize(*head->length);
  return {std::move(body), ""};
}

Page get_page(const sockaddr_in& server, const std::string& path, Clock::time_point until) {
  const net::Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.open()) return {"", std::string("cannot open a TCP socket: ") + std::strerror(errno)};
  if (std::string problem = connect_to(socket, server, until); !problem.empty()) return {"", std::move(problem)};
  if (!send_all(socket.get(), "GET " + path + " HTTP/1.0\r\nHost: " + net::text(server) + "\r\n\r\n", until))
    return {"", "it takes no request in time"};
  std::string answer;
  if (std::string problem = receive_answer(socket.get(), until, answer); !problem.empty())
    return {"", std::move(problem)};
  return parse_answer(answer);
}

std::string PageServer::start(const sockaddr_in& local, const std::string& path, const std::string& body) {
  stop();
  path_ = path, body_ = body;
  listener_ = net::Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  wake_ = net::Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  const int on = 1;
  // Visitors of the run before may still be in TIME_WAIT.
  setsockopt(listener_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (!listener_.open() || !wake_.open() || ::bind(listener_.get(), net::raw(local), sizeof local) != 0 ||
      ::listen(listener_.get(), 8) != 0) {
    const int error = errno;
    listener_.close(), wake_.close();
    return "cannot listen at " + net::text(local) + ": " + net::system_text(error);
  }
  sockaddr_in bound{};
  socklen_t size = sizeof bound;
  getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&bound), &size);
  port_ = ntohs(bound.sin_port);
  listener_.watch("the socket of the page at " + net::text(bound));
  wake_.watch("an event of the page at " + net::text(bound));
  // Signals are the program's: its thread gets none of them.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { serve(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return "";
}

void PageServer::stop() {
  if (thread_.joinable()) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(wake_.get(), &one, sizeof one);
    thread_.join();
  }
  listener_.close(), wake_.close();
  port_ = 0;
}

/// False: the time is over, or the server is to stop.
bool PageServer::wait(int fd, short events, Clock::time_point until) const {
  pollfd look[2] = {{fd, events, 0}, {wake_.get(), POLLIN, 0}};
  const int left = milliseconds_left(until);
  return left > 0 && ::poll(look, 2, left) > 0 && look[1].revents == 0;
}

void PageServer::serve() {
  while (true) {
    pollfd look[2] = {{listener_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}};
    if (::poll(look, 2, -1) < 0) continue;
    if (look[1].revents != 0) return;
    const net::Descriptor visitor(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (visitor.open()) answer(visitor.get());
  }
}

void PageServer::answer(int visitor) {
  const Clock::time_point until = Clock::now() + std::chrono::seconds(1);
  std::string request;
  std::array<char, 1024> piece{};
  while (request.find("\r\n\r\n") == std::string::npos && request.find("\n\n") == std::string::npos) {
    if (request.size() > 8192 || !wait(visitor, POLLIN, until)) return;
    const ssize_t got = ::recv(visitor, piece.data(), piece.size(), MSG_DONTWAIT);
    if (got <= 0) return;
    request.append(piece.data(), static_cast<std::size_t>(got));
  }
  const bool here = request.starts_with("GET " + path_ + " ");
  const std::string body = here ? body_ : "not found\n";
  send_all(visitor,
           std::string(here ? "HTTP/1.0 200 OK\r\nContent-Type: text/xml"
                            : "HTTP/1.0 404 Not Found\r\nContent-Type: text/plain") +
               "\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + body,
           until);
}

} // namespace hilda::netft
