(set-logic QF_BV)
(declare-fun x () (_ BitVec 8))
(assert (= x #x01)
(check-sat)
