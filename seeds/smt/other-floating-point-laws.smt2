; Laws of floating-point order and of the classes of numbers that no pair of floats breaks.
(set-logic QF_FP)
(set-info :status unsat)
(declare-const a Float32)
(declare-const b Float32)
(assert
  (or (and (fp.lt a b) (fp.leq (fp.neg a) (fp.neg b)))
      (and (fp.isNaN a) (or (fp.leq a b) (fp.eq a a)))
      (xor (fp.isInfinite (fp.neg a)) (fp.isInfinite (fp.abs a)))
      (and (fp.eq a b) (not (= a b)) (not (fp.isZero a)))
      (and (fp.isSubnormal a) (fp.isNormal b) (not (fp.lt (fp.abs a) (fp.abs b))))
      (not (or (fp.isNaN a) (fp.isZero a) (fp.isInfinite a) (fp.isNormal a) (fp.isSubnormal a)))
      (and (fp.gt a b) (fp.lt (fp.max a b) b) (not (fp.isZero b)))))
(check-sat)
