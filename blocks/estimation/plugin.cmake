# SPDX-License-Identifier: BSD-3-Clause
# The extended Kalman filter reads equations as math/Equations does.
foreach(part body compiler functions lines model program tangents text)
  target_sources(${plugin} PRIVATE "${PROJECT_SOURCE_DIR}/blocks/math/equation_${part}.cpp")
endforeach()
