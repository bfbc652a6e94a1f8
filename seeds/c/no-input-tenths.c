/* Without input: a tenth added ten times is not one, in float and in double, while binary fractions are exact. */
int main(void) {
    float single = 0.0f;
    double wide = 0.0;
    double exact = 0.0;
    int steps = 0;
    for (steps = 0; steps < 10; steps++) {
        single = single + 0.1f;
        wide = wide + 0.1;
        exact = exact + 0.125;
    }
    double one = wide + (1.0 - wide);
    float large = 16777216.0f;
    float same = large + 1.0f;
    float next = large + 2.0f;
    double gap = (double)next - (double)same;
    int hundredths = (int)(1.15 * 100.0);
    _Bool under = wide < 1.0;
    _Bool over = single > 1.0f;
    return hundredths - 114 + (exact != 1.25) + (gap != 2.0) * 2 + under * 4 + over * 8 + (one != 1.0) * 16;
}
