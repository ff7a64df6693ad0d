"""What a calculation answers: the name of the quantity, its unit and its bounds."""

from __future__ import annotations

import re
from itertools import pairwise

from generator.jsontext import JsonObject
from generator.tools.operations import Operation, description_sentence, name_words, singular
from generator.tools.result_schemas_fields import fields_of

QUANTITIES: dict[str, str] = {
    # mathematics
    "quadratic": "roots*:coefficient",
    "square root": "result",
    "cube root": "result",
    "sales growth": "growth_rate_percent:rate_percent",
    "root": "roots*:coefficient",
    "derivative": "derivative:expression",
    "gradient": "derivative:expression",
    "integral": "integral:result",
    "integration": "integral:result",
    "gcd": "gcd:small_whole",
    "hcf": "hcf:small_whole",
    "lcm": "lcm:small_whole",
    "factorial": "factorial:big_whole",
    "fibonacci": "sequence*:fibonacci",
    "prime factor": "factors*:prime",
    "factor": "factors*:prime",
    "prime": "primes*:prime",
    "permutation": "permutations:big_whole",
    "combination": "combinations:big_whole",
    "equation": "solution:coefficient",
    "slope": "slope intercept",
    "regression": "slope intercept r_squared",
    "squared": "r_squared",
    "correlation": "correlation",
    "similarity": "similarity:probability",
    "mean": "mean:result",
    "average": "average:result",
    "median": "median:result",
    "mode": "mode:result",
    "deviation": "standard_deviation:spread",
    "variance": "variance:spread",
    "confidence interval": "lower:lower_bound upper:upper_bound",
    "interval": "lower:lower_bound upper:upper_bound",
    "chi squared": "statistic p_value significant:is_significant",
    "t test": "statistic p_value significant:is_significant",
    "ttest": "statistic p_value significant:is_significant",
    "hypothesis": "statistic p_value significant:is_significant",
    "anova": "statistic p_value significant:is_significant",
    "p value": "p_value",
    "probability": "probability",
    "odds": "probability",
    "likelihood": "probability",
    "histogram": "bins*:spread counts*:count",
    "sum": "sum:result",
    "product": "product:result",
    "percentage": "percentage",
    "distance": "distance:travel_km unit=km",
    "displacement": "displacement:result unit=m",
    "angle": "angle:degrees unit=degrees",
    "area": "area:result",
    "perimeter": "perimeter:result",
    "circumference": "circumference:result",
    "volume": "volume:result",
    "hypotenuse": "length:result",
    "radius": "radius:result",
    "euclidean": "distance:result",
    "divisor": "gcd:small_whole",
    "multiple": "lcm:small_whole",
    # physics and chemistry
    "speed test": "download:download_speed upload:upload_speed unit=Mbps",
    "velocity": "velocity:small unit=m/s",
    "speed": "speed unit=m/s",
    "acceleration": "acceleration:small unit=m/s^2",
    "force": "force:result unit=N",
    "energy": "energy:result unit=J",
    "heat": "heat:result unit=J",
    "work": "work:result unit=J",
    "power": "power:result unit=W",
    "momentum": "momentum:result unit=kg_m/s",
    "density": "density:result unit=kg/m^3",
    "pressure": "pressure unit=kPa",
    "frequency": "frequency:result unit=Hz",
    "wavelength": "wavelength:result unit=nm",
    "diameter": "diameter:result unit=m",
    "voltage": "voltage:small unit=V",
    "potential": "potential:result unit=V",
    "current": "current:small unit=A",
    "resistance": "resistance:small unit=ohm",
    "capacitance": "capacitance:small unit=pF",
    "magnetic field": "magnetic_field:tiny unit=T",
    "electric field": "electric_field:result unit=N/C",
    "field strength": "field_strength:result unit=N/C",
    "field": "field_strength:small unit=T",
    "entropy": "entropy_change:small unit=J/K",
    "boiling point": "boiling_point:result unit=celsius",
    "temperature": "temperature unit=celsius",
    "height": "height:small unit=m",
    "time": "time:small unit=s",
    "mass": "mass:small unit=kg",
    "weight": "weight:small unit=kg",
    "half life": "remaining:small",
    "luminosity": "luminosity:result unit=W",
    "brightness": "luminosity:result unit=W",
    "molarity": "molarity:small unit=mol/L",
    "wave": "amplitude:small unit=m",
    # money
    "interest": "interest:money total:money_big",
    "compound interest": "interest:money total:money_big",
    "future value": "future_value:money_big currency=USD",
    "present value": "present_value:money_big currency=USD",
    "final price": "final_price:price currency=USD",
    "price": "price currency=USD",
    "cost": "cost currency=USD",
    "fare": "fare:cost currency=USD",
    "expectancy": "years:level",
    "energy output": "energy:result unit=kWh",
    "mortgage": "monthly_payment total_interest:money_big",
    "loan": "monthly_payment total_interest:money_big",
    "payment": "monthly_payment",
    "repayment": "monthly_payment",
    "return": "return_percent:percentage profit:money",
    "roi": "roi_percent:percentage",
    "cagr": "cagr_percent:rate_percent",
    "growth rate": "growth_rate_percent:rate_percent",
    "npv": "npv:money currency=USD",
    "irr": "irr_percent:rate_percent",
    "roe": "return_on_equity_percent:percentage",
    "roa": "return_on_assets_percent:percentage",
    "margin": "margin_percent:percentage",
    "ratio": "ratio:small",
    "depreciation": "depreciation:money currency=USD",
    "tax": "tax:money currency=USD",
    "profit": "profit:money currency=USD",
    "revenue": "revenue:money_big currency=USD",
    "dividend payout": "payout:money currency=USD",
    "dividend": "dividend_per_share:small currency=USD",
    "balance": "balance:money_big currency=USD",
    "saving": "total:money_big currency=USD",
    "savings": "total:money_big currency=USD",
    "retirement": "total:money_big currency=USD",
    "salary": "salary currency=USD",
    "alimony": "monthly_amount:money currency=USD",
    "tip": "tip:small total:money",
    "bill": "total:money currency=USD",
    "valuation": "value:money_big currency=USD",
    "cash flow": "present_value:money_big currency=USD",
    "fund": "balance:money_big currency=USD",
    "investment": "value:money_big currency=USD",
    "house price": "price:house_price currency=USD",
    # health and nature
    "bmi": "bmi:bmi_value category:category_bmi",
    "calorie": "calories unit=kcal",
    "bmr": "bmr:calorie_need unit=kcal/day",
    "footprint": "emissions:result unit=kg_CO2e",
    "emission": "emissions:result unit=kg_CO2e",
    "population": "population",
    "growth": "population growth_rate_percent:rate_percent",
    "biodiversity index": "index:probability",
    "batting average": "average:probability",
    "batting score": "average:score",
    "biomass": "biomass:result unit=kg",
    "diversity": "diversity_index:probability",
    "species": "population",
    "evolution": "evolution_rate:probability",
    "genetic": "similarity_percent:percentage",
    "genotype": "frequency:probability",
    "allele": "frequency:probability",
    "carrying capacity": "carrying_capacity:population",
    "capacity": "capacity:population",
    # sport, play, house and life
    "score": "score",
    "rating": "rating",
    "winner": "winner:winner_side probability",
    "match": "winner:winner_side probability",
    "paint": "litres_needed:litres coats:servings",
    "panel": "panels_needed:count",
    "material": "quantity_needed:count",
    "hour": "hours:small",
    "duration": "duration_minutes",
    "age": "age",
    "year": "years:age",
    "date": "date",
    "day": "days:count",
    "sunrise": "sunrise:sunrise_time sunset:sunset_time",
    "season": "season",
    "calculation": "result",
    "step": "steps:population_small",
    "count": "count",
    "length": "length",
    "traffic": "traffic delay_minutes:duration_minutes",
    "rainfall": "precipitation_mm",
}
"""The fields of a computed quantity by its singular word or pair of words."""

_NAMED_ONLY = frozenset("day year count step time date hour season match length current number work".split())
"""Words that mean the quantity in a name alone: in a sentence they are about something else."""
_BOUNDED = frozenset(("probability", "correlation", "r_squared", "p_value", "similarity", "frequency", "statistic"))
_FIELDS_OF_MATHEMATICS = frozenset(
    "math maths mathematics algebra calculus geometry statistics stats kinematics physics".split()
)
_DEEDS = frozenset(("compute", "predict"))
_COMPUTING = re.compile(
    r"(?:calculat|comput|estimat|evaluat|solv|predict|determin|performs? a|runs? a (?:one|two|paired|chi)|"
    r"sums? |adds? |subtract|multipl|divid|rais|round)"
)


def takes_numbers(parameters: JsonObject) -> bool:
    """Say whether a tool takes numbers and nothing else."""
    properties = parameters.get("properties")
    if not isinstance(properties, dict) or not properties:
        return False
    if any(name_words(name)[-1:] == ["id"] for name in properties):
        return False
    return all(isinstance(one, dict) and one.get("type") in ("number", "integer") for one in properties.values())


def _takes_any_number(parameters: JsonObject) -> bool:
    """Say whether a tool takes a number or a list: what it computes may then be of any size."""
    properties = parameters.get("properties")
    kinds = (
        [one.get("type") for one in properties.values() if isinstance(one, dict)]
        if isinstance(properties, dict)
        else []
    )
    return any(kind in ("number", "integer", "array") for kind in kinds)


def is_computation(operation: Operation, description: str, *, numeric: bool) -> bool:
    """Say whether a tool computes its answer from its arguments rather than looks it up."""
    if operation.family in _DEEDS:
        return True
    if operation.words[0] in _FIELDS_OF_MATHEMATICS and operation.family in ("get", "search", "run", "analyze"):
        return True
    if operation.family in ("get", "run", "analyze"):
        return _COMPUTING.match(description_sentence(description).lower()) is not None
    return operation.verb == "add" and numeric


def computed_fields(operation: Operation, description: str, parameters: JsonObject) -> dict[str, JsonObject]:
    """Return the fields of what a tool computes; none where it computes nothing.

    A constant unit is left out where the caller may choose the unit.
    """
    if not is_computation(operation, description, numeric=takes_numbers(parameters)):
        return {}
    quantity = _quantity(operation, description)
    if not quantity and operation.family == "predict" and not _takes_any_number(parameters):
        return {}
    fields = {
        name: _unbounded(name, schema) if _takes_any_number(parameters) else schema
        for name, schema in fields_of(QUANTITIES.get(quantity, "result")).items()
    }
    properties = parameters.get("properties")
    names = properties if isinstance(properties, dict) else {}
    if any(word in ("unit", "units") for name in names for word in name_words(name)):
        fields.pop("unit", None)
    if any("currency" in name_words(name) for name in names):
        fields.pop("currency", None)
    return fields


def _unbounded(name: str, schema: JsonObject) -> JsonObject:
    """Return the schema of a computed number without bounds: the arguments decide how large it is."""
    if schema["type"] == "array":
        return {"type": "array", "items": _unbounded(name, schema["items"])}
    if schema["type"] not in ("number", "integer") or name in _BOUNDED:
        return schema
    return {key: value for key, value in schema.items() if key not in ("minimum", "maximum", "enum")}


def _quantity(operation: Operation, description: str) -> str:
    """Return the key of QUANTITIES that is computed: named by the tool, head first, else told first."""
    named = [singular(word) for word in operation.words]
    told = [singular(word) for word in name_words(description_sentence(description))[1:14]]
    for words in (list(operation.things), named):
        pairs = [" ".join(pair) for pair in pairwise(words)]
        found = next((word for word in (*reversed(pairs), *reversed(words)) if word in QUANTITIES), None)
        if found is not None:
            return found
    pairs = [" ".join(pair) for pair in pairwise(told)]
    spoken = (word for pair in zip([*pairs, ""], told, strict=False) for word in pair)
    return next((word for word in spoken if word in QUANTITIES and word not in _NAMED_ONLY), "")
