; Equalities turned into bits and multiplied together; the product is one although its factors clash.
(set-logic QF_BV)
(set-info :status unsat)
(declare-const a (_ BitVec 1))
(declare-const b (_ BitVec 1))
(declare-const c (_ BitVec 1))
(declare-const d (_ BitVec 1))
(define-fun same ((u (_ BitVec 1)) (v (_ BitVec 1))) (_ BitVec 1) (ite (= u v) #b1 #b0))
(assert
  (= #b1
     (bvmul (bvand (same a (bvnand b c)) (same b (bvashr d c)))
            (bvurem (same c (bvxor a #b1)) (bvnot (bvudiv (bvand a b) (bvor a #b1)))))))
(assert (or (= (same a b) #b0) (= (bvmul a d) #b1)))
(assert (or (= (bvudiv d c) c) (bvult a (same b d)) (= #b1 (bvand a (bvand b c)))))
(assert (not (= (bvurem (same a c) #b0) (bvcomp d d))))
(assert (distinct (bvnor b c) (bvand (bvand a (bvnot b)) (bvnot c))))
(check-sat)
