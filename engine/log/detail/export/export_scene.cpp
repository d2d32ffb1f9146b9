// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/export_scene.h"

#include "engine/log/detail/export/equal_box.h"
#include "engine/log/detail/export/foxglove_schemas.h"
#include "engine/log/detail/mcap/mcap_writer.h"
#include "engine/log/frame_layout.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace hilda::log {
namespace {

using Json = nlohmann::json;

constexpr double most_a_second = 100, longest_arrow = 0.5; // m
constexpr const char* world = "world";
constexpr std::uint16_t tf_channel = 1, scene_channel = 2;

/// A pose or a wrench of the log, and its newest sample.
struct Source {
  std::string name;
  std::size_t channel = 0, offset = 0;
  std::vector<double> now = {};

  bool known() const {
    return !now.empty() && std::all_of(now.begin(), now.end(), [](double x) { return std::isfinite(x); });
  }
};
struct Arrow {
  Source wrench, pose;
};
struct Body {
  std::string frame, path;
  EqualBox box;
  std::array<double, 3> centre{};
};

Json stamp(std::int64_t nanoseconds) { return {{"sec", nanoseconds / 1000000000}, {"nsec", nanoseconds % 1000000000}}; }
Json vector(double x, double y, double z) { return {{"x", x}, {"y", y}, {"z", z}}; }
Json quaternion(double w, double x, double y, double z) { return {{"x", x}, {"y", y}, {"z", z}, {"w", w}}; }
Json color(double r, double g, double b, double a) { return {{"r", r}, {"g", g}, {"b", b}, {"a", a}}; }

Json entity(const std::string& frame, const std::string& id, std::int64_t time, bool locked) {
  Json e = {{"timestamp", stamp(time)}, {"frame_id", frame},      {"id", id},
            {"lifetime", stamp(0)},     {"frame_locked", locked}, {"metadata", Json::array()}};
  for (const char* kind : {"arrows", "cubes", "spheres", "cylinders", "lines", "triangles", "texts", "models"})
    e[kind] = Json::array();
  return e;
}

/// The rotation from x to the direction of f, w x y z.
Json direction(const double* f, double size) {
  const double w = 1 + f[0] / size; // of (1 + x.u, x cross u)
  if (w < 1e-9) return quaternion(0, 0, 0, 1);
  const double y = -f[2] / size, z = f[1] / size, norm = std::sqrt(w * w + y * y + z * z);
  return quaternion(w / norm, 0, y / norm, z / norm);
}

double size_of(const double* f) { return std::sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]); }

/// A number of the parameters; none where it is a text, such as "inf".
std::optional<double> number(const Json& parameters, const std::string& name) {
  const auto found = parameters.find(name);
  if (found == parameters.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

class SceneExport {
public:
  SceneExport(Log& log, SceneContent& content) : log_(log), content_(content) {
    find_frames();
    find_bodies();
    find_arrows();
  }

  bool run(std::unique_ptr<OutputFile> file, std::string& error) {
    if (frames_.empty()) {
      error = "the log has no pose: there is nothing to place in a scene";
      return false;
    }
    scale_arrows();
    writer_.open(std::move(file), "hilda");
    writer_.schema(1, "foxglove.FrameTransforms", "jsonschema", frame_transforms_schema().dump());
    writer_.schema(2, "foxglove.SceneUpdate", "jsonschema", scene_update_schema().dump());
    writer_.channel(tf_channel, 1, "/tf", "json", {});
    writer_.channel(scene_channel, 2, "/scene", "json", {});
    each_due_tick([this](std::int64_t tick) { write(tick); });
    if (writer_.close()) return true;
    error = writer_.error();
    return false;
  }

private:
  std::optional<Source> source(const std::string& name, const char* kind) const {
    const auto place = log_.find(name);
    if (!place) return std::nullopt;
    const LogChannel& channel = log_.schema().channels[place->channel];
    const LogField& field = channel.fields[place->field];
    if (field.kind != kind || place->elements.count != field.elements()) return std::nullopt;
    return Source{name, place->channel, sample_layout(channel).offsets[place->field]};
  }

  void find_frames() {
    for (const std::string& name : log_.signal_names())
      if (const auto pose = source(name, "pose")) frames_.push_back(*pose), content_.frames.push_back(name);
  }

  void find_bodies() {
    const auto text = log_.schema().metadata.find("parameters");
    if (text == log_.schema().metadata.end()) return;
    const Json parameters = Json::parse(text->second, nullptr, false);
    if (!parameters.is_object()) return;
    for (const Source& frame : frames_) {
      const std::string path = log_.schema().channels[frame.channel].path;
      const bool known = std::any_of(bodies_.begin(), bodies_.end(), [&](const Body& b) { return b.path == path; });
      const auto mass = number(parameters, path + ".mass");
      const auto inertia = parameters.find(path + ".inertia");
      if (known || !mass || inertia == parameters.end()) continue;
      if (const auto box = equal_box(*mass, tensor(*inertia))) {
        bodies_.push_back({frame.name, path, *box, centre(parameters, path)});
        content_.boxes.push_back(path);
      }
    }
  }
  /// Row by row; one number is alike about all axes. NaN where it is neither.
  static std::array<double, 9> tensor(const Json& inertia) {
    std::array<double, 9> I{};
    if (inertia.is_number())
      I[0] = I[4] = I[8] = inertia.get<double>();
    else
      I.fill(NAN);
    if (!inertia.is_array() || inertia.size() != 3) return I;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        if (inertia[i].is_array() && inertia[i].size() == 3 && inertia[i][j].is_number())
          I[3 * i + j] = inertia[i][j].get<double>();
    return I;
  }
  /// Of mass, from the origin of the pose.
  static std::array<double, 3> centre(const Json& parameters, const std::string& path) {
    std::array<double, 3> c{};
    const auto found = parameters.find(path + ".centre");
    for (std::size_t i = 0; found != parameters.end() && found->is_array() && found->size() == 3 && i < 3; ++i)
      if ((*found)[i].is_number()) c[i] = (*found)[i].get<double>();
    return c;
  }

  /// PATH.wrench with PATH.pose: of a block, or of the ports of a subsystem.
  void find_arrows() {
    std::vector<std::string> names = log_.signal_names();
    for (const auto& [alias, signal] : log_.schema().aliases) names.push_back(alias);
    for (const std::string& name : names) {
      const auto wrench = source(name, "wrench");
      if (!wrench || !name.ends_with(".wrench")) continue;
      const auto pose = source(name.substr(0, name.size() - 6) + "pose", "pose");
      if (pose)
        arrows_.push_back({*wrench, *pose}), content_.arrows.push_back(name);
      else
        content_.unplaced.push_back(name);
    }
  }

  void take(Source& source, const Log::Sample& sample, std::size_t count) const {
    if (source.channel != sample.channel) return;
    source.now.resize(count);
    std::memcpy(source.now.data(), sample.data.data() + source.offset, count * sizeof(double));
  }

  template <class Act> void each_due_tick(const Act& act) {
    const double period = seconds_at(log_.schema().period, 1);
    const auto step = std::max<std::int64_t>(1, std::llround(1 / (most_a_second * period)));
    Log::Sample sample;
    std::int64_t tick = -1;
    log_.rewind();
    while (log_.next(sample)) {
      if (sample.tick != tick && tick >= 0 && tick % step == 0) act(tick);
      tick = sample.tick;
      for (Source& frame : frames_) take(frame, sample, 7);
      for (Arrow& arrow : arrows_) take(arrow.wrench, sample, 6), take(arrow.pose, sample, 7);
    }
    if (tick >= 0 && tick % step == 0) act(tick);
  }

  void scale_arrows() {
    double largest = 0;
    each_due_tick([&](std::int64_t) {
      for (const Arrow& arrow : arrows_)
        if (arrow.wrench.known()) largest = std::max(largest, size_of(arrow.wrench.now.data()));
    });
    content_.newtons_per_metre = largest / longest_arrow;
  }

  void write(std::int64_t tick) {
    const std::int64_t time = nanoseconds_at(log_.schema().period, tick);
    Json transforms = Json::array(), entities = Json::array();
    for (const Source& frame : frames_) {
      if (!frame.known()) continue;
      const std::vector<double>& p = frame.now;
      transforms.push_back({{"timestamp", stamp(time)},
                            {"parent_frame_id", world},
                            {"child_frame_id", frame.name},
                            {"translation", vector(p[0], p[1], p[2])},
                            {"rotation", quaternion(p[3], p[4], p[5], p[6])}});
    }
    if (!boxes_written_)
      for (const Body& body : bodies_) entities.push_back(box_of(body, time));
    boxes_written_ = true;
    for (const Arrow& arrow : arrows_) entities.push_back(arrow_of(arrow, time));
    put(tf_channel, time, {{"transforms", transforms}});
    if (!entities.empty()) put(scene_channel, time, {{"deletions", Json::array()}, {"entities", entities}});
  }

  static Json box_of(const Body& body, std::int64_t time) {
    Json e = entity(body.frame, body.path, time, true);
    const auto& [w, x, y, z] = body.box.orientation;
    e["cubes"].push_back({{"pose",
                           {{"position", vector(body.centre[0], body.centre[1], body.centre[2])},
                            {"orientation", quaternion(w, x, y, z)}}},
                          {"size", vector(body.box.sides[0], body.box.sides[1], body.box.sides[2])},
                          {"color", color(0.35, 0.55, 0.8, 0.6)}});
    return e;
  }

  /// In the world, as the force is; without a force the entity is empty.
  Json arrow_of(const Arrow& arrow, std::int64_t time) const {
    Json e = entity(world, arrow.wrench.name, time, false);
    if (!arrow.wrench.known() || !arrow.pose.known()) return e;
    const double* f = arrow.wrench.now.data();
    const double size = size_of(f);
    if (!(size > 0)) return e;
    const double length = size / content_.newtons_per_metre;
    e["metadata"].push_back({{"key", "force [N]"}, {"value", std::to_string(size)}});
    e["arrows"].push_back({{"pose",
                            {{"position", vector(arrow.pose.now[0], arrow.pose.now[1], arrow.pose.now[2])},
                             {"orientation", direction(f, size)}}},
                           {"shaft_length", 0.8 * length},
                           {"shaft_diameter", 0.02},
                           {"head_length", 0.2 * length},
                           {"head_diameter", 0.04},
                           {"color", color(0.85, 0.25, 0.2, 1)}});
    return e;
  }

  void put(std::uint16_t channel, std::int64_t time, const Json& message) {
    const std::string text = message.dump();
    std::byte* to = writer_.message(channel, static_cast<std::uint64_t>(time), text.size());
    if (to != nullptr) std::memcpy(to, text.data(), text.size());
    if (writer_.chunk_bytes() > (std::size_t{1} << 20U)) writer_.flush();
  }

  Log& log_;
  SceneContent& content_;
  std::vector<Source> frames_;
  std::vector<Body> bodies_;
  std::vector<Arrow> arrows_;
  bool boxes_written_ = false;
  mcap::Writer writer_;
};

} // namespace

bool export_scene(Log& log, std::unique_ptr<OutputFile> file, SceneContent& content, std::string& error) {
  return SceneExport(log, content).run(std::move(file), error);
}

} // namespace hilda::log
