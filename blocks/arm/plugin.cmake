# SPDX-License-Identifier: BSD-3-Clause
# MuJoCo is a second opinion on the arm's dynamics: where it is installed, FloatingArm offers it and a test compares.
find_path(MUJOCO_INCLUDE_DIR mujoco/mujoco.h)
find_library(MUJOCO_LIBRARY mujoco)
mark_as_advanced(MUJOCO_INCLUDE_DIR MUJOCO_LIBRARY)
if(MUJOCO_INCLUDE_DIR AND MUJOCO_LIBRARY)
  target_compile_definitions(${plugin} PRIVATE HILDA_HAS_MUJOCO)
  target_include_directories(${plugin} SYSTEM PRIVATE "${MUJOCO_INCLUDE_DIR}")
  target_link_libraries(${plugin} PRIVATE "${MUJOCO_LIBRARY}")
else()
  message(STATUS "MuJoCo is not installed: the arm's dynamics are not cross-checked (package libmujoco-dev)")
endif()
