(set-logic QF_LIA)
(declare-fun x () Int)
(assert (= (* x x) 4))
(check-sat)
