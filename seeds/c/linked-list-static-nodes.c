/* A list over a fixed pool of nodes: built from the bits of an input, reversed in place, and summed. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    int value;
    struct node *next;
};

static struct node pool[8];

int main(void) {
    unsigned char bits = __VERIFIER_nondet_uchar();
    _Bool reverse = __VERIFIER_nondet_bool();
    struct node *head = 0;
    unsigned char used = 0;
    for (int i = 0; i < 8; i++) {
        if (bits >> i & 1) {
            struct node *fresh = &pool[i];
            fresh->value = i * i - 9;
            fresh->next = head;
            head = fresh;
            used++;
        }
    }
    if (reverse) {
        struct node *done = 0;
        while (head) {
            struct node *rest = head->next;
            head->next = done;
            done = head;
            head = rest;
        }
        head = done;
    }
    int length = 0;
    short sum = 0;
    int previous = reverse ? -10 : 41;
    _Bool ordered = 1;
    for (struct node *n = head; n != 0 && length < 8; n = n->next) {
        ordered = ordered && (reverse ? n->value > previous : n->value < previous);
        previous = n->value;
        sum = (short)(sum + n->value);
        length++;
    }
    return (length != used) + !ordered * 2 + (sum < 0) * 4;
}
