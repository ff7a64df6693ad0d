"""The fields that results are made of: a JSON Schema for each field name that derived result schemas use."""

from __future__ import annotations

from collections.abc import Collection

from generator.jsontext import JsonObject
from generator.tools.operations import name_words
from generator.tools.result_schemas_pools import POOLS, TITLES


def text(description: str = "", **keywords: object) -> JsonObject:
    """Return the schema of a string."""
    return {"type": "string", **({"description": description} if description else {}), **keywords}


def one_of(*values: str) -> JsonObject:
    """Return the schema of a string from a closed list."""
    return {"type": "string", "enum": list(values)}


def number(low: float, high: float, description: str = "") -> JsonObject:
    """Return the schema of a number within bounds."""
    told = {"description": description} if description else {}
    return {"type": "number", **told, "minimum": low, "maximum": high}


def whole(low: int, high: int, description: str = "") -> JsonObject:
    """Return the schema of an integer within bounds."""
    return {**number(low, high, description), "type": "integer"}


BOOLEAN: JsonObject = {"type": "boolean"}
DATE: JsonObject = {"type": "string", "format": "date"}
MOMENT: JsonObject = {"type": "string", "format": "date-time"}
CLOCK: JsonObject = text("Time of day, HH:MM", pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$")

_STATUS = one_of("active", "pending", "completed")

FIELDS: dict[str, JsonObject] = {
    # deeds
    "status": _STATUS,
    "success": {"type": "boolean", "const": True},
    "message": text("What was done, in one sentence"),
    "summary": text("Summary in one or two sentences"),
    "description": text("Description in one sentence"),
    "created_at": MOMENT,
    "updated_at": MOMENT,
    "confirmation_number": text("Confirmation code", pattern="^[A-Z]{2}[0-9]{6}$"),
    "tracking_number": text("Carrier tracking number", pattern="^1Z[0-9A-Z]{10}$"),
    "reference": text("Reference code", pattern="^[A-Z]{3}-[0-9]{5}$"),
    # quantities
    "price": number(5, 500, "Price"),
    "cost": number(5, 900, "Cost"),
    "amount": number(10, 2500, "Amount"),
    "balance": number(50, 25000, "Account balance"),
    "fee": number(0, 60, "Fee"),
    "tax": number(1, 200, "Tax amount"),
    "salary": number(42000, 180000, "Yearly salary"),
    "total_price": number(20, 2500, "Total price"),
    "price_per_night": number(60, 480, "Price of one night"),
    "hourly_rate": number(60, 450, "Fee per hour"),
    "monthly_payment": number(180, 3200, "Payment per month"),
    "currency": one_of("USD", "EUR", "GBP"),
    "rate": {"type": "number", "description": "Exchange rate"},
    "percentage": number(0, 100, "Percentage"),
    "probability": number(0, 1, "Probability between 0 and 1"),
    "confidence": number(0.6, 0.99, "Confidence between 0 and 1"),
    "score": number(0, 100, "Score out of 100"),
    "rating": number(3.1, 4.9, "Average rating out of 5"),
    "review_count": whole(12, 2400),
    "rank": whole(1, 30, "Position in the ranking"),
    "points": whole(20, 110, "Points"),
    "count": whole(1, 60),
    "total": whole(1, 60),
    "quantity": whole(1, 20),
    "stock": whole(0, 120, "Units in stock"),
    "seats_available": whole(1, 180),
    "year": whole(1950, 2025),
    "age": whole(19, 78, "Age in years"),
    "population": whole(12000, 9800000, "Number of inhabitants"),
    "size": whole(220, 480000, "Size in bytes"),
    "distance": number(0.4, 25, "Distance in kilometres"),
    "distance_km": number(0.4, 25, "Distance in kilometres"),
    "duration_minutes": whole(8, 240, "Duration in minutes"),
    "duration_seconds": whole(95, 420, "Duration in seconds"),
    "length": number(1, 400),
    "width": number(1, 120),
    "height": number(2, 320),
    "weight": number(0.5, 95),
    "speed": number(4, 130),
    "temperature": number(-5, 34, "Temperature in degrees Celsius"),
    "high": number(12, 34, "Highest temperature of the day"),
    "low": number(-4, 11, "Lowest temperature of the day"),
    "humidity": whole(25, 95, "Relative humidity in percent"),
    "wind_speed": number(2, 45, "Wind speed in km/h"),
    "pressure": number(985, 1035, "Air pressure in hPa"),
    "precipitation_chance": whole(0, 100, "Chance of rain in percent"),
    "precipitation_mm": number(0, 24, "Precipitation in millimetres"),
    "uv_index": whole(0, 10),
    "air_quality_index": whole(12, 160),
    "calories": whole(90, 780, "Energy in kilocalories"),
    "protein": number(2, 45, "Protein in grams"),
    "carbohydrates": number(4, 90, "Carbohydrates in grams"),
    "fat": number(1, 38, "Fat in grams"),
    "latitude": number(-55, 65, "Latitude in degrees"),
    "longitude": number(-170, 175, "Longitude in degrees"),
    "volume": whole(200000, 62000000, "Shares traded"),
    "change_percent": number(-4, 4, "Change of the day in percent"),
    "market_cap": number(2e9, 9e11, "Market capitalisation"),
    "gdp": number(2e10, 2.4e13, "Gross domestic product in US dollars"),
    "p_value": number(0.001, 0.2, "p-value of the test"),
    "statistic": number(-3.5, 3.5, "Test statistic"),
    "correlation": number(-1, 1, "Correlation coefficient"),
    "r_squared": number(0.4, 0.98, "Coefficient of determination"),
    "slope": number(-5, 5),
    "intercept": number(-20, 60),
    "coefficient": number(-5, 5),
    "result": number(1, 1000),
    "wins": whole(3, 58),
    "losses": whole(2, 40),
    "goals": whole(0, 34),
    "assists": whole(0, 21),
    "games_played": whole(4, 82),
    "home_score": whole(0, 5),
    "away_score": whole(0, 5),
    "servings": whole(2, 8),
    "progress": whole(0, 100, "Progress in percent"),
    "queue_position": whole(1, 14),
    "temperature_celsius": number(15, 28),
    "level": whole(0, 100),
    "stars": whole(0, 5400),
    "forks": whole(0, 900),
    "likes": whole(0, 5200),
    "followers": whole(40, 250000),
    # closed words
    "conditions": one_of("sunny", "partly cloudy", "cloudy", "light rain", "thunderstorms", "windy"),
    "severity": one_of("low", "medium", "high"),
    "priority": one_of("low", "medium", "high"),
    "sentiment": one_of("positive", "neutral", "negative"),
    "trend": one_of("rising", "stable", "falling"),
    "traffic": one_of("light", "moderate", "heavy"),
    "state_now": one_of("on", "off"),
    "state": one_of("open", "closed"),
    "difficulty": one_of("easy", "medium", "hard"),
    "category_bmi": one_of("underweight", "normal weight", "overweight", "obese"),
    "availability": one_of("in stock", "low stock", "out of stock"),
    "language": one_of("English", "Spanish", "French", "German"),
    "direction": one_of("north", "south", "east", "west"),
    "day_of_week": one_of("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "cuisine": one_of("Italian", "Japanese", "Mexican", "Indian", "Thai", "French"),
    "genre": one_of("pop", "rock", "jazz", "classical", "electronic", "hip hop"),
    "film_genre": one_of("drama", "comedy", "thriller", "science fiction", "animation"),
    "airline": one_of("Delta Air Lines", "United Airlines", "Lufthansa", "Air France", "British Airways"),
    "room_type": one_of("standard", "deluxe", "suite", "double", "single"),
    "material": one_of("bronze", "marble", "oil on canvas", "wood", "steel"),
    "outcome": one_of("settled", "dismissed", "judgment for the plaintiff", "judgment for the defendant", "pending"),
    "court": one_of("Supreme Court", "District Court", "Superior Court", "Court of Appeals"),
    "league": one_of("Premier League", "La Liga", "NBA", "NFL", "MLB"),
    "position": one_of("forward", "midfielder", "defender", "goalkeeper", "guard", "center"),
    "payment_status": one_of("paid", "pending", "refunded"),
    "order_status": one_of("processing", "shipped", "in transit"),
    "booking_status": one_of("confirmed", "pending"),
    "visibility": one_of("public", "private"),
    "color": one_of("red", "blue", "green", "black", "white", "yellow"),
    "hex": text("Colour as hex code", pattern="^#[0-9A-F]{6}$"),
    "opening_hours": one_of("9:00-17:00", "10:00-18:00", "8:30-20:00", "10:00-22:00"),
    "time_zone": one_of("America/New_York", "Europe/London", "Asia/Tokyo", "Europe/Berlin", "America/Los_Angeles"),
    "key_signature": one_of("C major", "G major", "D minor", "A minor", "F major"),
    "inheritance": one_of("dominant", "recessive", "codominant"),
    "conservation_status": one_of("least concern", "vulnerable", "endangered", "critically endangered"),
    "habitat": one_of("forest", "grassland", "wetland", "coral reef", "desert"),
    "climate": one_of("temperate", "tropical", "arid", "continental"),
    "phase": one_of("solid", "liquid", "gas"),
    "formula": text("Chemical formula", enum=["H2O", "CO2", "NaCl", "C6H12O6", "CH4", "NH3"]),
    "element_symbol": one_of("H", "C", "N", "O", "Fe", "Au", "Na"),
    "winner_side": one_of("player 1", "player 2", "draw"),
    "card": one_of("ace of spades", "king of hearts", "ten of clubs", "queen of diamonds", "seven of hearts"),
    "move": one_of("e2e4", "d2d4", "Nf3", "O-O", "c7c5"),
    "mode": one_of("automatic", "manual", "eco"),
    "signal": one_of("excellent", "good", "fair", "poor"),
    "recommendation": one_of("buy", "hold", "sell"),
    "risk": one_of("low", "moderate", "high"),
    "unit": text("Unit of the value"),
    # times
    "date": DATE,
    "datetime": MOMENT,
    "time": CLOCK,
    "opens_at": one_of("08:00", "09:00", "09:30", "10:00"),
    "closes_at": one_of("17:00", "18:00", "20:00", "22:00"),
    "departure": MOMENT,
    "arrival": MOMENT,
    "estimated_delivery": DATE,
    "expires_at": MOMENT,
    # texts
    "title": text(),
    "name": text(),
    "city": text("City"),
    "country": text("Country"),
    "address": text("Street address"),
    "phone": text("Phone number"),
    "email": text("E-mail address", format="email"),
    "url": text("Web address", format="uri"),
    "author": text("Name of the author"),
    "artist": text("Name of the artist"),
    "ingredients": {"type": "array", "items": text("An ingredient with its amount"), "minItems": 3, "maxItems": 5},
    "instructions": {"type": "array", "items": POOLS["recipe_step"], "minItems": 2, "maxItems": 4},
    "tags": {"type": "array", "items": text("A tag"), "minItems": 1, "maxItems": 3},
    "sha": text("Commit hash", pattern="^[0-9a-f]{40}$"),
    "content": text("Content"),
    "path": text("File path"),
    "flight_number": text("Flight number", pattern="^(AA|DL|UA|LH|BA|AF)[0-9]{3,4}$"),
    "gate": text("Gate", pattern="^[A-F][1-9][0-9]?$"),
    "case_number": text("Case number", pattern="^[0-9]{2}-CV-[0-9]{4}$"),
    "ticker": text("Ticker symbol", pattern="^[A-Z]{3,4}$"),
    "zip_code": text("Postal code", pattern="^[0-9]{5}$"),
    "token": text("Access token", pattern="^tok_[a-z0-9]{16}$"),
    "sequence": text("Base sequence", pattern="^[ACGT]{24}$"),
    "id": text("Identifier"),
}
"""The schema of a field by its name; a field that is not here gets its schema from the end of its name."""

ENDINGS: dict[str, JsonObject] = {
    "at": MOMENT, "date": DATE, "time": CLOCK, "count": whole(1, 60), "number": whole(1, 500),
    "percent": number(0, 100), "ratio": number(0.1, 4), "id": text("Identifier"), "score": number(0, 100),
    "usd": number(5, 900), "minutes": whole(8, 240), "hours": number(1, 12), "days": whole(1, 30),
    "km": number(0.4, 900), "years": whole(1, 40), "price": number(5, 500), "fee": number(0, 60),
    "name": text(), "url": text("Web address", format="uri"), "names": {"type": "array", "items": text()},
}  # fmt: skip
"""The schema of a field by the last word of its name."""
_BOOLEAN_STARTS = frozenset("is has can was are should".split())


def field_schema(name: str) -> JsonObject:
    """Return the schema of the field called `name`: from the table, or from how its name begins or ends."""
    known = FIELDS.get(name) or POOLS.get(name)
    if known is not None:
        return known
    words = name_words(name) or [name]
    if words[0] in _BOOLEAN_STARTS:
        return BOOLEAN
    return ENDINGS.get(words[-1]) or FIELDS.get(words[-1]) or text(" ".join(words).capitalize())


def _open(schema: JsonObject) -> JsonObject:
    """Return a list of titles as examples: things that a call makes have titles of their own."""
    if "enum" not in schema:
        return schema
    return {**{key: told for key, told in schema.items() if key != "enum"}, "examples": schema["enum"]}


def described(schema: JsonObject, description: str) -> JsonObject:
    """Return the schema with a description, unless it has one."""
    return schema if "description" in schema or not description else {**schema, "description": description}


def closed(properties: dict[str, JsonObject], optional: Collection[str] = ()) -> JsonObject:
    """Return the schema of a closed object whose properties are required but for `optional`."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def fields_of(spec: str, thing: str = "") -> dict[str, JsonObject]:
    """Read a spec into properties.

    Args:
        spec: Field names between spaces. `name:field` takes the schema of `field`, `name*:field` is a list of 1
            to 6 of it, `name=word` is that constant (`_` stands for a space).
        thing: What the fields belong to: decides what a bare `name` or `title` looks like.
    """
    properties: dict[str, JsonObject] = {}
    for part in spec.split():
        token, fixed, constant = part.partition("=")
        name, _, kind = token.replace("*", "").partition(":")
        schema = {"type": "string", "const": constant.replace("_", " ")} if fixed else field_schema(kind or name)
        if name in ("name", "title") and not kind:
            schema = described(
                _open(POOLS[TITLES[thing]]) if thing in TITLES else schema, f"{name.capitalize()} of the {thing}"
            )
        many = "*" in token
        properties[name] = {"type": "array", "items": schema, "minItems": 1, "maxItems": 6} if many else schema
    return properties
