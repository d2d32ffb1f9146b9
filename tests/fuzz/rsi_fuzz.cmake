# SPDX-License-Identifier: BSD-3-Clause
target_sources(
  ${name} PRIVATE "${PROJECT_SOURCE_DIR}/drivers/kuka_rsi/ethernet_file.cpp"
                  "${PROJECT_SOURCE_DIR}/drivers/kuka_rsi/telegram.cpp"
                  "${PROJECT_SOURCE_DIR}/drivers/kuka_rsi/telegram_scanner.cpp"
                  "${PROJECT_SOURCE_DIR}/drivers/kuka_rsi/telegram_writer.cpp")
