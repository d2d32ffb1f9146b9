// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/kuka_rsi/ethernet_file.h"

#include <string>

namespace hilda::kuka::test {

/// A file of tests/drivers_kuka/golden, written by hand from what controllers send.
std::string golden(const std::string& name);
/// golden/ethernet.xml
EthernetFile golden_ethernet();
/// The text with the first `from` replaced; a test fails where there is none.
std::string with(std::string text, const std::string& from, const std::string& to);
/// Every `from` replaced.
std::string with_all(std::string text, const std::string& from, const std::string& to);

} // namespace hilda::kuka::test
