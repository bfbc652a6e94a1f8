// Hostile behaviours, one for each word that this program can be called with.
//
// A behaviour that reaches what it must not reach exits with REACHED. Everything else is judged from outside, by
// what is left after the run. All processes keep their command line, which contains the marker of the test.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <arpa/inet.h>
#include <time.h>
#include <unistd.h>

enum { REACHED = 77, MEGABYTE = 1 << 20 };

static const char *marker, *elsewhere, *home;
static pid_t juvenal;
static int port, ipc_key;
static char path[4096];

static const char *in(const char *directory, const char *name) {
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static int reached(int is_reached) { return is_reached ? REACHED : 0; }

static void pause_milliseconds(long milliseconds) {
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&time, NULL);
}

// A minute is longer than any run, and short enough for a machine on which the test fails.
static void linger(void) {
    for (int i = 0; i < 60; i++) sleep(1);
    _exit(0);
}

static void leave(void) { if (fork() == 0) linger(); }

static void leave_daemon(void) {
    if (fork() == 0) {
        setsid();
        if (fork() != 0) _exit(0);
        close(0), close(1), close(2);
        if (chdir("/")) {}
        linger();
    }
    pause_milliseconds(20);
}

static void ignore_all(void) { for (int i = 1; i < 65; i++) signal(i, SIG_IGN); }

static void block_all(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
}

static pid_t parent_of(pid_t process) {
    char line[256];
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%d/status", process);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) sscanf(line, "PPid: %d", &parent);
    if (file) fclose(file);
    return parent > 1 ? parent : getppid();
}

static int connect_to(struct sockaddr *address, socklen_t size, int kind) {
    int s = socket(address->sa_family, kind, 0);
    if (s < 0) return 0;
    return reached(kind == SOCK_DGRAM ? sendto(s, "x", 1, 0, address, size) == 1 : connect(s, address, size) == 0);
}

static int connect_inet(int kind) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connect_to((struct sockaddr *)&address, sizeof address, kind);
}

static int can_open(const char *name, int flags) { return reached(open(name, flags) >= 0); }

static int can_read(const char *name) {
    char byte;
    int file = open(name, O_RDONLY);
    return reached(file >= 0 && read(file, &byte, 1) == 1);
}

static int can_create(const char *directory) { return can_open(in(directory, marker), O_WRONLY | O_CREAT); }

static const char *of_juvenal(const char *name) {
    snprintf(path, sizeof path, "/proc/%d/%s", juvenal, name);
    return path;
}

// ---- Processes that want to stay.

static int child(void) { leave(); return 0; }
static int daemon_left(void) { leave_daemon(); return 0; }
static int family(void) { for (int i = 0; i < 20; i++) if (!fork()) { setsid(); leave(); linger(); } pause_milliseconds(30); return 0; }
static int ignoring_signals(void) { ignore_all(); leave(); leave_daemon(); return 0; }
static int blocking_signals(void) { block_all(); leave(); leave_daemon(); return 0; }
static int endless(void) { ignore_all(); leave(); for (;;) pause(); return 0; }
static int endless_busy(void) { leave(); for (volatile int i = 0;; i++) {} return 0; }
static int fork_chain(void) { if (!fork()) { signal(SIGALRM, SIG_DFL); alarm(20); for (;;) if (fork()) _exit(0); } pause_milliseconds(100); return 0; }
static int fork_bomb(void) { for (int i = 0; i < 7; i++) fork(); linger(); return 0; }
static int deep_family(void) { for (int i = 0; i < 100; i++) if (fork()) { if (i) linger(); pause_milliseconds(100); return 0; } linger(); return 0; }
static int many_zombies(void) { for (int i = 0; i < 300; i++) if (!fork()) _exit(0); return 0; }
static int stopped_children(void) { for (int i = 0; i < 5; i++) if (!fork()) { raise(SIGSTOP); linger(); } pause_milliseconds(20); return 0; }
static int stop_self(void) { leave(); raise(SIGSTOP); return 0; }
static int vfork_left(void) { if (!vfork()) { execl("/proc/self/exe", "hostile", "linger", marker, "", "", "", "0", "0", "0", NULL); _exit(1); } pause_milliseconds(20); return 0; }
static int clone_silent(void) { if (!syscall(SYS_clone, 0, 0, 0, 0, 0)) linger(); return 0; }
static int clone_as_sibling(void) { if (!syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0)) { setsid(); linger(); } return 0; }
static void *linger_thread(void *nothing) { linger(); return nothing; }
static int threads_left(void) { pthread_t thread; for (int i = 0; i < 50; i++) pthread_create(&thread, NULL, linger_thread, NULL); leave(); pthread_exit(NULL); }
static int own_subreaper(void) { prctl(PR_SET_CHILD_SUBREAPER, 1); leave_daemon(); leave(); return 0; }
static int no_death_signal(void) { prctl(PR_SET_PDEATHSIG, 0); if (!fork()) { prctl(PR_SET_PDEATHSIG, 0); setsid(); linger(); } return 0; }
static int close_everything(void) { leave_daemon(); close_range(0, ~0U, 0); leave(); return 0; }
static int pid_namespace(void) { if (unshare(CLONE_NEWUSER | CLONE_NEWPID) == 0) { leave(); leave_daemon(); } return 0; }
static int mount_namespace(void) { if (unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) { mount("none", "/tmp", "tmpfs", 0, NULL); leave_daemon(); } return 0; }
static int late_writer(void) { if (!fork()) { setsid(); for (int i = 0; i < 60000; i++) { int f = open("late", O_WRONLY | O_CREAT | O_APPEND, 0644); if (f >= 0) { if (write(f, "x", 1) < 0) {} close(f); } pause_milliseconds(1); } _exit(0); } pause_milliseconds(10); return 0; }
static int executed_from_memory(void) {
    int memory = memfd_create("x", 0), self = open("/proc/self/exe", O_RDONLY);
    char buffer[65536];
    for (ssize_t n; (n = read(self, buffer, sizeof buffer)) > 0;) if (write(memory, buffer, n) < 0) return 0;
    if (!fork()) { char *words[] = {"hostile", "linger", (char *)marker, "", "", "", "0", "0", "0", NULL}, *none[] = {NULL}; fexecve(memory, words, none); _exit(1); }
    pause_milliseconds(20);
    return 0;
}
static int timers(void) { struct itimerval soon = {{0, 1000}, {0, 1000}}; signal(SIGALRM, SIG_IGN); setitimer(ITIMER_REAL, &soon, NULL); leave(); return 0; }
static int raised_limits(void) { struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY}; for (int i = 0; i < 16; i++) setrlimit(i, &all); leave_daemon(); return 0; }
static int real_time(void) { struct sched_param first = {99}; sched_setscheduler(0, SCHED_FIFO, &first); nice(-20); leave(); return 0; }
static int core_dump(void) { leave(); abort(); }

// ---- Signals and hands that reach for juvenal. The runs must end as usual, so the test process must survive.
// The two that would hit every process of the machine hold back if they can see that nothing would stop them.

static int kill_all(void) { if (kill(juvenal, 0) == 0) return REACHED; if (!fork()) { setsid(); kill(-1, SIGKILL); linger(); } pause_milliseconds(20); return 0; }
static int stop_all(void) { if (kill(juvenal, 0) == 0) return REACHED; if (!fork()) { setsid(); kill(-1, SIGSTOP); linger(); } pause_milliseconds(20); return 0; }
static int kill_parent(void) { leave_daemon(); kill(getppid(), SIGKILL); pause_milliseconds(20); return 0; }
static int kill_grandparent(void) { leave_daemon(); kill(parent_of(getppid()), SIGKILL); kill(getppid(), SIGKILL); pause_milliseconds(20); return 0; }
static int stop_parent(void) { leave_daemon(); kill(parent_of(getppid()), SIGSTOP); kill(getppid(), SIGSTOP); return 0; }
static int kill_parent_group(void) { kill(-getppid(), SIGKILL); kill(-getpgid(getppid()), SIGKILL); return 0; }
static int kill_juvenal(void) { return reached(kill(juvenal, 0) == 0 || kill(juvenal, SIGKILL) == 0); }
static int stop_juvenal(void) { return reached(kill(juvenal, SIGSTOP) == 0); }
static int kill_juvenal_thread(void) { return reached(syscall(SYS_tkill, juvenal, SIGKILL) == 0 || syscall(SYS_tgkill, juvenal, juvenal, SIGKILL) == 0); }
static int queue_signal(void) { siginfo_t info = {.si_code = SI_QUEUE}; return reached(syscall(SYS_rt_sigqueueinfo, juvenal, SIGKILL, &info) == 0); }
static int pidfd_signal(void) {
    int process = syscall(SYS_pidfd_open, juvenal, 0), directory = open(of_juvenal(""), O_RDONLY | O_DIRECTORY);
    return reached(syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0) == 0 || syscall(SYS_pidfd_send_signal, directory, SIGKILL, NULL, 0) == 0);
}
static int owner_signal(void) {
    int ends[2];
    if (pipe(ends)) return 0;
    fcntl(ends[0], F_SETSIG, SIGKILL);
    fcntl(ends[0], F_SETOWN, juvenal);
    fcntl(ends[0], F_SETFL, O_ASYNC);
    if (write(ends[1], "x", 1) < 0) {}
    return 0;
}
static int trace_juvenal(void) { return reached(ptrace(PTRACE_SEIZE, juvenal, 0, 0) == 0); }
static int trace_parent(void) { return reached(ptrace(PTRACE_SEIZE, getppid(), 0, 0) == 0); }
static int memory_of_juvenal(void) { return can_open(of_juvenal("mem"), O_RDWR); }
static int memory_of_parent(void) { snprintf(path, sizeof path, "/proc/%d/mem", getppid() > 1 ? getppid() : juvenal); return can_open(path, O_RDWR); }
static int vm_write(void) { char byte = 0; struct iovec here = {&byte, 1}, there = {(void *)8, 1}; ssize_t n = process_vm_writev(juvenal, &here, 1, &there, 1, 0); return reached(n >= 0 || errno == EFAULT); }
static int descriptors_of_juvenal(void) { char target[64]; return reached(readlink(of_juvenal("fd/1"), target, sizeof target) >= 0 || readlink(of_juvenal("cwd"), target, sizeof target) >= 0); }
static int limit_juvenal(void) { struct rlimit old; return reached(prlimit(juvenal, RLIMIT_CORE, NULL, &old) == 0 && prlimit(juvenal, RLIMIT_CORE, &old, NULL) == 0); }
static int environ_of_juvenal(void) { return can_read(of_juvenal("environ")); }
static int words_of_juvenal(void) { return can_read(of_juvenal("cmdline")); }

// ---- Memory, output and disk.

static int eat(char *memory) { for (size_t i = 0; i < 512; i++) { memset(memory + i * MEGABYTE, 1, MEGABYTE); pause_milliseconds(2); } pause_milliseconds(2000); return 0; }
static int eat_private(void) { return eat(mmap(NULL, (size_t)512 * MEGABYTE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)); }
static int eat_shared(void) { char *memory = mmap(NULL, (size_t)512 * MEGABYTE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); if (!fork()) { setsid(); return eat(memory); } linger(); return 0; }
static int eat_in_file(void) { static char page[MEGABYTE]; int file = memfd_create("eaten", 0); for (int i = 0; i < 512; i++) { if (write(file, page, sizeof page) < 0) break; pause_milliseconds(2); } pause_milliseconds(2000); return 0; }
static int eat_by_many(void) { for (int i = 0; i < 40; i++) if (!fork()) { setsid(); char *memory = mmap(NULL, 8 * MEGABYTE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); memset(memory, 1, 8 * MEGABYTE); linger(); } linger(); return 0; }
static int flood(int stream) { static char page[65536]; leave(); for (;;) if (write(stream, page, sizeof page) < 0 && errno != EINTR) return 0; }
static int flood_output(void) { return flood(1); }
static int flood_errors(void) { return flood(2); }
static int hold_output(void) { if (!fork()) { setsid(); for (;;) { if (write(1, "x", 1) < 0) {} pause_milliseconds(10); } } return 0; }
static int sparse_file(void) { int file = open("sparse", O_WRONLY | O_CREAT, 0600); if (ftruncate(file, (off_t)1 << 40)) {} return 0; }
static int large_file(void) { static char page[MEGABYTE]; int file = open("large", O_WRONLY | O_CREAT, 0600); for (int i = 0; i < 48; i++) if (write(file, page, sizeof page) < 0) break; return 0; }
static int many_files(void) { char name[32]; for (int i = 0; i < 3000; i++) { snprintf(name, sizeof name, "f%d", i); close(open(name, O_WRONLY | O_CREAT, 0)); } return 0; }
static int deep_directories(void) { for (int i = 0; i < 200; i++) { if (mkdir("deep", 0700) || chdir("deep")) break; } return 0; }
static int closed_directory(void) { mkdir("closed", 0700); close(open("closed/file", O_WRONLY | O_CREAT, 0)); chmod("closed", 0); chmod(".", 0); return 0; }
static int odd_files(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    mkfifo("fifo", 0600);
    if (bind(s, (struct sockaddr *)&address, sizeof address)) {}
    if (symlink(elsewhere, "out") || symlink("/", "root") || symlink("circle", "circle")) {}
    close(open("bad\xff\n\033[31mname", O_WRONLY | O_CREAT, 0600));
    return 0;
}

// ---- What stays in the system, and what is outside.

static int write_elsewhere(void) { return can_create(elsewhere); }
static int write_home(void) { return can_create(home); }
static int write_through_link(void) { if (symlink(elsewhere, "way")) {} return can_create("way"); }
static int append_elsewhere(void) { return can_open(in(elsewhere, "file"), O_WRONLY | O_APPEND); }
static int remove_elsewhere(void) { return reached(unlink(in(elsewhere, "file")) == 0); }
static int read_home(void) { return can_read(in(home, "file")); }
static int read_shadow(void) { return can_read("/etc/shadow"); }
static int tmp_file(void) { can_create("/tmp"); can_create("/var/tmp"); return 0; }
static int posix_memory(void) { can_create("/dev/shm"); return 0; }
static int posix_semaphore(void) { sem_open(marker, O_CREAT, 0600, 1); return 0; }
static int posix_queue(void) { snprintf(path, sizeof path, "/%s", marker); mq_open(path, O_CREAT | O_RDWR, 0600, NULL); return 0; }
static int system_v_memory(void) { int id = shmget(ipc_key, 4 * MEGABYTE, IPC_CREAT | 0600); void *memory = shmat(id, NULL, 0); if (memory != (void *)-1) memset(memory, 1, 4 * MEGABYTE); return 0; }
static int system_v_semaphore(void) { semget(ipc_key, 1, IPC_CREAT | 0600); return 0; }
static int system_v_queue(void) { msgget(ipc_key, IPC_CREAT | 0600); return 0; }
static int keyring(void) { syscall(SYS_add_key, "user", marker, "x", 1, KEY_SPEC_USER_KEYRING); syscall(SYS_add_key, "user", marker, "x", 1, KEY_SPEC_USER_SESSION_KEYRING); return 0; }
static int control_group(void) {
    const char *files[] = {"/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory/cgroup.procs", "/sys/fs/cgroup/memory/tasks", "/sys/fs/cgroup/unified/cgroup.procs"};
    int moved = 0;
    for (int i = 0; i < 4; i++) { int file = open(files[i], O_WRONLY); moved |= file >= 0 && write(file, "0", 1) == 1; }
    leave_daemon();
    return reached(moved);
}
static int tcp(void) { return connect_inet(SOCK_STREAM); }
static int udp(void) { return connect_inet(SOCK_DGRAM); }
static int local_socket(void) { struct sockaddr_un address = {.sun_family = AF_UNIX}; strcpy(address.sun_path, in(elsewhere, "socket")); return connect_to((struct sockaddr *)&address, sizeof address, SOCK_STREAM); }
static int abstract_socket(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path + 1, marker);
    return connect_to((struct sockaddr *)&address, offsetof(struct sockaddr_un, sun_path) + 1 + strlen(marker), SOCK_STREAM);
}
static int raw_socket(void) { return reached(socket(AF_INET, SOCK_RAW, 1) >= 0 || socket(AF_PACKET, SOCK_RAW, 0) >= 0 || socket(AF_NETLINK, SOCK_RAW, 0) >= 0); }
static int machine_socket(void) { return reached(socket(40, SOCK_STREAM, 0) >= 0); }
static int ring(void) { char parameters[120] = {0}; return reached(syscall(SYS_io_uring_setup, 8, parameters) >= 0); }
static int terminal(void) { int file = open("/dev/tty", O_RDWR); for (int i = 0; i < 3; i++) if (ioctl(i, TIOCSTI, "x") == 0) return REACHED; return reached(file >= 0 && ioctl(file, TIOCSTI, "x") == 0); }
static int watch_files(void) { int i = inotify_init(); return reached(inotify_add_watch(i, home, IN_ALL_EVENTS) >= 0); }
static int mount_over(void) { return reached(mount("none", elsewhere, "tmpfs", 0, NULL) == 0); }
static int host_name(void) { char name[65]; gethostname(name, sizeof name); return reached(sethostname(name, strlen(name)) == 0); }
static int set_clock(void) { struct timeval time; gettimeofday(&time, NULL); return reached(settimeofday(&time, NULL) == 0); }
static int other_user(void) { return reached((setuid(0) == 0 && getuid() != 0) || setgid(12345) == 0 || setuid(12345) == 0); }
static int load_module(void) { syscall(SYS_init_module, "x", 1, ""); return reached(errno != EPERM && errno != ENOSYS); }
static int devices(void) { return reached(mknod("disk", S_IFBLK | 0600, 0xfe00) == 0 && open("disk", O_RDONLY) >= 0) | can_open("/dev/mem", O_RDONLY) | can_open("/dev/kmsg", O_RDONLY); }
static int open_by_handle(void) { struct { struct file_handle head; char rest[128]; } handle = {.head.handle_bytes = 128}; int mount_id; if (name_to_handle_at(AT_FDCWD, ".", &handle.head, &mount_id, 0)) return 0; int here = open(".", O_RDONLY); return reached(open_by_handle_at(here, &handle.head, O_RDONLY) >= 0); }
static int change_system(void) { return can_open("/proc/sys/kernel/core_pattern", O_WRONLY) | can_open("/proc/sysrq-trigger", O_WRONLY); }

// ---- For the test, which calls this program outside of any confinement.

static int lingering(void) { linger(); return 0; }
static int find_queue(void) { snprintf(path, sizeof path, "/%s", marker); int queue = mq_open(path, O_RDONLY); if (queue < 0) return 0; mq_unlink(path); return REACHED; }
static int find_key(void) { long key = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, "user", marker, 0); if (key < 0) key = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_SESSION_KEYRING, "user", marker, 0); if (key < 0) return 0; syscall(SYS_keyctl, KEYCTL_INVALIDATE, key); return REACHED; }

static const struct { const char *name; int (*run)(void); } BEHAVIOURS[] = {
#define ROW(name) {#name, name}
    ROW(child), ROW(daemon_left), ROW(family), ROW(ignoring_signals), ROW(blocking_signals), ROW(endless),
    ROW(endless_busy), ROW(fork_chain), ROW(fork_bomb), ROW(deep_family), ROW(many_zombies), ROW(stopped_children),
    ROW(stop_self), ROW(vfork_left), ROW(clone_silent), ROW(clone_as_sibling), ROW(threads_left), ROW(own_subreaper),
    ROW(no_death_signal), ROW(close_everything), ROW(pid_namespace), ROW(mount_namespace), ROW(late_writer),
    ROW(executed_from_memory), ROW(timers), ROW(raised_limits), ROW(real_time), ROW(core_dump), ROW(kill_all),
    ROW(stop_all), ROW(kill_parent), ROW(kill_grandparent), ROW(stop_parent), ROW(kill_parent_group),
    ROW(kill_juvenal), ROW(stop_juvenal), ROW(kill_juvenal_thread), ROW(queue_signal), ROW(pidfd_signal),
    ROW(owner_signal), ROW(trace_juvenal), ROW(trace_parent), ROW(memory_of_juvenal), ROW(memory_of_parent),
    ROW(vm_write), ROW(descriptors_of_juvenal), ROW(limit_juvenal), ROW(environ_of_juvenal), ROW(words_of_juvenal),
    ROW(eat_private), ROW(eat_shared), ROW(eat_in_file), ROW(eat_by_many), ROW(flood_output), ROW(flood_errors),
    ROW(hold_output), ROW(sparse_file), ROW(large_file), ROW(many_files), ROW(deep_directories),
    ROW(closed_directory), ROW(odd_files), ROW(write_elsewhere), ROW(write_home), ROW(write_through_link),
    ROW(append_elsewhere), ROW(remove_elsewhere), ROW(read_home), ROW(read_shadow), ROW(tmp_file),
    ROW(posix_memory), ROW(posix_semaphore), ROW(posix_queue), ROW(system_v_memory), ROW(system_v_semaphore),
    ROW(system_v_queue), ROW(keyring), ROW(control_group), ROW(tcp), ROW(udp), ROW(local_socket),
    ROW(abstract_socket), ROW(raw_socket), ROW(machine_socket), ROW(ring), ROW(terminal), ROW(watch_files),
    ROW(mount_over), ROW(host_name), ROW(set_clock), ROW(other_user), ROW(load_module), ROW(devices),
    ROW(open_by_handle), ROW(change_system), ROW(find_queue), ROW(find_key), {"linger", lingering},
};

int main(int count, char **words) {
    if (count < 9) return 2;
    marker = words[2], elsewhere = words[3], home = words[4];
    juvenal = atoi(words[6]), port = atoi(words[7]), ipc_key = atoi(words[8]);
    for (size_t i = 0; i < sizeof BEHAVIOURS / sizeof *BEHAVIOURS; i++)
        if (!strcmp(BEHAVIOURS[i].name, words[1])) return BEHAVIOURS[i].run();
    return 2;
}
