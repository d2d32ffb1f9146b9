// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/estimation/filter_model.h"
#include "blocks/math/linear_solver.h"
#include "blocks/math/written_block.h"

#include <Eigen/Core>
#include <cmath>
#include <cstring>
#include <hilda/block.h>
#include <hilda/flags.h>
#include <hilda/ports.h>

// estimation/ExtendedKalmanFilter, which has the slots that its equations declare: it is on the boundary itself, as
// math/Equations does.

namespace {

using filters::FilterModel;
using Square = Eigen::Map<Eigen::MatrixXd>;
using Column = Eigen::Map<Eigen::VectorXd>;

constexpr const char* ekf_doc =
    "Extended Kalman filter of a system given by equations inside the block, written as those of math/Equations: "
    "<state> with <equation is=\"x+ = f(x, u)\"/>, its value at the next sample, and <output> with <equation "
    "is=\"z = h(x, u)\"/>, what is measured. For each state x: output x, the estimate; parameters x_initial, "
    "x_deviation (of what is known at the start) and x_noise (of what moves it in a sample). For each "
    "measurement z: input z_measured, outputs z (expected) and z_innovation, parameter z_noise; all of them "
    "standard deviations, each in its own unit. x- = f(x), P- = F P F' + Q; K = P- H' (H P- H' + R)^-1, x = "
    "x- + K (z - h(x-)), P = (1 - K H) P- (1 - K H)' + K R K' (Jazwinski 1970; Joseph's form). F and H are exact "
    "derivatives of the equations at the estimate. Where present is false, or the innovation lies farther off "
    "than gate, the sample goes without a measurement. Angles are not wrapped: measure a direction by its sine "
    "and cosine where it may pass pi.";

double* at(void* record, std::uint64_t offset) {
  return reinterpret_cast<double*>(static_cast<char*>(record) + offset);
}

/// One sample of one block.
class Sample {
public:
  explicit Sample(void* record)
      : record_(record), model_(FilterModel::of(record)), n_(model_.n), m_(model_.m),
        numbers_(static_cast<equations::RecordHead*>(record)->numbers) {}

  void start() {
    for (const FilterModel::State& each : model_.states)
      std::memcpy(at(record_, each.at), at(record_, each.initial),
                  static_cast<std::size_t>(each.type.count()) * sizeof(double));
    Square known = in_record(model_.p, n_);
    known.setZero();
    for (Eigen::Index i = 0; i < n_; ++i) known(i, i) = squared(model_.deviations, i);
  }

  void take_in(const hilda_tick& now) {
    estimate() = predicted();
    in_record(model_.covariance, n_) = in_record(model_.p, n_);
    innovation().setZero();
    *at(record_, model_.distance) = 0;
    // h(x-) goes to its outputs; then its derivatives
    equations::run(model_.state_output, numbers_, record_, now.time);
    equations::run(model_.output, numbers_, record_, now.time);
    if (!present()) return;
    differentiate(model_.state_output, model_.measurement);
    differentiate(model_.output, model_.measurement);
    compare();
    weigh(now);
  }

  void predict(const hilda_tick& now) {
    predicted() = estimate();
    equations::run(model_.update, numbers_, record_, now.time);
    differentiate(model_.update, model_.state);
    const Square slope(numbers_ + model_.jacobian, n_, n_);
    Square product(numbers_ + model_.room, n_, n_), next = in_record(model_.p, n_);
    product.noalias() = slope.lazyProduct(in_record(model_.covariance, n_));
    next.noalias() = product.lazyProduct(slope.transpose());
    symmetric(next);
    for (Eigen::Index i = 0; i < n_; ++i) next(i, i) += squared(model_.process_noise, i);
  }

private:
  Square in_record(std::uint64_t offset, Eigen::Index side) const { return {at(record_, offset), side, side}; }
  Column predicted() const { return {at(record_, model_.state.at), n_}; }
  Column estimate() const { return {at(record_, model_.estimate), n_}; }
  Column innovation() const { return {at(record_, model_.innovation), m_}; }
  double squared(const std::vector<std::uint64_t>& of, Eigen::Index i) const {
    const double deviation = *at(record_, of[static_cast<std::size_t>(i)]);
    return deviation * deviation;
  }
  bool present() const {
    const std::uint8_t* flag = nullptr;
    std::memcpy(&flag, at(record_, model_.present), sizeof flag);
    return flag == nullptr || *flag != 0;
  }
  /// The rows of the Jacobian that this program stores.
  void differentiate(const equations::Program& program, equations::Places of) {
    equations::differentiate(program, numbers_, model_.cells, model_.state, of, numbers_ + model_.tangents,
                             numbers_ + model_.jacobian);
  }

  void compare() {
    double* to = at(record_, model_.innovation);
    const double* expected = at(record_, model_.measurement.at);
    for (const FilterModel::Port& each : model_.measured) {
      const double* from = nullptr;
      std::memcpy(&from, at(record_, each.at), sizeof from);
      for (std::uint32_t i = 0; i < each.count; ++i) *to++ = *from++ - *expected++;
    }
  }

  /// S [K' w] = [H P-, innovation], of which w shows the distance; then the estimate and its covariance.
  void weigh(const hilda_tick& now) {
    const Square slope(numbers_ + model_.jacobian, m_, n_);
    const Square before = in_record(model_.p, n_);
    Square right(numbers_ + model_.gain, m_, n_ + 1), spread(numbers_ + model_.spread, m_, m_);
    auto gain = right.leftCols(n_);
    gain = slope.lazyProduct(before);
    right.col(n_) = innovation();
    spread = gain.lazyProduct(slope.transpose());
    symmetric(spread);
    for (Eigen::Index i = 0; i < m_; ++i) spread(i, i) += squared(model_.noise, i);
    if (!(hilda::solve_in_place(spread, right) > 0)) {
      hilda::Tick(&now, record_)
          .fail(slope.allFinite()
                    ? "the innovation's covariance H P H' + R is singular; give each measurement a noise"
                    : "the slope of a measurement is not finite at the estimate, as that of sqrt(x) at 0; begin "
                      "elsewhere, or write what is measured otherwise");
      return;
    }
    const double off = std::sqrt(std::max(0.0, innovation().dot(right.col(n_))));
    *at(record_, model_.distance) = off;
    if (off > *at(record_, model_.gate)) return;
    estimate() += gain.transpose().lazyProduct(innovation());
    Square joseph(numbers_ + model_.joseph, n_, n_), product(numbers_ + model_.room, n_, n_);
    joseph = -gain.transpose().lazyProduct(slope);
    joseph.diagonal().array() += 1;
    product = joseph.lazyProduct(before);
    Square after = in_record(model_.covariance, n_);
    after = product.lazyProduct(joseph.transpose());
    for (Eigen::Index i = 0; i < n_; ++i)
      for (Eigen::Index j = 0; j < n_; ++j)
        for (Eigen::Index k = 0; k < m_; ++k) after(i, j) += gain(k, i) * squared(model_.noise, k) * gain(k, j);
    symmetric(after);
  }

  template <typename Matrix> static void symmetric(Matrix& matrix) {
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      for (Eigen::Index j = 0; j < i; ++j) matrix(i, j) = matrix(j, i) = (matrix(i, j) + matrix(j, i)) / 2;
  }

  void* record_;
  const FilterModel& model_;
  Eigen::Index n_, m_;
  double* numbers_;
};

std::int32_t configure_filter(void* record, const hilda_instance*) { return equations::configure_record(record); }
void initialize_filter(void* record, const hilda_instance*) { Sample(record).start(); }
void filter_output(void* record, const hilda_tick* now) { Sample(record).take_in(*now); }
void filter_update(void* record, const hilda_tick* now) { Sample(record).predict(*now); }

const void* filter_extension(const char* name);

hilda_block_type plain_filter(const char* name, const char* doc, std::uint32_t flags) {
  return equations::plain_type(name, doc, flags, &filter_extension);
}

using OwnFilter = equations::Written<FilterModel>;

const hilda_block_type* make_filter(const hilda_body* body) {
  auto made = OwnFilter::read(body, plain_filter("ExtendedKalmanFilter", ekf_doc, 0));
  if (made == nullptr) return nullptr;
  made->type.configure = &configure_filter;
  made->type.initialize = &initialize_filter;
  made->type.output = &filter_output;
  made->type.update = &filter_update;
  return &made.release()->type;
}

constexpr const char* filter_tags[] = {"input", "output", "parameter", "state", "equation"};
constexpr hilda_ports_1 filter_ports = {
    sizeof(hilda_ports_1), 5, filter_tags, &make_filter, &equations::bind_record, &OwnFilter::release, nullptr};

const void* filter_extension(const char* name) {
  return std::strcmp(name, "hilda.ports/1") == 0 ? &filter_ports : nullptr;
}

const hilda::detail::Registration filter_registration{"ExtendedKalmanFilter", ekf_doc, {&plain_filter}};

} // namespace
