(set-logic QF_FOO)
(declare-fun x () Bool)
(assert x)
(check-sat)
