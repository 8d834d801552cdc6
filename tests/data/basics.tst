# Sessions in the style of GoGui's regression files: "#? [regex]" is what the numbered command above it must answer in full,
# "#? [!regex]" what it must not; commands without a number must succeed.

10 protocol_version
#? [2]
11 name
#? [hexbook]
12 version
#? [\d+\.\d+.*]
13 known_command genmove
#? [true]
14 known_command fly
#? [false]
15 list_commands
#? [all_legal_moves\n.*\nversion]
16 gogui-interrupt
#? []
17 hexgui-analyze_commands
#? [(\w+/[\w ]+/[\w-]+( %m)?\n)*(\w+/[\w ]+/[\w-]+( %m)?)]

# Boards: columns, then rows; a change of one dimension alone clears everything.
boardsize 4 3
20 showboard
#? [\n a b c d\n1 \. \. \. \. 1\n.*]
play black d3
boardsize 4 5
21 all_legal_moves
#? [a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4 a5 b5 c5 d5]
play black d5
boardsize 3 5
22 all_legal_moves white
#? [a1 b1 c1 a2 b2 c2 a3 b3 c3 a4 b4 c4 a5 b5 c5]
boardsize 2
23 all_legal_moves
#? [a1 b1 a2 b2]
boardsize 3x1
boardsize 2:1
24 all_legal_moves
#? [a1 b1]
25 boardsize 11 11
#? [unacceptable size: .*121 cells.*]
26 boardsize 0
#? [unacceptable size: .*]
27 all_legal_moves
#? [a1 b1]

# Plays: any colour at any time, in any case, and everything can be taken back.
boardsize 3 3
play BLACK A1
play b b1
play White c3
30 showboard
#? [\n a b c\n1 B B \. 1\n 2 \. \. \. 2\n  3 \. \. W 3\n     a b c]
31 play w b1
#? [illegal move:  white b1 \(occupied\)]
32 play w d1
#? [illegal move:  white d1 \(invalid\)]
33 play w pass
#? [illegal move:  white pass \(invalid\)]
undo
undo
undo
34 undo
#? [cannot undo]
35 all_legal_moves
#? [a1 b1 c1 a2 b2 c2 a3 b3 c3]
play-game a1 b1 c1
36 showboard
#? [\n a b c\n1 B W B 1\n.*]
37 play-game a1 a1
#? [illegal move:  white a1 \(occupied\)]
38 showboard
#? [\n a b c\n1 B W B 1\n.*]
clear_board

# Swap-pieces takes the place of a single stone of the opponent, mirrored; it makes no sense anywhere else.
40 play white swap-pieces
#? [illegal move:  white swap-pieces \(invalid\)]
play black b1
41 play black swap-pieces
#? [illegal move:  black swap-pieces \(invalid\)]
play white swap-pieces
42 showboard
#? [\n a b c\n1 \. \. \. 1\n 2 W \. \. 2\n.*]
43 play white swap-pieces
#? [illegal move:  white swap-pieces \(invalid\)]
undo
44 showboard
#? [\n a b c\n1 \. B \. 1\n 2 \. \. \. 2\n.*]
play white swap
play black b2
45 play white swap-pieces
#? [illegal move:  white swap-pieces \(invalid\)]
boardsize 3 4
play black a1
46 play white swap-pieces
#? [illegal move:  white swap-pieces \(invalid\)]

# Errors
50 fly
#? [unknown command: fly]
51 play black
#? [command needs 2 arguments]
52 genmove
#? [command needs 1 argument]
53 genmove black white
#? [command needs 1 argument]
54 quit now
#? [no arguments allowed]
55 boardsize
#? [command needs 1 to 2 arguments]
56 play green a1
#? [argument 1 must be color]
57 genmove a1
#? [argument 1 must be color]
58 all_legal_moves now
#? [argument 1 must be color]
59 time_left black soon
#? [argument 2 must be a number of at least 0]
60 time_settings 1 2
#? [command needs 3 arguments]
61 time_settings -1 2 3
#? [argument 1 must be a number of at least 0]
62 hexbook-solve b w
#? [command needs at most 1 arguments?]
63 loadsgf /no/such/file.sgf
#? [cannot load file: No such file or directory]
64 loadsgf /no/such/file.sgf one
#? [argument 2 must be a whole number of at least 0]

65 loadsgf /no/such/file.sgf 1.5
#? [argument 2 must be a whole number of at least 0]
66 time_settings 1 1 0.5
#? [argument 3 must be a whole number of at least 0]
67 time_left black 1 -1
#? [argument 3 must be a whole number of at least 0]
68 param_hexbook memory 16000000
#? []
69 reg_genmove b
#? [[a-z][0-9]+]

# Parameters
70 param_hexbook
#? [\n\[list/winner/checkmate/connection\] metric checkmate\n\[string\] seconds [\d.]+\n\[string\] memory \d+]
param_hexbook metric connection
71 param_hexbook metric
#? [connection]
72 param_hexbook metric speed
#? [.*choose winner, checkmate, connection]
73 param_hexbook seconds 0
#? [.*seconds.*]
74 param_hexbook colour blue
#? [unknown parameter; there are metric, seconds, memory]
param_hexbook seconds 20
param_hexbook memory 32
75 param_hexbook
#? [\n.*connection\n.*20\.0\n.*32]
param_dfpn use_guifx 1
param_game allow_swap 0
