// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/kuka_rsi/telegram_writer.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace hilda::kuka {
namespace {

constexpr double most = 1e9;
constexpr double parts = 1e6;

class Writer {
public:
  explicit Writer(std::span<char> to) : to_(to) {}

  void text(std::string_view text) {
    if (to_.size() - used_ < text.size()) {
      sound_ = false;
      return;
    }
    std::memcpy(to_.data() + used_, text.data(), text.size());
    used_ += text.size();
  }
  void integer(std::int64_t value) {
    const auto [end, error] = std::to_chars(to_.data() + used_, to_.data() + to_.size(), value);
    if (error != std::errc{})
      sound_ = false;
    else
      used_ = static_cast<std::size_t>(end - to_.data());
  }
  void real(double value) {
    if (!(std::fabs(value) <= most)) {
      sound_ = false;
      return;
    }
    const std::int64_t whole = std::llround(value * parts), size = whole < 0 ? -whole : whole;
    constexpr auto unit = static_cast<std::int64_t>(parts);
    if (whole < 0) text("-");
    integer(size / unit);
    char decimals[] = ".000000";
    std::int64_t rest = size % unit;
    for (int i = 6; i > 0; --i, rest /= 10) decimals[i] = static_cast<char>('0' + rest % 10);
    text({decimals, 7});
  }
  void value(ChannelType type, double value) {
    switch (type) {
    case ChannelType::real: real(value); break;
    case ChannelType::integer: std::fabs(value) <= most ? integer(std::llround(value)) : void(sound_ = false); break;
    case ChannelType::boolean: text(value != 0 ? "1" : "0"); break;
    case ChannelType::text: break;
    }
  }
  std::size_t size() const { return sound_ ? used_ : 0; }

private:
  std::span<char> to_;
  std::size_t used_ = 0;
  bool sound_ = true;
};

/// `<X Y1="..." Y2="...">text</X>`: attributes first, then the text where the file has TAG X itself.
template <typename Value>
void write_group(Writer& out, const std::vector<Channel>& channels, const ElementGroup& group, Value value) {
  out.text("<");
  out.text(group.element);
  const Channel* own = nullptr;
  std::size_t own_index = 0;
  for (const std::size_t i : group.channels) {
    if (channels[i].attribute.empty()) {
      own = &channels[i], own_index = i;
      continue;
    }
    out.text(" ");
    out.text(channels[i].attribute);
    out.text("=\"");
    out.value(channels[i].type, value(i));
    out.text("\"");
  }
  if (own == nullptr) return out.text("/>");
  out.text(">");
  out.value(own->type, value(own_index));
  out.text("</");
  out.text(group.element);
  out.text(">");
}

void write_six(Writer& out, std::string_view element, const Six& values, bool joints) {
  static constexpr std::array<std::string_view, 6> cartesian{"X", "Y", "Z", "A", "B", "C"};
  static constexpr std::array<std::string_view, 6> axes{"A1", "A2", "A3", "A4", "A5", "A6"};
  out.text("<");
  out.text(element);
  for (std::size_t i = 0; i < 6; ++i) {
    out.text(" ");
    out.text(joints ? axes[i] : cartesian[i]);
    out.text("=\"");
    out.real(values[i]);
    out.text("\"");
  }
  out.text("/>");
}

void write_ipoc(Writer& out, std::int64_t ipoc) {
  out.text("<IPOC>");
  out.integer(ipoc);
  out.text("</IPOC>");
}

} // namespace

double as_written(double value) { return static_cast<double>(std::llround(value * parts)) / parts; }

std::size_t write_robot_telegram(const EthernetFile& file, const Channel* status, const RobotTelegram& t,
                                 std::span<char> to) {
  Writer out(to);
  out.text("<Rob Type=\"KUKA\">");
  for (const ElementGroup& group : file.send_groups) {
    const Channel& first = file.send[group.channels.front()];
    if (first.tag == "DEF_RIst")
      write_six(out, "RIst", t.pose.value, false);
    else if (first.tag == "DEF_RSol")
      write_six(out, "RSol", t.setpoint.value, false);
    else if (first.tag == "DEF_AIPos")
      write_six(out, "AIPos", t.joints.value, true);
    else if (first.tag == "DEF_ASPos")
      write_six(out, "ASPos", t.joint_setpoints.value, true);
    else if (first.tag == "DEF_Delay") {
      out.text("<Delay D=\"");
      out.integer(t.delay);
      out.text("\"/>");
    } else {
      write_group(out, file.send, group, [&](std::size_t i) { return &file.send[i] == status ? t.status : 0.0; });
    }
  }
  write_ipoc(out, t.ipoc);
  out.text("</Rob>");
  return out.size();
}

std::size_t write_sensor_telegram(const EthernetFile& file, const SensorTelegram& t, std::span<char> to) {
  Writer out(to);
  out.text("<Sen Type=\"");
  out.text(file.sensor_type);
  out.text("\">");
  for (const ElementGroup& group : file.receive_groups)
    write_group(out, file.receive, group, [&](std::size_t i) { return t.value[i]; });
  write_ipoc(out, t.ipoc);
  out.text("</Sen>");
  return out.size();
}

} // namespace hilda::kuka
