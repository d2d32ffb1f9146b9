# SPDX-License-Identifier: BSD-3-Clause
target_link_libraries(${plugin} PRIVATE muparser::muparser)
