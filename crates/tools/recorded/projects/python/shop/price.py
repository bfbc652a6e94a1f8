"""Prices."""
import os
import subprocess


def total(prices: list[int]) -> int:
    """Add prices."""
    return sum(prices)


def show(command: str) -> None:
    """Run a command of the user."""
    subprocess.call(command, shell=True)
    assert command
