# SPDX-License-Identifier: BSD-3-Clause
# The diagram is made of standard blocks.
if(TARGET hilda_plugins)
  add_dependencies(${test_program} hilda_plugins)
endif()
