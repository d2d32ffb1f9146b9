// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/run/serving.h"

#include "tools/cli/detail/loading/browser.h"
#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/loading/watch_files.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/detail/run/run.h"
#include "tools/cli/detail/run/run_desk.h"
#include "tools/studio/access.h"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <optional>
#include <termios.h>
#include <unistd.h>
#include <utility>

namespace hilda::cli {
namespace {

constexpr unsigned usual_port = 8765; ///< what Foxglove tries first
constexpr unsigned largest_port = 65535;

std::optional<unsigned> port_in(const std::string& text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port > largest_port) return std::nullopt;
  return port;
}

/// What a person types, unseen.
std::string typed_token() {
  std::fputs("token for those who may come in: ", stderr);
  termios before{};
  const bool hidden = ::tcgetattr(STDIN_FILENO, &before) == 0;
  termios silent = before;
  silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  if (hidden) ::tcsetattr(STDIN_FILENO, TCSANOW, &silent);
  std::string token;
  std::getline(std::cin, token);
  if (hidden) ::tcsetattr(STDIN_FILENO, TCSANOW, &before);
  std::fputs("\n", stderr);
  return token;
}

} // namespace

void add_serve_arguments(Command command, ServeArguments& arguments) {
  command
      .option("--listen", arguments.listen,
              "Address to listen on instead of 127.0.0.1; requires a token of yours, typed or in HILDA_STUDIO_TOKEN")
      .type_name("ADDRESS");
  command
      .option("--allow-origin", arguments.origins,
              "Page of others that may watch, such as https://app.foxglove.dev; repeatable")
      .type_name("ORIGIN")
      .repeated();
}

Exit Serving::choose_token(std::string& token) const {
  const char* const given = std::getenv("HILDA_STUDIO_TOKEN");
  if (given != nullptr && *given != '\0') {
    token = given;
  } else if (arguments_.listen.empty()) {
    token = studio::random_token();
  } else if (::isatty(STDIN_FILENO) == 1) {
    token = typed_token();
  } else {
    print_error("--listen lets others in, and no token is set\n"
                "help: set HILDA_STUDIO_TOKEN, or start it on a terminal and type one");
    return exit_usage;
  }
  const std::string fault = studio::fault_of_token(token);
  if (fault.empty()) return exit_ok;
  print_error(fault + "\nhelp: choose another one; 'openssl rand -hex 16' makes one");
  return exit_usage;
}

Exit Serving::open() {
  studio::ServerOptions options;
  if (!arguments_.listen.empty()) options.address = arguments_.listen;
  options.origins = arguments_.origins;
  options.logs = arguments_.studio; // any other run has better things to do than to read files of others
  const bool own_port = arguments_.port.empty() || arguments_.port.front().empty();
  const std::optional<unsigned> port = own_port ? usual_port : port_in(arguments_.port.front());
  if (!port) {
    print_error("'" + arguments_.port.front() +
                "' is not a port\nhelp: a number up to 65535; 0 takes one that is free");
    return exit_usage;
  }
  if (const Exit problem = choose_token(options.token); problem != exit_ok) return problem;
  options.port = *port;
  std::string error;
  server_ = studio::Server::open(options, hub_, error);
  if (server_ == nullptr && own_port) {
    options.port = 0; // another studio has the usual one
    server_ = studio::Server::open(options, hub_, error);
  }
  if (server_ == nullptr) {
    print_error(error + "\nhelp: choose another address or port");
    return exit_usage;
  }
  return exit_ok;
}

void Serving::show() {
  if (std::exchange(shown_, true)) return;
  std::printf("page     %s\nsocket   %s\n", server_->link().c_str(), server_->socket_link().c_str());
  std::fflush(stdout);
  open_browser();
}

void Serving::open_browser() const {
  if (arguments_.browser && has_screen() && !open_in_browser(server_->link()))
    print_note("no browser could be opened: the page is at the address above");
}

void Serving::edit(const RunArguments& run) {
  std::error_code failed;
  const std::filesystem::path file(run.diagram.file);
  const bool there = std::filesystem::exists(file, failed);
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (!there && (file.extension() != ".xml" || !std::filesystem::is_directory(folder, failed))) return;
  Diagnostics unheard; // the run says what is wrong with a plugin
  installation().load_plugins(run.diagram.plugins, unheard);
  installation().host().list_scripts(folder.string(), unheard);
  studio::Editing::Options options;
  options.file = run.diagram.file;
  options.load.mode = run.diagram.mode;
  options.load.rig = run.diagram.rig;
  options.load.settings = run.diagram.settings;
  options.load.overlays = run.diagram.overlays;
  options.load.solver = run.diagram.solver;
  options.load.library_path = installation().library_path();
  options.tell = [this](const studio::Json& message) { hub_.tell_message(message); };
  editing_ = std::make_unique<studio::Editing>(installation().host().catalogue(), std::move(options));
  for (const std::string& each : editing_->left()) print_note(each);
  if (!there) print_note("there is no file " + run.diagram.file + " yet: it is written when the new diagram is saved");
}

void Serving::say_kept() const {
  if (!editing_) return;
  for (const std::string& each : editing_->kept()) print_note(each);
}

bool Serving::wait_for_mending(const RunArguments& run, const Diagnostics& found) {
  constexpr std::chrono::milliseconds a_moment{100};
  Interrupt interrupt;
  OutputFiles files;
  const CommandDiagram empty(run.diagram);
  const RunDesk source{run, files, [&empty]() -> const CommandDiagram& { return empty; }, [] { return std::string(); },
                       editing_.get()};
  studio::BrokenDesk desk(hub_, desk_hooks(source), run.diagram.file, found);
  print_note("the diagram has errors: waiting for a change, Ctrl-C ends");
  WatchedFiles watched(run.diagram);
  watched.look_up();
  const int before = editing_ ? editing_->sound() : 0;
  while (!interrupt.flag()) {
    desk.attend();
    if (editing_) editing_->look();
    if (editing_ && editing_->sound() != before) return true;
    if (desk.again() || !watched.settled().empty()) return true;
    hub_.requests().wait(a_moment);
  }
  return false;
}

std::string serve_misuse(const RunArguments& arguments) {
  const ServeArguments& serve = arguments.serve;
  if (!serve.serve && !serve.studio) {
    if (!serve.listen.empty() || !serve.origins.empty() || serve.operate)
      return "--listen, --allow-origin and --operate say how others watch\nhelp: add --serve";
    return {};
  }
  if (arguments.console) return "--serve and --console both tell the run what to do\nhelp: leave one of them out";
  if (arguments.watch) return "--watch begins again by itself\nhelp: 'hilda studio' continues in the changed diagram";
  if (arguments.diagram.mode == "replay")
    return "--serve is for runs, and --mode replay makes none\nhelp: leave it out";
  return {};
}

} // namespace hilda::cli
