module example.org/m

go 1.22

replace (
	example.org/x v1 => ./b
)
replace example.org/m/b => ./b
