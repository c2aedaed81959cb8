// SPDX-License-Identifier: MIT
// What Thrust's iterators have in common, and its pointers to device memory.
#ifndef RD_THRUST_POINTERS_HPP
#define RD_THRUST_POINTERS_HPP

#include "thrust/functional.hpp"

namespace thrust
{
// What all iterators of random access have, of D's advance(), distance_to() and get().
template <class D, class V, class R> struct rd_iterator {
    typedef std::random_access_iterator_tag iterator_category;
    typedef V value_type;
    typedef ptrdiff_t difference_type;
    typedef V *pointer;
    typedef R reference;

    R operator*() const
    {
        return self().get();
    }
    template <class N> R operator[](N n) const
    {
        return *(self() + (ptrdiff_t)n);
    }
    D &operator++()
    {
        return self() += 1;
    }
    D &operator--()
    {
        return self() += -1;
    }
    D operator++(int)
    {
        D old = self();
        self() += 1;
        return old;
    }
    D operator--(int)
    {
        D old = self();
        self() += -1;
        return old;
    }
    D &operator+=(ptrdiff_t n)
    {
        self().advance(n);
        return self();
    }
    D &operator-=(ptrdiff_t n)
    {
        return self() += -n;
    }
    friend D operator+(D it, ptrdiff_t n)
    {
        return it += n;
    }
    friend D operator+(ptrdiff_t n, D it)
    {
        return it += n;
    }
    friend D operator-(D it, ptrdiff_t n)
    {
        return it += -n;
    }
    friend ptrdiff_t operator-(const D &x, const D &y)
    {
        return y.distance_to(x);
    }
    friend bool operator==(const D &x, const D &y)
    {
        return x - y == 0;
    }
    friend bool operator!=(const D &x, const D &y)
    {
        return x - y != 0;
    }
    friend bool operator<(const D &x, const D &y)
    {
        return x - y < 0;
    }
    friend bool operator>(const D &x, const D &y)
    {
        return x - y > 0;
    }
    friend bool operator<=(const D &x, const D &y)
    {
        return x - y <= 0;
    }
    friend bool operator>=(const D &x, const D &y)
    {
        return x - y >= 0;
    }

  private:
    D &self()
    {
        return *(D *)this;
    }
    const D &self() const
    {
        return *(const D *)this;
    }
};

// ---- pointers to device memory: the host copies what it reads or writes ----

template <class T> struct device_ptr;
template <class T> struct device_reference {
    typedef typename std::remove_cv<T>::type value_type;
    T *at;

    RD_UNSEEN operator value_type() const
    {
        if (rd_sim_is_on_device())
            return read(at);
        union {
            char bytes[sizeof(value_type)];
            value_type value;
        } copy = {};
        check(cudaMemcpy(copy.bytes, (const void *)at, sizeof(value_type), cudaMemcpyDeviceToHost));
        return copy.value;
    }
    RD_UNSEEN device_reference &operator=(const value_type &value)
    {
        if (rd_sim_is_on_device())
            write(at, value);
        else
            check(cudaMemcpy((void *)at, &value, sizeof value, cudaMemcpyHostToDevice));
        return *this;
    }
    RD_UNSEEN device_reference &operator=(const device_reference &other)
    {
        return *this = (value_type)other;
    }
    device_reference(const device_reference &) = default;
    RD_UNSEEN explicit device_reference(T *at_) : at(at_)
    {
    }
    device_ptr<T> operator&() const
    {
        return device_ptr<T>(at);
    }
#define RD_ASSIGNS(op)                                                                             \
    device_reference &operator op##=(const value_type &value)                                      \
    {                                                                                              \
        return *this = (value_type) * this op value;                                               \
    }
    RD_ASSIGNS(+)
    RD_ASSIGNS(-)
    RD_ASSIGNS(*)
    RD_ASSIGNS(/)
    device_reference &operator++()
    {
        return *this += value_type(1);
    }
    device_reference &operator--()
    {
        return *this -= value_type(1);
    }

  private:
    RD_INLINE value_type read(const T *from)
    {
        return *from;
    }
    RD_INLINE void write(T *to, const value_type &value)
    {
        *to = value;
    }
    RD_UNSEEN static void check(cudaError_t error)
    {
        if (error != cudaSuccess)
            throw system_error(error, cuda_category());
    }
};
template <class T> std::ostream &operator<<(std::ostream &stream, const device_reference<T> &it)
{
    return stream << (typename device_reference<T>::value_type)it;
}
template <class T>
struct device_ptr
    : rd_iterator<device_ptr<T>, typename std::remove_cv<T>::type, device_reference<T>> {
    typedef T element_type;
    T *at;
    device_ptr() : at(nullptr)
    {
    }
    device_ptr(std::nullptr_t) : at(nullptr)
    {
    }
    explicit device_ptr(T *at_) : at(at_)
    {
    }
    template <class U, class = typename std::enable_if<std::is_convertible<U *, T *>::value>::type>
    device_ptr(const device_ptr<U> &other) : at(other.at)
    {
    }
    device_reference<T> operator*() const
    {
        return device_reference<T>(at);
    }
    template <class N> device_reference<T> operator[](N n) const
    {
        return device_reference<T>(at + n);
    }
    T *get() const
    {
        return at;
    }
    explicit operator bool() const
    {
        return at;
    }
    void advance(ptrdiff_t n)
    {
        at += n;
    }
    ptrdiff_t distance_to(const device_ptr &other) const
    {
        return other.at - at;
    }
};
template <> struct device_ptr<void> {
    void *at;
    device_ptr() : at(nullptr)
    {
    }
    explicit device_ptr(void *at_) : at(at_)
    {
    }
    template <class T> device_ptr(const device_ptr<T> &other) : at((void *)other.at)
    {
    }
    void *get() const
    {
        return at;
    }
};
template <class T> T *raw_pointer_cast(const device_ptr<T> &pointer)
{
    return pointer.get();
}
template <class T> T *raw_pointer_cast(T *pointer)
{
    return pointer;
}
template <class T> T &raw_reference_cast(device_reference<T> reference)
{
    return *reference.at;
}
template <class T> device_ptr<T> device_pointer_cast(T *pointer)
{
    return device_ptr<T>(pointer);
}
template <class T> device_ptr<T> device_pointer_cast(const device_ptr<T> &pointer)
{
    return pointer;
}
} // namespace thrust
#endif
