(set-logic QF_BV)
(declare-fun x () (_ BitVec 8))
(assert (bvugt x #x05))
(check-sat)
