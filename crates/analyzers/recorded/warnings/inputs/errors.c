extern void *malloc(unsigned long);
extern void free(void *);
int null_dereference(int a) {
  int *p = 0;
  if (a > 3) p = &a;
  return *p;
}
int out_of_bounds(void) {
  int b[4] = {0};
  int i = 4;
  return b[i];
}
int division(int a) {
  int z = 0;
  return a / z;
}
int use_after_free(void) {
  int *p = malloc(sizeof(int));
  if (!p) return 0;
  *p = 1;
  free(p);
  return *p;
}
void double_free(void) {
  int *p = malloc(sizeof(int));
  free(p);
  free(p);
}
int uninitialized(int a) {
  int x;
  if (a > 5) x = 1;
  return x + 1;
}
void leak(void) {
  int *p = malloc(sizeof(int));
  if (p) *p = 2;
}
int shift(void) {
  int n = 40;
  return 1 << n;
}
int shift_negative(void) {
  int n = -1;
  return 1 << n;
}
int overflow(void) {
  int n = 2147483647;
  return n + 1;
}
static int *escape(void) {
  int x = 3;
  int *p = &x;
  return p;
}
int use_after_return(void) {
  int *p = escape();
  return *p;
}
static int callee(int *p) {
  return *p;
}
int main(void) {
  int *q = 0;
  int s = 0;
  for (int i = 0; i < 2; i++) s += i;
  if (s == 1) s = callee(q);
  return s;
}
