# Winners, lengths, lines and moves of small boards; the values are those of tests/data/winners.csv and lengths.csv.

boardsize 3 3
10 hexbook-solve
#? [Black wins in 1 ply to checkmate]
11 hexbook-solve white
#? [White wins in 1 ply to checkmate]
12 hexbook-winning
#? [c1 a2 b2 c2 a3]
13 hexbook-lengths
#? [b2 W0 c1 W4 a3 W4 a2 W6 c2 W6 a1 L1 b1 L1 b3 L1 c3 L1]
14 hexbook-pv
#? [b2]
50 hexbook-optimal
#? [b2]
51 hexbook-optimal white
#? [b2]
15 dfpn-solve-state black
#? [black]
play b a1
16 hexbook-solve
#? [White wins in 1 ply to checkmate]
17 hexbook-winning black
#? [.*b2.*]
18 dfpn-solve-state white
#? [white]
19 dfs-solve-state white
#? [white]

boardsize 4 4
play b b1
52 hexbook-optimal
#? [[a-d][1-4]( [a-d][1-4])*]
dfpn-clear-tt
20 dfpn-solve-state w
#? [white]
undo
play b a4
21 dfpn-solve-state w
#? [black]
undo
22 hexbook-solve
#? [Black wins in 5 plies to checkmate]
23 reg_genmove b
#? [c2|b3]
24 hexbook-pv
#? [(c2|b3)( [a-d][1-4]){4}]
param_hexbook metric winner
25 hexbook-solve
#? [Black wins]
26 hexbook-lengths
#? [(([a-d][1-4]) W ){4}(([a-d][1-4]) L ?){12}]

# The shorter way between the edges wins, even for the second player.
boardsize 3 2
30 dfpn-solve-state white
#? [black]
boardsize 2 3
31 dfpn-solve-state black
#? [white]

# An own line on every board, the smallest and the longest
boardsize 1 1
40 genmove b
#? [a1]
41 final_score
#? [B\+]
boardsize 64 1
42 genmove w
#? [[a-z]+1]
boardsize 1 64
43 genmove b
#? [a\d+]
