// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/detail/sweep/workers.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hilda::study {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;
using Bytes = std::vector<std::uint8_t>;

bool send_all(int to, const void* bytes, std::size_t size) {
  const auto* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t sent = ::send(to, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent, size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int from, void* bytes, std::size_t size) {
  auto* at = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t got = ::recv(from, at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got, size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool send_json(int to, const Json& json) {
  const Bytes bytes = Json::to_cbor(json);
  const auto size = static_cast<std::uint64_t>(bytes.size());
  return send_all(to, &size, sizeof size) && send_all(to, bytes.data(), bytes.size());
}

std::optional<Json> receive_json(int from) {
  constexpr std::uint64_t most = std::uint64_t{1} << 30;
  std::uint64_t size = 0;
  if (!receive_all(from, &size, sizeof size) || size > most) return std::nullopt;
  Bytes bytes(size);
  if (!receive_all(from, bytes.data(), bytes.size())) return std::nullopt;
  Json json = Json::from_cbor(bytes, true, false);
  if (json.is_discarded()) return std::nullopt;
  return json;
}

Json written(const StudyTask& task) {
  Json overrides = Json::array();
  for (const Design::Override& each : task.overrides) overrides.push_back({each.axis, each.number});
  return {{"run", task.run}, {"base", task.base}, {"overrides", overrides}};
}

StudyTask task_of(const Json& json) {
  StudyTask task{json.at("run").get<std::int64_t>(), json.at("base").get<std::int64_t>(), {}};
  for (const Json& each : json.at("overrides"))
    task.overrides.push_back({each.at(0).get<std::size_t>(), each.at(1).get<double>()});
  return task;
}

/// All but coordinates, which the giver knows.
Json written(const PointRunner::Done& done) {
  const StudyRow& row = done.row;
  Json json = {
      {"figures", row.figures}, {"ending", row.ending}, {"cause", row.cause},     {"block", row.block},
      {"signal", row.signal},   {"time", row.time},     {"steps", row.steps},     {"interrupted", done.interrupted},
      {"found", done.found},    {"units", done.units},  {"offered", done.offered}};
  for (const PointRunner::Fault& fault : done.faults) json["faults"].push_back({fault.figure, fault.what});
  for (const Diagnostic& each : done.warnings)
    json["warnings"].push_back({each.code, each.file, each.line, each.what, each.help});
  return json;
}

void read_into(PointRunner::Done& done, const Json& json) {
  StudyRow& row = done.row;
  row.figures = json.at("figures").get<std::vector<double>>();
  row.ending = json.at("ending"), row.cause = json.at("cause"), row.block = json.at("block");
  row.signal = json.at("signal"), row.time = json.at("time"), row.steps = json.at("steps");
  done.interrupted = json.at("interrupted");
  done.found = json.at("found").get<std::vector<bool>>();
  done.units = json.at("units").get<std::vector<std::string>>();
  done.offered = json.at("offered").get<std::vector<std::string>>();
  if (const auto faults = json.find("faults"); faults != json.end())
    for (const Json& fault : *faults) done.faults.push_back({fault.at(0), fault.at(1)});
  if (const auto warnings = json.find("warnings"); warnings != json.end())
    for (const Json& each : *warnings)
      done.warnings.push_back({.severity = Diagnostic::Severity::warning,
                               .code = each.at(0),
                               .file = each.at(1),
                               .line = each.at(2),
                               .what = each.at(3),
                               .help = each.at(4)});
}

[[noreturn]] void serve(const LoadedStudy& study, int giver, const std::atomic<bool>& stop) {
  // Ctrl-C goes to all processes of a terminal: the giver decides.
  std::signal(SIGINT, SIG_IGN);
  PointRunner runner(study, &stop);
  while (const std::optional<Json> asked = receive_json(giver))
    if (!send_json(giver, written(runner.run(task_of(*asked))))) break;
  ::_exit(0); // no destructors of what the giver owns
}

/// One process and what it is at.
struct Worker {
  pid_t process = -1;
  int line = -1;
  std::optional<StudyTask> task;
  Clock::time_point since;
};

class Pool {
public:
  Pool(const LoadedStudy& study, int jobs, std::atomic<bool>& stop, const WorkGiver& giver)
      : study_(study), stop_(stop), giver_(giver), workers_(static_cast<std::size_t>(jobs)) {}
  ~Pool() {
    for (Worker& worker : workers_) end(worker);
  }

  void run() {
    bool more = true;
    while (true) {
      bool busy = false;
      for (Worker& worker : workers_) {
        if (!worker.task && more && !stop_) more = start(worker);
        busy = busy || worker.task.has_value();
      }
      if (!busy || stop_) break;
      listen();
      for (Worker& worker : workers_) look_at_the_clock(worker);
      if (!giver_.take(std::exchange(done_, {}))) stop_ = true;
    }
    giver_.take(std::exchange(done_, {}));
  }

private:
  bool start(Worker& worker) {
    std::optional<StudyTask> task = giver_.next();
    if (!task) return false;
    if (worker.process < 0) make(worker);
    worker.task = std::move(task);
    worker.since = Clock::now();
    if (worker.process < 0)
      give_up(worker, fmt::format("no process could be made: {}", std::strerror(errno)));
    else if (!send_json(worker.line, written(*worker.task)))
      bury(worker);
    return true;
  }

  void make(Worker& worker) {
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
    worker.process = ::fork();
    if (worker.process == 0) {
      ::close(ends[0]);
      for (const Worker& other : workers_)
        if (other.line >= 0) ::close(other.line);
      serve(study_, ends[1], stop_);
    }
    ::close(ends[1]);
    worker.line = ends[0];
    if (worker.process < 0) ::close(std::exchange(worker.line, -1));
  }

  void end(Worker& worker) {
    if (worker.process < 0) return;
    if (worker.task) ::kill(worker.process, SIGKILL);
    ::close(std::exchange(worker.line, -1));
    ::waitpid(worker.process, nullptr, 0);
    worker.process = -1;
  }

  void listen() {
    constexpr int patience = 100; // ms
    std::vector<pollfd> lines;
    std::vector<Worker*> whose;
    for (Worker& worker : workers_)
      if (worker.task && worker.line >= 0) lines.push_back({worker.line, POLLIN, 0}), whose.push_back(&worker);
    if (lines.empty() || ::poll(lines.data(), lines.size(), patience) <= 0) return;
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (lines[i].revents != 0) hear(*whose[i]);
  }

  PointRunner::Done blank(const StudyTask& task) const {
    const RunPoint point = study_.design().point(task.base, task.overrides);
    PointRunner::Done done;
    done.row.run = task.run, done.row.base = task.base;
    done.row.coordinates = point.coordinates;
    done.row.figures = study_.figures().without(study_.design().numbers(point)).numbers;
    return done;
  }

  void hear(Worker& worker) {
    const std::optional<Json> answer = receive_json(worker.line);
    if (!answer) return bury(worker);
    PointRunner::Done done = blank(*worker.task);
    read_into(done, *answer);
    if (!done.interrupted) done_.push_back(std::move(done));
    worker.task.reset();
  }

  void give_up(Worker& worker, const std::string& cause, const char* ending = "crashed") {
    PointRunner::Done done = blank(*worker.task);
    done.row.ending = ending, done.row.cause = cause;
    done_.push_back(std::move(done));
    worker.task.reset();
  }

  /// It is no longer there.
  void bury(Worker& worker) {
    int status = 0;
    ::close(std::exchange(worker.line, -1));
    ::kill(worker.process, SIGKILL);
    ::waitpid(std::exchange(worker.process, -1), &status, 0);
    if (WIFSIGNALED(status))
      give_up(worker,
              fmt::format("its process was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status))));
    else
      give_up(worker, fmt::format("its process ended with exit code {}", WEXITSTATUS(status)));
  }

  void look_at_the_clock(Worker& worker) {
    constexpr double grace = 2; // s, for it to end between two ticks by itself
    if (!worker.task || !study_.study().timeout) return;
    const double took = std::chrono::duration<double>(Clock::now() - worker.since).count();
    if (took < *study_.study().timeout + grace) return;
    ::kill(worker.process, SIGKILL);
    ::waitpid(std::exchange(worker.process, -1), nullptr, 0);
    ::close(std::exchange(worker.line, -1));
    give_up(worker, "a block did not come back within the study's timeout", "timeout");
  }

  const LoadedStudy& study_;
  std::atomic<bool>& stop_;
  const WorkGiver& giver_;
  std::vector<Worker> workers_;
  std::vector<PointRunner::Done> done_;
};

} // namespace

void work_in_processes(const LoadedStudy& study, int jobs, std::atomic<bool>& stop, const WorkGiver& giver) {
  Pool(study, jobs, stop, giver).run();
}

} // namespace hilda::study
