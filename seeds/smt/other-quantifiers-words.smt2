; Quantifiers over words of three bits, small enough to enumerate.
(set-logic BV)
(set-info :status unsat)
(declare-const m (_ BitVec 3))
(assert (forall ((x (_ BitVec 3))) (= (bvmul x m) (bvneg (bvmul x #b011)))))
(assert (exists ((x (_ BitVec 3))) (and (distinct x #b000) (= (bvmul x m) #b000))))
(assert (or (exists ((y (_ BitVec 3))) (bvult m y)) (forall ((y (_ BitVec 3))) (bvule y m))))
(assert (=> (bvslt m #b000) (not (forall ((x (_ BitVec 3))) (bvsle (bvand x m) x)))))
(check-sat)
