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

# musl's log, log2 and pow take other ways where a processor has fused multiply-add (arm64), with other last bits than on
# x86-64. There they are compiled from musl's source, without; tools/arm64.sh fetches it from Debian.
set(HILDA_MUSL_SOURCE "" CACHE PATH "musl's source, where the processor has fused multiply-add: the same bits as on x86-64")
mark_as_advanced(HILDA_MUSL_SOURCE)
set(HILDA_MATH_FUSED log log_data log2 log2_data pow pow_data)

# Objects that come before those of the archive: `objects`, and `result` as below.
function(hilda_make_unfused objects result)
  set(${objects} "" PARENT_SCOPE)
  get_filename_component(headers "${HILDA_MUSL_LIBC}" DIRECTORY)
  string(REPLACE "/lib/" "/include/" headers "${headers}")
  set(made "")
  foreach(name IN LISTS HILDA_MATH_FUSED)
    set(object "${CMAKE_BINARY_DIR}/generated/musl_${name}.o")
    execute_process(
      COMMAND "${CMAKE_C_COMPILER}" -std=c99 -nostdinc -O2 -fPIC -ffp-contract=off -frounding-math -fno-math-errno -U__FP_FAST_FMA
              -I "${HILDA_MUSL_SOURCE}/arch/${CMAKE_SYSTEM_PROCESSOR}" -I "${HILDA_MUSL_SOURCE}/arch/generic"
              -I "${HILDA_MUSL_SOURCE}/src/internal" -I "${HILDA_MUSL_SOURCE}/src/include" -I "${HILDA_MUSL_SOURCE}/include"
              -isystem "${headers}" -D_XOPEN_SOURCE=700 -c "${HILDA_MUSL_SOURCE}/src/math/${name}.c" -o "${object}"
      RESULT_VARIABLE failed ERROR_VARIABLE why OUTPUT_QUIET)
    if(failed)
      set(${result} "musl's ${name} in ${HILDA_MUSL_SOURCE} cannot be compiled: ${why}" PARENT_SCOPE)
      return()
    endif()
    list(APPEND made "${object}")
  endforeach()
  set(${objects} "${made}" PARENT_SCOPE)
endfunction()

# Makes the archive; `result` is empty, or says why there is none.
function(hilda_make_mathematics result)
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/generated" "${CMAKE_BINARY_DIR}/lib/hilda")
  set(work "${CMAKE_BINARY_DIR}/generated/mathematics")
  list(TRANSFORM HILDA_MATH_FUNCTIONS PREPEND "--undefined=" OUTPUT_VARIABLE wanted)
  list(JOIN HILDA_MATH_FUNCTIONS "\n" kept)
  set(unfused "")
  if(HILDA_MUSL_SOURCE)
    set(problem "")
    hilda_make_unfused(unfused problem)
    if(problem)
      set(${result} "${problem}" PARENT_SCOPE)
      return()
    endif()
  endif()
  # The version of what is linked, for the log.
  file(CONFIGURE OUTPUT "${work}.keep" CONTENT "${kept}\nhilda_musl_version\n")
  foreach(command "${HILDA_LD};-r;${wanted};--undefined=__libc_version;-o;${work}_all.o;${unfused};${HILDA_MUSL_LIBC}"
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

set(hilda_musl_fused OFF)
if(without STREQUAL "" AND NOT HILDA_MUSL_SOURCE AND NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  set(hilda_musl_fused ON)
  message(WARNING "The last bits of log, log2, pow and what calls them will differ from those on x86-64: set HILDA_MUSL_SOURCE to musl's "
                  "source, such as tools/arm64.sh unpacks (docs/install.md)")
endif()
if(NOT without STREQUAL "")
  message(WARNING "Results will depend on the processor and its C library: ${without}")
  file(REMOVE "${HILDA_MATH_ARCHIVE}")
endif()
