// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/methods/rosenbrock.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hilda::run {
namespace {

constexpr double rodas_growth = 6;
constexpr std::size_t rodas_stages = 8;
constexpr double rodas_gamma = 0.21193756319429014;

// Rodas5P in the form without products of the Jacobian (Hairer and Wanner, Solving Ordinary Differential Equations II,
// IV.7): row i is what stage i + 1 takes of those before it.
constexpr std::array<std::array<double, 7>, 7> rodas_weights = {
    {{3.0},
     {2.849394379747939, 0.45842242204463923},
     {-6.954028509809101, 2.489845061869568, -10.358996098473584},
     {2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641},
     {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946},
     {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946, 1},
     {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946, 1, 1}}};
constexpr std::array<std::array<double, 7>, 7> rodas_couplings = {
    {{-14.155112264123755},
     {-17.97296035885952, -2.859693295451294},
     {147.12150275711716, -1.41221402718213, 71.68940251302358},
     {165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306},
     {24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125, -0.6610691825249471},
     {30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783, -19.097331116725623,
      -28.087943162872662},
     {37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047, -40.06618937091002,
      -54.66780262877968, -9.48861652309627}}};
constexpr std::array<double, rodas_stages> rodas_nodes = {
    0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1, 1, 1};
constexpr std::array<double, rodas_stages> rodas_times = {
    0.21193756319429014, -0.42387512638858027, -0.3384627126235924, 1.8046452872882734, 2.325825639765069, 0, 0, 0};
constexpr std::array<std::array<double, rodas_stages>, 3> rodas_curve = {
    {{25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204, 0.524948541321073,
      1.1241088310450404, 0.4272876194431874, -0.17202221070155493},
     {-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796, 20.176138334709044,
      15.98066361424651, -6.789040303419874, -6.710236069923372},
     {11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643, -52.072871366152654,
      -59.78993625266729, -0.15582684282751913, 4.883087185713722}}};

} // namespace

Rosenbrock::Rosenbrock(RightHandSide& f, const Tolerances& tolerances, StateInfluence influence)
    : OneStepMethod(f, tolerances, 5, rodas_growth, 0), jacobian_(f, std::move(influence), slope_scales(tolerances)),
      elimination_(f.size()), slope_(f.size()), stage_(f.size()) {
  for (auto& k : k_) k.assign(f.size(), 0.0);
  for (auto& c : curve_) c.assign(f.size(), 0.0);
}

void Rosenbrock::prepare(bool /*carry*/) {
  f_(t0_, x0_, slope_);
  jacobian_.measure(t0_, x0_, slope_);
  jacobian_.measure_by_time(t0_, x0_, slope_);
}

void Rosenbrock::attempt(double h) {
  jacobian_.fill(1 / (h * rodas_gamma), elimination_.matrix());
  if (!elimination_.factor()) {
    std::fill(error_.begin(), error_.end(), NAN);
    return;
  }
  x1_ = x0_;
  for (std::size_t s = 0; s < rodas_stages; ++s) {
    std::vector<double>& k = k_[s];
    if (s == 0) {
      k = slope_;
    } else {
      for (std::size_t i = 0; i < x1_.size(); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < s; ++j) sum += rodas_weights[s - 1][j] * k_[j][i];
        x1_[i] = x0_[i] + sum;
      }
      f_(t0_ + rodas_nodes[s] * h, x1_, k);
      for (std::size_t i = 0; i < k.size(); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < s; ++j) sum += rodas_couplings[s - 1][j] * k_[j][i];
        k[i] += sum / h;
      }
    }
    for (std::size_t i = 0; i < k.size(); ++i) k[i] += h * rodas_times[s] * jacobian_.by_time()[i];
    elimination_.solve(k);
  }
  error_ = k_[rodas_stages - 1];
  for (std::size_t i = 0; i < x1_.size(); ++i) x1_[i] += error_[i];
}

void Rosenbrock::settle(double /*h*/) {
  curve_[0] = x0_;
  curve_[1] = x1_;
  for (std::size_t c = 0; c < rodas_curve.size(); ++c)
    for (std::size_t i = 0; i < x0_.size(); ++i) {
      double sum = 0;
      for (std::size_t s = 0; s < rodas_stages; ++s) sum += rodas_curve[c][s] * k_[s][i];
      curve_[c + 2][i] = sum;
    }
}

void Rosenbrock::dense(double theta, std::vector<double>& x) const noexcept {
  const double left = 1 - theta;
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = left * curve_[0][i] +
           theta * (curve_[1][i] + left * (curve_[2][i] + theta * (curve_[3][i] + theta * curve_[4][i])));
}

void Rosenbrock::add_numbers(std::vector<std::span<double>>& list) {
  for (auto& c : curve_) list.emplace_back(c);
}

} // namespace hilda::run
