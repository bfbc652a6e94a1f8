/* Length, copy and comparison of strings in fixed buffers; the input decides where the string ends. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

static unsigned length(const char *s) {
    const char *p = s;
    while (*p) {
        p++;
    }
    return (unsigned)(p - s);
}

int main(void) {
    char text[12] = "interrogate";
    char copy[12] = {0};
    unsigned char in = __VERIFIER_nondet_uchar();
    _Bool cut = __VERIFIER_nondet_bool();
    unsigned end = in % 12u;
    if (cut) {
        text[end] = '\0';
    }
    unsigned size = length(text);
    unsigned char vowels = 0;
    unsigned i = 0;
    while (i < 11u && text[i] != '\0') {
        char c = text[i];
        copy[i] = c;
        if (c == 'a' || c == 'e' || c == 'i' || c == 'o') {
            vowels++;
        }
        i++;
    }
    int order = 0;
    for (unsigned j = 0; order == 0 && j < 12u; j++) {
        order = text[j] - copy[j];
        if (text[j] == '\0') {
            break;
        }
    }
    unsigned consonants = size - vowels;
    return (order != 0) * 8 + (i != size) + (consonants > size) + (cut && size > end);
}
