// arguments: --mode exhaustive --checks 6
// expect: exhaustive yes
// expect: isolation persistent
// refuse: violated .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
unsigned char __VERIFIER_nondet_uchar(void);
static int counter, set = 7;
int common;
static char big[3000000], *where = big;
static _Thread_local int in_thread = 5, zero_in_thread;
struct list { struct list *next; int value; } head = {&head, 3};
static int calls(void) {
    static int count = 1;
    return count++;
}
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    if (!(counter == 0 && set == 7 && common == 0)) juvenal_violated(1);
    if (!(calls() == 1)) juvenal_violated(2);
    if (!(where == big && big[0] == 0 && big[1500000] == 0 && big[2999999] == 0)) juvenal_violated(3);
    if (!(in_thread == 5)) juvenal_violated(4);
    if (!(zero_in_thread == 0)) juvenal_violated(5);
    if (!(head.next == &head && head.value == 3)) juvenal_violated(6);
    counter = set = common = in_thread = zero_in_thread = head.value = x + 100;
    big[0] = big[1500000] = big[2999999] = 1;
    where++;
    head.next = 0;
    return 0;
}
