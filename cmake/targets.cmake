# corral_target(NAME): the compile rules that every target of the house shares.
function(corral_target name)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  # UNITY_BUILD: files that Highway includes again cannot be joined, whatever a project around corral asks for.
  set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON UNITY_BUILD OFF)
  target_compile_options(${name} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${CORRAL_OPTIMISED_FLAGS}>")
  target_compile_options(${name} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion>
    # Sums must not depend on what the compiler fuses: fma is written where it is wanted. No maths function sets
    # errno and no floating-point exception is caught, which lets the compiler vectorise without changing a bit.
    $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off -fno-math-errno -fno-trapping-math>)
  set_target_properties(${name} PROPERTIES CUDA_VISIBILITY_PRESET hidden)
  target_compile_options(${name} PRIVATE
    # 554: a view of const values has a conversion to itself, which is never called.
    "$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;--extended-lambda;-fmad=false;-Werror=cross-execution-space-call;-diag-suppress=554;-Xcompiler=-ffp-contract=off>")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # g++ 12 sees overlapping copies in "text" + std::string (GCC bug 105651).
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Not every loop that may become vectors does, with checks in it above all; initialisers may leave braces out.
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-pass-failed -Wno-missing-braces>)
  endif()
  if(CORRAL_FEW_INSTRUCTION_SETS AND name MATCHES "engine|fluid|stokes")
    target_compile_definitions(${name} PRIVATE CORRAL_FEW_INSTRUCTION_SETS)
  endif()
  if(CORRAL_WITHOUT_AVX512)
    target_compile_definitions(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:CORRAL_WITHOUT_AVX512>)
  endif()
  if(name MATCHES "^corral_(engine|fluid|stokes)") # not tests, which share a header that is compiled beforehand
    target_compile_options(${name} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${CORRAL_ONE_INSTRUCTION_SET}>")
  endif()
  if(CORRAL_WARNINGS_AS_ERRORS)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
  endif()
  if(CORRAL_FUZZ AND name MATCHES "^corral_(engine.*|bench.*|fluid)$")
    # Maps and solvers, which fuzzers only link, would take minutes to compile for nothing.
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O0>)
  elseif(CORRAL_SANITIZE)
    target_compile_options(${name} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${CORRAL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all>)
    if(CORRAL_SANITIZE_BUT)
      target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=${CORRAL_SANITIZE_BUT}>)
    endif()
    if(CORRAL_SANITIZE_BUT AND CORRAL_SANITIZE MATCHES "address") # a quarter of the compile time of what it instruments
      target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-address-use-after-scope>)
    endif()
    target_link_options(${name} PRIVATE -fsanitize=${CORRAL_SANITIZE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # Instrumented code confuses g++'s flow analysis: it warns of the standard library and of Catch2.
      target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
    endif()
  endif()
  # libFuzzer is led by what the readers run; all else would only be slower.
  if(CORRAL_FUZZ AND name MATCHES "^corral_(app|run|geometry)$")
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>)
  endif()
endfunction()

# corral_keep_resources(NAME): keeps what the target's device entries take beside its objects; tests/house looks at the
# registers, memory and spills.
function(corral_keep_resources name)
  find_package(Python3 3.9 COMPONENTS Interpreter QUIET)
  if(CORRAL_TESTS AND Python3_FOUND)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xptxas=-v>)
    set_target_properties(${name} PROPERTIES
      CUDA_COMPILER_LAUNCHER "${Python3_EXECUTABLE};-B;${PROJECT_SOURCE_DIR}/cmake/keep_resources.py")
  endif()
endfunction()

# corral_unity(NAME [SOURCES...]): for targets whose files have no two names alike in their unnamed namespaces. The SOURCES stay by
# themselves, such as those that Highway reads again for each instruction set.
function(corral_unity name)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${CORRAL_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  if(CORRAL_UNITY) # a file's names are hidden by those of another one
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow>)
  endif()
endfunction()

# corral_device_loops(ROOM [SOURCES...] [WITHIN LIBRARIES...]): loops of corral_ROOM stay fit for both processors: where nvcc is
# found, the room's device.cu is compiled with it, where there is one, and sources that are the device's alone. WITHIN: they are a part of
# corral_ROOM, which has these libraries; without nvcc device/absent.cpp is in their place. Tests compile the same for the CPU.
function(corral_device_loops room)
  cmake_parse_arguments(ARG "" "" "WITHIN" ${ARGN})
  set(sources ${ARG_UNPARSED_ARGUMENTS})
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/device.cu)
    list(PREPEND sources device.cu)
  endif()
  list(TRANSFORM sources PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set_property(GLOBAL PROPERTY corral_${room}_device_sources ${sources})
  set(absent ${CMAKE_CURRENT_SOURCE_DIR}/device/absent.cpp)
  if(NOT CORRAL_HAS_CUDA)
    if(ARG_WITHIN AND EXISTS ${absent}) # by itself: what a test brings in its place is not a part of others
      target_sources(corral_${room} PRIVATE ${absent})
      set_source_files_properties(${absent} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
    return()
  endif()
  add_library(corral_${room}_device OBJECT ${sources})
  corral_target(corral_${room}_device)
  corral_keep_resources(corral_${room}_device)
  if(NOT ARG_WITHIN)
    target_link_libraries(corral_${room}_device PRIVATE corral::${room})
    return()
  endif()
  target_link_libraries(corral_${room}_device PRIVATE ${ARG_WITHIN})
  target_sources(corral_${room} PRIVATE $<TARGET_OBJECTS:corral_${room}_device>)
  target_link_libraries(corral_${room} PRIVATE CUDA::cudart_static)
endfunction()

include(CheckLinkerFlag)
set(CMAKE_REQUIRED_QUIET ON)
check_linker_flag(CXX -Wl,--version-script=${PROJECT_SOURCE_DIR}/engine/public_symbols.map
  CORRAL_LINKER_TAKES_VERSION_SCRIPT)
unset(CMAKE_REQUIRED_QUIET)
