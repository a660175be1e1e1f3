// Compiled with the headers that all tests share, so that CMake writes them down: see CMakeLists.txt.
