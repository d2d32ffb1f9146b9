// SPDX-License-Identifier: BSD-3-Clause
#include "tests/wire/witness/sensor_box.h"

#include <arpa/inet.h>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>

namespace witness {
namespace {

std::string decimal(double value) {
  char text[40];
  snprintf(text, sizeof text, "%.0f", value);
  return text;
}

void put(std::string& packet, std::uint32_t value) {
  const std::uint32_t big = htonl(value);
  packet.append(reinterpret_cast<const char*>(&big), 4);
}

int bound(int type, const sockaddr_in& at) {
  const int fd = ::socket(AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int yes = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0) return fd;
  ::close(fd);
  return -1;
}

} // namespace

SensorBox::SensorBox(const Script& script, const Arm& arm, Capture& capture)
    : arm_(arm), capture_(capture), random_(static_cast<std::uint64_t>(script.number("seed", 1))),
      noise_(script.number("force_noise", 0)), counts_(script.number("counts", 100000)),
      every_(static_cast<int>(script.number("record_period", 1))) {
  const bool bare = script.text("page", "whole") == "bare"; // as some boxes: no names, no units
  page_ = "<?xml version=\"1.0\"?><netft><runstat>0</runstat>";
  if (!bare) page_ += "<prodname>Witness</prodname><scfgfu>N</scfgfu><scfgtu>Nm</scfgtu>";
  page_ += "<cfgcpf>" + decimal(counts_) + "</cfgcpf><cfgcpt>" + decimal(counts_) + "</cfgcpt>";
  page_ += "<comrdte>Enabled</comrdte><comrdtrate>" + decimal(1000.0 / every_) + "</comrdtrate></netft>";
}

SensorBox::~SensorBox() {
  if (udp_ >= 0) ::close(udp_);
  if (http_ >= 0) ::close(http_);
}

std::string SensorBox::open(const std::string& address, int udp_port, int http_port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  inet_pton(AF_INET, address.c_str(), &at.sin_addr);
  at.sin_port = htons(static_cast<std::uint16_t>(udp_port));
  udp_ = bound(SOCK_DGRAM, at);
  at.sin_port = htons(static_cast<std::uint16_t>(http_port));
  http_ = bound(SOCK_STREAM, at);
  if (udp_ < 0 || http_ < 0 || ::listen(http_, 4) != 0) return "the sensor's ports are in use";
  return "";
}

void SensorBox::read_requests() {
  unsigned char packet[64];
  sockaddr_in from{};
  socklen_t size = sizeof from;
  while (::recvfrom(udp_, packet, sizeof packet, 0, reinterpret_cast<sockaddr*>(&from), &size) >= 8) {
    if (packet[0] != 0x12 || packet[1] != 0x34) continue;
    const int command = packet[2] << 8 | packet[3];
    if (command == 0) streaming_ = false;
    if (command >= 1 && command <= 4) streaming_ = true, reader_ = from, rdt_sequence_ = 0;
    size = sizeof from;
  }
}

void SensorBox::answer_page() {
  const int fd = ::accept4(http_, nullptr, nullptr, SOCK_CLOEXEC);
  if (fd < 0) return;
  char request[2048];
  const timeval patience{0, 20000};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  (void)!::recv(fd, request, sizeof request, 0);
  const std::string answer =
      "HTTP/1.0 200 OK\r\nContent-Type: text/xml\r\nContent-Length: " + std::to_string(page_.size()) + "\r\n\r\n" +
      page_;
  (void)!::send(fd, answer.data(), answer.size(), MSG_NOSIGNAL);
  ::close(fd);
}

void SensorBox::misbehave(const std::vector<std::string>& words) {
  const std::string what = words.empty() ? "" : words[0];
  const std::string value = words.size() > 1 ? words[1] : "0";
  if (what == "off" || what == "on") off_ = what == "off";
  if (what == "stuck") stuck_ = true;
  if (what == "saturated") saturated_ = true;
  if (what == "bias") bias_ = std::strtod(value.c_str(), nullptr);
  if (what == "noise") noise_ = std::strtod(value.c_str(), nullptr);
  if (what == "status") status_ = static_cast<std::uint32_t>(std::strtoul(value.c_str(), nullptr, 0));
  if (what == "steal") streaming_ = false; // the new reader is elsewhere
}

void SensorBox::tick() {
  next_ = std::max(next_ + every_ * millisecond, now() - 50 * millisecond);
  ++ft_sequence_;
  if (!streaming_ || off_) return;
  if (!stuck_) {
    shown_ = arm_.wrench();
    shown_.head<3>().array() += bias_;
    if (noise_ > 0)
      for (int i = 0; i < 6; ++i) shown_[i] += std::normal_distribution<>(0, i < 3 ? noise_ : noise_ / 10)(random_);
  }
  std::string packet;
  put(packet, ++rdt_sequence_), put(packet, ft_sequence_), put(packet, status_);
  for (int i = 0; i < 6; ++i) {
    const double counts = std::clamp(std::round(shown_[i] * counts_), -2147483648.0, 2147483647.0);
    put(packet, static_cast<std::uint32_t>(saturated_ ? INT32_MAX : static_cast<std::int32_t>(counts)));
  }
  capture_.add(Seen::record_sent, packet);
  ::sendto(udp_, packet.data(), packet.size(), 0, reinterpret_cast<const sockaddr*>(&reader_), sizeof reader_);
}

} // namespace witness
