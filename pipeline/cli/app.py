"""The commands by name. Nothing is imported but click: this is what `--help` waits for."""

import click

from .lazy import Late, LateGroup

HELP = """Keep a person's standing instructions right.

Label what a user says, reconcile it with what is kept, and ask which rules are in force.
Settings come from options, then HENCEFORTH_* variables, then henceforth.toml.
"""

COMMANDS = {
    "demo": Late(".demo.command", "Replay a recorded conversation; needs no model and no key."),
    "label": Late(".commands.label", "Say what a text says; keep nothing."),
    "observe": Late(".commands.observe", "Label a user turn and keep what it changes."),
    "apply": Late(".commands.apply", "Observe every user turn of a transcript."),
    "batch": Late(".commands.batch", "Label transcripts, reconcile the labels, report, compare."),
    "rules": Late(".commands.rules", "Show the rules in force for a moment."),
    "history": Late(".commands.history", "Show what was said and what it changed."),
    "explain": Late(".commands.explain", "Say why a rule is as it is."),
    "diff": Late(".commands.diff", "Show the saved state before and after a turn."),
    "questions": Late(".commands.questions", "List what only the user can say."),
    "answer": Late(".commands.answer", "Settle an open question."),
    "confirm": Late(".commands.confirm", "Put a proposed rule in force."),
    "forget": Late(".commands.forget", "Take a rule out of force."),
    "undo": Late(".commands.undo", "Make a turn count as never said."),
    "end": Late(".commands.end", "End a task or a conversation, and its rules for now."),
    "happened": Late(".commands.happened", "Tell that an event came about that rules wait for."),
    "pending": Late(".commands.pending", "List turns that wait to be labelled, or try them again."),
    "export": Late(".commands.export", "Write all that is kept of a subject as JSON lines."),
    "erase": Late(".commands.erase", "Remove a rule, or all of a subject, for good."),
    "fold": Late(".commands.fold", "Rebuild the rules from the ledger and compare."),
    "serve": Late(".commands.serve", "Serve henceforth over HTTP."),
    "work": Late(".commands.work", "Label turns that wait, of all subjects, until told to stop."),
    "keys": Late(".commands.keys", "Make, list and revoke the keys that open the service."),
    "schema": Late(".commands.schema", "Print the JSON Schema of a shape."),
    "eval": Late(".commands.evals", "Score labels, states and behaviour on suites."),
}

app = LateGroup(
    COMMANDS,
    name="henceforth",
    help=HELP,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app = click.version_option(package_name="henceforth", message="%(prog)s %(version)s")(app)
