#include "tools/cli/plugin_trial.h"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hilda::cli {
namespace {

using testing::Finding;
using testing::Verdict;

/// One line: check, verdict, reason; without a verdict the check begins.
void tell(int to, const std::string& check, const char* verdict, std::string why) {
  for (char& c : why)
    if (c == '\n' || c == '\t') c = ' ';
  const std::string line = check + "\t" + verdict + "\t" + why + "\n";
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t written = write(to, line.data() + done, line.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1);
    done += static_cast<std::size_t>(written);
  }
}

const char* word(Verdict verdict) {
  return verdict == Verdict::passed ? "ok" : verdict == Verdict::failed ? "failed" : "n/a";
}

/// The child's whole life.
void run_checks(const testing::Type& type, const TrialSetup* given, int to) {
  tell(to, "setup", "", "");
  testing::Subject subject{&type, given != nullptr ? given->setup : testing::Setup{}};
  if (!type.is_driver()) {
    try {
      if (given == nullptr)
        subject = testing::subject_of(type);
      else if (given->stimulus)
        subject.stimulus = given->stimulus;
      const testing::Bench bench(type, subject.setup);
    } catch (const std::exception& error) { return tell(to, "setup", "n/a", error.what()); }
  }
  testing::run_checks(
      subject, [&](const testing::Check& check) { tell(to, check.name, "", ""); },
      [&](const Finding& finding) { tell(to, finding.check, word(finding.verdict), finding.why); });
}

/// What the child has told, up to its end or the deadline; false at the deadline.
bool listen(int from, double time_limit, std::string& told) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(time_limit);
  while (true) {
    const double left = std::chrono::duration<double>(end - std::chrono::steady_clock::now()).count();
    if (left <= 0) return false;
    pollfd wanted{from, POLLIN, 0};
    if (poll(&wanted, 1, static_cast<int>(std::ceil(left * 1e3))) <= 0) continue;
    char buffer[4096];
    const ssize_t bytes = read(from, buffer, sizeof buffer);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) return true;
    told.append(buffer, static_cast<std::size_t>(bytes));
  }
}

std::vector<Finding> findings_in(const std::string& told, const std::string& block, std::string& last) {
  std::vector<Finding> findings;
  for (std::size_t at = 0, end; (end = told.find('\n', at)) != std::string::npos; at = end + 1) {
    const std::string line = told.substr(at, end - at);
    const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
    last = line.substr(0, first);
    const std::string verdict = line.substr(first + 1, second - first - 1);
    if (verdict.empty()) continue;
    findings.push_back({block, last,
                        verdict == "ok"       ? Verdict::passed
                        : verdict == "failed" ? Verdict::failed
                                              : Verdict::not_applicable,
                        line.substr(second + 1)});
    last.clear();
  }
  return findings;
}

} // namespace

std::vector<Finding> try_block(const testing::Type& type, const TrialSetup* setup, double time_limit) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe to a child process: " + std::string(std::strerror(errno)));
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no child process: " + std::string(std::strerror(errno)));
  if (child == 0) {
    close(ends[0]);
    run_checks(type, setup, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  std::string told, unfinished;
  const bool in_time = listen(ends[0], time_limit, told);
  if (!in_time) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  close(ends[0]);
  std::vector<Finding> findings = findings_in(told, type.name(), unfinished);
  std::string why;
  if (!in_time)
    why = fmt::format("does not come back within {:g} s", time_limit);
  else if (WIFSIGNALED(status))
    why = fmt::format("crashes: {}", strsignal(WTERMSIG(status)));
  else if (!unfinished.empty())
    why = fmt::format("ends the program with exit code {}", WEXITSTATUS(status));
  if (!why.empty()) findings.push_back({type.name(), unfinished, Verdict::failed, why});
  return findings;
}

} // namespace hilda::cli
