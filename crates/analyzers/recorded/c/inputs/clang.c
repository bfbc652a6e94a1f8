extern void clang_analyzer_warnIfReached(void);
extern void clang_analyzer_eval(int);
extern void exit(int) __attribute__((noreturn));
void juvenal_analyzer_is_awake(void) { clang_analyzer_eval(1); }
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
if (!(x > 9)) exit(0);
if (!(x > 8)) clang_analyzer_warnIfReached();
if (!(x > 10)) clang_analyzer_warnIfReached();
  for (int i = 0; i < 6; i++) { }
if (!(x > 10)) clang_analyzer_warnIfReached();
  return 0;
}
