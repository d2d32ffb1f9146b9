# SPDX-License-Identifier: BSD-3-Clause
target_sources(${name} PRIVATE "${PROJECT_SOURCE_DIR}/drivers/ati_netft/rdt.cpp")
