// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/picture_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hilda::graphics::svg {
namespace {

/// Both ends of a pipe, closed with it.
struct Pipe {
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
  }
  ~Pipe() {
    close(0);
    close(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close(std::size_t end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
  std::array<int, 2> ends{};
};

/// Feeds and reads at once, so that neither side waits for ever on a full pipe.
void exchange(Pipe& to, Pipe& from, const std::string& input, std::string& out) {
  std::size_t sent = 0;
  std::array<char, 65536> buffer;
  while (from.ends[0] >= 0) {
    if (sent == input.size()) to.close(1);
    std::array<pollfd, 2> waiting{pollfd{from.ends[0], POLLIN, 0}, pollfd{to.ends[1], POLLOUT, 0}};
    if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) return;
    if ((waiting[1].revents & (POLLOUT | POLLERR)) != 0) {
      const ssize_t n = ::write(to.ends[1], input.data() + sent, std::min<std::size_t>(input.size() - sent, 4096));
      if (n > 0) sent += static_cast<std::size_t>(n);
      if (n < 0) sent = input.size();
    }
    if ((waiting[0].revents & (POLLIN | POLLHUP)) != 0) {
      const ssize_t n = ::read(from.ends[0], buffer.data(), buffer.size());
      if (n > 0) out.append(buffer.data(), static_cast<std::size_t>(n));
      if (n <= 0) from.close(0);
    }
  }
}

/// A program that ends early must not end ours.
class BrokenPipeIgnored {
public:
  BrokenPipeIgnored() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~BrokenPipeIgnored() { std::signal(SIGPIPE, before_); }
  BrokenPipeIgnored(const BrokenPipeIgnored&) = delete;
  BrokenPipeIgnored& operator=(const BrokenPipeIgnored&) = delete;

private:
  void (*before_)(int);
};

} // namespace

Answer ask_program(const std::vector<std::string>& command, const std::string& input) {
  Answer answer;
  Pipe to, from;
  const BrokenPipeIgnored ignored;
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to.ends[0], 0);
  posix_spawn_file_actions_adddup2(&actions, from.ends[1], 1);
  pid_t child = 0;
  answer.started = ::posix_spawnp(&child, command[0].c_str(), &actions, nullptr, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  if (!answer.started) return answer;
  to.close(0);
  from.close(1);
  exchange(to, from, input, answer.out);
  to.close(1);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  answer.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return answer;
}

std::string fault_of_name(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".svg" || extension == ".png" || extension == ".pdf") return {};
  return fmt::format("'{}' is not a picture that can be written: the name must end in .svg, .png or .pdf", path);
}

bool write_picture(const std::string& svg, OutputFile& file, double scale, std::string& error) {
  const std::string& path = file.path();
  const std::string extension = std::filesystem::path(path).extension().string();
  std::string picture = svg;
  if (extension != ".svg") {
    std::vector<std::string> command{"rsvg-convert", "--format", extension.substr(1)};
    if (extension == ".png") command.insert(command.end(), {"--zoom", fmt::format("{}", scale)});
    Answer answer = ask_program(command, svg);
    if (!answer.started || answer.status == 127) {
      error = "PNG and PDF need the program rsvg-convert\nhelp: apt-get install librsvg2-bin, or write an .svg";
      return false;
    }
    if (answer.status != 0) {
      error = fmt::format("rsvg-convert could not make {} (exit code {})", path, answer.status);
      return false;
    }
    picture = std::move(answer.out);
  }
  if (file.room_for(picture.size()) && file.write(picture) && file.commit()) return true;
  error = file.error();
  return false;
}

} // namespace hilda::graphics::svg
