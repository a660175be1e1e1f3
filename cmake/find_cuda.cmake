# CORRAL_HAS_CUDA, and the language CUDA where it is on. A toolkit that is missing, too old or broken is said in one
# line and left alone: enable_language would stop the configuration.
set(CORRAL_HAS_CUDA OFF)
if(NOT CORRAL_CUDA)
  return()
endif()

include(CheckLanguage)
quietly(check_language CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  message(STATUS "optional: an nvcc that works, of CUDA 12 or newer, adds the engine's calls on a GPU")
  return()
endif()
execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --version OUTPUT_VARIABLE said RESULT_VARIABLE failed ERROR_QUIET)
string(REGEX MATCH "release ([0-9]+)" release "${said}")
if(failed OR NOT release OR CMAKE_MATCH_1 LESS 12)
  message(STATUS "${CMAKE_CUDA_COMPILER} is older than CUDA 12: device code is not compiled")
  return()
endif()

if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80-real 90) # of the last one PTX, too, which newer devices compile
endif()
enable_language(CUDA)
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION) # CMake 3.25 does not know it of nvcc 13
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
find_package(CUDAToolkit REQUIRED)
set(CORRAL_HAS_CUDA ON)
