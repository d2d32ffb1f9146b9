// SPDX-License-Identifier: BSD-3-Clause
#include "tests/hardware/process.h"
#include "tests/project_folders.h"

#include <arpa/inet.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace hilda::test {
namespace {

const std::string diagrams = source_folder() + "/diagrams/";

/// A port of the loopback interface that no one uses now.
int free_port(int type, const char* address) {
  const int fd = ::socket(AF_INET, type, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  ::inet_pton(AF_INET, address, &place.sin_addr);
  socklen_t size = sizeof(place);
  int port = 0;
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&place), size) == 0 &&
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&place), &size) == 0)
    port = ntohs(place.sin_port);
  ::close(fd);
  return port;
}

std::vector<std::string> settings_of(const std::vector<std::string>& settings) {
  std::vector<std::string> arguments;
  for (const std::string& each : settings) arguments.insert(arguments.end(), {"--set", each});
  return arguments;
}

std::vector<std::string> cell_arguments(std::vector<std::string> settings, int robot, int record, int page) {
  // A machine that is busy with other tests may lose more cycles than a robot forgives.
  settings.insert(settings.begin(),
                  {"timeout_cycles=100", "robot_port=" + std::to_string(robot), "sensor_port=" + std::to_string(record),
                   "sensor_http_port=" + std::to_string(page)});
  std::vector<std::string> arguments{"run", diagrams + "cells/kuka_ati.xml", "--no-log", "--summary", "cell.json"};
  for (const std::string& each : settings_of(settings)) arguments.push_back(each);
  return arguments;
}

} // namespace

Process::Process(const Folder& folder, const std::string& name, const std::vector<std::string>& arguments, Input input,
                 const OwnTime* time) {
  const std::string program = build_folder() + "/bin/hilda", out = folder.path(name + ".out"),
                    err = folder.path(name + ".err"), place = folder.path("");
  const std::string preload = build_folder() + "/tests/hardware/own_time.so";
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
  argv.push_back(nullptr);
  int ends[2] = {-1, -1};
  if (input == Input::typed && ::pipe2(ends, O_CLOEXEC) != 0) return;
  pid_ = ::fork();
  keyboard_ = ends[1];
  if (pid_ != 0) {
    if (ends[0] >= 0) ::close(ends[0]);
    return;
  }
  if (ends[0] >= 0) ::dup2(ends[0], STDIN_FILENO);
  const int o = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int e = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(o, STDOUT_FILENO);
  ::dup2(e, STDERR_FILENO);
  if (::chdir(place.c_str()) != 0) ::_exit(126);
  if (time != nullptr) {
    ::setenv("LD_PRELOAD", preload.c_str(), 1);
    ::setenv(shared_time_variable, time->file().c_str(), 1);
  }
  ::execv(program.c_str(), argv.data());
  ::_exit(127);
}

Process::~Process() {
  interrupt();
  wait();
  if (keyboard_ >= 0) ::close(keyboard_);
}

void Process::type(const std::string& line) {
  const std::string text = line + "\n";
  if (running() && ::write(keyboard_, text.data(), text.size()) < 0) std::perror("type");
}

bool Process::running() {
  if (pid_ <= 0) return false;
  if (::waitpid(pid_, &status_, WNOHANG) != pid_) return true;
  pid_ = 0;
  return false;
}

void Process::interrupt() {
  if (running()) ::kill(pid_, SIGINT);
}

void Process::kill() {
  if (running()) ::kill(pid_, SIGKILL);
}

void Process::hold_up(double seconds) {
  if (!running()) return;
  ::kill(pid_, SIGSTOP);
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  ::kill(pid_, SIGCONT);
}

int Process::wait() {
  if (pid_ > 0 && ::waitpid(pid_, &status_, 0) == pid_) pid_ = 0;
  return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
}

CellBench::CellBench(const std::vector<std::string>& settings, CellTime time)
    : time_(time == CellTime::machine
                ? std::optional<OwnTime>()
                : std::optional<OwnTime>(std::in_place, folder_.path("time"), time == CellTime::fast ? 20 : 1)),
      robot_port_(free_port(SOCK_DGRAM, "127.0.0.1")), record_port_(free_port(SOCK_DGRAM, "127.0.0.2")),
      page_port_(free_port(SOCK_STREAM, "127.0.0.2")),
      cell_(folder_, "cell", cell_arguments(settings, robot_port_, record_port_, page_port_), Process::Input::none,
            this->time()) {
  // The rig asks the sensor's page first and does not try twice: wait until someone listens there.
  sockaddr_in page{};
  page.sin_family = AF_INET;
  page.sin_port = htons(static_cast<std::uint16_t>(page_port_));
  ::inet_pton(AF_INET, "127.0.0.2", &page.sin_addr);
  for (int tries = 0; tries < 500 && cell_.running(); ++tries) {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    const bool there = ::connect(fd, reinterpret_cast<const sockaddr*>(&page), sizeof(page)) == 0;
    ::close(fd);
    if (there) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

std::vector<std::string> CellBench::arguments(const std::string& command, const std::string& diagram,
                                              const std::vector<std::string>& settings,
                                              const std::vector<std::string>& more) const {
  std::vector<std::string> all{"rig.robot_port=" + std::to_string(robot_port_),
                               "rig.sensor_port=" + std::to_string(record_port_),
                               "rig.sensor_http_port=" + std::to_string(page_port_)};
  all.insert(all.end(), settings.begin(), settings.end());
  std::vector<std::string> words{command};
  if (!diagram.empty()) words.push_back(diagrams + diagram + ".xml");
  words.insert(words.end(), {"--mode", "hardware", "--rig", diagrams + "rigs/kuka_ati.xml", "--overlay",
                             diagrams + "rigs/kuka_ati_loopback.xml"});
  for (const std::string& each : settings_of(all)) words.push_back(each);
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Finished CellBench::run(const std::string& command, const std::string& diagram,
                        const std::vector<std::string>& settings, const std::vector<std::string>& more) {
  Process process(folder_, "run", arguments(command, diagram, settings, more), Process::Input::none, time());
  Finished finished;
  finished.exit = process.wait();
  finished.out = folder_.read("run.out");
  finished.err = folder_.read("run.err");
  finished.summary = nlohmann::json::parse(folder_.read("summary.json"), nullptr, false);
  return finished;
}

std::unique_ptr<Process> CellBench::start(const std::string& name, const std::vector<std::string>& arguments,
                                          Process::Input input) const {
  return std::make_unique<Process>(folder_, name, arguments, input, time());
}

nlohmann::json CellBench::end() {
  cell_.interrupt();
  cell_.wait();
  return nlohmann::json::parse(folder_.read("cell.json"), nullptr, false);
}

} // namespace hilda::test
