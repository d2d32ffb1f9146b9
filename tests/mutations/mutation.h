#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace hilda::test {

/// A small slip of the kind that fingers make.
enum class Slip { misspelt_name, other_unit, cut_wire, doubled_wire, crossed_wires, broken_number, dropped_tag };
inline constexpr int slips = 7;
const char* slip_name(Slip slip);

/// A text with one slip in it.
struct Mutation {
  Slip slip{};
  std::vector<std::string> lines; ///< the whole file
  std::vector<int> at;            ///< numbers of the lines that changed, from 1
  std::string before, after;      ///< of the first of them
};

/// Makes this slip somewhere in the text, or none where the text has no place for it.
std::optional<Mutation> mutate(const std::vector<std::string>& lines, Slip slip, std::mt19937_64& random);

} // namespace hilda::test
