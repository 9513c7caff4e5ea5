"""The account of an import or export: what one side has, by kind, against what the other has."""
