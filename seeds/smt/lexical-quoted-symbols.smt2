; Lexical corners: quoted symbols, symbols made of signs, annotations, and a name bound twice.
(set-info :source |Written for this project;
  this line is inside a quoted symbol.|)
(set-logic QF_LIA)
(set-info :status sat)
(declare-const |two words| Int)
(declare-const |x| Int) ; The same symbol as x.
(declare-const <=> Bool)
(declare-const ~!@$%^&*_-+=.?/ Bool)
(declare-fun |(assert false) ; no| () Bool)
(define-fun |let us| ((|Int| Int)) Int (- (+ |Int| |Int|) x))
(assert (! (= <=> (! (< x |two words|) :named |a name|)) :named |another name|))
(assert (or |a name| (> (|let us| x) 0) (not ~!@$%^&*_-+=.?/)))
(assert (let ((x |two words|) (|y| x)) (xor (= x (+ y 2)) (distinct x |y| (- 3)) |(assert false) ; no|)))
(assert (=> |(assert false) ; no| ~!@$%^&*_-+=.?/ (<= 7 |x| 12)))
(assert (ite ~!@$%^&*_-+=.?/ (not |(assert false) ; no|) (= (|let us| |two words|) (- (- 5)))))
(check-sat)
