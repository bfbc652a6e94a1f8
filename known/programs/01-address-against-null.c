/* gcc: -Wanalyzer-null-dereference; the address of a variable is never null, whatever it is compared with */
int printf(const char *, ...);
int main(void) {
    int value = 7, zero = 0;
    int *pointer = &value;
    int *slots[2][1];
    slots[1][0] = pointer;
    if (zero == (slots[1][0])) {
        unsigned *unused = 0;
    }
    printf("%d\n", *pointer);
    return 0;
}
