#ifndef TAKE_H
#define TAKE_H
int *make(int wanted);
void drop(int *pointer);
#endif
