// SPDX-License-Identifier: BSD-3-Clause
// A log as a scene: frames, boxes and arrows against the numbers that were recorded, and every message against the
// schemas of Foxglove's own package.
#include "engine/log/detail/export/equal_box.h"
#include "engine/log/export_scene.h"
#include "tests/engine/sample_log.h"
#include "tests/npm_packages.h"
#include "tests/project_folders.h"

#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>

namespace hilda::test {
namespace {

using Json = nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TemporaryFile;

constexpr std::int64_t ticks = 301; // at 500 a second

/// Two bodies, one of them with its pose away from its centre of mass, a body that nothing moves, and a sensor whose
/// pose comes from another block.
struct Motion {
  std::array<double, 7> body{}, vehicle{}, heavy{}, tool{};
  std::array<double, 6> push{}, measured{};

  void set(std::int64_t tick) {
    const double t = static_cast<double>(tick) / 500;
    const Eigen::Quaterniond q(Eigen::AngleAxisd(t, Eigen::Vector3d(1, 2, 3).normalized()));
    body = {t, 2 * t, -t, q.w(), q.x(), q.y(), q.z()};
    vehicle = {-t, 0, 1, q.w(), -q.x(), -q.y(), -q.z()};
    heavy = {0, 0, 0, 1, 0, 0, 0};
    tool = {0.1, 0.2 * t, 0.3, 1, 0, 0, 0};
    push = {0, 0, 0, 1, 1, 1};
    measured = {std::cos(3 * t) * 40 * t, std::sin(3 * t) * 40 * t, 5 * t, 0, 0, 0};
    if (tick == 250) measured = {-30, 0, 0, 0, 0, 0};
  }
};

LogSchema schema() {
  const auto pose = [] { return LogField{"pose", LogElement::f64, 7, 1, "", "", "pose"}; };
  const auto wrench = [] { return LogField{"wrench", LogElement::f64, 6, 1, "", "", "wrench"}; };
  LogSchema s;
  s.period = Rational(1, 500);
  s.channels = {{"body", "dynamics/RigidBody", RecordClass::observed, 1, {pose()}},
                {"table.vehicle", "dynamics/PlanarBody", RecordClass::observed, 1, {pose(), wrench()}},
                {"heavy", "dynamics/RigidBody", RecordClass::observed, 1, {pose()}},
                {"rig.encoders", "contact/MotionSensor", RecordClass::observed, 1, {pose()}},
                {"rig.sensor", "contact/ToolSensor", RecordClass::observed, 1, {wrench()}}};
  s.metadata = {{"parameters", R"({"body.mass": 12, "body.inertia": [[13, 0, 0], [0, 10, 0], [0, 0, 5]],
      "table.vehicle.mass": 60, "table.vehicle.inertia": 10, "table.vehicle.centre": [0.1, 0.2, 0.3],
      "heavy.mass": "inf", "heavy.inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]})"}};
  s.aliases = {{"rig.pose", "rig.encoders.pose"}, {"rig.wrench", "rig.sensor.wrench"}};
  return s;
}

void write_log(const std::string& path) {
  const LogSchema written = schema();
  std::string error;
  const auto log = LogWriter::create(path, written, {}, error);
  ASSERT_NE(log, nullptr) << error;
  Motion m;
  const std::vector<RecordSource> sources = {{0, 0, m.body.data(), 56}, {1, 0, m.vehicle.data(), 56},
                                             {1, 1, m.push.data(), 48}, {2, 0, m.heavy.data(), 56},
                                             {3, 0, m.tool.data(), 56}, {4, 0, m.measured.data(), 48}};
  auto recorder = Recorder::create(written, sources, log->ring(), WhenFull::wait, error);
  ASSERT_TRUE(recorder.has_value()) << error;
  for (std::int64_t tick = 0; tick < ticks; ++tick) {
    recorder->wait_for_room();
    m.set(tick);
    ASSERT_EQ(recorder->record(tick), RecordStatus::recorded);
  }
  ASSERT_TRUE(log->close()) << log->error();
}

SceneContent write_scene(const std::string& log_path, const std::string& path) {
  Log log = testing::open(log_path);
  OutputFiles files;
  SceneContent content;
  std::string error;
  EXPECT_TRUE(export_scene(log, files.open(path, OutputKind::file, FileContent::log), content, error)) << error;
  return content;
}

struct Messages {
  std::vector<std::uint64_t> times;
  std::vector<Json> values;
};

/// By topic, as this project's reader gives them.
std::map<std::string, Messages> read_scene(const std::string& path) {
  std::string error;
  auto reader = log::mcap::Reader::open(path, error);
  if (!reader) throw std::runtime_error(error);
  std::map<std::string, Messages> found;
  log::mcap::MessageView message;
  while (reader->next(message))
    for (const auto& channel : reader->channels())
      if (channel.id == message.channel) {
        found[channel.topic].times.push_back(message.nanoseconds);
        found[channel.topic].values.push_back(
            Json::parse(reinterpret_cast<const char*>(message.data.data()),
                        reinterpret_cast<const char*>(message.data.data()) + message.data.size()));
      }
  EXPECT_TRUE(reader->complete());
  return found;
}

Eigen::Vector3d vector(const Json& v) {
  return Eigen::Vector3d(v.at("x").get<double>(), v.at("y").get<double>(), v.at("z").get<double>());
}
Eigen::Quaterniond rotation(const Json& q) {
  return Eigen::Quaterniond(q.at("w").get<double>(), q.at("x").get<double>(), q.at("y").get<double>(),
                            q.at("z").get<double>());
}
const Json& entity(const Json& message, const std::string& id) {
  for (const Json& each : message.at("entities"))
    if (each.at("id") == id) return each;
  throw std::runtime_error("no entity " + id);
}

class Scene : public ::testing::Test {
protected:
  void SetUp() override {
    write_log(log_.path());
    content_ = write_scene(log_.path(), scene_.path());
    topics_ = read_scene(scene_.path());
  }
  TemporaryFile log_{"motion.mcap"}, scene_{"scene.mcap"};
  SceneContent content_;
  std::map<std::string, Messages> topics_;
};

TEST_F(Scene, HasEveryPoseAsAFrameAHundredTimesASecond) {
  EXPECT_THAT(content_.frames, ElementsAre("body.pose", "table.vehicle.pose", "heavy.pose", "rig.encoders.pose"));
  const Messages& tf = topics_.at("/tf");
  ASSERT_EQ(tf.values.size(), 61u);
  Motion m;
  for (std::size_t i = 0; i < tf.values.size(); ++i) {
    m.set(static_cast<std::int64_t>(5 * i));
    EXPECT_EQ(tf.times[i], i * 10000000);
    const Json& transforms = tf.values[i].at("transforms");
    ASSERT_EQ(transforms.size(), 4u);
    const std::array<double, 7>* poses[] = {&m.body, &m.vehicle, &m.heavy, &m.tool};
    for (std::size_t j = 0; j < 4; ++j) {
      const std::array<double, 7>& p = *poses[j];
      EXPECT_EQ(transforms[j].at("child_frame_id"), content_.frames[j]);
      EXPECT_EQ(transforms[j].at("parent_frame_id"), "world");
      EXPECT_EQ(transforms[j].at("timestamp").at("sec").get<std::uint64_t>() * 1000000000 +
                    transforms[j].at("timestamp").at("nsec").get<std::uint64_t>(),
                tf.times[i]);
      EXPECT_EQ(vector(transforms[j].at("translation")), Eigen::Vector3d(p[0], p[1], p[2]));
      EXPECT_EQ(rotation(transforms[j].at("rotation")).coeffs(), Eigen::Quaterniond(p[3], p[4], p[5], p[6]).coeffs());
    }
  }
}

TEST_F(Scene, HasABoxForEachBodyThatHasAMass) {
  EXPECT_THAT(content_.boxes, ElementsAre("body", "table.vehicle"));
  const Json& first = topics_.at("/scene").values.front();
  const Json& body = entity(first, "body");
  EXPECT_EQ(body.at("frame_id"), "body.pose");
  EXPECT_EQ(body.at("frame_locked"), true);
  const Json& cube = body.at("cubes").at(0);
  // I = m (b^2 + c^2) / 12 with m = 12: the sides along x, y, z are 1, 2 and 3
  const Eigen::Vector3d sides = (rotation(cube.at("pose").at("orientation")) * vector(cube.at("size"))).cwiseAbs();
  EXPECT_LT((sides - Eigen::Vector3d(1, 2, 3)).norm(), 1e-12) << sides.transpose();
  const Json& vehicle = entity(first, "table.vehicle").at("cubes").at(0);
  EXPECT_LT((vector(vehicle.at("size")) - Eigen::Vector3d::Ones()).norm(), 1e-12);
  EXPECT_EQ(vector(vehicle.at("pose").at("position")), Eigen::Vector3d(0.1, 0.2, 0.3)) << "its centre of mass";
  for (std::size_t i = 1; i < topics_.at("/scene").values.size(); ++i)
    for (const Json& each : topics_.at("/scene").values[i].at("entities")) EXPECT_TRUE(each.at("cubes").empty());
}

TEST_F(Scene, HasAnArrowForEachWrenchWithAPoseNextToIt) {
  EXPECT_THAT(content_.arrows, ElementsAre("table.vehicle.wrench", "rig.wrench"));
  EXPECT_THAT(content_.unplaced, ElementsAre("rig.sensor.wrench"));
  Motion m;
  double largest = 0;
  for (std::int64_t tick = 0; tick < ticks; tick += 5) {
    m.set(tick);
    largest = std::max(largest, Eigen::Vector3d(m.measured[0], m.measured[1], m.measured[2]).norm());
  }
  EXPECT_NEAR(content_.newtons_per_metre, largest / 0.5, 1e-12);
  const Messages& scene = topics_.at("/scene");
  ASSERT_EQ(scene.values.size(), 61u);
  for (std::size_t i = 0; i < scene.values.size(); ++i) {
    m.set(static_cast<std::int64_t>(5 * i));
    EXPECT_TRUE(entity(scene.values[i], "table.vehicle.wrench").at("arrows").empty()) << "it has no force";
    const Json& arrows = entity(scene.values[i], "rig.wrench").at("arrows");
    const Eigen::Vector3d force(m.measured[0], m.measured[1], m.measured[2]);
    ASSERT_EQ(arrows.size(), force.norm() > 0 ? 1u : 0u) << i;
    if (arrows.empty()) continue;
    const Json& arrow = arrows.at(0);
    EXPECT_EQ(vector(arrow.at("pose").at("position")), Eigen::Vector3d(m.tool[0], m.tool[1], m.tool[2]));
    const double length = arrow.at("shaft_length").get<double>() + arrow.at("head_length").get<double>();
    const Eigen::Quaterniond q = rotation(arrow.at("pose").at("orientation"));
    EXPECT_NEAR(q.norm(), 1, 1e-12);
    EXPECT_LT((q * Eigen::Vector3d(length, 0, 0) * content_.newtons_per_metre - force).norm(), 1e-9) << i;
  }
}

TEST(SceneExport, RefusesALogWithoutAPose) {
  const TemporaryFile log_file("none.mcap"), scene("none_scene.mcap");
  LogSchema none;
  none.channels = {{"gain", "math/Gain", RecordClass::observed, 1, {{"y", LogElement::f64, 1, 1, "", "", ""}}}};
  std::string error;
  const auto writer = LogWriter::create(log_file.path(), none, {}, error);
  ASSERT_NE(writer, nullptr) << error;
  ASSERT_TRUE(writer->close());
  Log log = testing::open(log_file.path());
  OutputFiles files;
  SceneContent content;
  EXPECT_FALSE(export_scene(log, files.open(scene.path(), OutputKind::file, FileContent::log), content, error));
  EXPECT_EQ(error, "the log has no pose: there is nothing to place in a scene");
}

/// The inertia of the box that is found is the one that was given, for bodies in any attitude.
TEST(EqualBox, HasTheMassAndTheInertia) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> draw(0.1, 3);
  for (int k = 0; k < 200; ++k) {
    const double mass = 10 * draw(random);
    const Eigen::Vector3d sides(draw(random), draw(random), draw(random));
    const Eigen::Matrix3d R =
        Eigen::Quaterniond(draw(random), draw(random), -draw(random), draw(random) - 1).normalized().toRotationMatrix();
    const auto inertia = [&](const Eigen::Matrix3d& axes, const Eigen::Vector3d& s) -> Eigen::Matrix3d {
      const Eigen::Vector3d squares = s.cwiseProduct(s);
      return axes * (mass / 12 * (squares.sum() * Eigen::Vector3d::Ones() - squares)).asDiagonal() * axes.transpose();
    };
    const Eigen::Matrix3d I = inertia(R, sides);
    const auto box = equal_box(mass, {I(0, 0), I(0, 1), I(0, 2), I(1, 0), I(1, 1), I(1, 2), I(2, 0), I(2, 1), I(2, 2)});
    ASSERT_TRUE(box);
    const Eigen::Quaterniond q(box->orientation[0], box->orientation[1], box->orientation[2], box->orientation[3]);
    const Eigen::Matrix3d again =
        inertia(q.toRotationMatrix(), Eigen::Vector3d(box->sides[0], box->sides[1], box->sides[2]));
    EXPECT_LT((again - I).norm(), 1e-11 * I.norm());
  }
  EXPECT_FALSE(equal_box(INFINITY, {1, 0, 0, 0, 1, 0, 0, 0, 1}));
  EXPECT_FALSE(equal_box(1, {3, 0, 0, 0, 1, 0, 0, 0, 1})) << "no body has it";
  EXPECT_FALSE(equal_box(1, {NAN, 0, 0, 0, 1, 0, 0, 0, 1}));
}

TEST_F(Scene, IsWhatFoxglovesPackageAsksFor) {
  const std::filesystem::path sources = source_folder() + "/tests/mcap", installed = build_folder() + "/tests/mcap";
  const std::string problem = install_packages(sources, installed, {"read_scene.mjs"});
  if (!problem.empty()) {
    std::cerr << "\n*** NOT TESTED: whether a scene is what Foxglove reads. " << problem << " ***\n\n";
    GTEST_SKIP() << problem;
  }
  const Output node = run("node '" + (installed / "read_scene.mjs").string() + "' '" + scene_.path() + "' 2>&1");
  ASSERT_EQ(node.status, 0) << node.text;
  const Json read = Json::parse(node.text);
  EXPECT_EQ(read.at("faults"), Json::array());
  for (const auto& [topic, schema_name] :
       {std::pair{"/tf", "foxglove.FrameTransforms"}, std::pair{"/scene", "foxglove.SceneUpdate"}}) {
    const Json& found = read.at("topics").at(topic);
    EXPECT_EQ(found.at("schema"), schema_name);
    EXPECT_EQ(found.at("schemaEncoding"), "jsonschema");
    EXPECT_EQ(found.at("encoding"), "json");
    EXPECT_EQ(found.at("sameSchema"), true);
    ASSERT_EQ(found.at("messages").size(), topics_.at(topic).values.size());
    for (std::size_t i = 0; i < topics_.at(topic).values.size(); ++i)
      EXPECT_EQ(found.at("messages").at(i).at("value"), topics_.at(topic).values[i]) << topic << " " << i;
  }
}

} // namespace
} // namespace hilda::test
