// SPDX-License-Identifier: MIT
// cuSPARSE, and factors of cuBLAS, beside plain loops, each line "NAME: ok" or "NAME: WRONG"; then mistakes, each of them told in
// the line that ends in "// want HAZARD".
#include <cmath>
#include <cstdio>
#include <cublas_v2.h>
#include <cusparse.h>
#include <vector>

#include "results.hpp"

template <class T>
static bool near(const std::vector<T> &x, const std::vector<double> &y, double within)
{
    for (size_t k = 0; k < y.size(); k++)
        if (!(fabs(x[k] - y[k]) <= within))
            return false;
    return x.size() == y.size();
}

// 4 5 0 1
// 2 6 3 0
// 0 1 7 2
// 3 0 1 8
static const std::vector<double> dense = {4, 5, 0, 1, 2, 6, 3, 0, 0, 1, 7, 2, 3, 0, 1, 8};
static const std::vector<int> offsets = {1, 4, 7, 10, 13},
                              columns = {1, 2, 4, 1, 2, 3, 2, 3, 4, 1, 3, 4},
                              rows_of = {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4};
static const std::vector<float> values = {4, 5, 1, 2, 6, 3, 1, 7, 2, 3, 1, 8};

static std::vector<double> product(bool turned, const std::vector<float> &x, double alpha)
{
    std::vector<double> y(4);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            y[i] += alpha * (turned ? dense[j * 4 + i] : dense[i * 4 + j]) * x[j];
    return y;
}

struct matrix {
    int *offsets_at = copy_of(offsets), *columns_at = copy_of(columns), *rows_at = copy_of(rows_of);
    float *values_at = copy_of(values);
    cusparseSpMatDescr_t csr, coo;
    matrix()
    {
        cusparseCreateCsr(&csr, 4, 4, 12, offsets_at, columns_at, values_at, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F);
        cusparseCreateCoo(&coo, 4, 4, 12, rows_at, columns_at, values_at, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F);
    }
    ~matrix()
    {
        cusparseDestroySpMat(csr);
        cusparseDestroySpMat(coo);
        cudaFree(offsets_at);
        cudaFree(columns_at);
        cudaFree(rows_at);
        cudaFree(values_at);
    }
};

static void products(cusparseHandle_t sparse, const matrix &m, void *buffer)
{
    const std::vector<float> x = {1, -2, 3, 4};
    float *x_at = copy_of(x), *y_at, two = 2, zero = 0, one = 1;
    cusparseDnVecDescr_t X, Y;
    cudaMalloc(&y_at, 8 * sizeof *y_at);
    cusparseCreateDnVec(&X, 4, x_at, CUDA_R_32F);
    cusparseCreateDnVec(&Y, 4, y_at, CUDA_R_32F);
    const auto N = CUSPARSE_OPERATION_NON_TRANSPOSE, T = CUSPARSE_OPERATION_TRANSPOSE;
    cusparseSpMV(sparse, N, &two, m.csr, X, &zero, Y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                 buffer);
    check("by rows", near(back(y_at, 4), product(false, x, 2), 0));
    cusparseSpMV(sparse, N, &two, m.csr, X, &one, Y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer);
    check("and added", near(back(y_at, 4), product(false, x, 4), 0));
    cusparseSpMV(sparse, T, &one, m.csr, X, &zero, Y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                 buffer);
    check("turned", near(back(y_at, 4), product(true, x, 1), 0));
    cusparseSpMV(sparse, N, &one, m.coo, X, &zero, Y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                 buffer);
    check("by coordinates", near(back(y_at, 4), product(false, x, 1), 0));
    cusparseDnMatDescr_t B, C;
    float *b_at = copy_of(std::vector<float>{1, 0, -2, 1, 3, 0, 4, 2}); // x, and another
    cusparseCreateDnMat(&B, 4, 2, 2, b_at, CUDA_R_32F, CUSPARSE_ORDER_ROW);
    cusparseCreateDnMat(&C, 4, 2, 4, y_at, CUDA_R_32F, CUSPARSE_ORDER_COL);
    cusparseSpMM(sparse, N, N, &one, m.csr, B, &zero, C, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT,
                 buffer);
    std::vector<double> both = product(false, x, 1), other = product(false, {0, 1, 0, 2}, 1);
    both.insert(both.end(), other.begin(), other.end());
    check("two columns", near(back(y_at, 8), both, 0));
    cusparseDestroyDnVec(X);
    cusparseDestroyDnVec(Y);
    cusparseDestroyDnMat(B);
    cusparseDestroyDnMat(C);
    cudaFree(x_at);
    cudaFree(y_at);
    cudaFree(b_at);
}

// The incomplete factors times each other are the matrix, where it has elements; and they are solved with.
static void factors(cusparseHandle_t sparse, const matrix &m, void *buffer)
{
    csrilu02Info_t info;
    cusparseMatDescr_t descr;
    cusparseSpSVDescr_t lower, upper;
    int zero_at = 0, bytes = 0;
    cusparseCreateCsrilu02Info(&info);
    cusparseCreateMatDescr(&descr);
    cusparseSetMatIndexBase(descr, CUSPARSE_INDEX_BASE_ONE);
    cusparseScsrilu02_bufferSize(sparse, 4, 12, descr, m.values_at, m.offsets_at, m.columns_at,
                                 info, &bytes);
    cusparseScsrilu02_analysis(sparse, 4, 12, descr, m.values_at, m.offsets_at, m.columns_at, info,
                               CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer);
    cusparseScsrilu02(sparse, 4, 12, descr, m.values_at, m.offsets_at, m.columns_at, info,
                      CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer);
    check("no zero",
          cusparseXcsrilu02_zeroPivot(sparse, info, &zero_at) == CUSPARSE_STATUS_SUCCESS &&
              zero_at == -1);
    const std::vector<float> got = back(m.values_at, 12);
    double l[4][4] = {}, u[4][4] = {};
    for (int k = 0; k < 12; k++) {
        const int i = rows_of[k] - 1, j = columns[k] - 1;
        (i > j ? l : u)[i][j] = got[k];
    }
    for (int k = 0; k < 4; k++)
        l[k][k] = 1;
    bool right = true;
    for (int k = 0; k < 12; k++) {
        double sum = 0;
        for (int j = 0; j < 4; j++)
            sum += l[rows_of[k] - 1][j] * u[j][columns[k] - 1];
        right = right && fabs(sum - values[k]) < 1e-6;
    }
    check("incomplete factors", right);

    cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
    cusparseDiagType_t diag = CUSPARSE_DIAG_TYPE_UNIT;
    cusparseSpMatSetAttribute(m.csr, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill);
    cusparseSpMatSetAttribute(m.csr, CUSPARSE_SPMAT_DIAG_TYPE, &diag, sizeof diag);
    float *b_at = copy_of(std::vector<float>{1, 2, 3, 4}), *x_at, one = 1;
    cusparseDnVecDescr_t B, X;
    cudaMalloc(&x_at, 4 * sizeof *x_at);
    cusparseCreateDnVec(&B, 4, b_at, CUDA_R_32F);
    cusparseCreateDnVec(&X, 4, x_at, CUDA_R_32F);
    cusparseSpSV_createDescr(&lower);
    cusparseSpSV_createDescr(&upper);
    const auto solve = [&](cusparseOperation_t op, cusparseSpSVDescr_t how) {
        cusparseSpSV_analysis(sparse, op, &one, m.csr, B, X, CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT,
                              how, buffer);
        cusparseSpSV_solve(sparse, op, &one, m.csr, B, X, CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT,
                           how);
        return back(x_at, 4);
    };
    const auto is_solved = [&](const std::vector<float> &x, const double(&t)[4][4], bool turned) {
        bool is = true;
        for (int i = 0; i < 4; i++) {
            double sum = 0;
            for (int j = 0; j < 4; j++)
                sum += (turned ? t[j][i] : t[i][j]) * x[j];
            is = is && fabs(sum - (i + 1)) < 1e-5;
        }
        return is;
    };
    check("lower", is_solved(solve(CUSPARSE_OPERATION_NON_TRANSPOSE, lower), l, false));
    check("lower, turned", is_solved(solve(CUSPARSE_OPERATION_TRANSPOSE, lower), l, true));
    fill = CUSPARSE_FILL_MODE_UPPER;
    diag = CUSPARSE_DIAG_TYPE_NON_UNIT;
    cusparseSpMatSetAttribute(m.csr, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill);
    cusparseSpMatSetAttribute(m.csr, CUSPARSE_SPMAT_DIAG_TYPE, &diag, sizeof diag);
    check("upper", is_solved(solve(CUSPARSE_OPERATION_NON_TRANSPOSE, upper), u, false));
    check("upper, turned", is_solved(solve(CUSPARSE_OPERATION_TRANSPOSE, upper), u, true));
    cusparseSpSV_destroyDescr(lower);
    cusparseSpSV_destroyDescr(upper);
    cusparseDestroyDnVec(B);
    cusparseDestroyDnVec(X);
    cusparseDestroyMatDescr(descr);
    cusparseDestroyCsrilu02Info(info);
    cudaFree(b_at);
    cudaFree(x_at);
}

// Two matrices by columns, one of which needs its rows exchanged, and a third that has no inverse.
static void dense_factors(cublasHandle_t blas)
{
    const std::vector<double> a = {0, 2, 1, 1, 1, 0, 3, 2, 4};
    double *A = copy_of(a), *S = copy_of(std::vector<double>(9, 1)), *C,
           *B = copy_of(std::vector<double>{1, 2, 3}), *D = copy_of(std::vector<double>{1, 2, 3});
    cudaMalloc(&C, 18 * sizeof *C);
    double **all_a = copy_of(std::vector<double *>{A, S}),
           **all_c = copy_of(std::vector<double *>{C, C + 9}),
           **all_b = copy_of(std::vector<double *>{B}), **all_d = copy_of(std::vector<double *>{D});
    int *pivots, *infos, info = 1;
    cudaMalloc(&pivots, 6 * sizeof *pivots);
    cudaMalloc(&infos, 2 * sizeof *infos);
    const auto times = [&](const std::vector<double> &x, int i, int j) {
        return a[i] * x[j * 3] + a[3 + i] * x[j * 3 + 1] + a[6 + i] * x[j * 3 + 2];
    };
    const auto is_inverse = [&](const std::vector<double> &x) {
        bool is = true;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                is = is && fabs(times(x, i, j) - (i == j)) < 1e-12;
        return is;
    };
    cublasDmatinvBatched(blas, 3, all_a, 3, all_c, 3, infos, 2);
    check("inverse", is_inverse(back(C, 9)));
    check("no inverse", back(infos, 2) == std::vector<int>({0, 2}));
    cublasDgetrfBatched(blas, 3, all_a, 3, pivots, infos, 2);
    check("factors", back(infos, 2) == std::vector<int>({0, 2}) && back(pivots, 1)[0] == 2);
    cublasDgetriBatched(blas, 3, all_a, 3, pivots, all_c, 3, infos, 1);
    check("inverse by factors", is_inverse(back(C, 9)));
    cublasDgetrsBatched(blas, CUBLAS_OP_N, 3, 1, all_a, 3, pivots, all_b, 3, &info, 1);
    cublasDgetrsBatched(blas, CUBLAS_OP_T, 3, 1, all_a, 3, pivots, all_d, 3, &info, 1);
    const auto x = back(B, 3), y = back(D, 3);
    bool right = info == 0;
    for (int i = 0; i < 3; i++)
        right = right && fabs(times(x, i, 0) - (i + 1)) < 1e-12 &&
                fabs(a[i * 3] * y[0] + a[i * 3 + 1] * y[1] + a[i * 3 + 2] * y[2] - (i + 1)) < 1e-12;
    check("solved", right);
    cublasDgetrfBatched(blas, 3, all_a, 2, pivots, infos, 2); // want unchecked-error
    cublasDgetrfBatched(blas, 3, all_a, 3, pivots, infos, 3); // want 3 out-of-bounds
    cudaFree(A);
    cudaFree(S);
    cudaFree(C);
    cudaFree(B);
    cudaFree(D);
    cudaFree(all_a);
    cudaFree(all_b);
    cudaFree(all_c);
    cudaFree(all_d);
    cudaFree(pivots);
    cudaFree(infos);
}

static void mistakes(cusparseHandle_t h, const matrix &m, void *buffer)
{
    const auto N = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const auto how = CUSPARSE_SPMV_ALG_DEFAULT;
    const auto F = CUDA_R_32F;
    float *x_at = copy_of(std::vector<float>(4)), *y_at, one = 1, zero = 0;
    cusparseDnVecDescr_t X, Y, Z, L;
    cudaStream_t s;
    cudaMalloc(&y_at, 4 * sizeof *y_at);
    cudaStreamCreate(&s);
    cusparseCreateDnVec(&X, 4, x_at, CUDA_R_32F);
    cusparseCreateDnVec(&Y, 4, y_at, CUDA_R_32F);
    cusparseCreateDnVec(&Z, 3, y_at, CUDA_R_32F);
    cusparseCreateDnVec(&L, 4, y_at + 1, CUDA_R_32F);
    cusparseSpMV(h, N, &one, m.csr, X, &one, Y, F, how, buffer);   // want uninitialised
    cusparseSpMV(h, N, &one, m.csr, X, &zero, Z, F, how, buffer);  // want unchecked-error
    cusparseSpMV(h, N, &one, m.csr, X, &zero, L, F, how, buffer);  // want out-of-bounds
    cusparseSpMV(h, N, &one, m.csr, X, &zero, Y, F, how, nullptr); // want out-of-bounds
    const int far = 5;
    cudaMemcpy(m.columns_at + 3, &far, sizeof far, cudaMemcpyHostToDevice);
    cusparseSpMV(h, N, &one, m.csr, X, &zero, Y, F, how, buffer); // want out-of-bounds
    cudaMemcpy(m.columns_at + 3, &columns[3], sizeof far, cudaMemcpyHostToDevice);
    cusparseSetStream(h, s);
    cudaMemsetAsync(x_at, 0, 4 * sizeof *x_at, cudaStreamPerThread);
    cusparseSpMV(h, N, &one, m.csr, X, &zero, Y, F, how, buffer); // want race
    cudaDeviceSynchronize();
    cusparseDestroyDnVec(X);
    cusparseDestroyDnVec(Y);
    cusparseDestroyDnVec(Z);
    cusparseDestroyDnVec(L);
    cudaFree(x_at);
    cudaFree(y_at);
    cudaStreamDestroy(s);
}

int main()
{
    cublasHandle_t blas;
    cusparseHandle_t sparse;
    void *buffer;
    cublasCreate(&blas);
    cusparseCreate(&sparse);
    cudaMalloc(&buffer, 16);
    {
        const matrix m;
        products(sparse, m, buffer);
        factors(sparse, m, buffer);
        mistakes(sparse, m, buffer);
    }
    dense_factors(blas);
    cusparseDestroy(sparse);
    cublasDestroy(blas);
    cudaFree(buffer);
}
