# SPDX-License-Identifier: BSD-3-Clause
# The checksum of a packet is zlib's CRC-32.
target_link_libraries(${plugin} PRIVATE ZLIB::ZLIB)
