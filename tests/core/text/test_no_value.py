from webbench.core.text.no_value import or_dash


def test_a_value_that_is_not_there_is_a_dash_and_no_0():
    assert [or_dash(None), or_dash(0.0), or_dash(0.75)] == ["–", "0.000", "0.750"]
    assert [or_dash(None, ","), or_dash(1200, ","), or_dash(0.456, ".1f")] == ["–", "1,200", "0.5"]
