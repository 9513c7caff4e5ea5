from webbench.core.text.message_parts import message_text, text_parts


def test_a_content_that_is_no_list_is_one_text():
    assert text_parts("Click it") == ["Click it"]
    assert text_parts(None) == [""]
    assert message_text(3) == "3"


def test_of_parts_the_texts_are_taken_in_their_order():
    content = [
        {"type": "text", "text": "Look"},
        {"type": "image_url", "image_url": {"url": "data:,"}},
        {"type": "text", "text": None},
        {"type": "tool_use", "text": "no text"},
        "no object",
        {"type": "text", "text": "here"},
    ]
    assert text_parts(content) == ["Look", "", "here"]
    assert message_text(content) == "Look\n\nhere"
    assert message_text([]) == ""
