// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/wire/witness/arm.h"
#include "tests/wire/witness/capture.h"

#include <netinet/in.h>
#include <random>
#include <vector>

namespace witness {

/// A force sensor's box: its page over HTTP, its records over UDP at 1 kHz to the last client that asked.
class SensorBox {
public:
  SensorBox(const Script& script, const Arm& arm, Capture& capture);
  ~SensorBox();
  SensorBox(const SensorBox&) = delete;
  SensorBox& operator=(const SensorBox&) = delete;

  /// The error, or nothing.
  std::string open(const std::string& address, int udp_port, int http_port);
  int udp() const { return udp_; }
  int http() const { return http_; }
  void read_requests();
  void answer_page();

  void start(Instant at) { next_ = at; }
  Instant due() const { return next_; }
  void tick();
  /// `off`, `on`, `stuck`, `saturated`, `bias N`, `steal`, `status BITS`, `noise N`.
  void misbehave(const std::vector<std::string>& words);

private:
  const Arm& arm_;
  Capture& capture_;
  std::string page_;
  std::mt19937_64 random_;
  int udp_ = -1, http_ = -1;
  sockaddr_in reader_{};
  bool streaming_ = false, off_ = false, stuck_ = false, saturated_ = false;
  double bias_ = 0, noise_, counts_;
  int every_; ///< ms between records
  std::uint32_t rdt_sequence_ = 0, ft_sequence_ = 0, status_ = 0;
  Eigen::Matrix<double, 6, 1> shown_ = Eigen::Matrix<double, 6, 1>::Zero();
  Instant next_ = never;
};

} // namespace witness
