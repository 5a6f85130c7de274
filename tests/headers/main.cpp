// Links every header's translation units together; that it links and starts is the test.
int first_unit();
int second_unit();

int main() { return first_unit() + second_unit(); }
