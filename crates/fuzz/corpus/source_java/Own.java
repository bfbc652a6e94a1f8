package a.b;
import a.b.*;
import static c.D.e;
import f.G;
@H(i = 1)
public class Own<T extends G> implements J.K {
  enum L { M, N }
  record O(int p) {}
  Map<String, Q> f(R r) { return S.t(r).u(x -> V::w); }
}
