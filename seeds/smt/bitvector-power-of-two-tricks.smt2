; Masks instead of division: laws of powers of two that hold for unsigned numbers.
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 10))
(declare-const k (_ BitVec 10))
(define-fun power () (_ BitVec 10) (bvshl (_ bv1 10) k))
(define-fun is-power ((v (_ BitVec 10))) Bool
  (and (distinct v (_ bv0 10)) (= (bvand v (bvsub v (_ bv1 10))) (_ bv0 10))))
(assert (bvult k (_ bv10 10)))
(assert
  (or (not (is-power power))
      (distinct (bvurem x power) (bvand x (bvsub power (_ bv1 10))))
      (distinct (bvlshr x k) (bvlshr (bvsub x (bvand x (bvsub power (_ bv1 10)))) k))
      (and (= power x) (not (= (bvand x (bvneg x)) x)))
      (xor (bvslt power (_ bv0 10)) (= k (_ bv9 10)))
      (and (is-power x) (bvult power x) (bvugt (bvshl power (_ bv1 10)) x) (bvult k (_ bv9 10)))))
(check-sat)
