#include "b.h"
#include <vector>
#define A(x) f(x) + g
namespace n { class B { int c(); }; }
int n::B::c() { return R"x(#include "no")x"[0] + A(h); }
template <typename T> static T d(T e) { return [&](auto i) { return i + e; }(1); }
extern "C" { int k = 1; }
