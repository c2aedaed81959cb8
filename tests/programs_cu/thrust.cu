// SPDX-License-Identifier: MIT
// More of Thrust: each line "NAME: ok" or "NAME: WRONG"; then a mistake, told in the line that ends in "// want HAZARD".
#include "results.hpp"
#include <cub/cub.cuh>
#include <iterator>
#include <list>
#include <sstream>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/gather.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_input_output_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/merge.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/set_operations.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>
#include <thrust/transform.h>

typedef thrust::device_vector<int> ints;

template <class V> static std::string text_of(const V &all)
{
    std::ostringstream text;
    thrust::copy(all.begin(), all.end(), std::ostream_iterator<int>(text, " "));
    return text.str();
}

struct plus_ten { // and not const
    __host__ __device__ int operator()(int x)
    {
        return x + 10;
    }
};
struct is_even {
    __host__ __device__ bool operator()(int x)
    {
        return x % 2 == 0;
    }
};

static void copies()
{
    const std::list<int> list = {3, 1, 2};
    ints d(3);
    thrust::copy(list.begin(), list.end(), d.begin());
    check("a list and a stream", text_of(d) == "3 1 2 ");
    std::vector<int> all;
    thrust::copy_n(thrust::make_transform_iterator(d.begin(), plus_ten()), 2,
                   std::back_inserter(all));
    check("the end of a vector", all == std::vector<int>({13, 11}));
    check("thrust::min", thrust::min(3, 2) == 2 && thrust::max(3, 2) == 3);
    thrust::copy(d.begin(), d.end(), thrust::make_transform_output_iterator(d.begin(), plus_ten()));
    check("transform_output_iterator", text_of(d) == "13 11 12 ");
    auto both =
        thrust::make_transform_input_output_iterator(d.begin(), thrust::negate<int>(), plus_ten());
    thrust::transform(both, both + 3, both, thrust::negate<int>());
    check("transform_input_output_iterator", text_of(d) == "23 21 22 ");
    std::vector<int> host = {1, 2, 3};
    thrust::copy(host.begin(), host.end(),
                 thrust::make_transform_output_iterator(d.begin(), plus_ten()));
    check("transform_output_iterator of the host's", text_of(d) == "11 12 13 ");
}

static void conditions()
{
    const int values[] = {1, 2, 3, 4, 5}, places[] = {4, 3, 2, 1, 0}, flags[] = {1, 0, 1, 0, 1};
    ints v(values, values + 5), at(places, places + 5), flag(flags, flags + 5), to(5, -1), other(5);
    thrust::scatter_if(v.begin(), v.end(), at.begin(), flag.begin(), to.begin());
    check("scatter_if", text_of(to) == "5 -1 3 -1 1 ");
    thrust::fill(to.begin(), to.end(), -1);
    thrust::gather_if(at.begin(), at.end(), v.begin(), v.begin(), to.begin(), is_even());
    check("gather_if", text_of(to) == "-1 4 -1 2 -1 ");
    thrust::replace_copy(v.begin(), v.end(), to.begin(), 3, 0);
    check("replace_copy", text_of(to) == "1 2 0 4 5 ");
    thrust::reverse_copy(v.begin(), v.end(), to.begin());
    check("reverse_copy", text_of(to) == "5 4 3 2 1 ");
    thrust::swap_ranges(v.begin(), v.begin() + 2, v.begin() + 3);
    check("swap_ranges", text_of(v) == "4 5 3 1 2 ");
    auto ends = thrust::partition_copy(v.begin(), v.end(), to.begin(), other.begin(), is_even());
    check("partition_copy", ends.first - to.begin() == 2 && to[1] == 2 &&
                                ends.second - other.begin() == 3 && other[2] == 1);
    check("is_partitioned",
          !thrust::is_partitioned(v.begin(), v.end(), is_even()) &&
              thrust::is_partitioned(v.begin() + 1, v.end() - 1, is_even()) &&
              thrust::partition_point(v.begin(), v.begin() + 2, is_even()) == v.begin() + 1);
    check("mismatch", thrust::mismatch(v.begin(), v.end(), to.begin()).first == v.begin() + 1);
    thrust::exclusive_scan_by_key(flag.begin(), flag.end(), v.begin(), to.begin(), 100);
    check("exclusive_scan_by_key", text_of(to) == "100 100 100 100 100 ");
    thrust::fill(flag.begin(), flag.begin() + 3, 7);
    thrust::exclusive_scan_by_key(flag.begin(), flag.end(), v.begin(), v.begin());
    check("exclusive_scan_by_key in place", text_of(v) == "0 4 9 0 0 ");
    thrust::device_vector<int> ones(5, 1), keys(5, 1);
    keys[3] = keys[4] = 2;
    thrust::exclusive_scan_by_key(keys.begin(), keys.end(), ones.begin(), keys.begin(), 10);
    check("exclusive_scan_by_key over its keys", text_of(keys) == "10 11 12 10 11 ");
    thrust::inclusive_scan_by_key(ones.begin(), ones.end(), ones.begin(), ones.begin());
    check("inclusive_scan_by_key over its keys", text_of(ones) == "1 2 3 4 5 ");
}

static void sets()
{
    const int one[] = {1, 2, 2, 5}, other[] = {2, 3, 5};
    ints x(one, one + 4), y(other, other + 3), to(7), values(7);
    to.erase(thrust::set_union(x.begin(), x.end(), y.begin(), y.end(), to.begin()), to.end());
    check("set_union", text_of(to) == "1 2 2 3 5 ");
    to.resize(7);
    to.erase(thrust::set_intersection(x.begin(), x.end(), y.begin(), y.end(), to.begin()),
             to.end());
    check("set_intersection", text_of(to) == "2 5 ");
    to.resize(7);
    to.erase(thrust::set_difference(x.begin(), x.end(), y.begin(), y.end(), to.begin()), to.end());
    check("set_difference", text_of(to) == "1 2 ");
    to.resize(7);
    to.erase(thrust::set_symmetric_difference(x.begin(), x.end(), y.begin(), y.end(), to.begin()),
             to.end());
    check("set_symmetric_difference", text_of(to) == "1 2 3 ");
    to.resize(7);
    thrust::merge_by_key(x.begin(), x.end(), y.begin(), y.end(), thrust::make_counting_iterator(0),
                         thrust::make_counting_iterator(10), to.begin(), values.begin());
    check("merge_by_key",
          text_of(to) == "1 2 2 2 3 5 5 " && text_of(values) == "0 1 2 10 11 3 12 ");
}

__global__ void move(int *to, const int *from)
{
    cub::ThreadStore<cub::STORE_CG>(to + threadIdx.x,
                                    cub::ThreadLoad<cub::LOAD_LDG>(from + threadIdx.x) + 1);
}

int main()
{
    copies();
    conditions();
    sets();
    ints x(4, 1), y(4);
    move<<<1, 4>>>(thrust::raw_pointer_cast(y.data()), thrust::raw_pointer_cast(x.data()));
    check("ThreadLoad", text_of(y) == "2 2 2 2 ");
    try {
        throw thrust::system_error(cudaErrorInvalidValue, thrust::cuda_category(), "here");
    } catch (const thrust::system_error &error) {
        check("system_error",
              std::string(error.what()) == "here: cudaErrorInvalidValue: invalid argument" &&
                  error.code().value() == cudaErrorInvalidValue);
    }
    check("CUB's own headers", std::chrono::seconds(2).count() == 2);
    ints few(4);
    thrust::set_union(x.begin(), x.end(), y.begin(), y.end(), few.begin()); // want out-of-bounds
    return 0;
}
