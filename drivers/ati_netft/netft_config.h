// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The page /netftapi2.xml of a Net F/T or FTN-Axia box: what its counts mean. Pure: text in, numbers out.

#include <optional>
#include <string>
#include <string_view>

namespace hilda::netft {

/// As the box has it. Counts are per unit; `counts / counts_per_force * newtons` is a force in N.
struct Config {
  double counts_per_force = 1e6;       ///< cfgcpf
  double counts_per_torque = 1e6;      ///< cfgcpt
  std::string force_unit = "N";        ///< scfgfu, as written
  std::string torque_unit = "Nm";      ///< scfgtu, as written
  double newtons = 1;                  ///< N in a force unit
  double newton_metres = 1;            ///< N m in a torque unit
  bool streams = true;                 ///< comrdte: RDT is enabled
  std::optional<double> rate;          ///< comrdtrate, Hz
  std::optional<unsigned long> status; ///< runstat, the bits of a record's status
};

/// What a name of a unit means in SI, or nothing: N, kN, lbf, klbf, kgf (kg), gf (g); Nm, Nmm, kNm, lbf-in, lbf-ft,
/// kgf-cm. Capitals, hyphens and blanks do not count.
std::optional<double> force_unit(std::string_view name);
std::optional<double> torque_unit(std::string_view name);

/// What the diagram says of the box, because some pages lack it. 0 and "": nothing.
struct GivenConfig {
  double counts_per_force = 0, counts_per_torque = 0;
  std::string force_unit, torque_unit;

  bool whole() const {
    return counts_per_force > 0 && counts_per_torque > 0 && !force_unit.empty() && !torque_unit.empty();
  }
};

/// Reads a page of any bytes. Nothing, and a sentence in `problem`, where counts or units are missing or senseless, or
/// where the page and what is given say two things. Elements that are missing next to those keep their defaults.
std::optional<Config> parse_config(std::string_view page, std::string& problem, const GivenConfig& given = {});

/// The shortest text of a number that reads back as it.
std::string decimal(double value);

/// The page for a box that is configured so.
std::string config_page(const Config& config);

} // namespace hilda::netft
