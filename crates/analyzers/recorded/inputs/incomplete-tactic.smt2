(declare-fun x () Int)
(assert (> x 3))
(check-sat-using sat)
