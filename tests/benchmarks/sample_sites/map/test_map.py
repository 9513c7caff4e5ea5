"""The map: what is found, how far it is, and which part is shown."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from tests.benchmarks.demo.sites import Episode, episode
from webbench.benchmarks.sample_sites.map.directions import ENGINES, Way, distance, way
from webbench.benchmarks.sample_sites.map.town import found, meant, town
from webbench.benchmarks.sample_sites.map.view import CLOSEST, MIDDLE, WIDEST, View, around


@pytest.fixture
def visitor() -> Iterator[Episode]:
    with episode() as opened:
        yield opened


def led(start: str, end: str, engine: str) -> Way | None:
    first, last = meant(start), meant(end)
    assert first is not None
    assert last is not None
    return way(first, last, engine)


def test_every_place_but_the_skerry_is_reached_on_foot_and_by_car() -> None:
    places = town().places.values()
    start = town().places["norrkajen"]
    lost = {place.name for place in places for engine in ENGINES if way(start, place, engine) is None}
    assert lost == {"Yttre Skäret Pilot Station"}
    assert len({place.slug for place in places}) == len(list(places))


def test_ways_are_as_long_as_their_lines_and_never_shorter_by_car() -> None:
    for place in town().places.values():
        if not place.junction:
            continue
        metres: dict[str, float] = {}
        for engine in ENGINES:
            one = way(town().places["sandholm-station"], place, engine)
            assert one is not None
            assert one.metres == pytest.approx(sum(math.dist(a, b) for a, b in pairwise(one.line)))
            metres[engine] = one.metres
        assert metres["foot"] <= metres["bike"] <= metres["car"]


def test_a_car_goes_round_by_the_mill_and_feet_cross_the_rope_bridge() -> None:
    car, foot = (led("Lund's Boatyard", "Rope Walk 12", engine) for engine in ("car", "foot"))
    assert car is not None
    assert foot is not None
    assert [leg.street for leg in car.legs] == ["South Shore", "Mill Bridge", "Water Street", "Rope Walk"]
    assert [leg.street for leg in foot.legs] == ["South Shore", "Rope Bridge", "Rope Walk"]
    assert (car.distance, car.time, foot.distance, foot.time) == ("2.3 km", "0:05", "900 m", "0:11")
    assert [leg.towards for leg in foot.legs] == ["east", "north", "north"]


@pytest.mark.parametrize(
    ("metres", "written"), [(4, "0 m"), (994, "990 m"), (996, "1.0 km"), (2340, "2.3 km")]
)
def test_distances_are_written_shortly(metres: float, written: str) -> None:
    assert distance(metres) == written


def test_places_are_found_by_name_kind_and_address() -> None:
    assert [place.name for place in found("pharmacy")] == ["Linden Pharmacy", "Square Pharmacy"]
    assert [place.name for place in found("rope walk 3")] == ["Harbour & Pine Workshop"]
    assert meant("Norrkajen") is town().places["norrkajen"], "a whole name wins over parts of others"
    assert meant("rope walk 12, 452 30 sandholm") is town().places["rope-walk-12"]
    assert meant("museum") is None
    assert found("") == []


def test_a_view_moves_and_stays_on_the_map() -> None:
    view = View(15, MIDDLE)
    assert view.moved(0, 1).middle[1] > view.middle[1]
    assert view.moved(1, 0).metres == view.metres
    far = view
    for _ in range(30):
        far = far.moved(-1, -1)
    assert far.middle == (0.0, 0.0)
    assert (view.closer(99).zoom, view.closer(-99).zoom) == (CLOSEST, WIDEST)
    assert len(view.closer(2).places) < len(view.places) < len(view.closer(-2).places)
    assert around([(0.0, 0.0), (3600.0, 2900.0)]).zoom == WIDEST


def test_controls_keep_what_was_asked(visitor: Episode) -> None:
    page = visitor.get("/map/directions?engine=foot&route_from=Norrkajen&route_to=Rope+Walk+12").text
    assert "Distance: <strong>1.3 km</strong>. Time: <strong>0:17</strong>." in page
    (closer,) = re.findall(r'href="([^"]+)">Zoom in', page)
    moved = visitor.client.get(visitor.server.origin + closer.replace("&amp;", "&")).text
    assert "<strong>1.3 km</strong>" in moved
    seen = [re.findall(r"zoom (\d+)", text)[0] for text in (page, moved)]
    assert int(seen[1]) == int(seen[0]) + 1


def test_a_place_tells_what_is_known(visitor: Episode) -> None:
    page = visitor.get("/map/place/linden-pharmacy").text
    for told in ("Linden Street 9, 452 30 Sandholm", "+46 524 555", "58.36", "09:00–20:00"):
        assert told in page
    assert "Opening hours" not in visitor.get("/map/place/yttre-skaret-pilot-station").text
    assert visitor.get("/map/place/atlantis").status_code == 404


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("engine=car&route_from=museum&route_to=Berlin", "several places"),
        ("engine=car&route_from=Norrkajen&route_to=Berlin", "There is no “Berlin” on this map"),
        ("engine=boat&route_from=Norrkajen&route_to=Yttre+Sk%C3%A4ret+Pilot+Station", "No way leads"),
        ("", "Write two places"),
        ("route_from=%3Cscript%3Ealert(1)%3C/script%3E&zoom=99&east=-5", "There is no “&lt;script&gt;"),
        ("zoom=17&east=999999999&north=999999999", "Write two places"),
    ],
)
def test_directions_say_what_is_missing(visitor: Episode, query: str, told: str) -> None:
    answer = visitor.get(f"/map/directions?{query}")
    assert answer.status_code == 200
    assert told in answer.text
    assert "<script>" not in answer.text
