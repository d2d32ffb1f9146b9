#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs a compiler behind ccache: cached_compiler.sh CCACHE FOLDER COMPILER ARGUMENTS...
#
# An old precompiled header is removed before a new one is compiled. ccache preprocesses its text first, g++ reads the
# old one for that, and ccache then keeps the new one under the old one's content: a later build gets a precompiled
# header of other sources ("redefinition of ...").
cache=$1
# Paths below the project's folder are given to the compiler relative to the build folder, so that another clone finds
# what this one has compiled. The sloppiness is what ccache needs for precompiled headers. A header that changes while
# it is compiled is noticed: the checks of its times stay on, or the result would be kept under the text that it got.
export CCACHE_BASEDIR="$2" CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
shift 2
before=
for argument; do
  case $before:$argument in -o:*.gch) rm -f "$argument" ;; esac
  before=$argument
done
exec "$cache" "$@"
