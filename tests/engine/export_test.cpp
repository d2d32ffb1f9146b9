// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/detail/export/mat_tree.h"
#include "engine/log/export_csv.h"
#include "engine/log/export_mat.h"
#include "engine/session/summary.h"
#include "tests/engine/sample_log.h"
#include "tests/modules.h"

#include <algorithm>
#include <array>
#include <clocale>
#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <matio.h>
#include <random>
#include <sstream>

namespace hilda::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::SampleSignals;
using testing::TemporaryFile;

Log open_sample(const TemporaryFile& file, std::int64_t ticks) {
  testing::write_sample_log(file.path(), ticks);
  std::string error;
  auto log = Log::open(file.path(), error);
  if (!log) throw std::runtime_error(error);
  return std::move(*log);
}

using Table = std::vector<std::vector<std::string>>;

Table cells_of(const std::string& path) {
  std::ifstream stream(path);
  Table table;
  for (std::string line; std::getline(stream, line);) {
    table.emplace_back();
    std::istringstream cells(line + ",");
    for (std::string cell; std::getline(cells, cell, ',');) table.back().push_back(cell);
  }
  return table;
}

Table exported(Log& log, const CsvOptions& options) {
  const TemporaryFile csv("export.csv");
  std::string error;
  EXPECT_TRUE(export_csv(log, csv.path(), options, error)) << error;
  return cells_of(csv.path());
}

TEST(CsvExport, HasOneTimeColumnAndNamesWithUnits) {
  const TemporaryFile file("csv_names.mcap");
  Log log = open_sample(file, 3);
  const Table table = exported(log, {.signals = {"rig.wrench.force", "slow", "rig.sensor.jacobian"}});
  EXPECT_THAT(table.at(0), ElementsAre("time [s]", "rig.sensor.wrench.force.x [N]", "rig.sensor.wrench.force.y [N]",
                                       "rig.sensor.wrench.force.z [N]", "slow.y [N m]",
                                       "rig.sensor.jacobian[0][0] [m/rad]", "rig.sensor.jacobian[1][0] [m/rad]",
                                       "rig.sensor.jacobian[0][1] [m/rad]", "rig.sensor.jacobian[1][1] [m/rad]",
                                       "rig.sensor.jacobian[0][2] [m/rad]", "rig.sensor.jacobian[1][2] [m/rad]"));
  EXPECT_EQ(table.size(), 4U);
  EXPECT_EQ(table[2].size(), table[0].size());
}

TEST(CsvExport, NumbersReadBackAsTheSameBitsInAnyLocale) {
  const TemporaryFile file("csv_bits.mcap");
  Log log = open_sample(file, 40);
  std::setlocale(LC_ALL, "de_DE.UTF-8"); // a decimal comma where this locale is installed
  const Table table = exported(log, {});
  std::setlocale(LC_ALL, "C");
  ASSERT_EQ(table.size(), 41U);
  SampleSignals expected;
  for (std::size_t i = 0; i < 40; ++i) {
    expected.set(static_cast<std::int64_t>(i));
    const auto& row = table[i + 1];
    ASSERT_EQ(row.size(), 29U);
    EXPECT_EQ(std::stod(row[0]), static_cast<double>(i) / 250.0);
    EXPECT_EQ(row[1], std::to_string(expected.touching));
    for (std::size_t e = 0; e < 6; ++e) EXPECT_EQ(std::stod(row[2 + e]), expected.wrench[e]);
    for (std::size_t e = 0; e < 7; ++e) EXPECT_EQ(std::stod(row[8 + e]), expected.pose[e]);
    EXPECT_EQ(row[15], std::to_string(expected.count));
    EXPECT_EQ(row[16], std::to_string(expected.stamp));
    for (std::size_t e = 0; e < 3; ++e) EXPECT_EQ(row[17 + e], std::to_string(expected.limits[e]));
    for (std::size_t e = 0; e < 6; ++e) EXPECT_EQ(std::stod(row[20 + e]), expected.jacobian[e]);
    EXPECT_EQ(row[28], std::to_string(expected.packet[1]));
  }
}

TEST(CsvExport, LeavesCellsEmptyWhereASlowSignalWasNotSampledOrHoldsItOnRequest) {
  const TemporaryFile file("csv_rates.mcap");
  Log log = open_sample(file, 12);
  const Table blank = exported(log, {.signals = {"slow.y", "rig.sensor.count"}});
  ASSERT_EQ(blank.size(), 13U);
  EXPECT_THAT(blank[1], ElementsAre("0", "1", "0"));
  EXPECT_THAT(blank[2], ElementsAre("0.004", "", "-1000000007"));
  EXPECT_EQ(blank[6][1], "0.16666666666666666");
  EXPECT_EQ(blank[11][1], "nan");
  const Table held = exported(log, {.signals = {"slow.y", "rig.sensor.count"}, .hold = true});
  EXPECT_EQ(held[2][1], "1");
  EXPECT_EQ(held[10][1], "0.16666666666666666");
  const Table alone = exported(log, {.signals = {"slow.y"}});
  EXPECT_EQ(alone.size(), 4U) << "only ticks at which a signal was sampled have a line";
}

TEST(CsvExport, NamesWhatIsMissing) {
  const TemporaryFile file("csv_missing.mcap");
  Log log = open_sample(file, 1);
  std::string error;
  EXPECT_FALSE(export_csv(log, file.path() + ".csv", {.signals = {"slow.z"}}, error));
  EXPECT_EQ(error, "the log has no signal \"slow.z\"; the nearest is \"slow.y\"");
  EXPECT_FALSE(export_csv(log, "/no/such/folder/x.csv", {}, error));
  EXPECT_EQ(
      error,
      "/no/such/folder/x.csv cannot be written: there is no folder /no/such/folder\nhelp: mkdir -p /no/such/folder");
  EXPECT_FALSE(export_csv(log, "/dev/full", {}, error));
  EXPECT_EQ(error, "/dev/full cannot be written: No space left on device");
}

// What says before a run whether the disk is sure to have room for its log.
TEST(LogSize, IsKnownBeforehand) {
  const TemporaryFile file("size.mcap");
  testing::write_sample_log(file.path(), 0, {.packed = false});
  const auto empty = static_cast<double>(std::filesystem::file_size(file.path()));
  constexpr std::int64_t ticks = 20'000;
  testing::write_sample_log(file.path(), ticks, {.packed = false});
  const double messages = static_cast<double>(std::filesystem::file_size(file.path())) - empty;
  const auto expected = static_cast<double>(LogWriter::expected_bytes(testing::sample_schema(), ticks));
  EXPECT_LE(expected, messages);
  EXPECT_GE(expected, 0.99 * messages);
  testing::write_sample_log(file.path(), ticks);
  EXPECT_LE(static_cast<double>(std::filesystem::file_size(file.path())), 1.01 * expected)
      << "numbers that nothing compresses";
  EXPECT_EQ(LogWriter::expected_bytes(testing::sample_schema(), std::numeric_limits<std::int64_t>::max()), 1e18);
}

struct MatVariableDeleter {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using MatVariable = std::unique_ptr<matvar_t, MatVariableDeleter>;

/// A MAT file, read by a library that is not ours.
class MatReader {
public:
  explicit MatReader(const std::string& path) : file_(Mat_Open(path.c_str(), MAT_ACC_RDONLY), &Mat_Close) {}

  /// The variable or, with more names, the field inside; null where it is not there.
  matvar_t* get(const std::vector<std::string>& names) {
    variables_.emplace_back(Mat_VarRead(file_.get(), names.front().c_str()));
    matvar_t* found = variables_.back().get();
    for (std::size_t i = 1; found != nullptr && i < names.size(); ++i)
      found = Mat_VarGetStructFieldByName(found, names[i].c_str(), 0);
    return found;
  }

private:
  std::unique_ptr<mat_t, int (*)(mat_t*)> file_;
  std::vector<MatVariable> variables_;
};

TEST(MatExport, ReadsBackAsStructuresByPath) {
  const TemporaryFile file("mat.mcap"), mat("export.mat");
  Log log = open_sample(file, 30);
  std::string error;
  ASSERT_TRUE(export_mat(log, mat.path(), {}, error)) << error;
  MatReader read(mat.path());
  SampleSignals expected;
  expected.set(21);

  const matvar_t* const wrench = read.get({"rig", "sensor", "wrench"});
  ASSERT_NE(wrench, nullptr);
  ASSERT_EQ(wrench->class_type, MAT_C_DOUBLE);
  EXPECT_EQ(wrench->dims[0], 30U);
  EXPECT_EQ(wrench->dims[1], 6U);
  for (std::size_t e = 0; e < 6; ++e)
    EXPECT_EQ(static_cast<const double*>(wrench->data)[e * 30 + 21], expected.wrench[e]);

  const matvar_t* const jacobian = read.get({"rig", "sensor", "jacobian"});
  ASSERT_EQ(jacobian->rank, 3);
  EXPECT_EQ(jacobian->dims[0], 2U);
  EXPECT_EQ(jacobian->dims[1], 3U);
  EXPECT_EQ(jacobian->dims[2], 30U);
  for (std::size_t e = 0; e < 6; ++e)
    EXPECT_EQ(static_cast<const double*>(jacobian->data)[21 * 6 + e], expected.jacobian[e]);

  const matvar_t* const stamp = read.get({"rig", "sensor", "stamp"});
  ASSERT_EQ(stamp->class_type, MAT_C_UINT64);
  EXPECT_EQ(static_cast<const std::uint64_t*>(stamp->data)[21], expected.stamp);
  const matvar_t* const limits = read.get({"rig", "sensor", "limits"});
  EXPECT_NE(limits->isLogical, 0);
  EXPECT_EQ(static_cast<const std::uint8_t*>(limits->data)[21], expected.limits[0]);
  const matvar_t* const packet = read.get({"rig", "robot", "packet"});
  EXPECT_EQ(static_cast<const std::int64_t*>(packet->data)[30 + 21], expected.packet[1]);

  const matvar_t* const slow = read.get({"slow", "time"});
  EXPECT_EQ(slow->dims[0], 6U);
  EXPECT_EQ(static_cast<const double*>(slow->data)[3], 0.06);
  const matvar_t* const unit = read.get({"rig", "sensor", "units", "wrench"});
  EXPECT_EQ(std::string(static_cast<const char*>(unit->data), unit->nbytes), "N");
  const matvar_t* const seed = read.get({"hilda_log", "seed"});
  EXPECT_EQ(std::string(static_cast<const char*>(seed->data), seed->nbytes), "7");
}

/// A log of random channels, fields and shapes; every number follows from its place.
class RandomLog {
public:
  explicit RandomLog(unsigned seed) : random_(seed) {
    schema.period = Rational(1, 1000);
    ticks = static_cast<std::int64_t>(pick(0, 400));
    for (std::size_t c = pick(1, 5); c > 0; --c) add_channel();
  }

  void write(const std::string& path) {
    std::string error;
    const auto log = LogWriter::create(path, schema, {}, error);
    ASSERT_NE(log, nullptr) << error;
    std::vector<RecordSource> sources;
    for (Field& field : fields)
      sources.push_back({field.channel, field.index, field.values.data(), field.values.size()});
    auto recorder = Recorder::create(schema, sources, log->ring(), WhenFull::wait, error);
    ASSERT_TRUE(recorder.has_value()) << error;
    for (std::int64_t tick = 0; tick < ticks; ++tick) {
      recorder->wait_for_room();
      for (Field& field : fields) std::ranges::copy(bytes_at(field, tick), field.values.begin());
      ASSERT_EQ(recorder->record(tick), RecordStatus::recorded);
    }
    ASSERT_TRUE(log->close({})) << log->error();
  }

  struct Field {
    std::size_t channel = 0, index = 0;
    std::vector<char> values;
  };
  const LogField& of(const Field& field) const { return schema.channels[field.channel].fields[field.index]; }

  /// The bytes of a field at a tick: any pattern, but 0 or 1 where it is a boolean.
  std::vector<char> bytes_at(const Field& field, std::int64_t tick) const {
    std::mt19937_64 numbers(static_cast<std::uint64_t>(tick) * 64 + field.channel * 8 + field.index);
    std::vector<char> bytes(of(field).bytes());
    for (char& byte : bytes)
      byte = static_cast<char>(numbers() >> (of(field).element == LogElement::boolean ? 63U : 56U));
    return bytes;
  }

  LogSchema schema;
  std::int64_t ticks = 0;
  std::vector<Field> fields;

private:
  std::size_t pick(std::size_t least, std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(least, most)(random_);
  }
  void add_channel() {
    LogChannel channel{"", "any/Type", RecordClass::observed, static_cast<std::int64_t>(pick(1, 4)), {}};
    for (std::size_t depth = pick(0, 3); depth > 0; --depth) channel.path += std::string(1, "pqr"[pick(0, 2)]) + ".";
    channel.path += "c" + std::to_string(schema.channels.size());
    for (std::size_t f = pick(1, 5); f > 0; --f) {
      LogField field;
      field.name = "f" + std::to_string(channel.fields.size());
      field.element = std::array{LogElement::f64, LogElement::i64, LogElement::u64, LogElement::boolean}[pick(0, 3)];
      field.rows = static_cast<int>(pick(1, 4));
      field.cols = static_cast<int>(pick(1, 4));
      channel.fields.push_back(field);
      const std::size_t bytes = field.bytes();
      fields.push_back({schema.channels.size(), channel.fields.size() - 1, std::vector<char>(bytes)});
    }
    schema.channels.push_back(channel);
  }
  std::mt19937_64 random_;
};

std::vector<std::string> words_of(const std::string& path) {
  std::vector<std::string> words;
  std::istringstream stream(path);
  for (std::string word; std::getline(stream, word, '.');) words.push_back(word);
  return words;
}

// Our writer streams, which matio cannot; matio judges what it writes.
TEST(MatExport, ReadsBackBitByBitWhateverTheShapes) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const TemporaryFile file("mat_random.mcap"), mat("random.mat");
    RandomLog random(seed);
    random.write(file.path());
    std::string error;
    auto log = Log::open(file.path(), error);
    ASSERT_TRUE(log) << error;
    ASSERT_TRUE(export_mat(*log, mat.path(), {}, error)) << error;
    MatReader read(mat.path());
    for (const RandomLog::Field& field : random.fields) {
      const LogChannel& channel = random.schema.channels[field.channel];
      const LogField& of = random.of(field);
      SCOPED_TRACE(channel.path + "." + of.name);
      std::vector<std::string> names = words_of(channel.path);
      names.push_back(of.name);
      const matvar_t* const found = read.get(names);
      ASSERT_NE(found, nullptr);
      const bool matrix = of.rows > 1 && of.cols > 1;
      const auto samples = static_cast<std::size_t>((random.ticks + channel.divider - 1) / channel.divider);
      const std::size_t count = of.elements(), width = of.bytes() / count;
      ASSERT_EQ(found->rank, matrix ? 3 : 2);
      ASSERT_EQ(found->dims[matrix ? 2 : 0], samples);
      ASSERT_EQ(found->dims[matrix ? 0 : 1], matrix ? static_cast<std::size_t>(of.rows) : count);
      ASSERT_EQ(static_cast<std::size_t>(found->data_size), width);
      const auto* const data = static_cast<const char*>(found->data);
      for (std::size_t s = 0; s < samples; ++s) {
        const std::vector<char> expected = random.bytes_at(field, static_cast<std::int64_t>(s) * channel.divider);
        for (std::size_t e = 0; e < count; ++e) {
          const std::size_t place = matrix ? s * count + e : e * samples + s;
          ASSERT_EQ(std::memcmp(data + place * width, expected.data() + e * width, width), 0)
              << "sample " << s << ", element " << e;
        }
      }
    }
  }
}

TEST(MatExport, TakesPartsAndLogsWithoutSamples) {
  const TemporaryFile file("mat_parts.mcap"), mat("parts.mat");
  Log log = open_sample(file, 0);
  std::string error;
  ASSERT_TRUE(export_mat(log, mat.path(), {"rig.wrench.force", "slow.y", "rig.robot.packet[1]"}, error)) << error;
  MatReader read(mat.path());
  const matvar_t* const force = read.get({"rig", "sensor", "wrench_force"});
  ASSERT_NE(force, nullptr);
  EXPECT_EQ(force->dims[0], 0U);
  EXPECT_EQ(force->dims[1], 3U);
  EXPECT_NE(read.get({"rig", "robot", "packet_1"}), nullptr);
}

TEST(MatExport, SaysWhyItFails) {
  const TemporaryFile file("mat_fails.mcap");
  Log log = open_sample(file, 100);
  std::string error;
  EXPECT_FALSE(export_mat(log, file.path() + ".mat", {"rig.sensr"}, error));
  EXPECT_THAT(error, HasSubstr("the log has no signal \"rig.sensr\""));
  EXPECT_FALSE(export_mat(log, "/no/such/folder/x.mat", {}, error));
  EXPECT_THAT(error, HasSubstr("cannot be written"));
  EXPECT_FALSE(export_mat(log, "/dev/full", {}, error));
  EXPECT_THAT(error, HasSubstr("cannot be written"));
}

TEST(MatExport, BendsNamesToWhatMatlabTakes) {
  std::set<std::string> taken;
  EXPECT_EQ(mat_name("y[0]", taken), "y_0");
  EXPECT_EQ(mat_name("y_0", taken), "y_0_2");
  EXPECT_EQ(mat_name("2nd", taken), "x2nd");
  EXPECT_EQ(mat_name("end", taken), "end_");
  EXPECT_EQ(mat_name("", taken), "x");
  const std::string longest(63, 'a');
  EXPECT_EQ(mat_name(longest + "b", taken), longest);
  EXPECT_EQ(mat_name(longest + "c", taken), std::string(61, 'a') + "_2");
}

TEST(RunSummary, KeepsOrderAndBitsAndWritesNullForWhatJsonLacks) {
  const TemporaryFile file("summary.json");
  Summary summary;
  summary["zeta"] = 0.1 + 0.2;
  summary["alpha"] = std::numeric_limits<double>::quiet_NaN();
  summary["contacts"] = Summary::array({{{"index", 1}, {"cov", 1e-300 / 3}}});
  summary["text"] = "broken \xff text";
  std::string error;
  ASSERT_TRUE(write_summary(summary, file.path(), error)) << error;
  std::ifstream stream(file.path());
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  EXPECT_EQ(text, summary_text(summary));
  EXPECT_LT(text.find("zeta"), text.find("alpha"));
  const auto read = Summary::parse(text);
  EXPECT_EQ(read["zeta"].get<double>(), 0.1 + 0.2);
  EXPECT_TRUE(read["alpha"].is_null());
  EXPECT_EQ(read["contacts"][0]["cov"].get<double>(), 1e-300 / 3);
}

TEST(RunSummary, SaysWhyItCannotBeWritten) {
  std::string error;
  EXPECT_FALSE(write_summary({}, "/no/such/folder/x.json", error));
  EXPECT_EQ(
      error,
      "/no/such/folder/x.json cannot be written: there is no folder /no/such/folder\nhelp: mkdir -p /no/such/folder");
  EXPECT_FALSE(write_summary({{"a", 1}}, "/dev/full", error));
  EXPECT_EQ(error, "/dev/full cannot be written: No space left on device");
}

} // namespace
} // namespace hilda::test
