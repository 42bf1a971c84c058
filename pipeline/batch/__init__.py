"""Over many transcripts: label them, reconcile the labels, report, compare."""
