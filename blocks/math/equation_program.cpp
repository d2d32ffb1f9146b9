// SPDX-License-Identifier: BSD-3-Clause
#include "equation_program.h"

#include <cmath>
#include <cstring>

namespace equations {
namespace {

using Code = Step::Code;

template <class F> void each_pair(const Step& s, double* n, F f) {
  double *to = n + s.to, *a = n + s.a, *b = n + s.b;
  for (std::uint32_t i = 0; i < s.count; ++i) to[i] = f(a[i * s.a_stride], b[i * s.b_stride]);
}

template <class F> void each_one(const Step& s, double* n, F f) {
  double *to = n + s.to, *a = n + s.a;
  for (std::uint32_t i = 0; i < s.count; ++i) to[i] = f(a[i]);
}

/// Rows x inner by inner x columns, as columns.
void multiply_matrices(const Step& s, double* n) {
  const std::uint32_t columns = s.count / s.rows;
  for (std::uint32_t j = 0; j < columns; ++j)
    for (std::uint32_t i = 0; i < s.rows; ++i) {
      double sum = 0;
      for (std::uint32_t k = 0; k < s.inner; ++k) sum += n[s.a + k * s.rows + i] * n[s.b + j * s.inner + k];
      n[s.to + j * s.rows + i] = sum;
    }
}

double dot_product(const Step& s, const double* n) {
  double sum = 0;
  for (std::uint32_t i = 0; i < s.inner; ++i) sum += n[s.a + i] * n[s.b + i];
  return sum;
}

void move_numbers(const Step& s, double* n, char* record) {
  const std::size_t bytes = s.count * sizeof(double);
  if (s.code == Code::load_pointer) {
    const double* from = nullptr;
    std::memcpy(&from, record + s.memory, sizeof from);
    std::memcpy(n + s.to, from, bytes);
  } else if (s.code == Code::load) {
    std::memcpy(n + s.to, record + s.memory, bytes);
  } else if (s.code == Code::store || n[s.b] != 0) {
    auto* to = reinterpret_cast<double*>(record + s.memory);
    for (std::uint32_t i = 0; i < s.count; ++i) to[i] = n[s.a + i * s.a_stride];
  }
}

void reduce(const Step& s, double* n) {
  const double *a = n + s.a, *b = n + s.b;
  double* to = n + s.to;
  if (s.code == Code::dot) {
    *to = dot_product(s, n);
  } else if (s.code == Code::norm) {
    *to = std::sqrt(dot_product(s, n));
  } else if (s.code == Code::cross) {
    for (std::uint32_t i = 0; i < 3; ++i) to[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
  } else if (s.code == Code::sum) {
    double sum = 0;
    for (std::uint32_t i = 0; i < s.inner; ++i) sum += a[i];
    *to = sum;
  } else { // transposed: `rows` of the operand
    const std::uint32_t columns = s.count / s.rows;
    for (std::uint32_t i = 0; i < s.rows; ++i)
      for (std::uint32_t j = 0; j < columns; ++j) to[i * columns + j] = a[j * s.rows + i];
  }
}

void step(const Step& s, double* n, char* record) {
  switch (s.code) {
  case Code::load_pointer:
  case Code::load:
  case Code::store:
  case Code::store_if: return move_numbers(s, n, record);
  case Code::add: return each_pair(s, n, [](double a, double b) { return a + b; });
  case Code::subtract: return each_pair(s, n, [](double a, double b) { return a - b; });
  case Code::multiply: return each_pair(s, n, [](double a, double b) { return a * b; });
  case Code::divide: return each_pair(s, n, [](double a, double b) { return a / b; });
  case Code::less: return each_pair(s, n, [](double a, double b) { return double(a < b); });
  case Code::less_equal: return each_pair(s, n, [](double a, double b) { return double(a <= b); });
  case Code::equal: return each_pair(s, n, [](double a, double b) { return double(a == b); });
  case Code::both: return each_pair(s, n, [](double a, double b) { return double(a != 0 && b != 0); });
  case Code::either: return each_pair(s, n, [](double a, double b) { return double(a != 0 || b != 0); });
  case Code::smaller: return each_pair(s, n, [](double a, double b) { return b < a ? b : a; });
  case Code::larger: return each_pair(s, n, [](double a, double b) { return a < b ? b : a; });
  case Code::of_two: return each_pair(s, n, s.two);
  case Code::of_one: return each_one(s, n, s.one);
  case Code::negated: return each_one(s, n, [](double a) { return -a; });
  case Code::inverted: return each_one(s, n, [](double a) { return double(a == 0); });
  case Code::copy: return each_one(s, n, [](double a) { return a; });
  case Code::choose:
    for (std::uint32_t i = 0; i < s.count; ++i)
      n[s.to + i] = n[s.a + i * s.a_stride] != 0 ? n[s.b + i * s.b_stride] : n[s.c + i * s.c_stride];
    return;
  case Code::product: return multiply_matrices(s, n);
  case Code::transposed:
  case Code::dot:
  case Code::sum:
  case Code::norm:
  case Code::cross: return reduce(s, n);
  }
}

} // namespace

void run(const Program& program, double* numbers, void* record, double time) {
  numbers[0] = time;
  for (const Step& each : program.steps) step(each, numbers, static_cast<char*>(record));
}

} // namespace equations
