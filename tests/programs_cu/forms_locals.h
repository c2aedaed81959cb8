// SPDX-License-Identifier: MIT
double second = 20;
double third = second + 10;
