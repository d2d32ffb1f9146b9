// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/linear/model_files.h"

#include "engine/analysis/channel.h"
#include "engine/analysis/unwrapped_phase.h"
#include "tools/cli/detail/program/terminal.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hilda::cli {
namespace {

std::string cell(double v) { return fmt::format("{}", v); }

std::string quoted_cell(const std::string& text) {
  return text.find(',') == std::string::npos ? text : "\"" + text + "\"";
}

void write_matrix(CsvFile& file, const Eigen::MatrixXd& m, const std::vector<std::string>& rows,
                  const std::vector<std::string>& cols) {
  std::vector<std::string> cells{""};
  cells.insert(cells.end(), cols.begin(), cols.end());
  file.row(cells);
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    cells.assign(1, rows[static_cast<std::size_t>(i)]);
    for (Eigen::Index j = 0; j < m.cols(); ++j) cells.push_back(cell(m(i, j)));
    file.row(cells);
  }
}

} // namespace

Mode mode_of(std::complex<double> s) {
  const double size = std::abs(s);
  const bool has_direction = size > 0 && std::isfinite(size); // a discrete pole at 0 is one at minus infinity
  return {size, has_direction ? -s.real() / size : 1.0};
}

void CsvFile::row(const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) text_ += (i == 0 ? "" : ",") + quoted_cell(cells[i]);
  text_ += '\n';
}

std::optional<ModelFiles> ModelFiles::open(const std::string& stem, bool margins, bool step, OutputFiles& files) {
  ModelFiles made;
  made.parts_ = {"A", "B", "C", "D", "poles", "response"};
  if (margins) made.parts_.emplace_back("margins");
  if (step) made.parts_.emplace_back("step");
  for (const std::string& part : made.parts_) {
    auto file = files.open(stem + "_" + part + ".csv", OutputKind::text, FileContent::table);
    if (!file) return std::nullopt;
    made.all_.emplace_back(std::move(file));
  }
  return made;
}

CsvFile& ModelFiles::file(const std::string& part) {
  return all_[static_cast<std::size_t>(std::find(parts_.begin(), parts_.end(), part) - parts_.begin())];
}

void ModelFiles::model(const LinearModel& m, const std::vector<Pole>& poles) {
  write_matrix(file("A"), m.A, m.states, m.states);
  write_matrix(file("B"), m.B, m.states, m.inputs);
  write_matrix(file("C"), m.C, m.outputs, m.states);
  write_matrix(file("D"), m.D, m.outputs, m.inputs);
  file("poles").row({"real", "imaginary", "natural frequency [rad/s]", "damping ratio", "error"});
  for (const auto& [pole, error] : poles) {
    const Mode mode = mode_of(m.continuous(pole));
    file("poles").row({cell(pole.real()), cell(pole.imag()), cell(mode.frequency), cell(mode.damping), cell(error)});
  }
}

void ModelFiles::response(const LinearModel& model, const std::vector<double>& frequencies) {
  std::vector<std::string> cells{"frequency [rad/s]"};
  for (const std::string& in : model.inputs)
    for (const std::string& out : model.outputs) {
      const std::string pair = in + " to " + out;
      cells.insert(cells.end(), {pair + " magnitude [dB]", pair + " phase [deg]"});
    }
  file("response").row(cells);
  std::vector<std::vector<double>> phases;
  for (Eigen::Index in = 0; in < model.B.cols(); ++in)
    for (Eigen::Index out = 0; out < model.C.rows(); ++out)
      phases.push_back(unwrapped_phase_at(channel(model, in, out), frequencies));
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const Eigen::MatrixXcd G = model.response(frequencies[i]);
    cells.assign(1, cell(frequencies[i]));
    std::size_t pair = 0;
    for (const std::complex<double> g : G.reshaped())
      cells.insert(cells.end(), {cell(20 * std::log10(std::abs(g))), cell(phases[pair++][i] * degrees)});
    file("response").row(cells);
  }
}

void ModelFiles::margins(const std::vector<ChannelStudy>& channels) {
  CsvFile& table = file("margins");
  table.row({"channel", "kind", "frequency [rad/s]", "factor", "angle [deg]", "delay [s]"});
  for (const ChannelStudy& study : channels) {
    if (!study.no_way.empty()) {
      table.row({study.name, "not known: " + study.no_way, "", "", "", ""});
      continue;
    }
    for (const GainMargin& each : study.margins->gain)
      table.row(
          {study.name, "gain", std::isnan(each.frequency) ? "" : cell(each.frequency), cell(each.factor), "", ""});
    for (const PhaseMargin& each : study.margins->phase)
      table.row({study.name, "phase", cell(each.frequency), "", cell(each.angle * degrees), cell(each.delay)});
    if (study.one_response)
      table.row({study.name, "nearest", cell(study.margins->nearest_frequency), cell(study.margins->nearest), "", ""});
    table.row({study.name,
               study.margins->stable ? "stable"
               : study.margins->edge ? "on the edge"
                                     : "not stable",
               "", "", "", ""});
  }
}

void ModelFiles::steps(const std::vector<ChannelStudy>& channels) {
  CsvFile& table = file("step");
  std::vector<std::string> cells;
  std::size_t longest = 0;
  for (const ChannelStudy& study : channels) {
    cells.insert(cells.end(), {"time [s]", study.name});
    longest = std::max(longest, study.step->time.size());
  }
  table.row(cells);
  for (std::size_t i = 0; i < longest; ++i) {
    cells.clear();
    for (const ChannelStudy& study : channels) {
      const bool has = i < study.step->time.size();
      cells.push_back(has ? cell(study.step->time[i]) : "");
      cells.push_back(has ? cell(study.step->value[i]) : "");
    }
    table.row(cells);
  }
}

Exit ModelFiles::write() {
  const auto tell = [](const CsvFile& file) {
    print_error(file.error() + "\nhelp: name another folder with --out");
    return exit_failed_run;
  };
  for (CsvFile& file : all_)
    if (!file.write()) return tell(file);
  for (CsvFile& file : all_)
    if (!file.commit()) return tell(file);
  return exit_ok;
}

std::string ModelFiles::names() const { return fmt::format("{{{}}}", fmt::join(parts_, ",")); }

} // namespace hilda::cli
