# What a program with drivers needs beside the engine: corral_random123, which run/ shows, and what the static libraries
# of corral::driver are linked with. Installed beside corral's package, too.
find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
if(NOT TARGET corral_random123)
  find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)
  add_library(corral_random123 INTERFACE IMPORTED)
  target_include_directories(corral_random123 SYSTEM INTERFACE ${RANDOM123_INCLUDE_DIR})
endif()
if(NOT TARGET corral_hdf5)
  # Not FindHDF5: it asks for HDF5's compiler wrapper, and takes MPI's where both are there.
  find_path(HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial REQUIRED)
  find_library(HDF5_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial REQUIRED)
  add_library(corral_hdf5 INTERFACE IMPORTED)
  target_include_directories(corral_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIR})
  target_link_libraries(corral_hdf5 INTERFACE ${HDF5_LIBRARY})
endif()
