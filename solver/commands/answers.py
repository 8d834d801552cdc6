"""Answers as the commands print them: one JSON object a line, or text for people."""

from __future__ import annotations

import json
from typing import Any

from solver.commands.arguments import Named
from solver.notation import format_board, format_moves
from solver.solution import Solution


def print_json(answer: dict[str, Any]) -> None:
    """One object on a line of standard output, at once, so that a reader can follow."""
    print(json.dumps(answer, ensure_ascii=False), flush=True)


def solution_json(named: Named, solution: Solution) -> dict[str, Any]:
    """What is known of a position; `pv`, the line, is there only if the time sufficed to find one."""
    answer = named.json() | {"metric": solution.metric} | solution.value_json()
    if solution.line is not None:
        answer["pv"] = format_moves(named.position.size, solution.line)
    return answer | {"nodes": solution.nodes, "seconds": round(solution.seconds, 3), "source": solution.source}


def solution_text(named: Named, solution: Solution) -> str:
    """The board and what is known of it."""
    lines = [format_board(named.position), "", f"{str(named.position.to_move).capitalize()} to move: {verdict(solution)}."]
    if solution.line:
        lines.append(f"Line: {format_moves(named.position.size, solution.line)}")
    lines.append(f"({cost(solution)})")
    return "\n".join(lines)


def verdict(solution: Solution) -> str:
    """The winner and the length in words."""
    bounds = f"at least {solution.lower} and at most {solution.upper} plies to {solution.metric}"
    if solution.winner is None:
        return "unknown" if solution.metric == "winner" else f"unknown, {bounds}"
    wins = f"{str(solution.winner).capitalize()} wins"
    if solution.metric == "winner":
        return wins
    if solution.length is None:
        return f"{wins}, in {bounds}"
    return f"{wins} in {solution.length} {'ply' if solution.length == 1 else 'plies'} to {solution.metric}"


def cost(solution: Solution) -> str:
    """Where the answer comes from and what it took."""
    return f"{solution.source}: {solution.nodes:,} nodes, {solution.seconds:.2f} CPU seconds"
