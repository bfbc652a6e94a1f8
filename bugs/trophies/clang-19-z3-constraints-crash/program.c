int number = 3;

int masked(void)
{
    return (-number & 15) + 1;
}
