package a

import (
	"fmt"
	b "example.org/m/b"
	_ `c/d`
)

type T struct{ x chan int }

func (t *T) f() { fmt.Println(b.C, <-t.x) }
