/* Two pointers that move towards each other in one array, differences of pointers, and an index below zero. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    short cells[9] = {9, 7, 5, 3, 1, -3, -5, -7, -30000};
    unsigned char in = __VERIFIER_nondet_uchar();
    _Bool wide = __VERIFIER_nondet_bool();
    short *first = cells;
    short *last = cells + 8;
    int goal = in - 128;
    int moves = 0;
    while (first < last) {
        int sum = *first + *last;
        if (sum == goal) {
            break;
        }
        if (sum > goal) {
            ++first;
        } else {
            --last;
        }
        moves++;
    }
    int distance = (int)(last - first);
    short *middle = first + distance / 2;
    int ahead = (int)(middle - cells);
    short seen = ahead > 0 ? middle[-1] : *middle;
    unsigned char *bytes = (unsigned char *)cells;
    int step = (int)((unsigned char *)middle - bytes);
    if (wide && distance > 0) {
        *(first + 1) = (short)goal;
    }
    return (moves + distance != 8) + (step != ahead * (int)sizeof(short)) * 2 + (seen < *middle) * 4;
}
