extern void __analyzer_dump_path(void);
extern void __analyzer_eval(int);
extern void exit(int) __attribute__((noreturn));
void juvenal_analyzer_is_awake(void) { __analyzer_dump_path(); }
int f(int a, int b) {
  if (a < b) {
    
__analyzer_eval(a < b);

    
__analyzer_eval(b > a);

    
if (a < 100 && b < 100) { __analyzer_eval(a + 1 < b + 2); }

    
__analyzer_eval(a >= b);

    
__analyzer_eval(a == 7);

    return 
__analyzer_eval(b > a),
 a + 1;
  }
  return (
__analyzer_eval(a >= b),
 a) + (
(a != 7) && (__analyzer_eval(a >= b), 1),
b);
}
int main(void) { int x = f(1, 2); if (0) { 
__analyzer_eval(x == 1);
 } return x; }
