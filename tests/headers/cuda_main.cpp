// Links all headers as nvcc compiled them; that it links and starts is the test.
int cuda_unit();

int main() { return cuda_unit(); }
