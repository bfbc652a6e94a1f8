static int both(double first, double second)
{
    int *nothing = 0;
    int value = first < 1.0 && second < 2.0;
    if (value)
        return *nothing; /* happens, and is not reported */
    return 0;
}

static int both_integers(int first, int second)
{
    int *nothing = 0;
    int value = first < 1 && second < 2;
    if (value)
        return *nothing; /* reported */
    return 0;
}

int main(void)
{
    return both(0.5, 1.5) + both_integers(0, 1);
}
