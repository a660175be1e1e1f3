// The right twins as nvcc compiles them: what host compilers take and what nvcc takes stay the same.
#include "tests/cuda_on_host/on_device.hpp"
#include "tests/cuda_on_host/twins.cuh"

namespace corral::test {

template __global__ void turn_block<Bug::none>(const double*, double*);
template __global__ void rotate_warps<Bug::none>(const double*, double*);
template __global__ void sum_warps<Bug::none>(int, const double*, double*);
template __global__ void count_values<Bug::none>(int, const int*, int*);
template __global__ void sum_blocks<Bug::none>(const double*, double*, unsigned*, double*);
template __global__ void shift<Bug::none>(int, const double*, double*);
template __global__ void pass_on<Bug::none>(int, const double*, double*);
template __global__ void turn_words<Bug::none>(const int*, int*);
template __global__ void multiply_matrices<Bug::none>(const double*, const double*, double*);

} // namespace corral::test
