"""The stepper: one live task; tree and picture side by side, actions below, the score beside."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.screen import Screen
from textual.widgets import ContentSwitcher, Footer

from webbench.core import registry
from webbench.core.action import Click, ClickAt
from webbench.core.dialects.contract import Dialect
from webbench.core.engine import messages
from webbench.core.errors import WebbenchError
from webbench.core.plain_text import plain_text
from webbench.core.task import Task
from webbench.tui.commands import bindings
from webbench.tui.engine_link import EngineLink
from webbench.tui.episode_state import EpisodeState, fold
from webbench.tui.screens.stepper_agent import AgentControls
from webbench.tui.screens.stepper_panes import PanePlaces
from webbench.tui.widgets.accessibility_tree import AccessibilityTree
from webbench.tui.widgets.action_bar import ActionBar
from webbench.tui.widgets.messages_log import MessagesLog
from webbench.tui.widgets.node_verbs import draft, natural_verb, reference
from webbench.tui.widgets.notes import Notes
from webbench.tui.widgets.proposal_bar import ProposalBar
from webbench.tui.widgets.score_tree import ScoreTree
from webbench.tui.widgets.screenshot import ScreenshotView
from webbench.tui.widgets.step_list import StepList
from webbench.tui.widgets.tabs_bar import TabsBar
from webbench.tui.widgets.title_line import TitleLine

if TYPE_CHECKING:
    from webbench.core.observation import AccessibilityNode
    from webbench.tui.app import Opening, WorkbenchApp


class StepperScreen(AgentControls, PanePlaces, Screen[None]):
    """Sends intents to the engine and renders what comes back; it computes nothing itself."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("stepper")]
    HORIZONTAL_BREAKPOINTS: ClassVar[list[tuple[int, str]]] = [
        (0, "-narrow"),
        (100, "-normal"),
        (150, "-wide"),
    ]

    def __init__(self, task: Task, opening: Opening) -> None:
        super().__init__()
        self.task_data = task
        self.opening = opening
        self.state = EpisodeState()
        self.proposed = ""

    if TYPE_CHECKING:
        app: WorkbenchApp
