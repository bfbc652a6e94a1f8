//! The CPU time of juvenal itself.
#![allow(unsafe_code, reason = "the standard library has no getrusage")]

/// CPU time that juvenal has used so far in all its threads, without its children; 0 if the system does not say.
pub fn own_cpu_microseconds() -> u64 {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is valid for the call, and a zeroed `rusage` is a valid value.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    };
    let microseconds = |time: libc::timeval| {
        u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000 + u64::try_from(time.tv_usec).unwrap_or(0)
    };
    microseconds(usage.ru_utime) + microseconds(usage.ru_stime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_counted_in_microseconds() {
        let before = own_cpu_microseconds();
        let mut sum = 0u64;
        while own_cpu_microseconds() < before + 2_000 {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(sum > 0);
    }
}
