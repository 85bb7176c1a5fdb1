from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from trayapp.model.series import SeriesQuery
from trayapp.ui.backend import Backend


def test_the_scene_adds_up_to_the_figures_of_the_pictures() -> None:
    totals = scene.scene().totals
    assert round(totals.held_bytes / scene.GB, 1) == 12.4
    assert round(totals.reclaimable_bytes / scene.GB, 1) == 5.1
    assert totals.sessions == 7
    assert round(scene.receipt().came_back_bytes / scene.GB, 1) == 4.7
    assert round(scene.receipt().expected_bytes / scene.GB, 1) == 5.1


def test_the_series_ends_in_the_scene_and_has_its_gap() -> None:
    query = SeriesQuery(since_epoch_s=scene.NOW_EPOCH_S - 6 * 3600, until_epoch_s=scene.NOW_EPOCH_S, columns=100)
    series = scene.series(query)
    assert round(sum(layer.memory_bytes[-1] or 0 for layer in series.layers) / scene.GB, 1) == 12.4
    assert any(value is None for value in series.layers[0].memory_bytes)
    assert len(series.marks) == 2


def test_the_fake_is_a_backend() -> None:
    backend: Backend = FakeBackend(scene.scene())
    assert backend.latest is not None
