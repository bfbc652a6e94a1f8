/* Paths through a grid with holes given by an input, counted row by row in a two-dimensional array. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned char holes = __VERIFIER_nondet_uchar();
    _Bool shifted = __VERIFIER_nondet_bool();
    unsigned short paths[4][5] = {{1, 1, 1, 1, 1}};
    unsigned blocked = 0;
    unsigned short most = 1;
    for (int row = 1; row < 4; row++) {
        for (int column = 0; column < 5; column++) {
            int bit = row * 2 + column + shifted - 2;
            if (bit < 8 && (holes >> bit & 1)) {
                paths[row][column] = 0;
                blocked++;
                continue;
            }
            unsigned above = paths[row - 1][column];
            unsigned left = column > 0 ? paths[row][column - 1] : 0u;
            paths[row][column] = (unsigned short)(above + left);
            if (paths[row][column] > most) {
                most = paths[row][column];
            }
        }
    }
    unsigned short end = paths[3][4];
    int slack = most - end;
    _Bool open = blocked == 0;
    return slack < 0 || (open && end != 35);
}
