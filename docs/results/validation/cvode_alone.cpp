// SPDX-License-Identifier: BSD-3-Clause
// CVODE by itself on the problems of work_accuracy.py, which compiles and runs this: PROBLEM RTOL ATOL FORMULAS END
// ROUNDS writes right-hand sides, the least processor time of the rounds in seconds, and the states at the end. The
// Jacobian is CVODE's own by differences.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include <vector>

namespace {

int hires(double, N_Vector state, N_Vector slope, void*) {
  const double *y = N_VGetArrayPointer(state), a = y[0], b = y[1], c = y[2], d = y[3], e = y[4], f = y[5], g = y[6],
               h = y[7];
  double* k = N_VGetArrayPointer(slope);
  k[0] = -1.71 * a + 0.43 * b + 8.32 * c + 0.0007;
  k[1] = 1.71 * a - 8.75 * b;
  k[2] = -10.03 * c + 0.43 * d + 0.035 * e;
  k[3] = 8.32 * b + 1.71 * c - 1.12 * d;
  k[4] = -1.745 * e + 0.43 * f + 0.43 * g;
  k[5] = -280 * f * h + 0.69 * d + 1.71 * e - 0.43 * f + 0.69 * g;
  k[6] = 280 * f * h - 1.81 * g;
  k[7] = -k[6];
  return 0;
}

int van_der_pol(double, N_Vector state, N_Vector slope, void*) {
  const double* y = N_VGetArrayPointer(state);
  N_VGetArrayPointer(slope)[0] = y[1];
  N_VGetArrayPointer(slope)[1] = 1000 * (1 - y[0] * y[0]) * y[1] - y[0];
  return 0;
}

int oregonator(double, N_Vector state, N_Vector slope, void*) {
  const double* y = N_VGetArrayPointer(state);
  double* k = N_VGetArrayPointer(slope);
  k[0] = 77.27 * (y[1] + y[0] * (1 - 8.375e-6 * y[0] - y[1]));
  k[1] = (y[2] - (1 + y[0]) * y[1]) / 77.27;
  k[2] = 0.161 * (y[0] - y[2]);
  return 0;
}

int swing(double, N_Vector state, N_Vector slope, void*) {
  const double* y = N_VGetArrayPointer(state);
  N_VGetArrayPointer(slope)[0] = y[1];
  N_VGetArrayPointer(slope)[1] = -400 * y[0];
  return 0;
}

struct Problem {
  const char* name;
  CVRhsFn slope;
  std::vector<double> begin;
};

double now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

} // namespace

int main(int count, char** words) {
  if (count != 7) return 64;
  const Problem problems[] = {{"hires", hires, {1, 0, 0, 0, 0, 0, 0, 0.0057}},
                              {"van_der_pol", van_der_pol, {2, 0}},
                              {"oregonator", oregonator, {1, 2, 3}},
                              {"swing", swing, {1, 0}}};
  const double rtol = std::atof(words[2]), atol = std::atof(words[3]), end = std::atof(words[5]);
  const bool adams = std::strcmp(words[4], "adams") == 0;
  for (const Problem& problem : problems) {
    if (std::strcmp(problem.name, words[1]) != 0) continue;
    double least = 1e9;
    long slopes = 0, others = 0;
    std::vector<double> y;
    for (int round = 0; round < std::atoi(words[6]); ++round) {
      const double started = now();
      y = problem.begin;
      const auto n = static_cast<sunindextype>(y.size());
      SUNContext context = nullptr;
      SUNContext_Create(nullptr, &context);
      N_Vector state = N_VMake_Serial(n, y.data(), context);
      void* cvode = CVodeCreate(adams ? CV_ADAMS : CV_BDF, context);
      CVodeInit(cvode, problem.slope, 0, state);
      CVodeSStolerances(cvode, rtol, atol);
      CVodeSetMaxNumSteps(cvode, -1);
      SUNMatrix matrix = nullptr;
      SUNLinearSolver solver = nullptr;
      SUNNonlinearSolver iteration = nullptr;
      if (adams) {
        iteration = SUNNonlinSol_FixedPoint(state, 0, context);
        CVodeSetNonlinearSolver(cvode, iteration);
      } else {
        matrix = SUNDenseMatrix(n, n, context);
        solver = SUNLinSol_Dense(state, matrix, context);
        CVodeSetLinearSolver(cvode, solver, matrix);
      }
      double reached = 0;
      if (CVode(cvode, end, state, &reached, CV_NORMAL) < 0) return 1;
      CVodeGetNumRhsEvals(cvode, &slopes);
      if (!adams) CVodeGetNumLinRhsEvals(cvode, &others);
      CVodeFree(&cvode);
      if (solver != nullptr) SUNLinSolFree(solver), SUNMatDestroy(matrix);
      if (iteration != nullptr) SUNNonlinSolFree(iteration);
      N_VDestroy(state);
      SUNContext_Free(&context);
      const double spent = now() - started;
      if (spent < least) least = spent;
    }
    std::printf("%ld %.9f", slopes + others, least);
    for (const double each : y) std::printf(" %.17g", each);
    std::printf("\n");
    return 0;
  }
  return 64;
}
