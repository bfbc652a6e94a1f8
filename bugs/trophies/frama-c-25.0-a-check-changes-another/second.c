/*@ ensures \false; assigns \nothing; */
extern void exit(int);
/*@ assigns \result \from \nothing; ensures \result == 0 || \result == 1; */
extern _Bool __VERIFIER_nondet_bool(void);
 
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar();
    _Bool negate = __VERIFIER_nondet_bool();
    double large = 1e307;
    double grown = a;
    double other = negate ? -grown : large;

if (!((negate == grown) && (negate >= 1))) { /*@ check \false; */ ; }
int ordered = 0;
    
if (!(!(other == 20.0))) { /*@ check \false; */ ; }
int unordered = 0;
return 0;
}
