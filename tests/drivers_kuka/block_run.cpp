// SPDX-License-Identifier: BSD-3-Clause
#include "tests/drivers_kuka/block_run.h"

#include "drivers/net/datagram_socket.h"
#include "tests/span_number.h"
#include "tests/standard_plugins.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hilda::kuka::test {

BlockRun::BlockRun(const Folder& folder, const std::string& body, const std::string& period,
                   const RuntimeOptions& options)
    : diagram_(hilda::test::standard_plugins({"math", "sources", "kinematics", "kuka_rsi"}).catalogue(),
               DiagramText{folder.path("trial.xml"), "<diagram format=\"1\" name=\"trial\" period=\"" + period +
                                                         "\">\n" + body + "</diagram>\n"}),
      runtime_(make_runtime(diagram_, options)) {
  if (!diagram_.diagnostics().ok()) errors_ = diagram_.diagnostics().text();
}

bool BlockRun::start() {
  Diagnostics problems;
  const bool started = runtime_->start(problems);
  if (!problems.ok()) errors_ = problems.text();
  return started;
}

BlockIndex BlockRun::block(const std::string& name) const {
  const auto& blocks = runtime_->system().blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    if (blocks[b].path == name) return BlockIndex(b);
  ADD_FAILURE() << "no block " << name;
  return BlockIndex(0);
}

hilda_cycle_kind BlockRun::await(const std::string& name, double milliseconds) {
  const BlockIndex b = block(name);
  const auto* clock = static_cast<const hilda_clock_1*>(runtime_->memory().layout(b).abi->extension("hilda.clock/1"));
  hilda_cycle cycle{};
  cycle.size = sizeof cycle;
  const std::int64_t now = net::monotonic_now();
  const auto kind =
      clock->wait(runtime_->memory().record(b), now + static_cast<std::int64_t>(milliseconds * 1e6), &cycle);
  if (kind == HILDA_CYCLE_CAME) {
    EXPECT_LE(cycle.arrival, net::monotonic_now());
    EXPECT_GT(cycle.arrival, now - 2'000'000'000);
  }
  return static_cast<hilda_cycle_kind>(kind);
}

double BlockRun::value(const std::string& signal, std::size_t element) const {
  const SystemSignal* found = runtime_->find_signal(signal);
  if (found == nullptr) {
    ADD_FAILURE() << "no signal " << signal;
    return NAN;
  }
  return hilda::test::number_at(found->span, element);
}

Pose BlockRun::pose(const std::string& signal) const {
  Pose pose;
  pose.position << value(signal, 0), value(signal, 1), value(signal, 2);
  pose.orientation = Quaternion(value(signal, 3), value(signal, 4), value(signal, 5), value(signal, 6));
  return pose;
}

bool BlockRun::rest(const std::string& name, const std::string& input, double* value) const {
  const BlockIndex b = block(name);
  const auto* actuation =
      static_cast<const hilda_actuation_1*>(runtime_->memory().layout(b).abi->extension("hilda.actuation/1"));
  return actuation->rest(runtime_->memory().record(b), input.c_str(), value) == 0;
}

int free_port() {
  const int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  socklen_t size = sizeof address;
  EXPECT_EQ(bind(descriptor, reinterpret_cast<const sockaddr*>(&address), size), 0);
  EXPECT_EQ(getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size), 0);
  close(descriptor);
  return ntohs(address.sin_port);
}

} // namespace hilda::kuka::test
