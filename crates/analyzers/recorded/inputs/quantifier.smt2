(set-logic QF_BV)
(declare-fun x () (_ BitVec 8))
(assert (forall ((y (_ BitVec 8))) (bvugt y x)))
(check-sat)
