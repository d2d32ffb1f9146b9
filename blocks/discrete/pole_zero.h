// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A transfer function by its zeros and poles, as a chain of real sections of order 1 and 2.

#include <Eigen/Core>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace hilda {

using Roots = std::vector<std::complex<double>>;

/// "-1", "2e3", "-1+2j", "0.5-3i", "2j"
inline std::optional<std::complex<double>> read_root(std::string_view word) {
  const auto part = [&](double& value) {
    std::string_view text = word;
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || !std::isfinite(value)) return false;
    word = std::string_view(end, static_cast<std::size_t>(text.data() + text.size() - end));
    return true;
  };
  const auto at_end = [&] { return word == "j" || word == "i"; };
  double first = 0, second = 0;
  if (!part(first)) return std::nullopt;
  if (word.empty()) return std::complex<double>(first, 0);
  if (at_end()) return std::complex<double>(0, first);
  if ((word.front() != '+' && word.front() != '-') || !part(second) || !at_end()) return std::nullopt;
  return std::complex<double>(first, second);
}

/// Roots written one behind the other; "none" or nothing: there are none. Throws what is wrong with the text.
inline Roots read_roots(const std::string& text) {
  Roots roots;
  std::size_t at = 0;
  constexpr const char* blank = " \t\r\n";
  while ((at = text.find_first_not_of(blank, at)) != std::string::npos) {
    const std::size_t end = std::min(text.find_first_of(blank, at), text.size());
    const std::string word = text.substr(at, end - at);
    at = end;
    if (word == "none" && roots.empty() && text.find_first_not_of(blank, at) == std::string::npos) return roots;
    const std::optional<std::complex<double>> root = read_root(word);
    if (!root)
      throw std::runtime_error("holds \"" + word.substr(0, 40) + "\", which is not a number such as -2 or -1+3j");
    roots.push_back(*root);
  }
  constexpr std::size_t most = 64;
  if (roots.size() > most) throw std::runtime_error("has more than 64 numbers; put several blocks in a row");
  return roots;
}

/// Polynomials of order 1 and 2 of these roots, real ones in pairs too: x^2 + [0] x + [1], or x + [0].
/// Throws where a complex root comes without its conjugate.
struct Factor {
  int order;
  double middle, last; ///< x^2 + middle x + last, or x + last
};
inline std::vector<Factor> factors_of(Roots roots) {
  std::vector<Factor> factors;
  std::vector<double> real;
  while (!roots.empty()) {
    const std::complex<double> root = roots.front();
    roots.erase(roots.begin());
    if (root.imag() == 0) {
      real.push_back(root.real());
      continue;
    }
    const auto other = std::find(roots.begin(), roots.end(), std::conj(root));
    if (other == roots.end())
      throw std::runtime_error("has a complex number whose conjugate is missing; write both, such as -1+3j -1-3j");
    roots.erase(other);
    factors.push_back({2, -2 * root.real(), root.real() * root.real() + root.imag() * root.imag()});
  }
  std::sort(real.begin(), real.end());
  for (std::size_t i = 0; i < real.size(); i += 2) {
    if (i + 1 < real.size())
      factors.push_back({2, -(real[i] + real[i + 1]), real[i] * real[i + 1]});
    else
      factors.push_back({1, 0, -real[i]});
  }
  return factors;
}

/// dx = A x + b u, y = c x + d u (or x(k+1) of discrete time).
struct Realisation {
  Eigen::MatrixXd a;
  Eigen::VectorXd b, c;
  double d = 1;
};

/// One section (n0 x^2 + n1 x + n2) / (x^2 + m1 x + m2) appended to a chain; of order 1 without the middle ones.
inline void append_section(Realisation& chain, const Factor& over, double n0, double n1, double n2) {
  const Eigen::Index old = chain.b.size(), all = old + over.order;
  chain.a.conservativeResizeLike(Eigen::MatrixXd::Zero(all, all));
  chain.b.conservativeResizeLike(Eigen::VectorXd::Zero(all));
  chain.c.conservativeResizeLike(Eigen::VectorXd::Zero(all));
  // Controllable canonical form; its input is the output of the chain so far.
  const Eigen::Index in = all - 1;
  if (over.order == 2) {
    chain.a(old, old + 1) = 1;
    chain.a(in, old) = -over.last;
    chain.a(in, in) = -over.middle;
  } else
    chain.a(in, in) = -over.last;
  chain.a.row(in).head(old) = chain.c.head(old).transpose();
  chain.b(in) = chain.d;
  chain.c.head(old) *= n0;
  if (over.order == 2) {
    chain.c(old) = n2 - n0 * over.last;
    chain.c(in) = n1 - n0 * over.middle;
  } else
    chain.c(in) = n2 - n0 * over.last;
  chain.d *= n0;
}

/// The whole: zeros no more than poles. Each section takes as many zeros as there are left for it.
inline Realisation realise(const Roots& zeros, const Roots& poles) {
  std::vector<Factor> under = factors_of(poles), over = factors_of(zeros);
  // Sections of order 2 first, and zeros of order 2 into them; the rest goes where there is room.
  const auto larger = [](const Factor& a, const Factor& b) { return a.order > b.order; };
  std::stable_sort(under.begin(), under.end(), larger);
  std::stable_sort(over.begin(), over.end(), larger);
  Realisation chain;
  for (std::size_t i = 0; i < under.size(); ++i) {
    const int order = under[i].order;
    const Factor zero = i < over.size() ? over[i] : Factor{0, 0, 0};
    if (zero.order == order)
      append_section(chain, under[i], 1, zero.middle, zero.last);
    else if (zero.order == 1)
      append_section(chain, under[i], 0, 1, zero.last);
    else
      append_section(chain, under[i], 0, 0, 1);
  }
  return chain;
}

} // namespace hilda
