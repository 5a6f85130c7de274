// k-means as Catanzaro, Sundaram and Keutzer's library does it (github.com/bryancatanzaro/kmeans),
// the paper's reference on GPUs, written out with Thrust and cuBLAS.
//
// Distances: norms of points (once) and of centroids, spread over a matrix of points by centroids
// to which cuBLAS adds -2 x.y. Labels: the smallest in each row. Centroids: points are sorted by
// label; a block's rows of threads each walk through a run of sorted points, a thread a coordinate,
// and add what they have summed up to the centroid, by an atomic operation, whenever the label
// changes. The library launches 30 such blocks; here there are as many as fill the GPU.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <limits>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include "../../../examples/ndp/kmeans/matrix_product.hpp"
#include "../../common/ndp/device.cuh"

namespace ndp_tuned {

namespace catanzaro {

inline constexpr int threads = 256;
inline constexpr int rows_of_threads = 16;

[[nodiscard]] inline unsigned blocks_for(long long elements) {
  return static_cast<unsigned>((elements + threads - 1) / threads);
}

/// norms[i] = the square of row i's length.
__global__ void self_dots(const double* rows, int count, int dimension, double* norms) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  double sum = 0;
  for (int c = 0; c < dimension; ++c) {
    const double x = rows[static_cast<long long>(i) * dimension + c];
    sum += x * x;
  }
  norms[i] = sum;
}

/// distances[j * n + i] = x_i.x_i + y_j.y_j
__global__ void all_dots(const double* point_norms, const double* centroid_norms, int n,
                         int clusters, double* distances) {
  const long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= static_cast<long long>(n) * clusters) return;
  distances[at] = point_norms[at % n] + centroid_norms[at / n];
}

__global__ void relabel(const double* distances, int n, int clusters, int* labels) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  double least = distances[i];
  int label = 0;
  for (int j = 1; j < clusters; ++j) {
    const double distance = distances[static_cast<long long>(j) * n + i];
    if (distance < least) {
      least = distance;
      label = j;
    }
  }
  labels[i] = label;
}

__global__ void sum_runs(const double* points, const int* sorted_labels, const int* sorted_indices,
                         int n, int dimension, double* centroids, int* counts) {
  const int in_flight = static_cast<int>(blockDim.y * gridDim.y);
  const int labels_a_row = (n - 1) / in_flight + 1;
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int begin = row * labels_a_row;
  const int end = min(begin + labels_a_row, n);
  for (int c = static_cast<int>(threadIdx.x); c < dimension; c += static_cast<int>(blockDim.x)) {
    double sum = 0;
    int count = 0;
    int current = -1;
    const auto hand_over = [&] {
      if (count == 0) return;
      atomicAdd(&centroids[current * dimension + c], sum);
      if (c == 0) atomicAdd(&counts[current], count);
    };
    for (int k = begin; k < end; ++k) {
      const int label = sorted_labels[k];
      if (label != current) {
        hand_over();
        sum = 0;
        count = 0;
        current = label;
      }
      sum += points[static_cast<long long>(sorted_indices[k]) * dimension + c];
      ++count;
    }
    hand_over();
  }
}

/// Sums become means; a centroid without points stays where it was.
__global__ void scale(const double* sums, const int* counts, int dimension, int clusters,
                      double* centroids) {
  const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (at >= clusters * dimension) return;
  const int count = counts[at / dimension];
  if (count > 0) centroids[at] = sums[at] / count;
}

}  // namespace catanzaro

class catanzaro_kmeans {
 public:
  catanzaro_kmeans(const fettle::ndp::platform::cuda& on,
                   const thrust::device_vector<double>& points, long long dimension,
                   long long clusters)
      : stream_(on.stream),
        points_(thrust::raw_pointer_cast(points.data())),
        n_(static_cast<int>(static_cast<long long>(points.size()) / dimension)),
        dimension_(static_cast<int>(dimension)),
        clusters_(static_cast<int>(clusters)),
        point_norms_(static_cast<std::size_t>(n_)),
        centroid_norms_(static_cast<std::size_t>(clusters)),
        distances_(static_cast<std::size_t>(n_) * static_cast<std::size_t>(clusters)),
        sums_(static_cast<std::size_t>(clusters * dimension)),
        counts_(static_cast<std::size_t>(clusters)),
        labels_(static_cast<std::size_t>(n_)),
        indices_(static_cast<std::size_t>(n_)) {
    check(cublasCreate(&handle_), "cublasCreate");
    check(cublasSetStream(handle_, stream_), "cublasSetStream");
    int device = 0;
    ndp_gpu::check(cudaGetDevice(&device), "cudaGetDevice");
    ndp_gpu::check(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, device),
                   "cudaDeviceGetAttribute");
    catanzaro::self_dots<<<catanzaro::blocks_for(n_), catanzaro::threads, 0, stream_>>>(
        points_, n_, dimension_, data(point_norms_));
    ndp_gpu::check(cudaGetLastError(), "self_dots");
  }
  catanzaro_kmeans(const catanzaro_kmeans&) = delete;
  catanzaro_kmeans& operator=(const catanzaro_kmeans&) = delete;
  ~catanzaro_kmeans() { cublasDestroy(handle_); }

  void iterate(thrust::device_vector<double>& centroids) {
    relabel(data(centroids));
    recalculate(data(centroids));
  }

 private:
  void relabel(double* centroids) {
    using namespace catanzaro;
    self_dots<<<blocks_for(clusters_), threads, 0, stream_>>>(centroids, clusters_, dimension_,
                                                              data(centroid_norms_));
    all_dots<<<blocks_for(static_cast<long long>(n_) * clusters_), threads, 0, stream_>>>(
        data(point_norms_), data(centroid_norms_), n_, clusters_, data(distances_));
    const double minus_two = -2;
    const double one = 1;
    check(cublasDgemm(handle_, CUBLAS_OP_T, CUBLAS_OP_N, n_, clusters_, dimension_, &minus_two,
                      points_, dimension_, centroids, dimension_, &one, data(distances_), n_),
          "cublasDgemm");
    catanzaro::relabel<<<blocks_for(n_), threads, 0, stream_>>>(data(distances_), n_, clusters_,
                                                                data(labels_));
    ndp_gpu::check(cudaGetLastError(), "relabel");
  }

  void recalculate(double* centroids) {
    using namespace catanzaro;
    const auto on = thrust::cuda::par.on(stream_);
    thrust::sequence(on, indices_.begin(), indices_.end());
    thrust::sort_by_key(on, labels_.begin(), labels_.end(), indices_.begin());
    thrust::fill(on, sums_.begin(), sums_.end(), 0.0);
    thrust::fill(on, counts_.begin(), counts_.end(), 0);
    const dim3 block(32, rows_of_threads);
    sum_runs<<<dim3(1, static_cast<unsigned>(4 * processors_)), block, 0, stream_>>>(
        points_, data(labels_), data(indices_), n_, dimension_, data(sums_), data(counts_));
    scale<<<blocks_for(clusters_ * dimension_), threads, 0, stream_>>>(
        data(sums_), data(counts_), dimension_, clusters_, centroids);
    ndp_gpu::check(cudaGetLastError(), "sum_runs");
  }

  template <typename T>
  [[nodiscard]] static T* data(thrust::device_vector<T>& elements) {
    return thrust::raw_pointer_cast(elements.data());
  }
  static void check(cublasStatus_t status, const char* what) {
    if (status != CUBLAS_STATUS_SUCCESS) {
      throw fettle::error(std::string(what) + ": " + cublasGetStatusString(status));
    }
  }

  cudaStream_t stream_;
  cublasHandle_t handle_ = nullptr;
  const double* points_;
  int n_;
  int dimension_;
  int clusters_;
  int processors_ = 0;
  thrust::device_vector<double> point_norms_;
  thrust::device_vector<double> centroid_norms_;
  thrust::device_vector<double> distances_;
  thrust::device_vector<double> sums_;
  thrust::device_vector<int> counts_;
  thrust::device_vector<int> labels_;
  thrust::device_vector<int> indices_;
};

}  // namespace ndp_tuned
