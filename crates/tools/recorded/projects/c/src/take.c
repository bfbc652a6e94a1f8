#include "../lib/take.h"

int twice(void)
{
    int *pointer = make(1);
    drop(pointer);
    drop(pointer);
    return 0;
}

int through_null(void)
{
    int *pointer = make(0);
    *pointer = 1;
    return *pointer;
}
