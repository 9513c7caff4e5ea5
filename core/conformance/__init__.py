"""Whether a plug-in keeps its contract: rules by kind, asked of a package in processes of their own.

`package_check.check_package` is what `plugins check` calls; our own parts are asked the same.
"""
