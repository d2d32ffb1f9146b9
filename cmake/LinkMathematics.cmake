# SPDX-License-Identifier: BSD-3-Clause
# Links HILDA_MATH_ARCHIVE (Mathematics.cmake makes it); the targets are empty where there is none.
#
# hilda::mathematics: for plugins, where it stays hidden: an interpreter has loaded the C library's functions before, and
# those come first for all that does not carry its own.
# hilda::exported_mathematics: for the engine, in whose library (libhilda.so) they stay hidden too, and for programs. A program
# exports them, so that all that it loads calls them: plugins of any build, muParser, udunits2.
#
# Both ask for musl's version, a name that the archive alone has: so it is taken in wherever in the line -lm is.
if(NOT TARGET hilda::mathematics)
  add_library(hilda::mathematics INTERFACE IMPORTED GLOBAL)
  add_library(hilda::exported_mathematics INTERFACE IMPORTED GLOBAL)
  if(EXISTS "${HILDA_MATH_ARCHIVE}")
    set_target_properties(hilda::mathematics hilda::exported_mathematics
                          PROPERTIES INTERFACE_LINK_LIBRARIES "${HILDA_MATH_ARCHIVE}"
                                     INTERFACE_LINK_OPTIONS "-Wl,--undefined=hilda_musl_version")
    set(exported "-Wl,--export-dynamic-symbol-list=${HILDA_MATH_ARCHIVE}.exports")
    target_link_options(hilda::exported_mathematics INTERFACE
                        "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${exported}>")
  endif()
endif()
