//! What a program may use without defining it if its executions are to prove something.

use crate::support::support_file;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Functions and objects of the library that compute, or print to where nothing is read.
const COMPUTING: &str = "
abs labs llabs imaxabs div ldiv lldiv atoi atol atoll atof strtol strtoll strtoul strtoull strtod strtof strtold
free aligned_alloc posix_memalign alloca qsort bsearch
memcpy memmove memset memcmp memchr mempcpy memccpy memrchr bcopy bzero bcmp
strlen strnlen strcpy strncpy stpcpy stpncpy strcat strncat strcmp strncmp strcasecmp strncasecmp strcoll strchr strrchr
strstr strpbrk strspn strcspn strdup strndup strsep strtok_r strerror
isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper isascii
toascii __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc
printf fprintf sprintf snprintf vprintf vfprintf vsprintf vsnprintf puts fputs putchar fputc putc perror fflush fwrite
putchar_unlocked sscanf vsscanf
stdin stdout stderr __errno_location
setjmp _setjmp __sigsetjmp sigsetjmp longjmp siglongjmp
pthread_join pthread_exit pthread_self pthread_equal pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock
pthread_mutex_trylock pthread_mutex_unlock pthread_cond_init pthread_cond_destroy pthread_cond_wait pthread_cond_signal
pthread_cond_broadcast pthread_once pthread_key_create pthread_getspecific pthread_setspecific
signbit fpclassify __fpclassify __fpclassifyf __signbit __signbitf __isinf __isinff __isnan __isnanf __finite __finitef
isinf isnan finite
";

/// What is refused in programs whose functions an analyzer calls in its own process: printing, which would be taken for
/// what the analyzer prints, and leaving a function in another way than by its end.
const NOT_FOR_CALLERS: &str = "
printf fprintf vprintf vfprintf puts fputs putchar fputc putc putchar_unlocked perror fflush fwrite qsort bsearch
setjmp _setjmp __sigsetjmp sigsetjmp longjmp siglongjmp
";

/// The functions of the library that symbolic executors model themselves.
const MODELLED_BY_CALLERS: &str = "malloc calloc realloc abort exit __assert_fail";

/// Functions of `math.h`, each also with the endings `f` and `l`.
const MATHEMATICAL: &str = "
acos asin atan atan2 ceil copysign cos cosh erf exp exp2 expm1 fabs fdim floor fma fmax fmin fmod frexp hypot ilogb ldexp
llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter pow remainder rint round scalbln scalbn
sin sinh sqrt tan tanh tgamma trunc cbrt
";

/// The functions that the linker sends to the harness.
static WRAPPED: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let options = support_file("link.options").unwrap_or_default();
    options.lines().filter_map(|line| line.strip_prefix("-Wl,--wrap=")).collect()
});

/// True if a program may use this name without defining it: the harness models it, or it only computes.
pub(crate) fn is_modelled(name: &str) -> bool {
    let plain = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_")).unwrap_or(name);
    let is_mathematical = |name: &str| MATHEMATICAL.split_whitespace().any(|known| known == name);
    name.starts_with("__VERIFIER_")
        || name == "reach_error"
        // Techniques number the calls of input functions with it; the number is only shown.
        || name == "juvenal_call"
        || WRAPPED.contains(plain)
        || COMPUTING.split_whitespace().any(|known| known == plain)
        || is_mathematical(plain)
        || plain.strip_suffix(['f', 'l']).is_some_and(is_mathematical)
}

/// Why a program is not for an analyzer that calls the program's functions in its own process, as symbolic executors do.
/// The program could print what only the analyzer should, or end it.
pub(crate) fn why_not_for_callers(program: &c::Program) -> Option<String> {
    let is_listed = |list: &str, name: &str| list.split_whitespace().any(|known| known == name);
    let is_harmless =
        |name: &str| is_listed(MODELLED_BY_CALLERS, name) || is_modelled(name) && !WRAPPED.contains(name);
    let prints = |name: &String| {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        is_listed(NOT_FOR_CALLERS, plain)
            .then(|| format!("it calls {name}, which the analyzer would do itself"))
    };
    let names = c::analyze::undefined_functions(program);
    names.iter().find_map(prints).or_else(|| c::analyze::why_no_evidence(program, is_harmless))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_seeds_can_be_executed() {
        let seeds = test_support::repository().join("seeds/c");
        let mut programs = 0;
        for entry in std::fs::read_dir(seeds).unwrap().flatten() {
            let text = std::fs::read(entry.path()).unwrap();
            let Ok(program) = c::parse("seed", &text, model::DataModel::Lp64) else { continue };
            let reason = c::analyze::why_no_evidence(&program, is_modelled);
            assert_eq!(reason, None, "{}", entry.path().display());
            programs += 1;
        }
        assert!(programs > 10, "only {programs} seeds were read");
    }

    #[test]
    fn what_computes_is_modelled_and_what_reaches_out_is_not() {
        for name in [
            "printf",
            "sqrtf",
            "fabsl",
            "memcpy",
            "malloc",
            "exit",
            "__isoc99_scanf",
            "__VERIFIER_nondet_int",
        ] {
            assert!(is_modelled(name), "{name}");
        }
        for name in [
            "write",
            "ioctl",
            "sendto",
            "process_vm_writev",
            "dlsym",
            "memfd_create",
            "fileno",
            "openat",
            "f",
        ] {
            assert!(!is_modelled(name), "{name}");
        }
    }
}
