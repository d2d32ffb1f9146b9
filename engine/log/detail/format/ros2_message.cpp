// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/detail/format/ros2_message.h"

#include "engine/log/frame_layout.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace hilda::log {
namespace {

bool letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

/// Lower case, runs of anything else one underscore, a letter first; numbered where it is taken.
std::string field_name(const std::string& name, std::set<std::string>& taken) {
  std::string plain;
  for (const char c : name) {
    if (!letter_or_digit(c)) {
      if (!plain.empty() && plain.back() != '_') plain += '_';
    } else {
      plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  if (!plain.empty() && plain.back() == '_') plain.pop_back();
  if (plain.empty() || (plain[0] >= '0' && plain[0] <= '9')) plain = plain.empty() ? "value" : "value_" + plain;
  std::string unique = plain;
  for (int number = 2; !taken.insert(unique).second; ++number) unique = plain + "_" + std::to_string(number);
  return unique;
}

/// The last part of a block's type, letters and digits only: "contact/PhaseLead" to "PhaseLead".
std::string type_name(const std::string& type) {
  std::string name;
  for (const char c : type.substr(type.rfind('/') + 1))
    if (letter_or_digit(c)) name += c;
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name = "Block" + name;
  if (name[0] >= 'a') name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return text;
}

std::string plain_type(const LogField& field) {
  std::string type;
  switch (field.element) {
  case LogElement::f64: type = "float64"; break;
  case LogElement::i64: type = "int64"; break;
  case LogElement::u64: type = "uint64"; break;
  case LogElement::boolean: type = "bool"; break;
  }
  return field.elements() == 1 ? type : type + "[" + std::to_string(field.elements()) + "]";
}

constexpr const char* separator = "================================================================================\n";
constexpr const char* vector3 = "MSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n";
constexpr const char* wrench = "MSG: geometry_msgs/Wrench\ngeometry_msgs/Vector3 force\ngeometry_msgs/Vector3 torque\n";
constexpr const char* twist = "MSG: geometry_msgs/Twist\ngeometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n";
// ROS's own pose has its quaternion's w last, ours first
constexpr const char* pose =
    "MSG: hilda_msgs/Pose\ngeometry_msgs/Vector3 position\nhilda_msgs/Quaternion orientation\n";
constexpr const char* quaternion = "MSG: hilda_msgs/Quaternion\nfloat64 w\nfloat64 x\nfloat64 y\nfloat64 z\n";

/// The type of a field; what it refers to is added to `used`.
std::string field_type(const LogField& field, std::set<std::string>& used) {
  if (field.element != LogElement::f64 || element_suffix(field, 0).substr(0, 1) != ".") return plain_type(field);
  if (field.kind == "quaternion") {
    used.insert(quaternion);
    return "hilda_msgs/Quaternion";
  }
  used.insert(vector3);
  if (field.kind == "pose") used.insert(quaternion);
  used.insert(field.kind == "wrench" ? wrench : field.kind == "twist" ? twist : pose);
  return field.kind == "wrench"  ? "geometry_msgs/Wrench"
         : field.kind == "twist" ? "geometry_msgs/Twist"
                                 : "hilda_msgs/Pose";
}

/// "MOVING_SLOW": programs that know the message show it instead of the number.
std::string constant_name(const std::string& value) {
  std::string name;
  for (const char c : value) name += c == '.' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

/// The fields of a block's part, line by line.
std::string part_text(const LogChannel& channel, std::set<std::string>& used) {
  std::set<std::string> names;
  std::vector<std::string> lines;
  for (const LogField& field : channel.fields) {
    std::string line;
    if (!field.doc.empty()) line += "# " + one_line(field.doc) + "\n";
    if (!field.unit.empty()) line += "# unit: " + one_line(field.unit) + "\n";
    for (std::size_t i = 0; i < field.names.size(); ++i)
      line += field_type(field, used) + " " + constant_name(field.names[i]) + "=" + std::to_string(i) + "\n";
    line += field_type(field, used) + " " + field_name(field.name, names) + "\n";
    lines.push_back(std::move(line));
  }
  const SampleLayout layout = sample_layout(channel);
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return layout.offsets[a] < layout.offsets[b]; });
  std::string text;
  for (const std::size_t i : order) text += lines[i];
  return text;
}

/// Types of parts within one message: equal ones are one, different ones of one name get numbers.
class PartTypes {
public:
  const std::string& name_of(const LogChannel& channel) {
    std::string wanted = "hilda_msgs/" + type_name(channel.type), text = part_text(channel, used_);
    const auto [known, added] = names_.emplace(std::pair(wanted, text), wanted);
    if (!added) return known->second;
    for (int number = 2; !taken_.insert(known->second).second; ++number)
      known->second = wanted + std::to_string(number);
    used_.insert("MSG: " + known->second + "\n" + text);
    return known->second;
  }
  const std::set<std::string>& used() const { return used_; }

private:
  std::map<std::pair<std::string, std::string>, std::string> names_;
  std::set<std::string> taken_{"hilda_msgs/Pose", "hilda_msgs/Quaternion", "hilda_msgs/Samples"}, used_;
};

} // namespace

Ros2Type ros2_type(std::span<const LogChannel> channels) {
  std::set<std::string> names{"tick"};
  PartTypes types;
  Ros2Type type{"hilda_msgs/msg/Samples", "int64 tick\n"};
  for (const LogChannel& channel : channels)
    if (!channel.fields.empty())
      type.text +=
          types.name_of(channel) + " " + field_name(channel.path.substr(channel.path.rfind('.') + 1), names) + "\n";
  for (const std::string& part : types.used()) type.text += separator + part;
  return type;
}

Ros2Type ros2_event_type() {
  return {"hilda_msgs/msg/Event", std::string("int64 tick\nstring kind\nstring text\n"
                                              "# what programs have written before this tick, in SI\n"
                                              "hilda_msgs/WrittenNumbers[] inputs\n") +
                                      separator + "MSG: hilda_msgs/WrittenNumbers\nstring path\nfloat64[] numbers\n"};
}

Ros2Type ros2_lost_type() {
  return {"hilda_msgs/msg/LostTicks", "int64 tick\n# ticks whose observed signals are lost, up to this one\n"
                                      "uint64 lost\n"};
}

std::string ros2_topic(const std::string& path) {
  std::string topic = "/" + path;
  std::replace(topic.begin(), topic.end(), '.', '/');
  return topic;
}

} // namespace hilda::log
