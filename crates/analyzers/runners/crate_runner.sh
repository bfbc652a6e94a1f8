# Compiles a program with a crate that stands beside this file, and runs it.
#
#     sh crate_runner.sh RUSTC --version
#     sh crate_runner.sh RUSTC FILE
#
# The crate belongs to the compiler that it was built with; with another one, the version is not told. What the compiler
# prints goes to standard error, and a program that does not compile ends with exit code 1.

set -eu
here=${0%/*}
rustc=$1
built_with=$(cat "$here/rustc")

if [ "$2" = --version ]; then
    now=$("$rustc" --version)
    if [ "$now" != "$built_with" ]; then
        echo "built with $built_with, but there is $now: remove $here and install it again"
        exit 1
    fi
    echo "version $(cat "$here/version")"
    exit 0
fi

# The crate is a library, or a macro, which is loaded into the compiler.
name=$(cat "$here/crate")
for library in "$here/deps/lib$name"-*.rlib "$here/deps/lib$name"-*.so; do
    if [ -f "$library" ]; then
        break
    fi
done
"$rustc" --edition 2021 --crate-name program -C opt-level=0 -C debuginfo=0 \
    -L dependency="$here/deps" --extern "$name=$library" -o ./program "$2" >&2 || exit 1
exec ./program
