# SPDX-License-Identifier: BSD-3-Clause
target_link_libraries(${name} PRIVATE hilda_fmi)
