"""Orders."""
from shop.price import total


def order(names: list[str]) -> str:
    """Order things."""
    unused = 1
    return total(names)


def wrong():
    return order([1]) + undefined_name
