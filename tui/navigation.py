"""Navigation: which screen each destination is, imported when asked for. No other room imports a screen."""

from __future__ import annotations

from pathlib import Path

from textual.app import App
from textual.screen import Screen

from webbench.core.store.store import Store
from webbench.tui import destinations
from webbench.tui.commands import shown_key
from webbench.tui.commands.screen_offers import offers
from webbench.tui.destinations import Destination, GoTo
from webbench.tui.opening import Opening


def first_place(opening: Opening) -> Destination:
    """What a sitting begins with. Raises `BadData` for an episode to look on at that can't be read."""
    if opening.desk is not None:
        return destinations.StudyDesk(opening, opening.desk)
    if opening.task is not None:
        return destinations.Stepper(opening.task, opening)
    if opening.recorded is not None:
        return destinations.Trajectory(opening, opening.recorded, opening.recorded_step)
    if (folder := opening.attached) is not None:
        store = Store(folder.parent.parent)
        return destinations.Attached(opening, store, store.header(folder.parent.name, folder.name))
    if opening.compare:
        return destinations.Compare(Store(opening.store), opening.compare)
    if opening.find is not None:
        return destinations.FoundTexts(Store(opening.store), *opening.find)
    if opening.labelling is not None:
        return destinations.Labelling(opening.store, opening.labelling)
    return destinations.Library(opening)


def go(app: App[None], message: GoTo) -> None:
    """Show the screen that is asked for."""
    if message.instead_of is None:
        app.push_screen(screen_for(message.destination), message.then)
        return
    if message.instead_of not in app.screen_stack:  # left meanwhile: what lies below stays
        return
    while message.instead_of in app.screen_stack[:-1]:  # a dialog came over it meanwhile
        app.pop_screen()
    app.switch_screen(screen_for(message.destination))


def screen_for(place: Destination) -> Screen[None]:
    """A new screen for a destination."""
    match place:
        case destinations.Library():
            from webbench.tui.screens.library.library import LibraryScreen

            return LibraryScreen(place.opening)
        case destinations.Stepper():
            from webbench.tui.screens.stepper.stepper import StepperScreen

            return StepperScreen(place.task, place.opening, place.among)
        case destinations.Attached():
            from webbench.tui.screens.stepper.attached import AttachedScreen

            return AttachedScreen(place.opening, place.store, place.header)
        case destinations.Trajectory():
            from webbench.tui.screens.trajectory.trajectory import TrajectoryScreen

            return TrajectoryScreen(place.opening, place.episode, place.step, place.among, after=place.after)
        case destinations.Compare():
            from webbench.tui.screens.compare.compare import CompareScreen

            return CompareScreen(place.store, place.folders)
        case destinations.Runs():
            from webbench.tui.screens.runs.runs import RunsScreen

            return RunsScreen(place.opening, place.run)
        case destinations.FoundTexts():
            from webbench.tui.screens.runs.found_texts import FoundTextsScreen

            return FoundTextsScreen(place.store, place.text, place.filter, place.within)
        case destinations.Analysis():
            from webbench.tui.screens.analysis.analysis import AnalysisScreen

            return AnalysisScreen(place.store, place.runs)
        case destinations.Labelling() | destinations.Adjudication() | destinations.Disputes():
            return _labelling_screen(place)
        case destinations.Codes():
            from webbench.tui.screens.labelling.codebook_screen import CodebookScreen

            return CodebookScreen(place.store, place.codebook, place.annotator)
        case destinations.Recorder():
            from webbench.tui.screens.recorder import RecorderScreen

            return RecorderScreen(place.store, place.header, place.marks)
        case destinations.StudyDesk():
            from webbench.tui.screens.studies.study_desk import BaselineScreen

            return BaselineScreen(place.opening, place.desk)
        case destinations.StudyTask():
            from webbench.tui.screens.studies.timed_stepper import BaselineTaskScreen

            return BaselineTaskScreen(place.task, place.opening, place.desk)
        case destinations.Studies():
            from webbench.tui.screens.studies.studies import StudiesScreen

            return StudiesScreen(place.store)
        case destinations.EveryCommand():
            from webbench.tui.screens.forms.every_command import EveryCommandScreen

            return EveryCommandScreen(place.store, place.at_hand, place.here)
        case destinations.CommandForm():
            from webbench.tui.screens.forms.command_form import CommandFormScreen

            return CommandFormScreen(place)


def _labelling_screen(
    place: destinations.Labelling | destinations.Adjudication | destinations.Disputes,
) -> Screen[None]:
    match place:
        case destinations.Labelling():
            from webbench.tui.screens.labelling.labelling import LabellingScreen

            return LabellingScreen(place.store, place.order)
        case destinations.Adjudication():
            from webbench.tui.screens.labelling.adjudication import AdjudicationScreen

            return AdjudicationScreen(place.sheets)
        case destinations.Disputes():
            from webbench.tui.screens.labelling.disputes import DisputesScreen

            return DisputesScreen(place.store, place.annotator)


def show_commands(app: App[None], store: Path) -> None:
    """Every command of the program, over the screen in front: what that has under its cursor is filled in."""
    from webbench.tui.screens.dialogs.key_groups import commands_here
    from webbench.tui.screens.forms.every_command import EveryCommandScreen

    screen = app.screen
    if isinstance(screen, EveryCommandScreen):
        return
    here = destinations.EveryCommand(store, offers(screen).at_hand, commands_here(screen))
    destinations.go_to(screen, here)


def show_studies(app: App[None], store: Path) -> None:
    """Studies and queues of the store, over the screen in front."""
    from webbench.tui.screens.studies.studies import StudiesScreen

    if not isinstance(app.screen, StudiesScreen):
        destinations.go_to(app.screen, destinations.Studies(Store(store)))


def show_help(app: App[None]) -> None:
    """The keys of the screen in front, over it; nothing where help is in front already."""
    from webbench.tui.screens.dialogs.help import HelpScreen
    from webbench.tui.screens.dialogs.key_groups import command_rows, help_groups

    if isinstance(app.screen, HelpScreen):
        return
    groups = help_groups(app.screen)
    commands = command_rows(app.screen) if app.check_action("commands", ()) else []
    if commands:
        groups[1:1] = [(f"Commands ({shown_key(app.screen.app, 'app.commands')})", commands)]
    app.push_screen(HelpScreen(groups, offers(app.screen).dialect))
