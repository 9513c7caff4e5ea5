"""The cases of BrowserGym's core tests (main branch, 2025), and what became of each of them here.

Names are those of `tests/core/test_*.py`; a case with parameters counts once for each of them. Those of
`test_mouse_pointer.py` are left out: they test a function that draws on a picture, and no environment.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Verdict = Literal["same", "differs", "without"]


class Case(NamedTuple):
    """A published case.

    Attributes:
        runs: with how many parameters it is run.
        verdict: "same": what it asserts holds here. "differs": it holds but for what `reason` tells.
            "without": what it tests doesn't exist here.
        reason: a row of docs/browsergym-agents.md.
        ours: our test of the same name, where it has another one.
        skipped: it is written down there and not run.
    """

    name: str
    runs: int = 1
    verdict: Verdict = "same"
    reason: str = ""
    ours: str = ""
    skipped: bool = False


ACTIONS = (
    Case("test_action_parser"),
    Case("test_valid_action"),
    Case("test_invalid_action"),
    Case("test_click_through_frames"),
    Case("test_fill_through_iframe"),
    Case("test_click"),
    Case("test_hover"),
    Case("test_fill_type_press"),
    Case("test_dblclick", skipped=True),
    Case("test_key_press"),
    Case("test_goto"),
    Case("test_scroll", 1, "differs", "An action without effect"),
    Case("test_tab_focus", ours="test_new_tab_tab_focus_and_tab_close", skipped=True),
    Case("test_new_tab", ours="test_new_tab_tab_focus_and_tab_close", skipped=True),
    Case("test_tab_close", ours="test_new_tab_tab_focus_and_tab_close", skipped=True),
    Case("test_mouse_down_up"),
    Case("test_forced_actions[True]", ours="test_forced_actions"),
    Case("test_forced_actions[False]", 1, "differs", "A box below its own label", "test_unforced_actions"),
    Case("test_iframe_bid", 1, "differs", "Ids of elements in frames"),
)
OBSERVATION = (
    Case("test_extract_screenshot", skipped=True),
    Case("test_extract_axtree_simple"),
    Case("test_extract_axtree_multi_iframe"),
    Case("test_extract_dom_simple"),
    Case("test_extract_dom_multi_iframe"),
    Case("test_simple_shadowdom"),
    Case("test_nested_shadowdom"),
    Case("test_dom_has_bids_no_aria", 7),
    Case("test_dom_to_text"),
    Case("test_axtree_to_text"),
    Case("test_axtree_to_text_remove_redundant"),
    Case("test_simple_webpage"),
    Case("test_basic_iframe_webpage"),
    Case("test_filter_visible_only", skipped=True),
    Case("test_extract_focused_element_bid_through_iframes"),
    Case("test_extract_focused_element_bid_through_shadowdom"),
    Case("test_tags_to_mark", 1, "differs", "Tags that no standard knows"),
)
ENVIRONMENT = (
    Case("test_gym_env"),
    Case("test_max_episode_steps", ours="test_a_limit_truncates_and_the_final_score_is_the_reward"),
    Case("test_active_page"),
    Case("test_nested_iframes_default_demo_mode", 1, "without", "Demo mode"),
    Case("test_demo_mode", 6, "without", "Demo mode"),
    Case("test_resizeable_window[False]", 2, ours="test_resizeable_window"),
    Case("test_resizeable_window[True]", 2, "without", "A window that can be resized"),
)
REST = (
    Case("test_action_cleaning", 4, "without", "Python code for an action"),
    Case("test_registration", 1, "without", "Registering tasks"),
    Case("test_mock_image_goal_task"),
)
CASES = (*ACTIONS, *OBSERVATION, *ENVIRONMENT, *REST)
