// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/output_files.h"
#include "tools/cli/detail/linear/channel_study.h"
#include "tools/cli/detail/program/command.h"
#include "tools/modules.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hilda::cli {

/// A table as CSV, made next to its name until `commit`.
class CsvFile {
public:
  explicit CsvFile(std::unique_ptr<OutputFile> file) : file_(std::move(file)) {}
  void row(const std::vector<std::string>& cells);
  bool write() { return file_->room_for(text_.size()) && file_->write(text_); }
  bool commit() { return file_->commit(); }
  const std::string& error() const { return file_->error(); }

private:
  std::unique_ptr<OutputFile> file_;
  std::string text_;
};

/// The tables of a linear model: A, B, C, D, poles, response, and what else was asked for. All are written before the
/// first is put into its place.
class ModelFiles {
public:
  /// None where one cannot be made, which `files` shows.
  static std::optional<ModelFiles> open(const std::string& stem, bool margins, bool step, OutputFiles& files);

  void model(const LinearModel& model, const std::vector<Pole>& poles);
  /// At these frequencies, rad/s.
  void response(const LinearModel& model, const std::vector<double>& frequencies);
  void margins(const std::vector<ChannelStudy>& channels);
  /// A column of time and one of values for each channel.
  void steps(const std::vector<ChannelStudy>& channels);
  /// Says what goes wrong.
  Exit write();
  /// "{A,B,C,D,poles,response}"
  std::string names() const;

private:
  CsvFile& file(const std::string& part);
  std::vector<std::string> parts_;
  std::vector<CsvFile> all_;
};

/// Of a pole in the s plane: natural frequency (rad/s) and damping ratio.
struct Mode {
  double frequency = 0, damping = 0;
};
Mode mode_of(std::complex<double> s);

} // namespace hilda::cli
