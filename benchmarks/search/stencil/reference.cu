// What the configurations of stencil.cu are checked against: the same input and the same terms, in
// the plainest form and in double precision. The macros ELEMENTS_X, ELEMENTS_Y, ELEMENTS_Z, ROW,
// PLANE and ORIGIN say where the elements are, SIZE how many the input has.

// Numbers in [-1, 1) that depend on their place alone.
extern "C" __global__ void fill(float* input) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= SIZE) return;
  unsigned mixed = i * 2654435761u + 0x9e3779b9u;
  mixed = (mixed ^ (mixed >> 16)) * 0x85ebca6bu;
  mixed = (mixed ^ (mixed >> 13)) * 0xc2b2ae35u;
  mixed ^= mixed >> 16;
  input[i] = (float)(mixed >> 8) * (2.0f / 16777216.0f) - 1.0f;
}

// The sum of `terms` elements, each so many `distances` away, by its weight.
extern "C" __global__ void reference(const float* input, const int* distances, const float* weights,
                                     int terms, float* output) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= ELEMENTS_X * ELEMENTS_Y * ELEMENTS_Z) return;
  const unsigned x = i % ELEMENTS_X;
  const unsigned y = i / ELEMENTS_X % ELEMENTS_Y;
  const unsigned z = i / (ELEMENTS_X * ELEMENTS_Y);
  const float* center = input + ORIGIN + z * PLANE + y * ROW + x;
  double sum = 0;
  for (int t = 0; t < terms; ++t) sum += (double)weights[t] * (double)center[distances[t]];
  output[i] = (float)sum;
}

// Counts the outputs that differ by more than the tolerance, or are no numbers.
extern "C" __global__ void compare(const float* output, const float* expected, float tolerance,
                                   unsigned* wrong) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= ELEMENTS_X * ELEMENTS_Y * ELEMENTS_Z) return;
  if (!(fabsf(output[i] - expected[i]) <= tolerance)) atomicAdd(wrong, 1u);
}
