// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

// For server.cpp alone: Boost.Beast takes long to compile.
#include "engine/base/own_descriptors.h"
#include "tools/studio/server.h"

#include <utility> // before asio, which needs it

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <exception>
#include <optional>

namespace hilda::studio {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using ErrorCode = boost::system::error_code;
using HttpRequest = http::request<http::empty_body>;
using HttpResponse = http::response<http::string_body>;
using Clock = std::chrono::steady_clock;

inline constexpr std::chrono::seconds patience{10}, silence{120}, // for a request, for a client that answers no ping
    upload_patience{120};
inline constexpr std::chrono::milliseconds look_every{25};

/// How many messages one client may send.
class Allowance {
public:
  bool spend() {
    const Clock::time_point now = Clock::now();
    const double passed = std::chrono::duration<double>(now - since_).count();
    since_ = now;
    left_ = std::min(ServerLimits::burst, left_ + passed * ServerLimits::messages);
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
  }

private:
  double left_ = ServerLimits::burst;
  Clock::time_point since_ = Clock::now();
};

/// Counts a connection as long as it lives.
class Counted {
public:
  explicit Counted(std::size_t& count) : count_(&count) { ++count; }
  Counted(Counted&& other) noexcept : count_(std::exchange(other.count_, nullptr)) {}
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  Counted& operator=(Counted&&) = delete;
  ~Counted() {
    if (count_ != nullptr) --*count_;
  }

private:
  std::size_t* count_;
};

/// A WebSocket.
class Client : public std::enable_shared_from_this<Client> {
public:
  Client(tcp::socket socket, Hub& hub, Counted counted)
      : hub_(hub), counted_(std::move(counted)), socket_(std::move(socket)) {}
  ~Client() { leave(); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void begin(const HttpRequest& request, const std::string& protocol) {
    outbox_.emplace([weak = weak_from_this()] { wake(weak); },
                    [protocol](std::uint64_t lost) { return Hub::lost_message(protocol, lost); });
    socket_.set_option(websocket::stream_base::timeout{patience, silence, true});
    socket_.set_option(websocket::stream_base::decorator([protocol](websocket::response_type& response) {
      response.set(http::field::sec_websocket_protocol, protocol);
      response.set(http::field::server, "hilda");
    }));
    socket_.read_message_max(ServerLimits::message);
    socket_.auto_fragment(false); // a message is a frame
    socket_.control_callback([this](websocket::frame_type kind, beast::string_view) {
      if (kind == websocket::frame_type::close)
        own_.reset();
      else
        note_life();
    });
    socket_.async_accept(request, [self = shared_from_this(), protocol](ErrorCode error) {
      if (error) return;
      self->session_ = self->hub_.connect(protocol, *self->outbox_);
      self->note_life();
      self->read();
    });
  }

  void look() {
    if (Clock::now() - heard_ > silence - patience) own_.reset(); // the stream is about to close it as silent
    if (outbox_ && outbox_->overfull()) cut();
  }
  void cut() {
    own_.reset();
    ErrorCode ignored;
    beast::get_lowest_layer(socket_).socket().close(ignored);
  }

private:
  /// From any thread.
  static void wake(const std::weak_ptr<Client>& weak) {
    const std::shared_ptr<Client> self = weak.lock();
    if (self == nullptr) return;
    asio::post(self->socket_.get_executor(), [self] { self->write(); });
  }

  /// Plugins that close the socket are found until the stream itself may close it.
  void note_life() {
    heard_ = Clock::now();
    if (!own_ && session_ != nullptr)
      own_.emplace(beast::get_lowest_layer(socket_).socket().native_handle(), "the connection of a client");
  }

  void leave() {
    own_.reset();
    if (outbox_) outbox_->close();
    if (session_ != nullptr) hub_.disconnect(*session_);
    session_.reset();
  }

  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (error || self->session_ == nullptr) return self->leave();
      self->note_life();
      if (!self->allowance_.spend()) return self->close(websocket::close_code::policy_error);
      try {
        self->hear();
      } catch (const std::exception&) { return self->close(websocket::close_code::internal_error); }
      self->buffer_.consume(self->buffer_.size());
      self->read();
    });
  }

  void hear() {
    const auto data = beast::buffers_front(buffer_.data());
    if (socket_.got_text())
      session_->hear(std::string(static_cast<const char*>(data.data()), data.size()));
    else
      session_->hear(std::span(static_cast<const std::byte*>(data.data()), data.size()));
  }

  void write() {
    if (writing_ || !socket_.is_open()) return;
    std::optional<Message> message = outbox_->take();
    if (!message) return;
    writing_ = true;
    sent_ = std::move(*message);
    socket_.binary(sent_.binary);
    socket_.async_write(asio::buffer(sent_.bytes), [self = shared_from_this()](ErrorCode error, std::size_t) {
      self->writing_ = false;
      if (!error) return self->write();
      self->leave();
      self->cut();
    });
  }

  void close(websocket::close_code why) {
    leave();
    socket_.async_close(why, [self = shared_from_this()](ErrorCode) {});
  }

  Hub& hub_;
  const Counted counted_;
  websocket::stream<beast::tcp_stream, false> socket_; ///< which compresses nothing
  std::optional<OwnDescriptor> own_;                   ///< of the socket
  Clock::time_point heard_ = Clock::now();
  beast::flat_buffer buffer_;
  std::optional<Outbox> outbox_;
  std::shared_ptr<Session> session_;
  Allowance allowance_;
  Message sent_;
  bool writing_ = false;
};

} // namespace hilda::studio
