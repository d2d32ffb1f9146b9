// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <unsupported/Eigen/FFT>
#include <vector>

namespace {
using namespace hilda;

enum class Window { rectangular, hann, hamming, flat_top };

constexpr const char* spectrum_doc =
    "Amplitude spectrum of the last samples, by a windowed FFT: amplitude(k) = s |sum of w(n) u(n) exp(-2 pi i k "
    "n / length)| / sum of w(n) at the frequency 2 pi k / (length T), with s = 2, and 1 at the ends (the mean "
    "and half the sampling frequency): a sine upon a line has its amplitude there. Windows are periodic, w(n) = "
    "a0 - a1 cos(2 pi n / length) + ... (Harris 1978): hann 0.5 0.5, hamming 0.54 0.46, flat_top 0.21557895 "
    "0.41663158 0.277263158 0.083578947 0.006947368. Between two lines a sine shows no less than 0.636 "
    "(rectangular), 0.848 (hann), 0.817 (hamming) or 0.998 (flat_top) of its amplitude. A new one comes every "
    "length (1 - overlap) samples, and is computed within that tick; before the first window is full all is 0.";

/// A length for which the FFT is fast: no prime factor above 7.
bool is_smooth(std::int64_t length) {
  for (const std::int64_t factor : {2, 3, 5, 7})
    while (length % factor == 0) length /= factor;
  return length == 1;
}

struct Spectrum : Block {
  Input<double> u{*this, "u", "@u", "Signal"};
  Output<Vector> amplitude{*this,
                           "amplitude",
                           "lines",
                           "@u",
                           "Amplitude at each frequency, from the mean to half the sampling frequency",
                           unrecorded};
  Output<Vector> frequency{*this, "frequency", "lines", "rad/s", "Those frequencies", from_state, unrecorded};
  Output<double> dominant{
      *this, "dominant", "rad/s",
      "Frequency of the line with the largest amplitude, once the mean of the samples is taken away"};
  Output<double> peak{*this, "peak", "@u", "Its amplitude"};
  Output<bool> ready{*this, "ready", "A window has been full"};
  Parameter<std::int64_t> length{*this, "length", "Samples in a window; 1024, 1000: no prime factor above 7",
                                 between(4, 1 << 20)};
  Parameter<Window> window{*this, "window", "Weight of the samples; hann where nothing is known of the signal",
                           by_default("hann")};
  Parameter<double> overlap{
      *this,      "overlap",        "1", "Share of a window that the next one has, too", at_least(0.0),
      below(1.0), by_default("0.5")};
  Ring<> line{*this, "line", "", "@u", "The samples before the newest"};
  State<std::int64_t> count{*this, "count", "Samples taken so far"};

  void infer(const Instance&, const Inference& inference) override { inference.dimension("lines", *length / 2 + 1); }
  void configure(const Instance& self) override {
    if (!is_smooth(*length)) {
      std::int64_t next = *length;
      while (!is_smooth(next)) ++next;
      self.report("length",
                  "is " + std::to_string(*length) + ", which has a prime factor above 7; take " + std::to_string(next));
      return;
    }
    line.resize(*length - 1);
    weigh();
    transform_.SetFlag(Eigen::FFT<double>::HalfSpectrum);
    samples_.assign(static_cast<std::size_t>(*length), 0.0);
    lines_.resize(samples_.size() / 2 + 1);
    // also makes what the transform keeps from call to call
    transform_.fwd(lines_.data(), weights_.data(), *length);
    leak_.assign(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(std::min(terms_, lines_.size())));
    hop_ = std::max<std::int64_t>(1, std::llround(static_cast<double>(*length) * (1 - *overlap)));
  }
  void state_output(const Tick& t) override {
    auto lines = *frequency;
    const double apart = 2 * M_PI / (static_cast<double>(*length) * t.period());
    for (Eigen::Index k = 0; k < lines.size(); ++k) lines[k] = static_cast<double>(k) * apart;
  }
  void output(const Tick& t) override {
    const std::int64_t beyond = *count + 1 - *length; // samples since the first window was full
    ready = beyond >= 0;
    if (beyond < 0) {
      (*amplitude).setZero();
      dominant = 0.0, peak = 0.0;
    } else if (beyond % hop_ == 0) {
      take();
      find_dominant(t.period());
    }
  }
  void update(const Tick&) override {
    line.push(Eigen::Array<double, 1, 1>::Constant(*u));
    count = *count + 1;
  }

private:
  void weigh() {
    const auto shape = [this]() -> std::vector<double> {
      switch (*window) {
      case Window::rectangular: return {1};
      case Window::hann: return {0.5, 0.5};
      case Window::hamming: return {0.54, 0.46};
      case Window::flat_top: break;
      }
      return {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368};
    }();
    terms_ = shape.size();
    weights_.assign(static_cast<std::size_t>(*length), 0.0);
    for (std::size_t n = 0; n < weights_.size(); ++n)
      for (std::size_t j = 0; j < shape.size(); ++j)
        weights_[n] += (j % 2 == 0 ? 1 : -1) * shape[j] *
                       std::cos(2 * M_PI * static_cast<double>(j * n) / static_cast<double>(*length));
    sum_ = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  }

  void take() {
    const std::size_t last = samples_.size() - 1;
    mean_ = *u;
    for (std::size_t n = 0; n < last; ++n) {
      const double sample = line[static_cast<std::int64_t>(n)][0];
      samples_[n] = weights_[n] * sample;
      mean_ += sample;
    }
    samples_[last] = weights_[last] * *u;
    mean_ /= static_cast<double>(*length);
    transform_.fwd(lines_.data(), samples_.data(), *length);
    auto out = *amplitude;
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      const bool alone = k == 0 || 2 * k == samples_.size(); // the others have a mirrored twin
      out[static_cast<Eigen::Index>(k)] = (alone ? 1 : 2) * std::abs(lines_[k]) / sum_;
    }
  }

  /// A line without what the mean leaks into it: a window spreads a constant over as many lines as it has cosines.
  double swing(std::size_t k) const {
    if (k >= leak_.size()) return (*amplitude)[static_cast<Eigen::Index>(k)];
    return (2 * k == samples_.size() ? 1 : 2) * std::abs(lines_[k] - mean_ * leak_[k]) / sum_;
  }

  void find_dominant(double period) {
    std::size_t largest = 1;
    double most = swing(1);
    for (std::size_t k = 2; k < lines_.size(); ++k)
      if (const double here = swing(k); here > most) largest = k, most = here;
    peak = most;
    dominant = 2 * M_PI * static_cast<double>(largest) / (static_cast<double>(*length) * period);
  }

  Eigen::FFT<double> transform_;
  std::vector<double> weights_, samples_;
  std::vector<std::complex<double>> lines_, leak_; ///< of the samples; of a mean of 1, as far as it reaches
  std::size_t terms_ = 1;                          ///< of the window: a constant and cosines
  double sum_ = 1, mean_ = 0;
  std::int64_t hop_ = 1;
};

HILDA_BLOCK(Spectrum, spectrum_doc)
} // namespace
