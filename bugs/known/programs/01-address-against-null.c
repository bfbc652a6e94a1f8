/* gcc: -Wanalyzer-null-dereference; the address of a variable is never null, whatever it is compared with */
int printf(const char *, ...);
int main(void) {
    int value = 7;
    int *pointer = &value, *null = 0;
    int *slots[2][1];
    slots[1][0] = pointer;
    if (null == (slots[1][0])) {
        unsigned *unused = 0;
    }
    printf("%d\n", *pointer);
    return 0;
}
