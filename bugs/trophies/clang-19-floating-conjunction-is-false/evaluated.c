void clang_analyzer_eval(int);

int main(void)
{
    static float number = -34.0f;
    if (number > 1000000.0f || number < -1000000.0f) {
    } else {
        clang_analyzer_eval(!(number > 1000000.0f) && !(number < -1000000.0f)); /* FALSE */
    }
    return 0;
}
