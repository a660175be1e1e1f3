# build_types.cmake: configures PROJECT, which has corral as a part, and corral by itself, with and without a build type,
# and looks at how each would compile the engine and what it says of it.
unset(ENV{CXXFLAGS})
unset(ENV{CMAKE_BUILD_TYPE})
set(said "corral: no build type given")

# expect(NAME SOURCE FLAGS SAYS OPTIONS...): the engine's optimisation flags, and whether corral says so.
function(expect name source flags says)
  file(REMOVE_RECURSE ${BUILD}/${name})
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${source} -B ${BUILD}/${name} -G ${GENERATOR} --no-warn-unused-cli -DCMAKE_CXX_COMPILER=${CXX}
      -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCORRAL=${CORRAL} -DEXAMPLES=${EXAMPLES} -DCORRAL_DRIVERS=OFF
      -DCORRAL_TESTS=OFF -DCORRAL_EXAMPLES=OFF -DCORRAL_CUDA=OFF -DCORRAL_FORTRAN=OFF ${ARGN}
    OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "${said}[^\n]*" lines "${output}")
  list(LENGTH lines count)
  if(NOT count EQUAL says)
    message(SEND_ERROR "${name}: \"${said}\" is said ${count} times, not ${says} times")
  endif()
  file(READ ${BUILD}/${name}/compile_commands.json commands)
  string(REGEX MATCH "[^\n]*-c [^\n]*/engine/cpu/maps.cpp" engine "${commands}")
  string(REGEX MATCHALL " (-O[^ ]*|-DNDEBUG)" found "${engine}")
  string(REPLACE ";" "" found "${found}")
  if(NOT engine OR NOT found STREQUAL "${flags}")
    message(SEND_ERROR "${name}: the engine is compiled with '${found}', not with '${flags}'")
  endif()
  string(REGEX MATCH "[^\n]*-c [^\n]*/sums.cpp" users "${commands}")
  if(NOT "${ARGN}" MATCHES "BUILD_TYPE|-O" AND "${users}" MATCHES " -O| -DNDEBUG")
    message(SEND_ERROR "${name}: the project's own files are optimised, too: ${users}")
  endif()
endfunction()

set(release " -O3 -DNDEBUG")
expect(part ${PROJECT} "${release}" 1)
expect(part_unoptimised ${PROJECT} " -O0" 0 -DCMAKE_CXX_FLAGS=-O0)
expect(part_with_options ${PROJECT} " -O1" 0 -DOPTIONS_AROUND=-O1)
expect(part_sized ${PROJECT} " -Os" 0 "-DCMAKE_CXX_FLAGS=-g -Os")
expect(part_debug ${PROJECT} "" 0 -DCMAKE_BUILD_TYPE=Debug)
expect(part_release ${PROJECT} "${release}" 0 -DCMAKE_BUILD_TYPE=Release)
expect(alone ${CORRAL} "${release}" 1)
expect(alone_debug ${CORRAL} "" 0 -DCMAKE_BUILD_TYPE=Debug)
