#include <hilda/block.h>

#include <locale>
#include <random>
#include <sstream>
#include <string>

namespace hilda {

struct Dither : Block {
  Output<double> y{*this, "y", "1", "Random, from -1/2 to 1/2", from_state};
  Parameter<std::uint64_t> seed{*this, "seed", "Another one gives other numbers", by_default("1")};
  State<double> next{*this, "next", "1", "The next output"};

  void initialize(const Instance& self) override { generator_.seed(self.seed(*seed)), next = draw(); }
  void state_output(const Tick&) override { y = *next; }
  void update(const Tick&) override { next = draw(); }

  std::string save_state() const override {
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text << generator_;
    return text.str();
  }
  bool load_state(std::string_view bytes) override {
    std::istringstream text{std::string(bytes)};
    text.imbue(std::locale::classic());
    return static_cast<bool>(text >> generator_);
  }

private:
  double draw() { return static_cast<double>(generator_() >> 11U) * 0x1p-53 - 0.5; }
  std::mt19937_64 generator_; // of the C++ library: 312 numbers that no State holds
};
HILDA_BLOCK(Dither, "Noise for an input that sticks: uniform, of the C++ library's generator.")

} // namespace hilda
