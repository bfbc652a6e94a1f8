extern int use(int);
extern void *malloc(unsigned long);
extern void free(void *);
int argument(void) {
  int x;
  return use(x);
}
int branch(void) {
  int x;
  if (x) return 1;
  return 0;
}
int subscript(void) {
  int x;
  int a[3] = {1, 2, 3};
  return a[x];
}
int pointer(void) {
  int *p;
  return *p;
}
int heap(void) {
  int *p = malloc(8);
  if (!p) return 0;
  int r = p[1];
  free(p);
  return r;
}
int field(void) {
  struct pair { int a, b; } *p = 0;
  return p->b;
}
int inside(void) {
  struct pair { int a[2]; int b; } s = {{1, 2}, 3};
  int i = 2;
  return s.a[i];
}
int main(void) {
  int *p = malloc(4);
  if (!p) return 0;
  *p = 1;
  return *p - 1;
}
