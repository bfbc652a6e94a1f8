#include <stdlib.h>

int leak(int size)
{
    char *text = malloc(size);
    if (size > 3)
        return 0;
    free(text);
    return text[0];
}
