"""Templates become documents: values filled raw, forms and submit buttons added where they are missing."""

from __future__ import annotations

import pytest

from webbench.benchmarks.turkingbench.serving.task_page import document, fill


def test_values_are_filled_raw_and_only_once() -> None:
    filled = fill("<p>${a}</p>${b}", {"a": "<b>x</b> ${b}", "b": "&amp;"})
    assert filled.html == "<p><b>x</b> ${b}</p>&amp;"
    assert filled.missing == ()


def test_case_matters_and_missing_columns_are_named_once() -> None:
    filled = fill("${Name} ${name} ${other} ${other}", {"name": "x"})
    assert filled.html == "${Name} x ${other} ${other}"
    assert filled.missing == ("Name", "other")


def test_a_placeholder_built_by_script_is_left_to_the_script() -> None:
    template = """<script>var t = "${SENTENCES" + id + "}";</script>"""
    filled = fill(template, {"SENTENCES": "never"})
    assert filled.html == template
    assert filled.missing == ()


def test_a_column_of_any_name_can_be_filled() -> None:
    assert fill('${it\'s a "name"}', {'it\'s a "name"': "x"}).html == "x"


def test_a_fragment_gets_a_document_a_form_and_a_submit_button() -> None:
    html = document('<p><input name="a"></p>', title="A <b>", script="/s.js")
    assert html.startswith("<!DOCTYPE html>")
    assert "<title>A &lt;b&gt;</title>" in html
    assert html.index("/s.js") < html.index("<p>")
    assert html.index('name="mturk_form"') < html.index('name="a"') < html.index('id="submitButton"')
    assert html.count("<form") == html.count("</form>") == 1


def test_a_document_with_a_form_keeps_it_and_gets_the_script_first() -> None:
    source = "<html><head><title>t</title></head><body><form id=f><input type=submit></form></body></html>"
    assert document(source, script="/s.js") == source.replace("<head>", '<head><script src="/s.js"></script>')


def test_a_form_without_a_submit_button_gets_one_inside() -> None:
    html = document("<body><form><input name=a></form></body>")
    assert html.index("<form>") < html.index('id="submitButton"') < html.index("</form>")


def test_a_document_without_a_form_gets_one_inside_its_body() -> None:
    html = document("<html><body class=x><input name=a></body></html>")
    assert html.index("<body class=x>") < html.index("<form") < html.index("name=a")
    assert html.index("</form>") < html.index("</body>")


@pytest.mark.parametrize("hidden", ["<!-- <form><input type=submit></form> -->", "<script>'<form>'</script>"])
def test_forms_in_comments_and_scripts_do_not_count(hidden: str) -> None:
    html = document(f"{hidden}<input name=a>")
    assert 'name="mturk_form"' in html
    assert 'id="submitButton"' in html


def test_digests_of_libraries_are_taken_off() -> None:
    html = document(
        '<script src="https://x/jquery.js" integrity="sha384-abc" crossorigin="anonymous"></script>'
    )
    assert "integrity" not in html
    assert 'crossorigin="anonymous"' in html
