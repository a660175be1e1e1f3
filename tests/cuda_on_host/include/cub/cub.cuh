#pragma once

// Stands in for CUB: the algorithms that corral uses, with CUB's names and CUB's way to be called.
#include "../cuda_on_host/cub_block.hpp"
#include "../cuda_on_host/cub_device.hpp"
