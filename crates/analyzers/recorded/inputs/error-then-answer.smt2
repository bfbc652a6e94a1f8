(set-logic QF_BV)
(declare-fun x () (_ BitVec 8))
(assert (foo x))
(check-sat)
