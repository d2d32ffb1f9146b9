# SPDX-License-Identifier: BSD-3-Clause
# The archive libhilda_math.a: sin, exp, pow and their kin, the same bits on every processor.
#
# glibc picks another sin by processor (with FMA, without), so the same diagram would give other bits on another machine.
# musl's are compiled once, for the oldest processor of the architecture. They are taken out of its static library
# (Debian: musl-dev) as one object. LinkMathematics.cmake says who links it and how. Without musl-dev all is built with the
# C library's, and logs and --version say so.
option(HILDA_MATHEMATICS "Take sin, exp, pow and their kin from musl's libm: the same bits on every processor" ON)
set(HILDA_MATH_ARCHIVE "${CMAKE_BINARY_DIR}/lib/hilda/libhilda_math.a")

# Those that are exact by definition (floor, sqrt, fmod, fma, ...) are the C library's: it is fast at them.
set(of_real acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 hypot lgamma log log10
    log1p log2 pow sin sincos sinh tan tanh tgamma)
list(TRANSFORM of_real APPEND f OUTPUT_VARIABLE of_float)
set(of_complex cabs cacos cacosh carg casin casinh catan catanh ccos ccosh cexp clog cpow csin csinh csqrt ctan ctanh)
set(HILDA_MATH_FUNCTIONS ${of_real} ${of_float} ${of_complex} lgamma_r lgammaf_r signgam j0 j1 jn y0 y1 yn)

# Makes the archive; `result` is empty, or says why there is none.
function(hilda_make_mathematics result)
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/generated" "${CMAKE_BINARY_DIR}/lib/hilda")
  set(work "${CMAKE_BINARY_DIR}/generated/mathematics")
  list(TRANSFORM HILDA_MATH_FUNCTIONS PREPEND "--undefined=" OUTPUT_VARIABLE wanted)
  list(JOIN HILDA_MATH_FUNCTIONS "\n" kept)
  # The version of what is linked, for the log.
  file(CONFIGURE OUTPUT "${work}.keep" CONTENT "${kept}\nhilda_musl_version\n")
  foreach(command "${HILDA_LD};-r;${wanted};--undefined=__libc_version;-o;${work}_all.o;${HILDA_MUSL_LIBC}"
                  "${CMAKE_OBJCOPY};--redefine-sym;__libc_version=hilda_musl_version;${work}_all.o"
                  "${CMAKE_OBJCOPY};--keep-global-symbols=${work}.keep;${work}_all.o;${work}.o"
                  "${CMAKE_COMMAND};-E;rm;-f;${work}.a" "${CMAKE_AR};qcD;${work}.a;${work}.o" "${CMAKE_RANLIB};-D;${work}.a")
    execute_process(COMMAND ${command} RESULT_VARIABLE failed ERROR_VARIABLE why OUTPUT_QUIET)
    if(failed)
      set(${result} "${why}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  # A name that is left undefined would be another library's; the compiler's own products of complex numbers do not matter.
  execute_process(COMMAND "${CMAKE_NM}" --undefined-only --format=posix "${work}.o" OUTPUT_VARIABLE open)
  string(REGEX REPLACE "(_GLOBAL_OFFSET_TABLE_|__mul[ds]c3)[^\n]*\n" "" open "${open}")
  if(NOT open STREQUAL "")
    set(${result} "it needs ${open}" PARENT_SCOPE)
    return()
  endif()
  file(COPY_FILE "${work}.a" "${HILDA_MATH_ARCHIVE}" ONLY_IF_DIFFERENT)
  list(JOIN HILDA_MATH_FUNCTIONS "; " exported)
  file(CONFIGURE OUTPUT "${HILDA_MATH_ARCHIVE}.exports" CONTENT "{ ${exported}; };\n")
  set(${result} "" PARENT_SCOPE)
endfunction()

find_library(HILDA_MUSL_LIBC NAMES libc.a NO_DEFAULT_PATH
             PATHS "/usr/lib/${CMAKE_SYSTEM_PROCESSOR}-linux-musl" /usr/lib/musl/lib /usr/local/musl/lib
                   "/usr/${CMAKE_SYSTEM_PROCESSOR}-linux-musl/lib64"
             DOC "musl's static library, for the mathematical functions")
# clang's own linker, which CMAKE_LINKER may name, makes no object of an archive alone.
find_program(HILDA_LD NAMES ld.bfd ld DOC "The linker of binutils")
mark_as_advanced(HILDA_MUSL_LIBC HILDA_LD)

set(without "")
if(NOT HILDA_MATHEMATICS)
  set(without "HILDA_MATHEMATICS is off")
elseif(NOT HILDA_MUSL_LIBC)
  set(without "musl's libc.a is not there (apt: musl-dev)")
else()
  hilda_make_mathematics(without)
endif()

if(NOT without STREQUAL "")
  message(WARNING "Results will depend on the processor and its C library: ${without}")
  file(REMOVE "${HILDA_MATH_ARCHIVE}")
endif()
