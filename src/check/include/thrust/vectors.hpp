// SPDX-License-Identifier: MIT
// Thrust's vectors. That of the device has its elements in memory that cudaMalloc() has given.
#ifndef RD_THRUST_VECTORS_HPP
#define RD_THRUST_VECTORS_HPP

#include "thrust/iterators.hpp"

namespace thrust
{
template <class T> struct device_allocator {
    typedef T value_type;
};
template <class T, class A = std::allocator<T>> class host_vector;

// Copies as bytes: what a device holds is trivially copyable.
template <class T, class = void> class device_vector
{
    T *at = nullptr;
    size_t n = 0, room = 0;

#define RD_VECTOR inline __attribute__((always_inline)) RD_UNSEEN
    RD_VECTOR static void check(cudaError_t error)
    {
        if (error == cudaErrorMemoryAllocation)
            throw std::bad_alloc();
        if (error != cudaSuccess)
            throw system_error(error, cuda_category());
    }
    RD_VECTOR void copy_from(const void *from, size_t count, cudaMemcpyKind kind)
    {
        if (count > 0)
            check(cudaMemcpy((void *)at, from, count * sizeof(T), kind));
    }
    RD_VECTOR void take(size_t count)
    {
        if (count > 0)
            check(cudaMalloc((void **)&at, count * sizeof(T)));
        n = room = count;
    }
    RD_VECTOR void fill(size_t first, const T &value)
    {
        if (first >= n)
            return;
        std::vector<T> all(n - first, value);
        set(first, all, std::is_same<T, bool>());
    }
    RD_VECTOR void set(size_t first, const std::vector<T> &all, std::false_type)
    {
        check(cudaMemcpy((void *)(at + first), all.data(), all.size() * sizeof(T),
                         cudaMemcpyHostToDevice));
    }
    RD_VECTOR void set(size_t first, const std::vector<T> &all, std::true_type)
    {
        for (size_t k = 0; k < all.size(); k++)
            (*this)[first + k] = all[k];
    }
    RD_VECTOR void take_range(const T *first, const T *last)
    {
        take((size_t)(last - first));
        copy_from(first, n, cudaMemcpyHostToDevice);
    }
    template <class I> RD_VECTOR void take_other(I first, I last, std::false_type)
    {
        std::vector<T> all(first, last);
        take(all.size());
        set(0, all, std::is_same<T, bool>());
    }
    template <class I> RD_VECTOR void take_other(I first, I last, std::true_type)
    {
        take((size_t)(last - first));
        auto from = rd_raw(first);
        T *to = at;
        const rd_run how = {rd_device, 0, {"thrust::device_vector", "", 0}};
        how.each(n, [=](size_t k) { to[k] = from[k]; });
        how.finish();
    }
    template <class I> RD_VECTOR void take_range(I first, I last)
    {
        take_other(first, last, std::integral_constant<bool, rd_place<I>::where != rd_host>());
    }
    RD_VECTOR void take_range(device_ptr<T> first, device_ptr<T> last)
    {
        take((size_t)(last - first));
        copy_from(first.get(), n, cudaMemcpyDeviceToDevice);
    }
    RD_VECTOR void drop()
    {
        if (at)
            cudaFree((void *)at);
        at = nullptr;
        n = room = 0;
    }

  public:
    typedef T value_type;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    typedef device_reference<T> reference;
    typedef const device_reference<const T> const_reference;
    typedef device_ptr<T> pointer, iterator;
    typedef device_ptr<const T> const_pointer, const_iterator;
    typedef std::reverse_iterator<iterator> reverse_iterator;

    RD_VECTOR device_vector()
    {
    }
    RD_VECTOR explicit device_vector(size_t count)
    {
        take(count);
        fill(0, T());
    }
    RD_VECTOR device_vector(size_t count, const T &value)
    {
        take(count);
        fill(0, value);
    }
    template <class I, class = typename std::enable_if<!std::is_integral<I>::value>::type>
    RD_VECTOR device_vector(I first, I last)
    {
        take_range(first, last);
    }
    RD_VECTOR device_vector(std::initializer_list<T> all)
    {
        take_range(all.begin(), all.end());
    }
    RD_VECTOR device_vector(const device_vector &other)
    {
        take(other.n);
        copy_from(other.at, n, cudaMemcpyDeviceToDevice);
    }
    RD_VECTOR device_vector(device_vector &&other)
    {
        swap(other);
    }
    template <class A> RD_VECTOR device_vector(const host_vector<T, A> &other)
    {
        take_range(other.data(), other.data() + other.size());
    }
    template <class A> RD_VECTOR device_vector(const std::vector<T, A> &other)
    {
        take_range(other.begin(), other.end());
    }
    RD_VECTOR ~device_vector()
    {
        drop();
    }
    RD_VECTOR device_vector &operator=(const device_vector &other)
    {
        if (this == &other)
            return *this;
        reserve_only(other.n);
        copy_from(other.at, n, cudaMemcpyDeviceToDevice);
        return *this;
    }
    RD_VECTOR device_vector &operator=(device_vector &&other)
    {
        swap(other);
        return *this;
    }
    template <class A> RD_VECTOR device_vector &operator=(const host_vector<T, A> &other)
    {
        reserve_only(other.size());
        copy_from(other.data(), n, cudaMemcpyHostToDevice);
        return *this;
    }
    template <class A> RD_VECTOR device_vector &operator=(const std::vector<T, A> &other)
    {
        return *this = device_vector(other);
    }
    RD_VECTOR void swap(device_vector &other)
    {
        std::swap(at, other.at);
        std::swap(n, other.n);
        std::swap(room, other.room);
    }
    size_t size() const
    {
        return n;
    }
    size_t capacity() const
    {
        return room;
    }
    bool empty() const
    {
        return n == 0;
    }
    iterator begin()
    {
        return iterator(at);
    }
    iterator end()
    {
        return iterator(at + n);
    }
    const_iterator begin() const
    {
        return const_iterator(at);
    }
    const_iterator end() const
    {
        return const_iterator(at + n);
    }
    const_iterator cbegin() const
    {
        return begin();
    }
    const_iterator cend() const
    {
        return end();
    }
    reverse_iterator rbegin()
    {
        return reverse_iterator(end());
    }
    reverse_iterator rend()
    {
        return reverse_iterator(begin());
    }
    pointer data()
    {
        return pointer(at);
    }
    const_pointer data() const
    {
        return const_pointer(at);
    }
    RD_VECTOR reference operator[](size_t k)
    {
        return reference(at + k);
    }
    RD_VECTOR device_reference<const T> operator[](size_t k) const
    {
        return device_reference<const T>(at + k);
    }
    RD_VECTOR reference front()
    {
        return reference(at);
    }
    RD_VECTOR reference back()
    {
        return reference(at + n - 1);
    }
    RD_VECTOR device_reference<const T> front() const
    {
        return device_reference<const T>(at);
    }
    RD_VECTOR device_reference<const T> back() const
    {
        return device_reference<const T>(at + n - 1);
    }
    RD_VECTOR void reserve(size_t count)
    {
        if (count <= room)
            return;
        T *more = nullptr;
        check(cudaMalloc((void **)&more, count * sizeof(T)));
        if (n > 0)
            check(cudaMemcpy((void *)more, (const void *)at, n * sizeof(T),
                             cudaMemcpyDeviceToDevice));
        if (at)
            cudaFree((void *)at);
        at = more;
        room = count;
    }
    RD_VECTOR void resize(size_t count, const T &value = T())
    {
        const size_t before = n;
        if (count > room)
            reserve(count);
        n = count;
        fill(before, value);
    }
    RD_VECTOR void push_back(const T &value)
    {
        if (n == room)
            reserve(n ? 2 * n : 1);
        n++;
        fill(n - 1, value);
    }
    RD_VECTOR void pop_back()
    {
        n--;
    }
    RD_VECTOR void clear()
    {
        n = 0;
    }
    RD_VECTOR void shrink_to_fit()
    {
    }
    RD_VECTOR void assign(size_t count, const T &value)
    {
        reserve_only(count);
        fill(0, value);
    }
    template <class I, class = typename std::enable_if<!std::is_integral<I>::value>::type>
    RD_VECTOR void assign(I first, I last)
    {
        *this = device_vector(first, last);
    }
    RD_VECTOR iterator erase(iterator first, iterator last)
    {
        device_vector rest(last, end());
        const size_t k = (size_t)(first.get() - at);
        if (rest.n > 0)
            check(cudaMemcpy((void *)(at + k), (const void *)rest.at, rest.n * sizeof(T),
                             cudaMemcpyDeviceToDevice));
        n = k + rest.n;
        return iterator(at + k);
    }

  private:
    RD_VECTOR void reserve_only(size_t count)
    {
        if (count > room) {
            drop();
            take(count);
        }
        n = count;
    }
};
template <class T, class A> class host_vector : public std::vector<T, A>
{
  public:
    using std::vector<T, A>::vector;
    host_vector() = default;
    host_vector(const host_vector &) = default;
    host_vector(host_vector &&) = default;
    host_vector &operator=(const host_vector &) = default;
    host_vector &operator=(host_vector &&) = default;
    host_vector(const std::vector<T, A> &other) : std::vector<T, A>(other)
    {
    }
    RD_VECTOR host_vector(const device_vector<T> &other) : std::vector<T, A>(other.size())
    {
        copy_from(other);
    }
    RD_VECTOR host_vector &operator=(const device_vector<T> &other)
    {
        this->resize(other.size());
        copy_from(other);
        return *this;
    }
    RD_VECTOR host_vector(device_ptr<T> first, device_ptr<T> last)
        : std::vector<T, A>((size_t)(last - first))
    {
        if (!this->empty())
            cudaMemcpy((void *)this->data(), (const void *)first.get(), this->size() * sizeof(T),
                       cudaMemcpyDeviceToHost);
    }

  private:
    RD_VECTOR void copy_from(const device_vector<T> &other)
    {
        if (!this->empty())
            cudaMemcpy((void *)this->data(), (const void *)other.data().get(),
                       this->size() * sizeof(T), cudaMemcpyDeviceToHost);
    }
};
template <class T> bool operator==(const device_vector<T> &x, const device_vector<T> &y)
{
    const host_vector<T> a = x, b = y;
    return (const std::vector<T> &)a == (const std::vector<T> &)b;
}
template <class T, class A> bool operator==(const host_vector<T, A> &x, const device_vector<T> &y)
{
    const host_vector<T> b = y;
    return (const std::vector<T, A> &)x == (const std::vector<T> &)b;
}
template <class T, class A> bool operator==(const device_vector<T> &x, const host_vector<T, A> &y)
{
    return y == x;
}

namespace cuda
{
template <class T> using vector = device_vector<T>;
template <class T> using pointer = device_ptr<T>;
} // namespace cuda

static RD_VECTOR device_ptr<void> device_malloc(size_t size_bytes)
{
    void *at = nullptr;
    cudaMalloc(&at, size_bytes);
    return device_ptr<void>(at);
}
template <class T> RD_VECTOR device_ptr<T> device_malloc(size_t n)
{
    T *at = nullptr;
    cudaMalloc((void **)&at, n * sizeof(T));
    return device_ptr<T>(at);
}
template <class T> RD_VECTOR void device_free(device_ptr<T> pointer)
{
    cudaFree((void *)pointer.get());
}
} // namespace thrust

#endif
