// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/channel.h"

#include <algorithm>
#include <cmath>

namespace hilda::analysis {
namespace {

/// Inputs for outputs: what an output sees in it, an input moves in the other.
LinearModel transposed(const LinearModel& model) {
  LinearModel dual;
  dual.states = model.states, dual.inputs = model.outputs, dual.outputs = model.inputs;
  dual.period = model.period;
  dual.A = model.A.transpose(), dual.B = model.C.transpose();
  dual.C = model.B.transpose(), dual.D = model.D.transpose();
  dual.spread = model.spread.transpose();
  for (const auto& [row, col] : model.kinks) dual.kinks.emplace_back(col, row);
  for (const auto& [row, col] : model.jumps) dual.jumps.emplace_back(col, row);
  for (const auto& [row, col] : model.steep) dual.steep.emplace_back(col, row);
  return dual;
}

/// Row or column `at` of the table [A B; C D] behind the states, with these.
std::vector<Eigen::Index> states_and(Eigen::Index states, Eigen::Index at) {
  std::vector<Eigen::Index> all;
  for (Eigen::Index i = 0; i < states; ++i) all.push_back(i);
  all.push_back(states + at);
  return all;
}

} // namespace

LinearModel channel(const LinearModel& model, Eigen::Index input, Eigen::Index output) {
  const Eigen::Index n = model.A.rows();
  LinearModel one;
  one.period = model.period, one.states = model.states;
  one.inputs = {model.inputs[static_cast<std::size_t>(input)]};
  one.outputs = {model.outputs[static_cast<std::size_t>(output)]};
  one.A = model.A, one.B = model.B.col(input), one.C = model.C.row(output);
  one.D = model.D.block(output, input, 1, 1);
  one.spread = model.spread(states_and(n, output), states_and(n, input));
  return transposed(transposed(one.observable()).observable());
}

std::string channel_name(const LinearModel& channel) {
  return channel.inputs.front() + " to " + channel.outputs.front();
}

std::vector<std::complex<double>> closed_poles(const LinearModel& loop) {
  const double through = 1 + loop.D(0, 0);
  if (through == 0) return {};
  LinearModel closed = loop;
  closed.A = loop.A - loop.B * loop.C / through;
  closed.spread.topLeftCorner(loop.A.rows(), loop.A.cols()).setZero(); // poles alone are asked for
  return closed.poles();
}

bool integrates(const LinearModel& model, const Pole& pole) {
  const double from_rest = std::abs(model.period > 0 ? pole.value - 1.0 : pole.value);
  return from_rest <= std::clamp(3 * pole.error, 1e-9, 1e-5);
}

bool grows(const LinearModel& model, std::complex<double> pole, double slack) {
  return model.period > 0 ? std::abs(pole) > 1 + slack : pole.real() > slack * std::max(1.0, std::abs(pole));
}

bool decays(const LinearModel& model, std::complex<double> pole, double slack) {
  return model.period > 0 ? std::abs(pole) < 1 - slack : pole.real() < -slack * std::max(1.0, std::abs(pole));
}

} // namespace hilda::analysis
