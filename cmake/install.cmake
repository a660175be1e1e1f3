# Installation: library, headers, Fortran source, a CMake package and a pkg-config file, all movable as one tree. What
# drivers of others need comes with it where drivers are built.
include(CMakePackageConfigHelpers)
get_target_property(corral_kind corral_engine TYPE) # STATIC_LIBRARY or SHARED_LIBRARY
set(corral_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/corral)

install(TARGETS corral_engine corral_kernels corral_fortran EXPORT corral COMPONENT engine
  LIBRARY NAMELINK_COMPONENT engine)
install(DIRECTORY engine/corral DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT engine
  FILES_MATCHING REGEX "\\.(h|hpp|cuh)$" PATTERN kernels EXCLUDE) # a link: its files follow
install(DIRECTORY kernels DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/corral COMPONENT engine
  FILES_MATCHING PATTERN "*.hpp")
install(FILES engine/fortran/corral.f90 DESTINATION ${CMAKE_INSTALL_DATADIR}/corral COMPONENT engine)
if(CORRAL_DRIVERS)
  install(TARGETS corral COMPONENT command)
  # What drivers of others are written with: run/ and fluid/ whole, and of app/ its entry. Their includes are those of the house.
  # And stokes/ for its sums, which need fluid/, geometry/ and no more libraries than the engine.
  foreach(room app bench_maps driver run)
    list(APPEND corral_rooms corral_${room})
  endforeach()
  foreach(room fluid geometry stokes stokes_fortran)
    list(APPEND corral_rooms_of_sums corral_${room})
  endforeach()
  foreach(target IN LISTS corral_rooms corral_rooms_of_sums)
    string(REPLACE "corral_" "" room ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${room})
  endforeach()
  install(TARGETS ${corral_rooms} EXPORT corral-driver COMPONENT driver)
  install(TARGETS ${corral_rooms_of_sums} EXPORT corral-stokes COMPONENT driver)
  install(DIRECTORY run fluid geometry stokes DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/corral/driver COMPONENT driver
    FILES_MATCHING REGEX "\\.(h|hpp)$" PATTERN "*-inl.hpp" EXCLUDE PATTERN lanes EXCLUDE)
  install(FILES stokes/fortran/corral_stokes.f90 DESTINATION ${CMAKE_INSTALL_DATADIR}/corral COMPONENT driver)
  install(FILES distributed/team.hpp distributed/cut.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/corral/driver/distributed
    COMPONENT driver) # what drivers see of ranks, with PETSc or without
  install(FILES app/run.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/corral/driver/app COMPONENT driver)
  foreach(set driver stokes)
    install(EXPORT corral-${set} NAMESPACE corral:: FILE corral-${set}-targets.cmake DESTINATION ${corral_cmake_dir}
      COMPONENT driver)
  endforeach()
  install(FILES cmake/find_driver_libraries.cmake DESTINATION ${corral_cmake_dir} COMPONENT driver)
endif()

if(TARGET corral_distributed)
  set_target_properties(corral_distributed PROPERTIES EXPORT_NAME distributed)
  install(TARGETS corral_distributed EXPORT corral-distributed COMPONENT distributed)
  install(DIRECTORY distributed DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/corral/driver COMPONENT distributed
    FILES_MATCHING PATTERN "*.hpp" PATTERN petsc.hpp EXCLUDE PATTERN ghosts.hpp EXCLUDE PATTERN passes.hpp EXCLUDE
    PATTERN exchange.hpp EXCLUDE PATTERN owner.hpp EXCLUDE) # the sources' own
  install(EXPORT corral-distributed NAMESPACE corral:: FILE corral-distributed-targets.cmake DESTINATION ${corral_cmake_dir}
    COMPONENT distributed)
  install(FILES cmake/find_petsc.cmake DESTINATION ${corral_cmake_dir} COMPONENT distributed)
endif()

install(EXPORT corral NAMESPACE corral:: FILE corral-targets.cmake DESTINATION ${corral_cmake_dir} COMPONENT engine)
configure_package_config_file(cmake/corral-config.cmake.in corral-config.cmake INSTALL_DESTINATION ${corral_cmake_dir})
# 0.x: another minor version may have another interface.
write_basic_package_version_file(corral-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/corral-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/corral-config-version.cmake
  cmake/find_highway.cmake
  DESTINATION ${corral_cmake_dir} COMPONENT engine)

file(RELATIVE_PATH corral_prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" corral_prefix_from_pc ${corral_prefix_from_pc})
if(corral_kind STREQUAL STATIC_LIBRARY) # a static library brings nothing along: its users link what it needs
  set(corral_pc_requires "tbb libhwy")
  set(corral_pc_libs "-lstdc++ -lm")
  if(CORRAL_HAS_CUDA)
    set(corral_pc_libs "-L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lrt -ldl -lpthread ${corral_pc_libs}")
  endif()
endif()
configure_file(cmake/corral.pc.in corral.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/corral.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT engine)
if(CORRAL_DRIVERS)
  configure_file(cmake/corral-stokes.pc.in corral-stokes.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/corral-stokes.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT driver)
endif()
