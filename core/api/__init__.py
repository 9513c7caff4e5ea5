"""What stands behind the public door, `import webbench`: core's rooms put together for a Python program."""
