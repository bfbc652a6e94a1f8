(set-logic QF_BV)
(declare-fun x () (_ BitVec 8))
(frobnicate x)
(check-sat)
