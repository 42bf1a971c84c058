"""`henceforth batch`: the commands over many transcripts. Imports none of them."""

from ..lazy import Late, LateGroup

HELP = """Label transcripts, reconcile the labels, report, compare."""

COMMANDS = {
    "label": Late(".commands.batch_label", "Label every user turn of files and folders."),
    "reconcile": Late(".commands.batch_reconcile", "Fold labels into a store for each person."),
    "report": Late(".commands.batch_report", "Say what a label set holds."),
    "diff": Late(".commands.batch_diff", "Compare two label sets, and the rules they give."),
}

command = LateGroup(COMMANDS, name="batch", help=HELP)
