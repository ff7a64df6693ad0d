"""Words that are written with a capital within a sentence and name nothing."""

NOT_NAMES = frozenset(
    "i i'm i've i'll i'd ok okay am pm id ids url api json usd eur gbp hi hello yes no sorry mr mrs ms dr pdf csv html "
    "http https ai tv us uk eu utc gmt celsius fahrenheit kelvin please thanks thank also the a an and or but if "
    "so".split()
)
