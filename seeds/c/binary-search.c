/* Binary search in a sorted table that ends at the limits of int, and the place where a missing key belongs. */
extern int __VERIFIER_nondet_int(void);

static const int table[10] = {-2147483647 - 1, -32768, -7, 0, 1, 12, 99, 65535, 16777216, 2147483647};

int main(void) {
    int key = __VERIFIER_nondet_int();
    int low = 0;
    int high = 9;
    int found = -1;
    unsigned probes = 0;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        int value = table[middle];
        probes++;
        if (value == key) {
            found = middle;
            break;
        }
        if (value < key) {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    int place = found >= 0 ? found : low;
    int below = -2147483647 - 1;
    if (place > 0 && place < 10) {
        below = table[place - 1];
    }
    unsigned gap = (unsigned)key - (unsigned)below;
    _Bool far = gap > 0x7fffffffu;
    return far + (probes > 4u) * 2 + (found < 0 && low != high + 1) * 4;
}
