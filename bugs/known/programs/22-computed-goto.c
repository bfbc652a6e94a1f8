/* gcc: silent; a null pointer is dereferenced after the computed goto */
static int follow(int which) {
    void *targets[2] = {&&first, &&second};
    int *pointer = 0;
    goto *targets[which];
first:
    return *pointer;
second:
    return 0;
}
int main(void) { return follow(0); }
