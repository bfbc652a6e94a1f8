/* gcc: -Wanalyzer-null-dereference; the address of a variable is never null, whatever it is compared with */
int main(void) {
    int value = 7, other = 0;
    int *pointer = &value;
    int *slots[2][1];
    slots[1][0] = pointer;
    if ((int *)0 == slots[1][0]) {
        other = 1;
    }
    return *pointer + other;
}
