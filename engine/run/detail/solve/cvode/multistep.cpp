// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/cvode/multistep.h"

#include <algorithm>
#include <cmath>
#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <new>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include <utility>

namespace hilda::run {
namespace {

constexpr int with_a_shorter_step = 1; ///< CVODE tries again
constexpr int most_failures = 60;      ///< of one step, which is shortened at each

/// What goes wrong is reported by its flag; CVODE would write to the terminal.
void keep_quiet(int /*code*/, const char* /*module*/, const char* /*function*/, char* /*message*/, void* /*data*/) {}

void expect(bool done) {
  if (!done) throw std::bad_alloc(); // all that can fail with arguments that are right
}

std::size_t count_of(N_Vector v) { return static_cast<std::size_t>(N_VGetLength(v)); }

} // namespace

Multistep::Multistep(RightHandSide& f, const Tolerances& tolerances)
    : f_(f), x_(f.size()), slope_(f.size()), begun_(f.size()), x1_(f.size()) {
  create(CV_ADAMS, tolerances);
  iteration_ = SUNNonlinSol_FixedPoint(end_, 0, context_);
  expect(iteration_ != nullptr && CVodeSetNonlinearSolver(cvode_, iteration_) == CV_SUCCESS);
  make_ready();
}

Multistep::Multistep(RightHandSide& f, const Tolerances& tolerances, StateInfluence influence,
                     std::optional<SparseElimination> sparse)
    : f_(f), x_(f.size()), slope_(f.size()), begun_(f.size()), x1_(f.size()) {
  create(CV_BDF, tolerances);
  newton_ = std::make_unique<NewtonMatrix>(f, std::move(influence), tolerances, std::move(sparse), end_, context_);
  expect(CVodeSetLinearSolver(cvode_, newton_->solver(), newton_->matrix()) == CVLS_SUCCESS &&
         CVodeSetJacFn(cvode_, jacobian_of) == CVLS_SUCCESS);
  make_ready();
}

Multistep::~Multistep() {
  CVodeFree(&cvode_);
  if (iteration_ != nullptr) SUNNonlinSolFree(iteration_);
  newton_.reset();
  for (N_Vector each : {end_, between_, error_, weights_})
    if (each != nullptr) N_VDestroy(each);
  SUNContext_Free(&context_);
}

void Multistep::create(int formulas, const Tolerances& tolerances) {
  expect(SUNContext_Create(nullptr, &context_) == 0);
  const auto n = static_cast<sunindextype>(f_.size());
  end_ = N_VMake_Serial(n, x1_.data(), context_);
  between_ = N_VNewEmpty_Serial(n, context_);
  error_ = N_VNew_Serial(n, context_);
  weights_ = N_VNew_Serial(n, context_);
  cvode_ = CVodeCreate(formulas, context_);
  degree_ = formulas == CV_ADAMS ? 12 : 5;
  expect(end_ != nullptr && between_ != nullptr && error_ != nullptr && weights_ != nullptr && cvode_ != nullptr);
  std::copy(tolerances.absolute.begin(), tolerances.absolute.end(), N_VGetArrayPointer(error_));
  bool done = CVodeSetErrHandlerFn(cvode_, keep_quiet, nullptr) == CV_SUCCESS;
  done = done && CVodeInit(cvode_, slope_of, 0, end_) == CV_SUCCESS;
  done = done && CVodeSVtolerances(cvode_, tolerances.relative, error_) == CV_SUCCESS; // copies them
  done = done && CVodeSetUserData(cvode_, this) == CV_SUCCESS;
  done = done && CVodeSetMaxHnilWarns(cvode_, -1) == CV_SUCCESS;
  done = done && CVodeSetMaxErrTestFails(cvode_, most_failures) == CV_SUCCESS;
  expect(done && CVodeSetMaxConvFails(cvode_, most_failures) == CV_SUCCESS);
}

/// CVODE allocates some of its memory in its first step: one of an equation at rest.
void Multistep::make_ready() {
  double reached = 0;
  expect(CVode(cvode_, 1, end_, &reached, CV_ONE_STEP) == CV_SUCCESS);
  ready_ = true;
}

/// CVODE is C: what a block throws goes around it.
template <typename Work> int Multistep::shielded(const Work& work) noexcept {
  try {
    work();
    return 0;
  } catch (...) {
    thrown_ = std::current_exception();
    return -1;
  }
}

int Multistep::slope_of(double t, N_Vector x, N_Vector slope, void* self) {
  auto& me = *static_cast<Multistep*>(self);
  if (!me.ready_) return N_VConst(0, slope), 0;
  const int failed = me.shielded([&] {
    std::copy_n(N_VGetArrayPointer(x), me.x_.size(), me.x_.begin());
    me.f_(t, me.x_, me.slope_);
    std::copy(me.slope_.begin(), me.slope_.end(), N_VGetArrayPointer(slope));
  });
  if (failed != 0) return failed;
  if (me.f_.take_objection()) return with_a_shorter_step;
  const bool finite = std::all_of(me.slope_.begin(), me.slope_.end(), [](double each) { return std::isfinite(each); });
  return finite ? 0 : with_a_shorter_step;
}

int Multistep::jacobian_of(double t, N_Vector x, N_Vector slope, SUNMatrix matrix, void* self, N_Vector /*work*/,
                           N_Vector /*work*/, N_Vector /*work*/) {
  auto& me = *static_cast<Multistep*>(self);
  if (!me.ready_) return me.newton_->fill(matrix), 0;
  const int failed = me.shielded([&] {
    std::copy_n(N_VGetArrayPointer(x), me.x_.size(), me.x_.begin());
    std::copy_n(N_VGetArrayPointer(slope), me.slope_.size(), me.slope_.begin());
    me.newton_->measure(t, me.x_, me.slope_, matrix);
  });
  if (failed != 0) return failed;
  return me.f_.take_objection() ? with_a_shorter_step : 0;
}

void Multistep::begin(double t, const std::vector<double>& x, double /*longest*/) {
  begun_at_ = t;
  begun_ = x;
  x1_ = x;
  restart(t);
}

void Multistep::repeat() {
  x1_ = begun_;
  restart(begun_at_);
}

/// From x1_ on.
void Multistep::restart(double t) {
  t0_ = t1_ = t;
  failures_ = 0;
  moved_ = false;
  CVodeReInit(cvode_, t, end_);
}

bool Multistep::step(double limit, double longest, double shortest) {
  if (moved_) restart(t1_);
  t0_ = t1_;
  CVodeSetMinStep(cvode_, 0);
  CVodeSetMaxStep(cvode_, longest);
  CVodeSetMinStep(cvode_, std::min(shortest, longest));
  CVodeSetStopTime(cvode_, limit);
  double reached = t1_;
  const int flag = CVode(cvode_, t1_ + longest, end_, &reached, CV_ONE_STEP);
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  const bool made = flag == CV_SUCCESS || flag == CV_TSTOP_RETURN;
  if (made) t1_ = reached;
  note(made);
  return made && t1_ > t0_;
}

/// Which state limits the step, and how many tries failed.
void Multistep::note(bool made) {
  long errors = 0, iterations = 0;
  CVodeGetNumErrTestFails(cvode_, &errors);
  CVodeGetNumNonlinSolvConvFails(cvode_, &iterations);
  f_.statistics().rejected += errors + iterations - failures_;
  failures_ = errors + iterations;
  if (CVodeGetEstLocalErrors(cvode_, error_) != CV_SUCCESS || CVodeGetErrWeights(cvode_, weights_) != CV_SUCCESS)
    return;
  const double* const error = N_VGetArrayPointer(error_);
  const double* const weight = N_VGetArrayPointer(weights_);
  double largest = made ? 0 : -1;
  for (std::size_t i = 0; i < count_of(error_); ++i)
    if (const double part = std::abs(error[i]) * weight[i]; part > largest || std::isnan(part)) {
      largest = part, worst_ = i;
      if (std::isnan(part)) return;
    }
}

/// A change within the tolerances is ignored: the formulas go through the steps before, and a restart is expensive.
void Multistep::replace_end(const std::vector<double>& x) {
  CVodeGetErrWeights(cvode_, weights_);
  const double* const weight = N_VGetArrayPointer(weights_);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - x1_[i]) * weight[i] * (x[i] - x1_[i]) * weight[i];
  if (sum <= static_cast<double>(x.size())) return;
  x1_ = x;
  moved_ = true;
}

void Multistep::at(double t, std::vector<double>& x) {
  if (t >= t1_ || t1_ == t0_) {
    x = x1_;
    return;
  }
  N_VSetArrayPointer(x.data(), between_);
  CVodeGetDky(cvode_, t, 0, between_);
}

std::vector<std::span<double>> Multistep::numbers() { return {begun_, {&begun_at_, 1}}; }

} // namespace hilda::run
