#include "take.h"
#include <stdlib.h>

int *make(int wanted)
{
    return wanted ? malloc(sizeof(int)) : NULL;
}

void drop(int *pointer)
{
    free(pointer);
}
