int main(void) {
  int a[3] = {1, 2, 3};
  int s = 0;
  for (int i = 0; i < 3; i++) s += a[i];
  return s == 6 ? 0 : 1;
}
