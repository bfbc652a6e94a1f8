(define-sort D (X) (Array X X))
(declare-const a (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D (D Int)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
(check-sat)
