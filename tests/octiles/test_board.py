"""The board and the tiles: worked out here, and compared with the tables that the rules use."""

from __future__ import annotations

from collections.abc import Callable

from ludoteca.games.octiles import components as C
from tests.octiles.model import (
    ACROSS,
    ALL_CIRCLES,
    CIRCLES,
    EDGES,
    EXITS,
    JOINED,
    OPPOSITE,
    POSTS,
    PRELAID,
    ROTATIONS,
    SEATS,
    SPACES,
    STOPS,
    TILES,
    Pattern,
    Port,
    all_patterns,
    turned_pattern,
)

Point = tuple[float, float]


# ---- tiles -------------------------------------------------------------------------------------------------


def classes() -> set[frozenset[Pattern]]:
    """The pairings of eight edges, those together that are rotations of each other."""
    return {frozenset(turned_pattern(pattern, r) for r in range(8)) for pattern in all_patterns()}


def mirrored(pattern: Pattern) -> Pattern:
    return frozenset(frozenset(EDGES[-EDGES.index(edge) % 8] for edge in pair) for pair in pattern)


def test_eight_edges_can_be_paired_in_105_ways_which_make_18_tiles() -> None:
    assert len(all_patterns()) == 105
    assert len(classes()) == 18


def test_each_class_of_pairings_is_one_of_the_18_tiles() -> None:
    found = {frozenset(turned_pattern(pattern, r) for r in range(8)) for pattern in TILES.values()}
    assert len(TILES) == 18
    assert found == classes()


def test_the_tiles_of_the_game_are_the_18_in_the_usual_numbering() -> None:
    for number in TILES:
        for rotation in range(8):
            table = {EDGES[a]: EDGES[b] for a, b in enumerate(C.MATCH[number - 1][rotation])}
            assert table == ACROSS[number, rotation]


def test_distinct_rotations_of_each_tile() -> None:
    assert C.ROTATIONS == [1, 4, 2, 8, 4, 8, 8, 4, 8, 8, 4, 8, 8, 4, 8, 8, 8, 2]
    assert {number: tuple(range(n)) for number, n in enumerate(C.ROTATIONS, 1)} == ROTATIONS


def test_9_and_10_are_the_only_mirror_pair() -> None:
    images = {
        a: b
        for a in TILES
        for b in TILES
        if any(turned_pattern(mirrored(TILES[a]), r) == TILES[b] for r in range(8))
    }
    assert images == {a: {9: 10, 10: 9}.get(a, a) for a in TILES}


# ---- board -------------------------------------------------------------------------------------------------


def test_spaces_stops_and_circles() -> None:
    assert SPACES == C.SPACES
    assert C.POSTS == POSTS
    assert (len(SPACES), len(STOPS), len(ALL_CIRCLES)) == (17, 16, 20)


def test_every_edge_is_joined_to_the_thing_that_geometry_puts_there() -> None:
    def name(place: int) -> str:
        return (
            POSTS[place - C.FIRST_POST]
            if place >= C.FIRST_POST
            else f'{SPACES[place // 8]}.{EDGES[place % 8]}'
        )

    assert len(JOINED) == 17 * 8
    assert {name(port): name(place) for port, place in enumerate(C.LINK)} == {
        str(a): str(b) for a, b in JOINED.items()
    }


def test_edges_are_joined_to_64_edges_52_stops_and_20_circles() -> None:
    things = list(JOINED.values())
    assert sum(isinstance(thing, Port) for thing in things) == 64
    assert sum(thing in STOPS for thing in things) == 52
    assert sum(thing in ALL_CIRCLES for thing in things) == 20


def test_a_joined_edge_leads_back() -> None:
    for port, thing in JOINED.items():
        if isinstance(thing, Port):
            assert thing != port
            assert JOINED[thing] == port
    for number, place in enumerate(C.LINK):
        assert place >= C.FIRST_POST or C.LINK[place] == number


def test_each_home_circle_touches_one_edge_and_stops_two_to_four() -> None:
    assert all(len(EXITS[circle]) == 1 for circle in ALL_CIRCLES)
    counts = {2: {'B2', 'B5', 'E5', 'E2'}, 3: {'C2', 'B4', 'D5', 'E3'}}
    counts[4] = set(STOPS) - counts[2] - counts[3]
    assert {stop: len(EXITS[stop]) for stop in STOPS} == {
        stop: n for n, stops in counts.items() for stop in stops
    }
    assert [len(ports) for ports in C.EXITS] == [len(EXITS[post]) for post in POSTS]


def test_the_board_has_fourfold_rotational_symmetry() -> None:
    def quarter(point: Point) -> Point:
        return point[1], -point[0]

    def image(name: str, points: dict[str, Point]) -> str:
        x, y = quarter(points[name])
        near = [other for other, (u, v) in points.items() if abs(u - x) + abs(v - y) < 0.01]
        assert len(near) == 1
        return near[0]

    def moved(thing: Port | str) -> Port | str:
        if isinstance(thing, Port):
            return Port(image(thing.space, C.SPACE_XY), EDGES[(EDGES.index(thing.edge) + 2) % 8])
        return image(thing, C.POST_XY)

    assert {moved(port): moved(thing) for port, thing in JOINED.items()} == JOINED
    clockwise = [circle for side in 'WNES' for circle in CIRCLES[side]]
    assert [moved(circle) for circle in clockwise] == clockwise[5:] + clockwise[:5]


def test_the_board_has_no_mirror_symmetry() -> None:
    spaces = set(C.SPACE_XY.values())
    mirrors: list[Callable[[float, float], Point]] = [
        lambda x, y: (-x, y),
        lambda x, y: (x, -y),
        lambda x, y: (y, x),
        lambda x, y: (-y, -x),
    ]
    for mirror in mirrors:
        assert {mirror(x, y) for x, y in spaces} != spaces


# ---- seats -------------------------------------------------------------------------------------------------


def test_seats_sit_clockwise_from_the_west_and_run_to_the_opposite_side() -> None:
    for players, sides in SEATS.items():
        assert ''.join(C.SIDES[side] for side in C.SIDE_OF_SEAT[players]) == sides
    for side, letter in enumerate(C.SIDES):
        assert C.SIDES[side ^ 2] == OPPOSITE[letter]
        assert tuple(CIRCLES[letter]) == tuple(
            post for post, s in zip(C.POSTS, C.SIDE_OF, strict=True) if s == side
        )


def test_three_players_begin_with_tiles_on_c1_and_d1() -> None:
    assert tuple(C.SPACES[space] for space in C.PRELAID) == PRELAID == ('c1', 'd1')
