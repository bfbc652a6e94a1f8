; Recursive definitions that end on every argument used, alone and mutually.
(set-logic ALL)
(set-info :status unsat)
(define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))
(define-funs-rec
  ((even ((n Int)) Bool) (odd ((n Int)) Bool))
  ((ite (<= n 0) true (odd (- n 1))) (ite (<= n 0) false (even (- n 1)))))
(declare-const k Int)
(assert (<= 2 k 4))
(assert (xor (odd k) (= (sum k) 6)))
(assert (or (= (sum (+ k 1)) 10) (= (sum k) 5) (odd (sum k))))
(assert (not (=> (even k) (distinct (sum k) 3))))
(check-sat)
