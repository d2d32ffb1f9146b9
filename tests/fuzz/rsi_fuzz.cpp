// SPDX-License-Identifier: BSD-3-Clause
// Bytes that claim to be KUKA RSI: the first says of what kind. R: a robot's telegram, S: a sensor's, anything else: an
// ethernet file. Whatever they are, they are read or refused; what was read is sound, and survives being written.
#include "drivers/kuka_rsi/telegram_writer.h"
#include "tests/project_folders.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace {
using namespace hilda::kuka;

void demand(bool holds) {
  if (!holds) std::abort();
}

const EthernetFile& file() {
  static const EthernetFile made = [] {
    std::vector<std::string> problems;
    EthernetFile read = read_ethernet_file(
        (hilda::test::source_folder() + "/tests/drivers_kuka/golden/ethernet.xml").c_str(), problems);
    demand(problems.empty());
    return read;
  }();
  return made;
}

bool close(double a, double b) { return std::fabs(a - b) <= 1e-6; }

void robot(std::string_view bytes) {
  RobotTelegram telegram, again;
  const Reading reading = read_robot_telegram(bytes, file(), nullptr, telegram);
  if (reading.verdict == Reading::Verdict::malformed) return;
  demand(telegram.ipoc >= 0);
  if (reading.verdict != Reading::Verdict::sound) return;
  std::array<char, 4096> written{};
  const std::size_t size = write_robot_telegram(file(), nullptr, telegram, written);
  if (size == 0) return; // a number too large to be written
  demand(read_robot_telegram({written.data(), size}, file(), nullptr, again).verdict == Reading::Verdict::sound);
  demand(again.ipoc == telegram.ipoc && again.delay == telegram.delay);
  for (std::size_t i = 0; i < 6; ++i) {
    demand(close(again.pose.value[i], telegram.pose.value[i]));
    demand(close(again.joints.value[i], telegram.joints.value[i]));
  }
}

void sensor(std::string_view bytes) {
  SensorTelegram telegram, again;
  if (read_sensor_telegram(bytes, file(), telegram).verdict != Reading::Verdict::sound) return;
  std::array<char, 4096> written{};
  const std::size_t size = write_sensor_telegram(file(), telegram, written);
  if (size == 0) return;
  demand(read_sensor_telegram({written.data(), size}, file(), again).verdict == Reading::Verdict::sound);
  demand(again.ipoc == telegram.ipoc);
  for (std::size_t i = 0; i < 6; ++i) demand(close(again.value[i], telegram.value[i]));
}

void ethernet(std::string_view bytes) {
  std::vector<std::string> problems;
  const EthernetFile read = read_ethernet_text(bytes, problems);
  demand(read.send.size() <= EthernetFile::most_channels && read.receive.size() <= EthernetFile::most_channels);
  if (!problems.empty()) return;
  SensorTelegram telegram, again;
  telegram.ipoc = 4;
  std::array<char, 8192> written{};
  const std::size_t size = write_sensor_telegram(read, telegram, written);
  demand(size > 0 && read_sensor_telegram({written.data(), size}, read, again).verdict == Reading::Verdict::sound);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
  case 'R': robot(bytes); break;
  case 'S': sensor(bytes); break;
  default: ethernet(bytes); break;
  }
  return 0;
}
