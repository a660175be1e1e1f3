#!/bin/sh
# Compiles the examples by hand, as a makefile would, with what pkg-config says of an installed corral: build.sh EXAMPLES
set -eu
examples=$1
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
flags=$(pkg-config --cflags corral)
libraries="$(pkg-config --libs corral) -Wl,-rpath,$(pkg-config --variable=libdir corral) ${LDFLAGS:-} -lm"

"$CXX" -std=c++20 $flags "$examples/engine_in_your_code.cpp" $libraries -o in_cpp
./in_cpp
"$CC" -std=c11 $flags "$examples/in_c.c" $libraries -o in_c
./in_c
if pkg-config --exists corral-stokes; then
  sums="$(pkg-config --libs corral-stokes) -Wl,-rpath,$(pkg-config --variable=libdir corral) ${LDFLAGS:-} -lm"
  "$CC" -std=c11 $(pkg-config --cflags corral-stokes) "$examples/stokes_in_c.c" $sums -o stokes_in_c
  ./stokes_in_c
  if [ -n "${FC:-}" ]; then
    "$FC" "$(pkg-config --variable=fortran_source corral)" "$(pkg-config --variable=fortran_source corral-stokes)" \
      "$examples/stokes_in_fortran.f90" $sums -o stokes_in_fortran
    ./stokes_in_fortran
  fi
fi
if [ -n "${FC:-}" ]; then
  "$FC" "$(pkg-config --variable=fortran_source corral)" "$examples/in_fortran.f90" $libraries -o in_fortran
  ./in_fortran
fi
