// SPDX-License-Identifier: MIT
// Files as streams of C++: what they open is destroyed by the same copy of the library.
#include <fstream>
#include <iostream>

int main(int, char **argv)
{
    {
        std::ofstream to(argv[1]);
        to << 1.5 << "\n";
    }
    std::ifstream from(argv[1]);
    double value = 0;
    from >> value;
    std::cout << value << "\n";
}
