// SPDX-License-Identifier: BSD-3-Clause
// Signals of recorded files as blocks play them: logs of ours, MAT files that matio writes, and what is refused.
#include "engine/log/child_answer.h"
#include "engine/log/export_mat.h"
#include "engine/log/recording.h"
#include "tests/engine/sample_log.h"
#include "tests/modules.h"

#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <matio.h>
#include <random>

namespace hilda::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::SampleSignals;
using testing::TemporaryFile;

std::optional<Recording> recorded(const TemporaryFile& file, const std::string& signal, const std::string& time = "",
                                  const std::string& unit = "") {
  RecordingFault fault;
  auto found = read_recording({file.path(), signal, time, unit, false}, fault);
  EXPECT_TRUE(found) << fault.word << ": " << fault.text;
  return found;
}

/// "time: the error"; empty: none.
std::string fault_of(const std::string& file, const std::string& signal, const std::string& time = "",
                     const std::string& unit = "", bool head_only = false) {
  RecordingFault fault;
  return read_recording({file, signal, time, unit, head_only}, fault) ? ""
                                                                      : std::string(fault.word) + ": " + fault.text;
}

/// A log of 10 ticks: from the tenth on its slow signal is not a number.
class LogFile : public TemporaryFile {
public:
  explicit LogFile(const std::string& name, std::int64_t ticks = 10) : TemporaryFile(name) {
    testing::write_sample_log(path(), ticks);
  }
};

TEST(RecordingOfALog, IsWhatWasRecordedToTheBit) {
  const LogFile file("recording.mcap");
  const auto force = recorded(file, "rig.sensor.wrench.force");
  ASSERT_TRUE(force);
  EXPECT_EQ(force->rows, 3);
  EXPECT_EQ(force->unit, "N");
  ASSERT_EQ(force->times.size(), 10U);
  SampleSignals expected;
  for (std::int64_t tick = 0; tick < 10; ++tick) {
    expected.set(tick);
    const auto i = static_cast<std::size_t>(tick);
    EXPECT_EQ(force->times[i], static_cast<double>(tick) / 250);
    for (std::size_t e = 0; e < 3; ++e) EXPECT_EQ(force->values[3 * i + e], expected.wrench[e]);
  }
  const auto jacobian = recorded(file, "rig.sensor.jacobian");
  ASSERT_TRUE(jacobian);
  EXPECT_EQ(jacobian->rows, 2);
  EXPECT_EQ(jacobian->cols, 3);
  EXPECT_EQ(jacobian->unit, "m/rad");
  EXPECT_EQ(recorded(file, "rig.sensor.count")->values[3], -3.0 * 1'000'000'007);
  EXPECT_THAT(recorded(file, "rig.sensor.touching")->values, ElementsAre(1, 0, 0, 1, 0, 0, 1, 0, 0, 1));
  EXPECT_EQ(recorded(file, "rig.wrench.torque")->unit, "N m") << "a torque, by another name of its signal";
}

TEST(RecordingOfALog, SaysWhatItCannotPlay) {
  const LogFile file("recording_bad.mcap", 12);
  EXPECT_THAT(fault_of(file.path(), "rig.sensor.wrensh"), HasSubstr("signal: the log has no signal"));
  EXPECT_THAT(fault_of(file.path(), "rig.sensor"), HasSubstr("name one of its signals"));
  EXPECT_THAT(fault_of(file.path(), "rig.sensor.wrench"),
              HasSubstr("is a wrench, whose parts have different units; play its parts: .force and .torque"));
  EXPECT_THAT(fault_of(file.path(), "slow.y"), HasSubstr("signal: 'slow.y' is nan at sample 2 (t = 0.04 s)"));
  EXPECT_THAT(fault_of(file.path(), "rig.sensor.count", "t"), HasSubstr("time: a log knows the times"));
  EXPECT_THAT(fault_of(file.path(), ""), HasSubstr("signal: it must name a signal"));
  EXPECT_EQ(fault_of(file.path(), "rig.sensor.wrench.force", "", "N"), "");
  EXPECT_THAT(fault_of(file.path(), "rig.sensor.wrench.force", "", "kN"),
              HasSubstr("unit: the file has 'rig.sensor.wrench.force' in N, and unit is 'kN'"));
  EXPECT_THAT(fault_of(file.path(), "rig.sensor.wrench.force", "", "nn"), HasSubstr("unit: the unit 'nn'"));
  EXPECT_THAT(fault_of("/no/such.mcap", "y"), HasSubstr("file: it cannot be read"));
}

TEST(RecordingOfALog, ThatWasCutIsPlayedWithAWord) {
  const LogFile file("recording_cut.mcap", 2000);
  std::filesystem::resize_file(file.path(), std::filesystem::file_size(file.path()) - 40);
  const auto cut = recorded(file, "rig.sensor.wrench.force");
  ASSERT_TRUE(cut);
  EXPECT_THAT(cut->note, HasSubstr("as after a crash"));
}

TEST(Recording, OfAnotherFileSaysWhatItWants) {
  const TemporaryFile file("recording.csv");
  std::ofstream(file.path()) << "t,y\n0,1\n";
  EXPECT_THAT(fault_of(file.path(), "y"), HasSubstr("neither an MCAP log nor a MAT file"));
  std::ofstream(file.path(), std::ios::trunc) << "";
  EXPECT_THAT(fault_of(file.path(), "y"), HasSubstr("file: it cannot be read, or is empty"));
}

/// A MAT file, written by a library that is not ours.
class WrittenMat : public TemporaryFile {
public:
  explicit WrittenMat(const std::string& name, mat_ft version = MAT_FT_MAT5,
                      matio_compression compression = MAT_COMPRESSION_NONE)
      : TemporaryFile(name), compression_(compression),
        file_(Mat_CreateVer(path().c_str(), nullptr, version), [](mat_t* open) { Mat_Close(open); }) {}

  template <typename Number>
  static matvar_t* array(const char* name, matio_classes kind, matio_types type, std::vector<std::size_t> size,
                         const std::vector<Number>& numbers) {
    return Mat_VarCreate(name, kind, type, static_cast<int>(size.size()), size.data(),
                         const_cast<Number*>(numbers.data()), 0);
  }
  static matvar_t* reals(const char* name, std::vector<std::size_t> size, const std::vector<double>& numbers) {
    return array(name, MAT_C_DOUBLE, MAT_T_DOUBLE, std::move(size), numbers);
  }
  WrittenMat& add(matvar_t* variable) {
    Mat_VarWrite(file_.get(), variable, compression_);
    Mat_VarFree(variable);
    return *this;
  }
  WrittenMat& add(const char* name, std::vector<std::size_t> size, const std::vector<double>& numbers) {
    return add(reals(name, std::move(size), numbers));
  }
  void close() { file_.reset(); }

private:
  const matio_compression compression_;
  std::shared_ptr<mat_t> file_;
};

struct MatForm {
  const char* name;
  mat_ft version;
  matio_compression compression;
};

class RecordingOfAMat : public ::testing::TestWithParam<MatForm> {
protected:
  WrittenMat make(const char* name) {
    return WrittenMat(std::string(GetParam().name) + name, GetParam().version, GetParam().compression);
  }
};

TEST_P(RecordingOfAMat, TakesSamplesAlongTheDimensionOfTheTimes) {
  WrittenMat file = make("along.mat");
  file.add("time", {4, 1}, {0, 0.5, 1, 2}).add("scalar", {4, 1}, {1, 2, 3, 4}).add("row", {1, 4}, {5, 6, 7, 8});
  file.add("tall", {4, 2}, {1, 2, 3, 4, 10, 20, 30, 40}).add("wide", {2, 4}, {1, 10, 2, 20, 3, 30, 4, 40});
  file.add("matrices", {1, 2, 4}, {1, 10, 2, 20, 3, 30, 4, 40}).close();
  EXPECT_THAT(recorded(file, "scalar", "", "1")->values, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(recorded(file, "row", "", "1")->values, ElementsAre(5, 6, 7, 8));
  for (const char* const name : {"tall", "wide", "matrices"})
    EXPECT_THAT(recorded(file, name, "", "1")->values, ElementsAre(1, 10, 2, 20, 3, 30, 4, 40)) << name;
  EXPECT_EQ(recorded(file, "wide", "", "1")->rows, 2);
  EXPECT_EQ(recorded(file, "matrices", "", "1")->cols, 2);
  EXPECT_THAT(recorded(file, "scalar", "", "1")->times, ElementsAre(0, 0.5, 1, 2));
}

TEST_P(RecordingOfAMat, TakesEveryKindOfNumberAndConvertsUnits) {
  WrittenMat file = make("kinds.mat");
  file.add("t", {2, 1}, {0, 1});
  file.add(WrittenMat::array<float>("single", MAT_C_SINGLE, MAT_T_SINGLE, {2, 1}, {0.5F, -2}));
  file.add(WrittenMat::array<std::int8_t>("i8", MAT_C_INT8, MAT_T_INT8, {2, 1}, {-3, 4}));
  file.add(WrittenMat::array<std::uint16_t>("u16", MAT_C_UINT16, MAT_T_UINT16, {2, 1}, {7, 65535}));
  file.add(WrittenMat::array<std::int32_t>("i32", MAT_C_INT32, MAT_T_INT32, {2, 1}, {-70000, 1}));
  file.add(WrittenMat::array<std::int64_t>("i64", MAT_C_INT64, MAT_T_INT64, {2, 1}, {-1, std::int64_t{1} << 50}));
  file.close();
  EXPECT_THAT(recorded(file, "single", "", "1")->values, ElementsAre(0.5, -2));
  EXPECT_THAT(recorded(file, "i8", "", "1")->values, ElementsAre(-3, 4));
  EXPECT_THAT(recorded(file, "u16", "", "1")->values, ElementsAre(7, 65535));
  EXPECT_THAT(recorded(file, "i32", "", "1")->values, ElementsAre(-70000, 1));
  EXPECT_THAT(recorded(file, "i64", "", "1")->values, ElementsAre(-1, 1125899906842624.0));
  const auto length = recorded(file, "u16", "", "mm");
  EXPECT_EQ(length->unit, "m");
  EXPECT_THAT(length->values, ElementsAre(0.007, 65.535));
  EXPECT_THAT(recorded(file, "i8", "", "degC")->values, ElementsAre(-3 + 273.15, 4 + 273.15));
}

TEST_P(RecordingOfAMat, RefusesWhatIsNoSignalInItsOwnWords) {
  WrittenMat file = make("bad.mat");
  file.add("time", {3, 1}, {0, 1, 2}).add("y", {3, 1}, {0, 1, NAN}).add("short", {2, 1}, {0, 1});
  file.add("falls", {3, 1}, {0, 2, 1}).add("twice", {3, 1}, {0, 1, 1}).add("no_time", {3, 1}, {0, 1, NAN});
  file.add("square", {2, 2}, {0, 1, 2, 3}).add("good", {3, 1}, {1, 2, 3});
  std::vector<std::size_t> size{1, 2};
  file.add(Mat_VarCreate("words", MAT_C_CHAR, MAT_T_UINT8, 2, size.data(), const_cast<char*>("ab"), 0));
  file.close();
  const auto fault = [&file](const char* signal, const char* time = "", const char* unit = "1") {
    return fault_of(file.path(), signal, time, unit);
  };
  EXPECT_EQ(fault("good"), "");
  EXPECT_THAT(fault("nothing"), HasSubstr("signal: the file has no variable 'nothing'; it has: "));
  for (const char* const name : {"time", "short", "square", "good"}) EXPECT_THAT(fault("nothing"), HasSubstr(name));
  EXPECT_THAT(fault("good.inside"), HasSubstr("no variable 'good.inside'"));
  EXPECT_THAT(fault("words"), HasSubstr("signal: 'words' is a text, and numbers are played"));
  EXPECT_THAT(fault("y"), HasSubstr("signal: 'y' is nan at sample 2 (t = 2 s); take such samples out"));
  EXPECT_THAT(fault("short"), HasSubstr("'short' is 2 by 1, and its times 'time' are 3: no dimension"));
  EXPECT_THAT(fault("good", "falls"),
              HasSubstr("time: sample 2 (t = 1 s) of 'good' is earlier than the one before it"));
  EXPECT_THAT(fault("good", "twice"),
              HasSubstr("time: sample 2 (t = 1 s) of 'good' has the time of the one before it"));
  EXPECT_THAT(fault("good", "no_time"), HasSubstr("time: the time of sample 2 of 'good' is nan"));
  EXPECT_THAT(fault("good", "square"), HasSubstr("time: the times 'square' are 2 by 2 numbers, and must be a vector"));
  EXPECT_THAT(fault("good", "when"), HasSubstr("time: the file has no times for 'good', looked for: when"));
  EXPECT_THAT(fault("good", "words"), HasSubstr("time: the times 'words' are a text"));
  EXPECT_THAT(fault("good", "", ""), HasSubstr("unit: the file does not say in which unit 'good' is; write it"));
  EXPECT_EQ(fault_of(file.path(), "y", "", "1", true), "") << "its head is sound";
}

INSTANTIATE_TEST_SUITE_P(Each, RecordingOfAMat,
                         ::testing::Values(MatForm{"v5", MAT_FT_MAT5, MAT_COMPRESSION_NONE},
                                           MatForm{"v5_zipped", MAT_FT_MAT5, MAT_COMPRESSION_ZLIB},
                                           MatForm{"v73", MAT_FT_MAT73, MAT_COMPRESSION_NONE}),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(RecordingOfAMatFile, RefusesComplexNumbersStructuresAndCells) {
  WrittenMat file("recording_kinds.mat");
  const std::vector<double> numbers{1, 2};
  mat_complex_split_t complex{const_cast<double*>(numbers.data()), const_cast<double*>(numbers.data())};
  std::vector<std::size_t> size{2, 1}, one{1, 1};
  file.add("t", {2, 1}, {0, 1});
  file.add(Mat_VarCreate("z", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size.data(), &complex, MAT_F_COMPLEX));
  const char* names[] = {"inside"};
  matvar_t* const structure = Mat_VarCreateStruct("s", 2, one.data(), names, 1);
  Mat_VarSetStructFieldByName(structure, "inside", 0, WrittenMat::reals(nullptr, {2, 1}, {3, 4}));
  file.add(structure).close();
  EXPECT_THAT(fault_of(file.path(), "z"), HasSubstr("'z' is complex numbers"));
  EXPECT_THAT(fault_of(file.path(), "s"), HasSubstr("'s' is a structure"));
  EXPECT_THAT(recorded(file, "s.inside", "", "1")->values, ElementsAre(3, 4)) << "the times stand at the top";
}

TEST(RecordingOfAMatFile, WithANameTwiceIsRefused) {
  WrittenMat file("recording_twice.mat");
  file.add("t", {2, 1}, {0, 1}).add("y", {2, 1}, {0, 1}).add("u", {2, 1}, {0, 2}).close();
  std::ifstream stream(file.path(), std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  const std::size_t name = bytes.find(std::string("\x01\x00\x01\x00u", 5)); // as version 5 has a short name
  ASSERT_NE(name, std::string::npos);
  bytes[name + 4] = 't';
  std::ofstream(file.path(), std::ios::binary | std::ios::trunc) << bytes;
  EXPECT_THAT(fault_of(file.path(), "y", "", "1"), HasSubstr("it has two variables \"t\"; rename one of them"));
}

TEST(RecordingOfAMatFile, ThatWasExportedIsTheLog) {
  const LogFile log("recording_export.mcap");
  const TemporaryFile mat("recording_export.mat");
  Log open = testing::open(log.path());
  std::string error;
  ASSERT_TRUE(export_mat(open, mat.path(), {}, error)) << error;
  for (const char* const name : {"rig.sensor.jacobian", "rig.sensor.count", "slow.y", "rig.sensor.touching"}) {
    const auto one = recorded(log, name), other = recorded(mat, name);
    ASSERT_TRUE(one && other) << name;
    EXPECT_EQ(one->times, other->times) << name;
    EXPECT_EQ(one->values, other->values) << name;
    EXPECT_EQ(one->unit, other->unit) << name;
    EXPECT_EQ(one->rows, other->rows) << name;
    EXPECT_EQ(one->cols, other->cols) << name;
  }
}

/// Broken bytes end in a refusal, or are none that matter; never in a crash.
TEST(RecordingOfAMatFile, ThatIsBrokenHurtsNobody) {
  WrittenMat file("recording_broken.mat", MAT_FT_MAT5, MAT_COMPRESSION_ZLIB);
  std::vector<double> many(300);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i);
  file.add("time", {300, 1}, many).add("y", {300, 1}, many).close();
  std::ifstream stream(file.path(), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(stream), {}};
  std::mt19937 random(7);
  int refused = 0;
  for (int i = 0; i < 60; ++i) {
    std::string bytes = whole;
    for (int j = 0; j < 4; ++j) bytes[128 + random() % (bytes.size() - 128)] = static_cast<char>(random());
    if (i % 3 == 0) bytes.resize(128 + random() % (bytes.size() - 128));
    std::ofstream(file.path(), std::ios::binary | std::ios::trunc) << bytes;
    if (!fault_of(file.path(), "y", "", "1").empty()) ++refused;
  }
  EXPECT_GT(refused, 30);
}

std::string result_of(const std::function<void(const Tell&)>& work, const ChildLimits& limits) {
  std::string answer, error;
  return answer_of_child(work, limits, answer, error) ? "" : error;
}

TEST(ChildAnswer, TellsHowItsWorkEnded) {
  const ChildLimits limits{.seconds = 0.5, .answer = 1000};
  std::string answer, error;
  const std::string said = "a word";
  EXPECT_TRUE(answer_of_child([&](const Tell& tell) { tell(std::as_bytes(std::span(said))); }, limits, answer, error));
  EXPECT_EQ(answer, said);
  EXPECT_THAT(result_of([](const Tell&) { std::raise(SIGSEGV); }, limits), HasSubstr("made its reader crash"));
  EXPECT_THAT(result_of([](const Tell&) { std::abort(); }, limits), HasSubstr("made its reader crash"));
  EXPECT_THAT(result_of(
                  [](const Tell&) {
                    while (true) {}
                  },
                  limits),
              HasSubstr("it takes more than"));
  EXPECT_THAT(result_of([](const Tell&) { throw std::bad_alloc(); }, limits), HasSubstr("for want of memory"));
  EXPECT_THAT(result_of(
                  [](const Tell& tell) {
                    const std::vector<std::byte> much(2000);
                    tell(much);
                  },
                  limits),
              HasSubstr("more than it may"));
}

} // namespace
} // namespace hilda::test
