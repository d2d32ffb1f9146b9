// SPDX-License-Identifier: BSD-3-Clause
// The one file that includes Boost.Beast, which takes long to compile.
#include "tools/studio/server.h"

#include "engine/base/own_descriptors.h"
#include "tools/studio/access.h"
#include "tools/studio/detail/desks/page.h"
#include "tools/studio/detail/logs/log_answers.h"
#include "tools/studio/detail/logs/made_log.h"
#include "tools/studio/detail/logs/opened_logs.h"
#include "tools/studio/detail/server/client.h"
#include "tools/studio/detail/server/event_descriptors.h"
#include "tools/studio/detail/server/query.h"

#include <algorithm>
#include <boost/asio/thread_pool.hpp>
#include <csignal>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <pthread.h>
#include <thread>
#include <vector>

namespace hilda::studio {
namespace {

constexpr const char* content_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string text_of(beast::string_view view) { return {view.data(), view.size()}; }

Knock knock_of(const HttpRequest& request) {
  Knock knock;
  knock.host = text_of(request[http::field::host]);
  knock.target = text_of(request.target());
  knock.cookies = text_of(request[http::field::cookie]);
  if (request.count(http::field::origin) > 0) knock.origin = text_of(request[http::field::origin]);
  return knock;
}

} // namespace

/// All of it is for the network's thread, but for what is reported otherwise.
struct Server::Inside {
  Inside(Hub& hub_of_run, AccessRules access, bool takes_logs_of_pages)
      : hub(hub_of_run), rules(std::move(access)), takes_logs(takes_logs_of_pages) {}
  void accept();
  void look();

  Hub& hub;
  AccessRules rules;
  const bool takes_logs;
  OpenedLogs logs;
  std::size_t connections = 0;
  std::vector<std::weak_ptr<Client>> clients;
  asio::io_context context{1}; // holds connections, which know all of the above
  tcp::acceptor acceptor{context};
  asio::steady_timer timer{context};
  std::optional<asio::thread_pool> reader; ///< of logs, begun by the network's thread, so that no signal comes there
  std::thread thread;
  std::vector<OwnDescriptor> own; ///< of the context and of the acceptor
};

namespace {

/// A request of HTTP: answered and closed, or on its way to be a WebSocket.
class Visit : public std::enable_shared_from_this<Visit> {
public:
  Visit(tcp::socket socket, Server::Inside& server)
      : server_(server), counted_(server.connections), stream_(std::move(socket)) {}

  void begin() {
    parser_.header_limit(static_cast<std::uint32_t>(ServerLimits::header));
    parser_.body_limit(OpenedLogs::most_bytes);
    stream_.expires_after(patience);
    http::async_read_header(stream_, buffer_, parser_, [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (error && error != http::error::body_limit) return;
      self->head_ = self->parser_.get().method() == http::verb::head;
      self->answer_request(error == http::error::body_limit);
    });
  }

private:
  void answer_request(bool too_much) {
    const HttpRequest& request = parser_.get();
    const Knock knock = knock_of(request);
    switch (answer(server_.rules, knock)) {
    case Answer::foreign_name:
      return say(http::status::misdirected_request,
                 "This server answers to its own name alone: " + address_text(server_.rules) + "\n");
    case Answer::foreign_page:
      return say(http::status::forbidden, "A page of others may not come in: --allow-origin names those that may.\n");
    case Answer::no_token:
      return say(http::status::unauthorized, "The token is missing: open the link that hilda prints when it starts.\n");
    case Answer::welcome: break;
    }
    if (websocket::is_upgrade(request)) return upgrade(request);
    if (const std::string path = path_of(knock.target); path == "/logs" || path.starts_with("/logs/"))
      return answer_about_logs(path, knock.target, too_much);
    if (path_of(knock.target) == "/mcap" && request.method() == http::verb::post) return take_samples(too_much);
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return say(http::status::method_not_allowed, "There is nothing here but GET.\n");
    give(path_of(knock.target), !token_in(knock.target).empty());
  }

  void upgrade(const HttpRequest& request) {
    std::string protocol;
    for (const auto each : http::token_list(request[http::field::sec_websocket_protocol]))
      if (protocol.empty() && Hub::speaks(text_of(each))) protocol = text_of(each);
    if (protocol.empty())
      return say(http::status::bad_request,
                 "This server speaks foxglove.sdk.v1, foxglove.websocket.v1 and hilda.v1: name one of them as "
                 "subprotocol.\n");
    if (server_.hub.sessions() >= ServerLimits::clients)
      return say(http::status::service_unavailable, "As many clients watch as may: close another one first.\n");
    stream_.expires_never();
    const auto client = std::make_shared<Client>(stream_.release_socket(), server_.hub, std::move(counted_));
    std::erase_if(server_.clients, [](const auto& each) { return each.expired(); });
    server_.clients.push_back(client);
    client->begin(request, protocol);
  }

  void answer_about_logs(const std::string& path, const std::string& target, bool too_much) {
    if (!server_.takes_logs)
      return refuse(http::status::forbidden, "this run takes no logs\nhelp: 'hilda studio' opens them next to a run");
    const http::verb verb = parser_.get().method();
    const int number = number_behind(path, "/logs/");
    if (verb == http::verb::get && path == "/logs") return say(http::status::ok, server_.logs.list(), json);
    if (verb == http::verb::post && path == "/logs") return take_log(target, too_much);
    const std::string* const file = server_.logs.path(number);
    if (file == nullptr) return refuse(http::status::not_found, "there is no such log\nhelp: drop its file here again");
    if (verb == http::verb::get) return give_samples(*file, values_in(target, "signal"));
    if (verb != http::verb::delete_) return say(http::status::method_not_allowed, "A log is got or deleted.\n");
    server_.logs.remove(number);
    say(http::status::ok, "{\"ok\":true}", json);
  }

  void take_log(const std::string& target, bool too_much) {
    const auto names = values_in(target, "name");
    const std::string name = names.empty() ? "log" : names.front().substr(0, 200);
    if (too_much) return refuse_size(name);
    std::string error;
    const auto place = server_.logs.add(error);
    if (!place) return refuse(http::status::insufficient_storage, error);
    file_.emplace(std::move(parser_));
    ErrorCode failed;
    file_->get().body().open(place->path.c_str(), beast::file_mode::write_new, failed);
    if (failed) return drop_log(place->number, failed.message());
    stream_.expires_after(upload_patience);
    http::async_read(stream_, buffer_, *file_, [self = shared_from_this(), place, name](ErrorCode error_, std::size_t) {
      self->file_->get().body().close();
      if (error_ == http::error::body_limit) return self->server_.logs.remove(place->number), self->refuse_size(name);
      if (error_) return self->drop_log(place->number, error_.message());
      self->describe(place->number, place->path, name);
    });
  }

  /// Samples that a page has, to be a log.
  void take_samples(bool too_much) {
    if (!server_.takes_logs)
      return refuse(http::status::forbidden, "this run makes no logs of samples\nhelp: 'hilda studio' does");
    if (too_much || parser_.content_length().value_or(0) > ServerLimits::samples)
      return refuse(http::status::payload_too_large,
                    fmt::format("these samples have more than {} MB as text\nhelp: choose fewer signals, or a shorter "
                                "time; 'hilda export' takes logs of any size",
                                ServerLimits::samples >> 20));
    text_.emplace(std::move(parser_));
    text_->body_limit(ServerLimits::samples);
    stream_.expires_after(upload_patience);
    http::async_read(stream_, buffer_, *text_, [self = shared_from_this()](ErrorCode failed, std::size_t) {
      if (failed) return self->refuse(http::status::bad_request, "the samples did not come whole: " + failed.message());
      self->make_log();
    });
  }

  void make_log() {
    const auto error = std::make_shared<std::string>();
    const std::string place = server_.logs.passing_file(*error);
    if (place.empty()) return refuse(http::status::insufficient_storage, *error);
    read_aside([text = std::move(text_->get().body()), place, error] { return log_of_samples(text, place, *error); },
               [self = shared_from_this(), error](std::string bytes) {
                 if (bytes.empty()) return self->refuse(http::status::unprocessable_entity, *error);
                 self->say(http::status::ok, std::move(bytes), "application/octet-stream");
               });
  }

  /// A log that did not come whole.
  void drop_log(int number, const std::string& why) {
    server_.logs.remove(number);
    refuse(http::status::insufficient_storage,
           "the log could not be kept: " + why +
               "\nhelp: make room for it in the folder for temporary files, which TMPDIR names");
  }

  void refuse_size(const std::string& name) {
    refuse(http::status::payload_too_large,
           fmt::format("{} has more than {} MB, which is the most that a page may open\nhelp: 'hilda export' and "
                       "'hilda plot' take logs of any size",
                       name, OpenedLogs::most_bytes >> 20));
  }

  void describe(int number, const std::string& path, const std::string& name) {
    read_aside([path, name] { return described_log(path, name); },
               [self = shared_from_this(), number](std::string text) {
                 if (!text.starts_with("{\"ok\":true,")) {
                   self->server_.logs.remove(number);
                   return self->say(http::status::ok, std::move(text), json);
                 }
                 self->server_.logs.keep(number, std::move(text));
                 self->say(http::status::ok, self->server_.logs.text_of(number), json);
               });
  }

  void give_samples(const std::string& path, std::vector<std::string> names) {
    constexpr std::size_t most = 1'000'000, most_names = 64;
    if (names.empty() || names.size() > most_names)
      return refuse(http::status::bad_request,
                    "1 to 64 signals can be asked for at once\nhelp: GET /logs/1?signal=a.y");
    const auto failed = std::make_shared<std::string>();
    read_aside([path, names, failed] { return samples_of_log(path, names, most, *failed); },
               [self = shared_from_this(), failed](std::string bytes) {
                 if (!failed->empty()) return self->refuse(http::status::not_found, *failed);
                 self->say(http::status::ok, std::move(bytes), "application/octet-stream");
               });
  }

  /// Reading a log takes long: not on the network's thread, where the answer is given.
  template <typename Read, typename Then> void read_aside(Read read, Then then) {
    if (!server_.reader) server_.reader.emplace(1);
    stream_.expires_never();
    asio::post(*server_.reader, [read = std::move(read), then = std::move(then), executor = stream_.get_executor()] {
      asio::post(executor, [then, text = read()]() mutable { then(std::move(text)); });
    });
  }

  /// @param error  a sentence, and behind "\nhelp: " what to do
  void refuse(http::status status, const std::string& error) {
    constexpr std::string_view help = "\nhelp: ";
    const std::size_t at = std::min(error.find(help), error.size());
    Json reply{{"ok", false}, {"error", error.substr(0, at)}};
    if (at < error.size()) reply["help"] = error.substr(at + help.size());
    say(status, reply.dump(-1, ' ', false, Json::error_handler_t::replace), json);
  }

  /// A page is led on by itself: a cookie that is kept from others would not come along on the way from a link of
  /// theirs.
  void give(const std::string& path, bool with_token) {
    if (path == "/" && with_token) {
      response_.set(http::field::set_cookie, cookie_line(server_.rules));
      return say(http::status::ok,
                 "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=/\"><title>hilda</title>\n",
                 "text/html");
    }
    static const std::map<std::string, std::string> types{{".html", "text/html"},
                                                          {".js", "text/javascript"},
                                                          {".css", "text/css"},
                                                          {".svg", "image/svg+xml"},
                                                          {".txt", "text/plain"}};
    const bool asked_by_itself = path == "/favicon.ico";
    const std::string name = path == "/" ? "index.html" : asked_by_itself ? "icon.svg" : path.substr(1);
    const auto type = types.find(name.substr(std::min(name.rfind('.'), name.size())));
    const std::string content = name == "index.html" ? page_html() : page_asset(name);
    if (content.empty() || type == types.end()) return say(http::status::not_found, "There is no such file here.\n");
    say(http::status::ok, content, type->second);
  }

  void say(http::status status, std::string text, const std::string& type = "text/plain") {
    response_.result(status);
    response_.version(11);
    response_.keep_alive(false);
    response_.set(http::field::server, "hilda");
    response_.set(http::field::content_type, type.starts_with("application/") ? type : type + "; charset=utf-8");
    response_.set(http::field::cache_control, "no-store");
    response_.set("Content-Security-Policy", content_policy);
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.body() = std::move(text);
    response_.prepare_payload();
    if (head_) response_.body().clear(); // the length is that of what GET brings
    stream_.expires_after(patience);
    http::async_write(stream_, response_, [self = shared_from_this()](ErrorCode, std::size_t) {
      ErrorCode ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  static constexpr const char* json = "application/json";

  Server::Inside& server_;
  Counted counted_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  http::request_parser<http::empty_body> parser_;
  std::optional<http::request_parser<http::file_body>> file_;   ///< of a log that comes
  std::optional<http::request_parser<http::string_body>> text_; ///< of samples that come
  bool head_ = false;                                           ///< a HEAD was asked for
  HttpResponse response_;
};

} // namespace

void Server::Inside::accept() {
  acceptor.async_accept([this](ErrorCode error, tcp::socket socket) {
    // a reply behind another short message would wait for the other side's acknowledgement of it, 40 ms
    ErrorCode as_before;
    if (!error) socket.set_option(tcp::no_delay(true), as_before);
    if (error == asio::error::operation_aborted) return;
    if (!error && connections < ServerLimits::connections) {
      std::make_shared<Visit>(std::move(socket), *this)->begin();
    } else if (!error) {
      ErrorCode ignored;
      socket.non_blocking(true, ignored);
      socket.write_some(asio::buffer(std::string("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n"
                                                 "Connection: close\r\n\r\n")),
                        ignored);
    }
    accept();
  });
}

void Server::Inside::look() {
  timer.expires_after(look_every);
  timer.async_wait([this](ErrorCode error) {
    if (error) return;
    hub.look();
    for (const auto& each : clients)
      if (const auto client = each.lock()) client->look();
    look();
  });
}

Server::Server(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {
  inside_->accept();
  inside_->look();
  inside_->thread = std::thread([context = &inside_->context] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    context->run();
  });
}

Server::~Server() {
  inside_->context.stop();
  inside_->thread.join();
  if (!inside_->reader) return;
  inside_->reader->stop();
  inside_->reader->join();
}

namespace {

/// Plugins that close what the server waits by are found.
void own_all(Server::Inside& inside, const std::vector<int>& events_before) {
  inside.own.emplace_back(inside.acceptor.native_handle(), fmt::format("the socket of port {}", inside.rules.port));
  for (const int event : event_descriptors())
    if (std::find(events_before.begin(), events_before.end(), event) == events_before.end())
      inside.own.emplace_back(event, "an event of the server");
}

} // namespace

std::unique_ptr<Server> Server::open(const ServerOptions& options, Hub& hub, std::string& error) {
  ErrorCode failed;
  const asio::ip::address address = asio::ip::make_address(options.address, failed);
  if (failed) {
    error = fmt::format("'{}' is not an address such as 127.0.0.1 or 192.168.1.5", options.address);
    return nullptr;
  }
  const std::vector<int> events_before = event_descriptors();
  auto inside = std::make_unique<Inside>(
      hub, AccessRules{options.token, options.address, options.port, options.origins}, options.logs);
  const tcp::endpoint endpoint(address, static_cast<std::uint16_t>(options.port));
  inside->acceptor.open(endpoint.protocol(), failed);
  if (!failed) inside->acceptor.set_option(asio::socket_base::reuse_address(true), failed);
  if (!failed) inside->acceptor.bind(endpoint, failed);
  if (!failed) inside->acceptor.listen(asio::socket_base::max_listen_connections, failed);
  if (failed) {
    error = fmt::format("nothing can listen on {}, port {}: {}", options.address, options.port, failed.message());
    return nullptr;
  }
  inside->rules.port = inside->acceptor.local_endpoint().port();
  own_all(*inside, events_before);
  return std::unique_ptr<Server>(new Server(std::move(inside)));
}

unsigned Server::port() const { return inside_->rules.port; }

std::string Server::link() const { return address_text(inside_->rules) + "/?token=" + inside_->rules.token; }

std::string Server::socket_link() const { return "ws" + link().substr(4); }

} // namespace hilda::studio
