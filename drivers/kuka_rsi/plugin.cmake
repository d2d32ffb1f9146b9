# SPDX-License-Identifier: BSD-3-Clause
# The vendor's ethernet file is XML; telegrams are read by the driver itself, without allocating.
target_link_libraries(${plugin} PRIVATE tinyxml2::tinyxml2)
