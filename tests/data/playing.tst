# Games to the end: won ones are finished, lost ones defended, finished and resigned ones survived.

boardsize 3 3
10 final_score
#? [cannot score]
11 reg_genmove b
#? [b2]
12 genmove b
#? [b2]
13 genmove w
#? [(?![b]2)[a-c][1-3]]
14 genmove b
#? [[a-c][1-3]]
15 genmove w
#? [[a-c][1-3]]
16 genmove b
#? [[a-c][1-3]]
17 final_score
#? [B\+]
18 genmove w
#? [resign]
19 genmove b
#? [resign]
20 reg_genmove w
#? [resign]
21 hexbook-solve
#? [Black wins in 0 plies to checkmate]
22 hexbook-pv
#? []
play w resign
23 final_score
#? [B\+]
undo
undo
24 final_score
#? [cannot score]

# A win in one is taken, by connection when checkmate is reached already.
boardsize 4 4
play b c1
play b c2
play b c3
30 reg_genmove b
#? [b4|c4]
31 hexbook-solve b
#? [Black wins in 0 plies to checkmate]
play w b4
32 genmove b
#? [c4]
33 final_score
#? [B\+]

# A full board
boardsize 2 1
play b a1
play w b1
40 genmove w
#? [resign]
41 all_legal_moves
#? []
42 hexbook-lengths
#? []
43 hexbook-winning
#? []

# Resignations
boardsize 3 3
play b resign
50 final_score
#? [W\+]
undo
51 final_score
#? [cannot score]
52 undo
#? [cannot undo]

# Time: a board too large for it gets a sensible move all the same.
boardsize 8 8
time_settings 0 1 5
time_left b 0.1 1
60 genmove b
#? [[c-f][3-6]]
time_left w 1 5
61 genmove w
#? [[a-h][1-8]]
62 undo
#? []
