/*@ ensures \false; assigns \nothing; */
extern void exit(int);
/*@ assigns \result \from \nothing; ensures \result == 0 || \result == 1; */
extern _Bool __VERIFIER_nondet_bool(void);
 
extern unsigned char __VERIFIER_nondet_uchar(void);
struct node {
    int value;
    struct node *next;
};
static struct node pool[8];
int main(void) {
    unsigned char bits = __VERIFIER_nondet_uchar();
struct node *head = 0;
for (int i = 0; i < 8; i++) 
        if (bits >> i & 1) {
            
if (!(i > (-2147483647LL))) exit(0);

if (!(pool[7].value != 10)) exit(0);
struct node *fresh = &pool[i];
            fresh->value = i * i - 9;

if (!(((unsigned long long)pool[0].value - 2275ULL) < 11)) exit(0);
head = fresh;
}
int previous = 41;
for (struct node *n = head; n; n = n->next) {

if (!(((unsigned long long)previous - 3522ULL) > pool[7].value)) { /*@ check \false; */ ; }
}
    return 0;
}
