not confirmed: size 120 batch 52: gcc -O2 -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all: =================================================================
==6006==ERROR: AddressSanitizer: stack-use-after-scope on address 0x7ff9c6e001c0 at pc 0x562d26da3341 bp 0x7ffe9e2b0740 sp 0x7ffe9e2b0738
WRITE of size 4 at 0x7ff9c6e001c0 thread T0
    #0 0x562d26da3340 in p2_main (/tmp/juvenal-generate-xijb916m/gcc-O2-fsanitize-address-undefined-float-cast-overflow-fno-sanitize-recover-all+0x20340)
    #1 0x562d26d9c942 in main (/tmp/juvenal-generate-xijb916m/gcc-O2-fsanitize-address-undefined-float-cast-overflow-fno-sanitize-recover-all+0x19942)
    #2 0x7ff9c9045249 in __libc_start_call_main ../sysdeps/nptl/libc_start_call_main.h:58
    #3 0x7ff9c9045304 in __libc_start_main_impl ../csu/libc-start.c:360
    #4 0x562d26d9ca20 in _start (/tmp/juvenal-generate-xijb916m/gcc-O2-fsanitize-address-undefined-float-cast-overflow-fno-sanitize-recover-all+0x19a20)

Address 0x7ff9c6e001c0 is located in stack of thread T0 at offset 64 in frame
    #0 0x562d26da327f in p2_main (/tmp/juvenal-generate-xijb916m/gcc-O2-fsanitize-address-undefined-float-cast-overflow-fno-sanitize-recover-all+0x2027f)

  This frame has 2 object(s):
    [48, 52) 'local_3' (line 503)
    [64, 68) 'local_8' (line 571) <== Memory access at offset 64 is inside this variable
HINT: this may be a false positive if your program uses some custom stack unwind mechanism, swapcontext or vfork
      (longjmp and C++ exceptions *are* supported)
SUMMARY: AddressSanitizer: stack-use-after-scope (/tmp/juvenal-generate-xijb916m/gcc-O2-fsanitize-address-undefined-float-cast-overflow-fno-sanitize-recover-all+0x20340) in p2_main
Shadow bytes around the buggy address:
  0x0fffb8db7fe0: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
  0x0fffb8db7ff0: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
  0x0fffb8db8000: f5 f5 f5 f5 f5 f5 f5 f5 f5 f5 f5 f5 f5 f5 f5 f5
  0x0fffb8db8010: f5 f5 f5 f5 f5 f5 f5 f5 f5 f5 f5 f5 f5 f5 f5 f5
  0x0fffb8db8020: f5 f5 f5 f5 f5 f5 f5 f5 f5 f5 f5 f5 f5 f5 f5 f5
=>0x0fffb8db8030: f1 f1 f1 f1 f
