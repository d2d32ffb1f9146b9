// SPDX-License-Identifier: BSD-3-Clause
// Wires that are routed again only where something has changed have the routes of a search for all of them.
#include "tests/modules.h"
#include "tools/graphics/scene.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace hilda::test {
namespace {

constexpr int rows = 6, columns = 11; // more symbols than are routed in several passes

/// Chains of blocks that were put in rows by hand, with a wire back and one to another row here and there.
draw::Sketch chains() {
  draw::Sketch sketch;
  sketch.rates = {{"1 ms", false}};
  const auto index = [](int row, int column) { return row * columns + column; };
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      draw::Symbol symbol;
      symbol.name = symbol.path = "b" + std::to_string(row) + "_" + std::to_string(column);
      symbol.type = "math/Gain";
      symbol.inputs = {"u", "v"}, symbol.outputs = {"y"};
      symbol.pin.place = draw::Hints::Place{150.0 * column, 90.0 * row};
      sketch.symbols.push_back(symbol);
    }
  const auto arrow = [](int to, int input) {
    draw::Arrow made;
    made.to = to, made.taps = {{0, input, "", "signal"}};
    return made;
  };
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column + 1 < columns; ++column) {
      draw::Net net{index(row, column), {0}};
      net.arrows.push_back(arrow(index(row, column + 1), 0));
      if (column % 4 == 3) net.arrows.push_back(arrow(index((row + 1) % rows, (column + 5) % columns), 1));
      if (column == 9) net.arrows.push_back(arrow(index(row, 2), 1));
      sketch.nets.push_back(net);
    }
  return sketch;
}

TEST(RouteMemory, FindsTheRoutesOfASearchForAllNets) {
  draw::Sketch sketch = chains();
  draw::Arrangement places;
  draw::RouteMemories kept;
  draw::scene(sketch, places, kept);
  std::mt19937 random(29);
  std::size_t changed = 0;
  nlohmann::ordered_json before;
  for (int step = 0; step < 16; ++step) {
    draw::Hints::Place& place = *sketch.symbols[random() % sketch.symbols.size()].pin.place;
    const auto by = [&random] { return 12.0 * (static_cast<int>(random() % 13) - 6); };
    place.x += by(), place.y += by();
    if (step % 9 == 8) sketch.nets[random() % sketch.nets.size()].arrows[0].bend = {24, 36};
    if (step % 9 == 2) sketch.nets[random() % sketch.nets.size()].arrows.pop_back();
    if (sketch.nets.back().arrows.empty()) sketch.nets.pop_back();
    std::erase_if(sketch.nets, [](const draw::Net& net) { return net.arrows.empty(); });
    draw::Arrangement same = places;
    draw::RouteMemories none;
    const nlohmann::ordered_json now = draw::scene(sketch, places, kept), all = draw::scene(sketch, same, none);
    ASSERT_EQ(now, all) << "after " << step << " moves";
    if (!before.is_null() && before["wires"] != now["wires"]) ++changed;
    before = now;
  }
  EXPECT_GT(changed, 9U) << "a move leads wires on other ways";
}

} // namespace
} // namespace hilda::test
