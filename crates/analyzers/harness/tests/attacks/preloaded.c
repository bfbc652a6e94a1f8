// A library that LD_PRELOAD would put into the program: it writes to every descriptor and ends the program at once.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void attack(void) {
    char path[4096] = {0};
    if (readlink("/proc/self/exe", path, sizeof path - 1) < 0 || !strstr(path, "preload_victim")) return;
    for (int descriptor = 0; descriptor < 1024; descriptor++) {
        if (write(descriptor, "violated 2 -\n", 13)) {}
    }
    _exit(7);
}
