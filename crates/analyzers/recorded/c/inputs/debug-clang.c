extern void clang_analyzer_warnIfReached(void);
extern void clang_analyzer_eval(int);
extern void exit(int) __attribute__((noreturn));
void juvenal_analyzer_is_awake(void) { clang_analyzer_warnIfReached(); }
int f(int a, int b) {
  if (a < b) {
    
clang_analyzer_eval(a < b);

    
clang_analyzer_eval(b > a);

    
if (a < 100 && b < 100) { clang_analyzer_eval(a + 1 < b + 2); }

    
clang_analyzer_eval(a >= b);

    
clang_analyzer_eval(a == 7);

    return 
clang_analyzer_eval(b > a),
 a + 1;
  }
  return (
clang_analyzer_eval(a >= b),
 a) + (
(a != 7) && (clang_analyzer_eval(a >= b), 1),
b);
}
int main(void) { int x = f(1, 2); if (0) { 
clang_analyzer_eval(x == 1);
 } return x; }
