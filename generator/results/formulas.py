"""Named formulas: what a calculation truly gives, where the names of tool and parameters leave no doubt."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from generator.jsontext import JsonValue

Outcome = float | dict[str, float] | list[int] | list[float]
"""A number, or several by the name of their field."""

GRAVITY = 9.81
"""Standard gravity in m/s^2, used where a call does not tell it."""
COULOMB = 8.9875517873681764e9
"""Coulomb's constant in N*m^2/C^2."""
PERMITTIVITY = 8.8541878128e-12
"""Vacuum permittivity in F/m; capacitances are told in picofarads."""
LARGEST_NUMBER = 2**63
"""Outcomes beyond a signed 64-bit integer are left as they were."""
LONGEST = 25
"""Numbers of a sequence at most; longer ones are left as they were."""
LARGEST = 170
"""The largest argument whose factorial is still a finite float."""


@dataclass(frozen=True, slots=True)
class Role:
    """One argument of a formula: the parameter names that mean it, and what it is when it is not given.

    A `share` is a part of one, read from percent where the parameter is told in percent or its value is above 1.
    """

    names: tuple[str, ...]
    default: float | None = None
    share: bool = False


@dataclass(frozen=True, slots=True)
class Formula:
    """A calculation: its roles in the order of the function's arguments, and the field that takes the outcome."""

    roles: tuple[Role, ...]
    function: Callable[..., Outcome]
    field: str = ""


def _role(names: str, default: float | None = None) -> Role:
    return Role(tuple(names.split()), default)


def _share(names: str) -> Role:
    return Role(tuple(names.split()), share=True)


_FIRST = _role("a x num1 number1 n1 first first_number number_1 num_1 minuend dividend")
_SECOND = _role("b y num2 number2 n2 second second_number number_2 num_2 subtrahend divisor")
_NUMBERS = _role("numbers values data list dataset nums data_points")
_RADIUS = _role("radius r")
_HEIGHT = _role("height h")
_LENGTH = _role("length l a")
_WIDTH = _role("width breadth w b")
_PRINCIPAL = _role(
    "principal principal_amount principle_amount principle initial_investment investment_amount present_value "
    "initial_amount amount invested_amount investment p"
)
_RATE = _share(
    "rate annual_rate interest_rate annual_interest_rate rate_of_interest annual_return annual_yield r "
    "expected_annual_return rate_of_return"
)
_YEARS = _role("years time time_years number_of_years time_in_years duration t period n_years term")
_PERIODS = _role(
    "compounding_periods_per_year compounding_frequency compounding_freq n times_compounded "
    "compounds_per_year compounding_periods",
    1,
)
_U = _role("initial_velocity initial_speed v0 u starting_velocity vi", 0)
_A = _role("acceleration a acc")
_T = _role("time t duration")
_S = _role("distance displacement s d")
_N = _role("n number num x")


def _mode(values: list[float]) -> float:
    return statistics.mode(values)


def _bmi(weight: float, height: float) -> dict[str, float]:
    metres = height / 100 if height > 3 else height
    return {"bmi": round(weight / metres**2, 1)}


def _compound(principal: float, rate: float, years: float, periods: float) -> dict[str, float]:
    total = principal * (1 + rate / periods) ** (periods * years)
    return {"interest": round(total - principal, 2), "total": round(total, 2), "future_value": round(total, 2)}


def _grown(principal: float, rate: float, years: float, periods: float) -> dict[str, float]:
    total = round(principal * (1 + rate / periods) ** (periods * years), 2)
    return {
        "future_value": total,
        "value": total,
        "balance": total,
        "total": total,
        "profit": round(total - principal, 2),
    }


def _simple(principal: float, rate: float, years: float) -> dict[str, float]:
    interest = round(principal * rate * years, 2)
    return {"interest": interest, "total": round(principal + interest, 2)}


def _monthly(amount: float, rate: float, years: float) -> dict[str, float]:
    months = round(years * 12)
    monthly = amount / months if rate == 0 else amount * (rate / 12) / (1 - (1 + rate / 12) ** -months)
    return {"monthly_payment": round(monthly, 2), "total_interest": round(monthly * months - amount, 2)}


def _quadratic(a: float, b: float, c: float) -> list[float]:
    inner = b * b - 4 * a * c
    if inner < 0:
        raise ValueError("no real roots")
    roots = sorted({round((-b - math.sqrt(inner)) / (2 * a), 4), round((-b + math.sqrt(inner)) / (2 * a), 4)})
    return [int(root) if root == int(root) else root for root in roots]


def _triangle(a: float, b: float, c: float) -> float:
    half = (a + b + c) / 2
    return math.sqrt(half * (half - a) * (half - b) * (half - c))


def _factors(n: float) -> list[int]:
    left, found, divisor = _integer(n, 10**9), [], 2
    while divisor * divisor <= left:
        while left % divisor == 0:
            found.append(divisor)
            left //= divisor
        divisor += 1
    return [*found, left] if left > 1 else found


def _primes(start: float, end: float) -> list[int]:
    low, high = _integer(start, 10**6), _integer(end, 10**6)
    found = (number for number in range(max(low, 2), high + 1) if len(_factors(number)) == 1)
    primes = list(islice(found, LONGEST + 1))
    if len(primes) > LONGEST:
        raise ValueError("too many primes to list")
    return primes


def _fibonacci(n: float) -> list[int]:
    numbers = [0, 1]
    while len(numbers) < _integer(n, 60):
        numbers.append(numbers[-1] + numbers[-2])
    return numbers[: int(n)]


def _integer(value: float, most: int) -> int:
    if value != int(value) or not 1 <= value <= most:
        raise ValueError("not a whole number in range")
    return int(value)


def _gcd(a: float, b: float) -> float:
    return math.gcd(_integer(a, 10**15), _integer(b, 10**15))


def _lcm(a: float, b: float) -> float:
    return math.lcm(_integer(a, 10**15), _integer(b, 10**15))


def _binomial(n: float, k: float, p: float) -> float:
    trials, wins = _integer(n, 1000), _integer(k, 1000)
    return round(math.comb(trials, wins) * p**wins * (1 - p) ** (trials - wins), 4)


def _discounted(price: float, discount: float, tax: float) -> float:
    return round(price * (1 - discount) * (1 + tax), 2)


def _populated(people: float, rate: float, years: float) -> float:
    return round(people * math.pow(1 + rate, years))


def _capacitance(area: float, distance: float, constant: float) -> float:
    return constant * PERMITTIVITY * area / distance * 1e12


def _cosine(one: list[float], other: list[float]) -> float:
    return round(sum(a * b for a, b in zip(one, other, strict=True)) / (math.hypot(*one) * math.hypot(*other)), 4)


_ADDITION = Formula((_FIRST, _SECOND), lambda a, b: a + b)
_SUBTRACTION = Formula((_FIRST, _SECOND), lambda a, b: a - b)
_GREATEST = Formula((_FIRST, _SECOND), _gcd)
_COMPOUND = Formula((_PRINCIPAL, _RATE, _YEARS, _PERIODS), _compound)
_GROWN = Formula((_PRINCIPAL, _RATE, _YEARS, _PERIODS), _grown)
_FALL = Formula((_HEIGHT, _U, _role("gravity g", GRAVITY)), lambda h, u, g: math.sqrt(u * u + 2 * g * h))
_MONTHLY = Formula((_role("loan_amount principal amount"), _RATE, _role("years loan_term term loan_years")), _monthly)

FORMULAS: dict[str, Formula] = {
    "add": _ADDITION,
    "sum": Formula((_NUMBERS,), sum),
    "sum number": _ADDITION,
    "subtract": _SUBTRACTION,
    "difference number": _SUBTRACTION,
    "multiply": Formula((_FIRST, _SECOND), lambda a, b: a * b),
    "divide": Formula((_FIRST, _SECOND), lambda a, b: a / b),
    "power": Formula(
        (_role("base x number"), _role("exponent power y")), lambda a, b: a**b if abs(b) < 64 else math.nan
    ),
    "square root": Formula((_N,), math.sqrt),
    "sqrt": Formula((_N,), math.sqrt),
    "absolute": Formula((_N,), abs),
    "factorial": Formula((_N,), lambda n: math.factorial(_integer(n, LARGEST)) if n else 1),
    "gcd": _GREATEST,
    "hcf": _GREATEST,
    "greatest common divisor": _GREATEST,
    "lcm": Formula((_FIRST, _SECOND), _lcm),
    "prime": Formula((_role("start start_range lower_limit min"), _role("end end_range upper_limit max")), _primes),
    "prime factor": Formula((_N,), _factors),
    "prime factorize": Formula((_N,), _factors),
    "batting average": Formula((_role("hits"), _role("at_bats")), lambda hits, times: round(hits / times, 3)),
    "fibonacci": Formula((_N,), _fibonacci),
    "percentage": Formula((_role("part"), _role("whole total")), lambda part, whole: part / whole * 100),
    "mean": Formula((_NUMBERS,), statistics.fmean),
    "average": Formula((_NUMBERS,), statistics.fmean),
    "median": Formula((_NUMBERS,), statistics.median),
    "mode": Formula((_NUMBERS,), _mode),
    "standard deviation": Formula((_NUMBERS,), statistics.pstdev),
    "max": Formula((_NUMBERS,), max),
    "maximum": Formula((_NUMBERS,), max),
    "min": Formula((_NUMBERS,), min),
    "quadratic": Formula((_role("a"), _role("b"), _role("c")), _quadratic, "roots"),
    "rectangle area": Formula((_LENGTH, _WIDTH), lambda a, b: a * b, "area"),
    "rectangle perimeter": Formula((_LENGTH, _WIDTH), lambda a, b: 2 * (a + b), "perimeter"),
    "square area": Formula((_role("side side_length length"),), lambda a: a * a, "area"),
    "circle area": Formula((_RADIUS,), lambda r: math.pi * r * r, "area"),
    "circle circumference": Formula((_RADIUS,), lambda r: 2 * math.pi * r, "circumference"),
    "circle circumference diameter": Formula((_role("diameter d"),), lambda d: math.pi * d, "circumference"),
    "triangle area": Formula((_role("base b"), _HEIGHT), lambda b, h: b * h / 2, "area"),
    "triangle area side": Formula(
        (_role("side1 a side_1"), _role("side2 b side_2"), _role("side3 c side_3")), _triangle, "area"
    ),
    "triangle perimeter": Formula(
        (_role("side1 a"), _role("side2 b"), _role("side3 c")), lambda a, b, c: a + b + c, "perimeter"
    ),
    "hypotenuse": Formula((_role("a side1"), _role("b side2")), math.hypot),
    "sphere volume": Formula((_RADIUS,), lambda r: 4 / 3 * math.pi * r**3, "volume"),
    "cylinder volume": Formula((_RADIUS, _HEIGHT), lambda r, h: math.pi * r * r * h, "volume"),
    "cone volume": Formula((_RADIUS, _HEIGHT), lambda r, h: math.pi * r * r * h / 3, "volume"),
    "cube volume": Formula((_role("side side_length edge length"),), lambda a: a**3, "volume"),
    "bmi": Formula((_role("weight weight_kg mass"), _role("height height_m height_cm")), _bmi, "bmi"),
    "body mass index": Formula((_role("weight weight_kg mass"), _role("height height_m height_cm")), _bmi, "bmi"),
    "compound interest": _COMPOUND,
    "future value": _GROWN,
    "investment": _GROWN,
    "mutual fund": _GROWN,
    "simple interest": Formula((_PRINCIPAL, _RATE, _YEARS), _simple),
    "interest": Formula((_role("principal"), _share("rate"), _role("time years")), _simple),
    "mortgage": _MONTHLY,
    "loan": _MONTHLY,
    "cagr": Formula(
        (_role("initial_value"), _role("final_value"), _role("period_in_years years")),
        lambda start, end, years: round(((end / start) ** (1 / years) - 1) * 100, 2),
    ),
    "profit margin": Formula((_role("net_income"), _role("total_revenue revenue")), lambda a, b: a / b * 100),
    "dividend": Formula((_role("total_payout"), _role("outstanding_shares")), lambda a, b: a / b),
    "dividend payout": Formula((_role("shares"), _role("dividend_per_share")), lambda a, b: a * b),
    "price": Formula((_role("price"), _share("discount_rate"), _share("sales_tax")), _discounted),
    "population": Formula((_role("current_population"), _share("growth_rate"), _role("years")), _populated),
    "depreciation": Formula(
        (_role("cost"), _role("salvage_value"), _role("useful_life life")), lambda c, s, n: (c - s) / n
    ),
    "roi": Formula((_role("net_profit"), _role("investment_amount investment cost")), lambda a, b: a / b * 100),
    "roe": Formula((_role("net_income"), _role("shareholder_equity")), lambda a, b: a / b * 100),
    "final velocity": Formula((_U, _A, _T), lambda u, a, t: u + a * t, "velocity"),
    "velocity distance": Formula((_U, _A, _S), lambda u, a, s: math.sqrt(u * u + 2 * a * s), "velocity"),
    "final velocity falling": _FALL,
    "final velocity fall": _FALL,
    "velocity": Formula((_S, _T), lambda s, t: s / t, "velocity"),
    "speed": Formula((_S, _T), lambda s, t: s / t, "speed"),
    "speed rest": Formula((_S, _T, _U), lambda s, t, u: 2 * s / t - u, "speed"),
    "speed final": Formula((_U, _A, _T), lambda u, a, t: u + a * t, "speed"),
    "displacement": Formula((_U, _A, _T), lambda u, a, t: u * t + a * t * t / 2, "displacement"),
    "distance traveled": Formula((_U, _A, _T), lambda u, a, t: u * t + a * t * t / 2, "distance"),
    "distance": Formula((_role("speed velocity"), _T), lambda v, t: v * t, "distance"),
    "time": Formula((_role("velocity speed"), _S), lambda v, s: s / v, "time"),
    "density": Formula((_role("mass m"), _role("volume v")), lambda m, v: m / v, "density"),
    "force": Formula((_role("mass m"), _role("acceleration a")), lambda m, a: m * a, "force"),
    "kinetic energy": Formula((_role("mass m"), _role("velocity v speed")), lambda m, v: m * v * v / 2, "energy"),
    "potential energy": Formula((_role("mass m"), _HEIGHT, _role("gravity g", GRAVITY)), lambda m, h, g: m * g * h),
    "momentum": Formula((_role("mass m"), _role("velocity v")), lambda m, v: m * v, "momentum"),
    "heat": Formula(
        (_role("mass"), _role("specific_heat"), _role("change_in_temp")), lambda m, c, t: m * c * t, "heat"
    ),
    "voltage": Formula((_role("electric_field"), _role("distance")), lambda e, d: e * d, "voltage"),
    "capacitance": Formula((_role("a area"), _role("d distance"), _role("k", 1)), _capacitance, "capacitance"),
    "electric field": Formula((_role("charge q"), _role("distance r")), lambda q, r: COULOMB * abs(q) / r**2),
    "electric current": Formula((_role("voltage v"), _role("resistance r")), lambda v, r: v / r, "current"),
    "electric force": Formula(
        (_role("q1 charge1"), _role("q2 charge2"), _role("r distance")),
        lambda p, q, r: COULOMB * abs(p * q) / r**2,
        "force",
    ),
    "electromagnetic force": Formula(
        (_role("charge1"), _role("charge2"), _role("distance")), lambda p, q, r: COULOMB * abs(p * q) / r**2, "force"
    ),
    "variance": Formula((_NUMBERS,), statistics.pvariance),
    "cosine similarity": Formula((_role("vectora vector_a a"), _role("vectorb vector_b b")), _cosine),
    "euclidean distance": Formula(
        (_role("pointa point_a point1 point_1 a"), _role("pointb point_b point2 point_2 b")), math.dist
    ),
    "combination": Formula(
        (_role("n total"), _role("k r")), lambda n, k: math.comb(_integer(n, 200), _integer(k, 200))
    ),
    "permutation": Formula((_role("n total"), _role("k r")), lambda n, k: math.perm(_integer(n, 60), _integer(k, 60))),
    "logarithm": Formula((_role("value number x"), _role("base", math.e)), math.log),
    "binomial": Formula(
        (
            _role("number_of_trials trials n"),
            _role("number_of_successes successes k"),
            _role("probability_of_success p"),
        ),
        _binomial,
    ),
    "gallon liter": Formula((_role("gallon gallons"),), lambda value: value * 3.785411784),
    "liter gallon": Formula((_role("liter liters"),), lambda value: value / 3.785411784),
    "fahrenheit celsius": Formula((_role("fahrenheit temperature_f"),), lambda value: (value - 32) * 5 / 9),
    "celsius fahrenheit": Formula((_role("celsius temperature_c"),), lambda value: value * 9 / 5 + 32),
}
"""The formulas by the words that must all stand in a tool's name or first sentence; the longest name that fits wins."""


def finite(value: JsonValue) -> bool:
    """Say whether an outcome can be written as JSON numbers that every reader holds."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else (value,)
    return all(isinstance(part, int | float) and abs(part) < LARGEST_NUMBER for part in parts)
