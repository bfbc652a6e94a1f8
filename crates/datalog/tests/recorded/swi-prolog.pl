:- style_check(-singleton).
:- set_stream(user_output, encoding(utf8)).
:- table r_count/1.
:- table r_reach/2.
:- table r_unreach/2.
:- table r_lonely/1.
:- table r_empty/1.
:- table r_cyclic/0.
:- table r_quiet/0.
:- dynamic r_nothing/1.
r_edge(1, 2).
r_edge(2, 3).
r_edge(3, 1).
r_edge(4, 5).
r_label(1, 'one').
r_label(4, 'with, space').
r_count(X0) :- r_edge(X0, _), \+ r_nothing(X0).
r_count(X0) :- r_edge(_, X0), \+ r_nothing(X0).
r_reach(X0, X1) :- r_edge(X0, X1), \+ r_nothing(X0).
r_reach(X0, X2) :- r_reach(X0, X1), r_edge(X1, X2), \+ r_nothing(X0).
r_unreach(X0, X1) :- r_count(X0), r_count(X1), X0 =< X1, X1 \== 5, \+ r_reach(X0, X1).
r_lonely(X1) :- r_label(X0, X1), \+ r_edge(_, X0).
r_empty(7) :- r_edge(X0, _), X0 > 4, \+ r_count(_).
r_cyclic :- r_reach(X0, X0).
r_quiet :- r_reach(X0, 9), \+ r_cyclic.

show_value(Value) :- integer(Value), !, format("\t~d", [Value]).
show_value(Value) :- atom(Value), !, put_char('\t'), forall(sub_atom(Value, _, 1, _, Letter), show_letter(Letter)).
show_value(Value) :- throw(no_value(Value)).
show_letter('\\') :- !, write('\\\\').
show_letter('\t') :- !, write('\\t').
show_letter('\n') :- !, write('\\n').
show_letter(Letter) :- put_char(Letter).
show_rows(Name, Goal) :-
    format("begin ~w~n", [Name]),
    Goal =.. [_|Values],
    forall(Goal, (write(Name), forall(member(Value, Values), show_value(Value)), nl)),
    format("end ~w~n", [Name]).
:- initialization(main, main).
main :-
    show_rows(r_unreach, r_unreach(_0, _1)),
    show_rows(r_lonely, r_lonely(_0)),
    show_rows(r_empty, r_empty(_0)),
    show_rows(r_cyclic, r_cyclic),
    show_rows(r_quiet, r_quiet),
    format("done~n").
