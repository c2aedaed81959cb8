// SPDX-License-Identifier: MIT
// See namesakes.cu: 2 of each.
#define APART __attribute__((noinline))
float plain(float x)
{
    return x + 2;
}
APART inline float in_line(float x)
{
    return x + 2;
}
template <class T> APART T of(T x)
{
    return x + 2;
}
struct Shape {
    float w;
    APART float area()
    {
        return w + 2;
    }
    virtual APART float edge()
    {
        return w + 2;
    }
};
APART inline float plain_and_in_line(float x)
{
    return x + 2;
}
float in_line_and_plain(float x)
{
    return x + 2;
}
APART inline float of_table(float x)
{
    static const float table[] = {2};
    const float *volatile from = table;
    return x + from[(int)x];
}
APART inline float of_both(float x)
{
    return x + 2;
}
APART inline int &count_of_host()
{
    static int count;
    return count;
}
float sum_of_host()
{
    count_of_host()++;
    Shape shape, *volatile any = &shape;
    shape.w = 0;
    return plain(0) + in_line(0) + of(0.f) + shape.area() + any->edge() + plain_and_in_line(0) +
           in_line_and_plain(0) + of_table(0) + of_both(0);
}
