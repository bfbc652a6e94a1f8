/* Some two hundred lines of what such programs do: sorting, a list on the heap,
 * a stack machine, a table, strings, floating point. */
#include <stdlib.h>
#include <string.h>
extern void juvenal_violated(unsigned), juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
double __VERIFIER_nondet_double(void);

enum { LENGTH = 16, TABLE = 64, STACK = 32, CODE = 24 };

static int values[LENGTH];
static unsigned table[TABLE];
static long total;

struct node {
    struct node *next;
    int value;
};

static struct node *list;

static void push_node(int value) {
    struct node *node = malloc(sizeof *node);
    if (!node) exit(1);
    node->value = value;
    node->next = list;
    list = node;
}

static int list_length(void) {
    int length = 0;
    for (const struct node *node = list; node; node = node->next) length++;
    return length;
}

static void free_list(void) {
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

static void sort(int *array, int count) {
    for (int i = 1; i < count; i++) {
        int value = array[i], at = i;
        while (at > 0 && array[at - 1] > value) {
            array[at] = array[at - 1];
            at--;
        }
        array[at] = value;
    }
}

static int is_sorted(const int *array, int count) {
    for (int i = 1; i < count; i++) {
        if (array[i - 1] > array[i]) return 0;
    }
    return 1;
}

static unsigned hash(unsigned value) {
    value ^= value >> 16;
    value *= 0x7feb352du;
    value ^= value >> 15;
    value *= 0x846ca68bu;
    return value ^ value >> 16;
}

static int insert(unsigned value) {
    unsigned at = hash(value) % TABLE;
    for (int tries = 0; tries < TABLE; tries++) {
        if (table[at] == value) return 0;
        if (table[at] == 0) {
            table[at] = value;
            return 1;
        }
        at = (at + 1) % TABLE;
    }
    return -1;
}

struct machine {
    int stack[STACK];
    int depth;
    int failed;
};

static void push(struct machine *machine, int value) {
    if (machine->depth == STACK) {
        machine->failed = 1;
        return;
    }
    machine->stack[machine->depth++] = value;
}

static int pop(struct machine *machine) {
    if (machine->depth == 0) {
        machine->failed = 1;
        return 0;
    }
    return machine->stack[--machine->depth];
}

static void step(struct machine *machine, unsigned char code) {
    int left, right;
    switch (code % 6) {
    case 0:
        push(machine, code);
        break;
    case 1:
        right = pop(machine);
        left = pop(machine);
        push(machine, (int)((unsigned)left + (unsigned)right));
        break;
    case 2:
        right = pop(machine);
        left = pop(machine);
        push(machine, left < right);
        break;
    case 3:
        left = pop(machine);
        push(machine, left);
        push(machine, left);
        break;
    case 4:
        push(machine, (int)(~(unsigned)pop(machine)));
        break;
    default:
        right = pop(machine);
        left = pop(machine);
        push(machine, right);
        push(machine, left);
    }
}

static int run_machine(const unsigned char *code, int length) {
    struct machine machine;
    memset(&machine, 0, sizeof machine);
    for (int i = 0; i < length && !machine.failed; i++) step(&machine, code[i]);
    if (!(machine.depth >= 0 && machine.depth <= STACK)) juvenal_violated(4);
    return machine.failed ? -1 : machine.depth;
}

static double mean(const int *array, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += array[i];
    return sum / count;
}

static int count_words(const char *text) {
    int words = 0, inside = 0;
    for (; *text; text++) {
        int letter = *text != ' ';
        if (letter && !inside) words++;
        inside = letter;
    }
    return words;
}

static void fill_text(char *text, int size, unsigned seed) {
    for (int i = 0; i + 1 < size; i++) {
        seed = hash(seed + (unsigned)i);
        text[i] = seed % 5 == 0 ? ' ' : (char)('a' + seed % 26);
    }
    text[size - 1] = '\0';
}

int main(void) {
    unsigned char code[CODE];
    char text[80];
    int count = __VERIFIER_nondet_uchar() % LENGTH + 1;
    if (!(count > 1)) juvenal_assumption_failed();
    for (int i = 0; i < count; i++) {
        values[i] = __VERIFIER_nondet_int();
        total += values[i];
        push_node(values[i]);
    }
    juvenal_reached(1);
    if (!(list_length() == count)) juvenal_violated(1);
    sort(values, count);
    juvenal_reached(2);
    if (!(is_sorted(values, count))) juvenal_violated(2);
    int inserted = 0;
    for (int i = 0; i < count; i++) inserted += insert((unsigned)values[i] | 1) == 1;
    juvenal_reached(3);
    if (!(inserted <= count)) juvenal_violated(3);
    for (int i = 0; i < CODE; i++) code[i] = (unsigned char)(values[i % count] >> (i % 24));
    int depth = run_machine(code, CODE);
    juvenal_reached(5);
    if (!(depth < 20)) juvenal_violated(5);
    double average = mean(values, count), other = __VERIFIER_nondet_double();
    juvenal_reached(6);
    if (!(average >= values[0] - 1.0 && average <= values[count - 1] + 1.0)) juvenal_violated(6);
    juvenal_reached(7);
    if (!(other <= average || other > average)) juvenal_violated(7);
    fill_text(text, sizeof text, (unsigned)total);
    juvenal_reached(8);
    if (!(count_words(text) < 25)) juvenal_violated(8);
    free_list();
    juvenal_reached(9);
    if (!(total != 4242)) juvenal_violated(9);
    return 0;
}
