// SPDX-License-Identifier: MIT
// Thrust, whichever of its headers is included. What is not here is refused in a sentence.
#ifndef RD_THRUST_HPP
#define RD_THRUST_HPP

#define THRUST_VERSION            200000
#define THRUST_MAJOR_VERSION      2
#define THRUST_MINOR_VERSION      0
#define THRUST_SUBMINOR_VERSION   0
#define THRUST_PATCH_NUMBER       0
#define THRUST_DEVICE_SYSTEM_CUDA 1
#define THRUST_DEVICE_SYSTEM      THRUST_DEVICE_SYSTEM_CUDA

#include "thrust/complex.hpp"
#include "thrust/copies.hpp"
#include "thrust/random.hpp"
#include "thrust/reductions.hpp"
#include "thrust/sets.hpp"
#include "thrust/sorts.hpp"

#endif
