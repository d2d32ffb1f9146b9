// SPDX-License-Identifier: BSD-3-Clause
#include "equation_tangents.h"

#include "expression_words.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

namespace equations {
namespace {

using Code = Step::Code;

/// The derivative of a function of one number; `y` is its value.
double slope_of_one(double (*function)(double), double x, double y) {
  std::string_view name;
  for (const auto& [word, known] : expression_words::of_one)
    if (known == function) name = word;
  if (name == "sin") return std::cos(x);
  if (name == "cos") return -std::sin(x);
  if (name == "tan") return 1 + y * y;
  if (name == "asin") return 1 / std::sqrt(1 - x * x);
  if (name == "acos") return -1 / std::sqrt(1 - x * x);
  if (name == "atan") return 1 / (1 + x * x);
  if (name == "sinh") return std::cosh(x);
  if (name == "cosh") return std::sinh(x);
  if (name == "tanh") return 1 - y * y;
  if (name == "exp") return y;
  if (name == "ln" || name == "log") return 1 / x;
  if (name == "log10") return 1 / (x * M_LN10);
  if (name == "sqrt") return 0.5 / y;
  if (name == "abs") return expression_words::sign(x);
  return 0; // floor, ceil, round, sign
}

/// The derivatives of a function of two numbers by the first and by the second.
double slope_by_first(double (*function)(double, double), double a, double b, double y) {
  if (function == expression_words::power) return b * expression_words::power(a, b - 1);
  if (function == static_cast<double (*)(double, double)>(std::atan2)) return b / (a * a + b * b);
  if (function == static_cast<double (*)(double, double)>(std::hypot)) return y == 0 ? 0 : a / y;
  if (function == static_cast<double (*)(double, double)>(std::fmod)) return 1;
  return b * std::pow(a, b - 1);
}
double slope_by_second(double (*function)(double, double), double a, double b, double y) {
  if (function == static_cast<double (*)(double, double)>(std::atan2)) return -a / (a * a + b * b);
  if (function == static_cast<double (*)(double, double)>(std::hypot)) return y == 0 ? 0 : b / y;
  if (function == static_cast<double (*)(double, double)>(std::fmod)) return -std::trunc(a / b);
  return y * std::log(a);
}

class Tangents {
public:
  Tangents(const double* numbers, std::uint32_t width, double* tangents)
      : n_(numbers), width_(width), rows_(tangents) {}

  void load(const Step& s, Places from) {
    if (s.memory < from.at || s.memory >= from.at + std::uint64_t{from.count} * sizeof(double)) return;
    const auto first = static_cast<std::uint32_t>((s.memory - from.at) / sizeof(double));
    for (std::uint32_t i = 0; i < s.count; ++i) row(s.to + i)[first + i] = 1;
  }
  void store(const Step& s, Places to, double* jacobian) const {
    if (s.memory < to.at || s.memory >= to.at + std::uint64_t{to.count} * sizeof(double)) return;
    const auto first = static_cast<std::uint32_t>((s.memory - to.at) / sizeof(double));
    for (std::uint32_t i = 0; i < s.count; ++i)
      for (std::uint32_t j = 0; j < width_; ++j)
        jacobian[std::size_t{j} * to.count + first + i] = row(s.a + i * s.a_stride)[j];
  }
  void step(const Step& s) {
    switch (s.code) {
    case Code::product: return product(s);
    case Code::transposed: return transposed(s);
    case Code::dot:
      for (std::uint32_t i = 0; i < s.inner; ++i) add(s.to, s.a + i, n_[s.b + i]), add(s.to, s.b + i, n_[s.a + i]);
      return;
    case Code::norm:
      for (std::uint32_t i = 0; i < s.inner; ++i) add(s.to, s.a + i, n_[s.to] == 0 ? 0 : n_[s.a + i] / n_[s.to]);
      return;
    case Code::sum:
      for (std::uint32_t i = 0; i < s.inner; ++i) add(s.to, s.a + i, 1);
      return;
    case Code::cross:
      for (std::uint32_t i = 0; i < 3; ++i) {
        const std::uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        add(s.to + i, s.a + j, n_[s.b + k]), add(s.to + i, s.b + k, n_[s.a + j]);
        add(s.to + i, s.a + k, -n_[s.b + j]), add(s.to + i, s.b + j, -n_[s.a + k]);
      }
      return;
    default:
      for (std::uint32_t i = 0; i < s.count; ++i) element(s, s.to + i, s.a + i * s.a_stride, s.b + i * s.b_stride, i);
    }
  }

private:
  double* row(std::uint32_t cell) const { return rows_ + std::size_t{cell} * width_; }
  /// What moves `from` moves `to` by `slope` of it. A slope that is not finite does not count where nothing moves.
  void add(std::uint32_t to, std::uint32_t from, double slope) {
    double *into = row(to), *of = row(from);
    for (std::uint32_t j = 0; j < width_; ++j)
      if (of[j] != 0) into[j] += slope * of[j];
  }
  bool moves(std::uint32_t cell) const {
    return std::any_of(row(cell), row(cell) + width_, [](double each) { return each != 0; });
  }

  void element(const Step& s, std::uint32_t to, std::uint32_t a, std::uint32_t b, std::uint32_t i) {
    const double x = n_[a], y = n_[b];
    switch (s.code) {
    case Code::add: add(to, a, 1), add(to, b, 1); return;
    case Code::subtract: add(to, a, 1), add(to, b, -1); return;
    case Code::multiply: add(to, a, y), add(to, b, x); return;
    case Code::divide: add(to, a, 1 / y), add(to, b, -n_[to] / y); return;
    case Code::smaller: return add(to, y < x ? b : a, 1);
    case Code::larger: return add(to, x < y ? b : a, 1);
    case Code::negated: return add(to, a, -1);
    case Code::copy: return add(to, a, 1);
    case Code::choose: return add(to, x != 0 ? b : s.c + i * s.c_stride, 1);
    case Code::of_one:
      if (moves(a)) add(to, a, slope_of_one(s.one, x, n_[to]));
      return;
    case Code::of_two:
      if (moves(a)) add(to, a, slope_by_first(s.two, x, y, n_[to]));
      if (moves(b)) add(to, b, slope_by_second(s.two, x, y, n_[to]));
      return;
    default: return; // comparisons and truths are steps
    }
  }

  void product(const Step& s) {
    const std::uint32_t columns = s.count / s.rows;
    for (std::uint32_t j = 0; j < columns; ++j)
      for (std::uint32_t i = 0; i < s.rows; ++i)
        for (std::uint32_t k = 0; k < s.inner; ++k) {
          const std::uint32_t to = s.to + j * s.rows + i, a = s.a + k * s.rows + i, b = s.b + j * s.inner + k;
          add(to, a, n_[b]), add(to, b, n_[a]);
        }
  }
  void transposed(const Step& s) {
    const std::uint32_t columns = s.count / s.rows;
    for (std::uint32_t i = 0; i < s.rows; ++i)
      for (std::uint32_t j = 0; j < columns; ++j) add(s.to + i * columns + j, s.a + j * s.rows + i, 1);
  }

  const double* n_;
  std::uint32_t width_;
  double* rows_;
};

} // namespace

void differentiate(const Program& program, const double* numbers, std::size_t size, Places from, Places to,
                   double* tangents, double* jacobian) {
  std::fill_n(tangents, size * from.count, 0.0);
  Tangents forward(numbers, from.count, tangents);
  for (const Step& each : program.steps) {
    if (each.code == Step::Code::load)
      forward.load(each, from);
    else if (each.code == Step::Code::store)
      forward.store(each, to, jacobian);
    else if (each.code != Step::Code::load_pointer && each.code != Step::Code::store_if)
      forward.step(each);
  }
}

} // namespace equations
