"""Kinds of text whose name alone does not tell what it looks like: small pools of typical values.

A pool is the `enum` of a derived result schema: what a tool answers is then of its domain whatever the field is called.
"""

from __future__ import annotations

from generator.jsontext import JsonObject

_POOLS: dict[str, str] = {
    "venue": "Riverside Hall|City Arena|Grand Theatre|Harbor Pavilion|Civic Center|Blue Note Club|Lakeside Park",
    "team": "Los Angeles Lakers|Boston Celtics|Real Madrid|FC Barcelona|Manchester United|Chicago Bulls|Arsenal|"
    "Juventus",
    "sport": "soccer|basketball|tennis|baseball|swimming|athletics|ice hockey",
    "facility": "playground|tennis court|picnic area|walking trails|restrooms|dog park|camping area",
    "company": "Northwind Foods|Acme Supply|Bluebird Coffee|Lakeside Books|Metro Grocery|Summit Outdoor",
    "industry": "technology|healthcare|energy|retail|finance|manufacturing",
    "job": "Data Analyst|Software Engineer|Project Manager|Nurse|Accountant|Marketing Specialist|Sales Manager",
    "role": "admin|member|viewer|owner|maintainer",
    "specialty": "cardiology|dermatology|pediatrics|family medicine|neurology",
    "law_area": "family law|criminal defense|immigration|personal injury|corporate law|employment law",
    "vehicle": "Toyota Prius|Honda Civic|Tesla Model 3|Hyundai Elantra|Ford Escape",
    "car_make": "Toyota Corolla|Honda Accord|Ford Focus|Volkswagen Golf|Tesla Model 3|BMW 320i",
    "brand": "Yamaha|Fender|Gibson|Steinway|Roland|Casio",
    "album": "Midnight Drive|Golden Hour|Paper Moons|Northern Lights|First Light|Open Road",
    "song_title": "Midnight Drive|Golden Hour|Paper Moons|Northern Lights|First Light|Open Road|Slow Tide|Blue Letters",
    "film_title": "The Last Harbor|Silent Orbit|A Winter in Rome|Night Shift|The Glass Bridge|Second Sun|Wild Rivers",
    "game_title": "Starbound Odyssey|Castle Builders|Turbo Circuit|Lost Kingdoms|Puzzle Harbor|Frontier Tactics",
    "book_title": "The Quiet Harbor|A History of Small Things|Under the Red Sky|The Clockmaker|Letters from the North",
    "art_title": "Morning at the Harbor|The Seated Woman|Blue Composition|Study of Hands|Winter Garden|"
    "The Thinker's Rest",
    "recipe_title": "Lemon Herb Chicken|Vegetable Stir-Fry|Tomato Basil Pasta|Chickpea Curry|Mushroom Risotto|"
    "Black Bean Tacos",
    "restaurant": "Trattoria Bella|Golden Lotus|The Corner Table|Sakura House|Casa Verde|Spice Route|Blue Door Bistro",
    "hotel": "Grand Plaza Hotel|Seaside Inn|Park View Hotel|The Wellington|City Garden Suites|Harbor House Hotel",
    "shop": "Greenway Market|Corner Grocery|Fresh Basket|Sunrise Market|Main Street Store|Harvest Foods",
    "park": "Riverside Park|Oakwood Park|Lakeview Gardens|Memorial Park|Cedar Hill Park|Sunset Meadow",
    "museum": "City Museum of Art|National History Museum|Museum of Modern Design|Science Discovery Center|"
    "Maritime Museum",
    "attraction": "Old Town Square|Botanical Garden|Cathedral Tower|Harbor Promenade|Royal Palace|City Aquarium",
    "building": "Empire State Building|Burj Khalifa|Shanghai Tower|Willis Tower|Taipei 101",
    "hospital": "St. Mary's Hospital|City General Hospital|Mercy Medical Center|Riverside Clinic",
    "gym": "Peak Fitness|Iron Works Gym|Urban Yoga Studio|Active Life Center|Pulse Gym",
    "library": "Central Library|Riverside Branch Library|University Library|Memorial Library",
    "store": "Guitar Center|Main Street Music|Corner Bookshop|Sports Depot|Home & Garden Outlet",
    "product": "Wireless Headphones|Running Shoes|Coffee Maker|Desk Lamp|Yoga Mat|Water Bottle|Backpack|"
    "Bluetooth Speaker",
    "food": "brown rice|grilled chicken|Greek yogurt|avocado|lentil soup|whole wheat bread",
    "wine": "Chateau Belmont|Villa Rosso|Stone Valley Merlot|Clos du Lac",
    "cocktail": "Mojito|Margarita|Old Fashioned|Negroni|Daiquiri",
    "instrument": "acoustic guitar|grand piano|violin|flute|trumpet|drum kit",
    "event_title": "Summer Jazz Festival|Tech Meetup|Food Truck Friday|Charity Run|Art Walk|Open Mic Night|Book Fair",
    "meeting_title": "Weekly team sync|Project review|Budget planning|Design workshop|Client call",
    "task_title": "Prepare the quarterly report|Call the supplier|Update the website|Book the meeting room|"
    "Review the contract",
    "issue_title": "Login page returns an error|Add dark mode|Update the documentation|Search results are slow|"
    "Fix the broken link in the footer|Export to CSV fails",
    "ticket_title": "Cannot log in|Printer not responding|Request for a new laptop|Invoice shows wrong amount|"
    "VPN keeps dropping",
    "headline": "City council approves new transit line|Local startup raises new funding|"
    "Heavy rain expected this weekend|"
    "Researchers report progress on battery storage|Team wins third match in a row",
    "news_source": "Reuters|Associated Press|BBC News|The Guardian|Bloomberg",
    "case_title": "Smith v. Jones|Doe v. Acme Corp.|Miller v. City of Springfield|Johnson v. Harper|"
    "Garcia v. United Freight",
    "offense": "theft|fraud|burglary|assault|vandalism|driving under the influence",
    "war": "Thirty Years' War|Crimean War|Napoleonic Wars|War of the Spanish Succession",
    "treaty": "Treaty of Westphalia|Treaty of Paris|Treaty of Versailles|Treaty of Utrecht",
    "history_title": "Signing of the treaty|Opening of the first railway|Founding of the university|"
    "End of the civil war|"
    "Election of the new parliament",
    "discovery": "penicillin|X-rays|the structure of DNA|radium|the electron",
    "science_field": "physics|chemistry|biology|mathematics|astronomy",
    "party": "Democratic|Republican|Whig|Federalist|Independent",
    "religion": "Buddhism|Christianity|Hinduism|Islam|Judaism",
    "religious_title": "Council of Nicaea|Edict of Milan|The Great Schism|The Reformation|Council of Trent",
    "gene_name": "BRCA1|TP53|CFTR|APOE|EGFR",
    "chromosome": "1|7|11|17|19|X",
    "protein_name": "hemoglobin|insulin|keratin|myosin|collagen",
    "organelle": "mitochondrion|ribosome|nucleus|Golgi apparatus|lysosome",
    "function": "produces the cell's energy|assembles proteins|carries oxygen in the blood|regulates gene expression",
    "mutation": "missense|nonsense|silent|frameshift|insertion|deletion",
    "clinical": "benign|likely benign|uncertain significance|likely pathogenic|pathogenic",
    "allele_pair": "AA|Aa|aa|Bb",
    "personality": "openness|conscientiousness|extraversion|agreeableness|neuroticism",
    "disease": "influenza|type 2 diabetes|hypertension|asthma|migraine",
    "symptom": "fever|headache|cough|fatigue|nausea|dizziness",
    "medicine": "ibuprofen|amoxicillin|metformin|lisinopril|atorvastatin",
    "dosage": "200 mg|500 mg|10 mg|20 mg|850 mg",
    "times_a_day": "once daily|twice daily|every 8 hours|as needed",
    "chemical": "water|sodium chloride|carbon dioxide|glucose|methane|oxygen|iron",
    "planet": "Mars|Venus|Jupiter|Saturn|Neptune",
    "animal": "red fox|gray wolf|bald eagle|sea turtle|brown bear|snow leopard",
    "forest": "Black Forest|Sherwood Forest|Tongass National Forest|Olympic National Forest",
    "mountain": "Mont Blanc|Denali|Kilimanjaro|Matterhorn|Mount Rainier",
    "river": "Rhine|Danube|Mississippi|Seine|Columbia",
    "plan": "Basic|Standard|Premium|Family|Business",
    "instruction": "Head north on Main Street|Turn left onto Oak Avenue|Continue for 2 km|"
    "Turn right at the traffic lights|"
    "Take the second exit|Your destination is on the right",
    "chord_name": "C|G|Am|F|Dm|Em|E7|A",
    "music_note": "C4|D4|E4|F4|G4|A4|B4|C5",
    "poker_hand": "pair|two pair|three of a kind|straight|flush|full house",
    "game_genre": "strategy|puzzle|role-playing|racing|adventure|shooter",
    "market_index": "S&P 500|Dow Jones|NASDAQ Composite|FTSE 100|DAX",
    "topic": "climate change|football|new phones|summer travel|music awards|healthy food",
    "seat": "12A|14C|7F|21D|3B",
    "airport_code": "JFK|LAX|LHR|CDG|FRA|SFO|ORD|HND",
    "utc_offset": "+00:00|+01:00|-05:00|-08:00|+09:00",
    "result_score": "2-1|3-0|98-92|24-17|6-4, 7-5",
    "opening_days": "Monday to Friday|Tuesday to Sunday|every day",
    "period": "2025-Q1|2025-Q2|2025-Q3|2025-Q4",
    "season": "2023-24|2024-25|2025-26",
    "grade_letter": "A|A-|B+|B|C+",
    "card_type": "Visa|Mastercard|American Express",
    "network_type": "5G|LTE|Wi-Fi",
    "label": "bug|enhancement|documentation|question|general|reference",
    "secret_type": "github_personal_access_token|aws_access_key_id|slack_api_token",
    "version": "v1.0.0|v1.2.3|v2.0.1|v2.4.0|v3.1.0",
    "branch": "main|develop|release/2.1|feature/search|fix/login",
    "commit_message": "Fix typo in README|Add retry to the uploader|Update dependencies|Refactor the search page|"
    "Handle empty responses",
    "file_path": "README.md|src/main.py|docs/setup.md|data/report.csv|notes.txt|config/settings.yaml",
    "folder_path": "docs|src|data/reports|projects/archive|images",
    "image_path": "screenshots/page.png|images/chart.png|output/plot.png",
    "image_url": "https://images.example.com/chart.png|https://images.example.com/map.png|"
    "https://images.example.com/plot.png",
    "page_title": "Welcome|Search results|Product details|Sign in|Dashboard|Contact us",
    "warehouse": "Chicago|Dallas|Newark|Reno|Atlanta",
    "expression": "2*x|3*x**2 + 2|6*x - 4|cos(x)|4*x**3",
    "done_message": "Done.|The request was processed.|Completed successfully.",
    "signed": "You are signed in.|The session was updated.",
    "reason": "All requirements are met.|The current status was confirmed.|It matches the records.",
    "risk_strength": "strong|very strong",
    "allele_name": "brown eyes|attached earlobes|curly hair|dimples|red hair",
    "equation": "2 H2 + O2 -> 2 H2O|CH4 + 2 O2 -> CO2 + 2 H2O|N2 + 3 H2 -> 2 NH3|2 Na + Cl2 -> 2 NaCl",
    "key": "user_name|favorite_color|home_city|last_order|preferred_language|project_deadline",
    "word": "serendipity|resilient|ephemeral|candid|meticulous",
    "line": "Line 4|Line 12|M2|U6|Red Line",
    "bio": "Data scientist and hobby photographer.|Coffee lover, runner, father of two.|Writes about travel and food.",
    "star_name": "Sirius|Vega|Betelgeuse|Proxima Centauri|Rigel",
    "spectral_type": "A1V|A0V|M2I|M5V|B8I",
    "us_state": "California|Texas|Ohio|Florida|New York|Oregon|Colorado|Georgia",
    "painter": "Claude Monet|Frida Kahlo|Vincent van Gogh|Auguste Rodin|Georgia O'Keeffe|Pablo Picasso",
    "composer_name": "Ludwig van Beethoven|Clara Schumann|Johann Sebastian Bach|Antonio Vivaldi|Claude Debussy",
    "scientist": "Marie Curie|Michael Faraday|Rosalind Franklin|Dmitri Mendeleev|Galileo Galilei|Louis Pasteur",
    "significance": "It shifted the balance of power in the region.|It opened trade with neighboring states.|"
    "It ended a long conflict.|It shaped the laws of the following decades.",
    "treatment": "rest and fluids|medication and regular check-ups|physical therapy|a course of antibiotics",
    "strength": "curious and open to new ideas|organized and reliable|outgoing and energetic|calm and patient",
    "tip": "Save your resources for the boss fight.|Explore the side path for an extra key.|"
    "Use the shield before you attack.",
    "account_status": "active|frozen|closed|under review",
    "currency_name": "US dollar|euro|British pound|Japanese yen|Swiss franc",
    "soil_type": "loam|sandy loam|clay|silt",
}  # fmt: skip


def _whole(low: int, high: int) -> JsonObject:
    return {"type": "integer", "minimum": low, "maximum": high}


def _number(low: float, high: float) -> JsonObject:
    return {"type": "number", "minimum": low, "maximum": high}


POOLS: dict[str, JsonObject] = {
    **{name: {"type": "string", "enum": values.split("|")} for name, values in _POOLS.items()},
    "person": {"type": "string", "description": "Full name of the person"},
    "username": {"type": "string", "description": "User name", "pattern": "^[a-z]{4,7}(-dev|[0-9]{2})$"},
    "last4": {"type": "string", "description": "Last four digits of the card", "pattern": "^[0-9]{4}$"},
    "isbn": {"type": "string", "description": "ISBN-13", "pattern": "^978-[0-9]{10}$"},
    "distance_light_years": _number(4.2, 860),
    "years_experience": _whole(1, 30),
    "tempo": _whole(60, 180),
    "sku": {"type": "string", "description": "Stock keeping unit", "pattern": "^[A-Z]{3}-[0-9]{4}$"},
    "code": {"type": "string", "description": "Code", "pattern": "^[A-Z]{4}[0-9]{2}$"},
    "position_number": _whole(1, 9),
    "pixels": _whole(320, 1920),
    "channel": _whole(1, 255),
    "die": _whole(1, 6),
    "soil_ph": _number(5.2, 7.8),
    "utc_hours": _number(-11, 12),
    "rate_percent": _number(2.5, 9.5),
    "big_amount": _number(120000, 98000000),
    "house_price": _number(180000, 950000),
    "price_big": _number(4000, 42000),
    "tire_bar": _number(2.0, 2.6),
    "small_whole": _whole(1, 60),
    "big_whole": _whole(1, 10**9),
    "prime": {"type": "integer", "enum": [2, 3, 5, 7, 11, 13, 17, 19]},
    "fibonacci": {"type": "integer", "enum": [0, 1, 2, 3, 5, 8, 13]},
    "small": _number(0.5, 90),
    "tiny": _number(0.00001, 0.01),
    "spread": _number(0.5, 24),
    "lower_bound": _number(10, 48),
    "upper_bound": _number(52, 90),
    "degrees": _number(1, 179),
    "money": _number(20, 4800),
    "money_big": _number(1200, 240000),
    "bmi_value": _number(17, 34),
    "calorie_need": _whole(1250, 2600),
    "population_small": _whole(800, 16000),
    "litres": _number(2, 40),
    "converted": {"type": "number"},
    "history_year": _whole(1066, 1989),
}
"""The schema of each kind of value by the name that specs use."""

TITLES: dict[str, str] = {
    "song": "song_title", "track": "song_title", "music": "song_title", "lyrics": "song_title",
    "composer": "song_title",
    "album": "album", "movie": "film_title", "film": "film_title", "show": "film_title", "game": "game_title",
    "video game": "game_title", "book": "book_title", "artwork": "art_title", "painting": "art_title",
    "sculpture": "art_title", "art": "art_title", "recipe": "recipe_title", "dish": "recipe_title",
    "meal": "recipe_title", "menu": "recipe_title", "restaurant": "restaurant", "hotel": "hotel",
    "grocery": "shop", "supermarket": "shop", "store": "store", "shop": "store", "park": "park", "parking": "park",
    "museum": "museum", "exhibition": "art_title", "attraction": "attraction", "tourist": "attraction",
    "sightseeing": "attraction", "landmark": "attraction", "place": "attraction", "monument": "attraction",
    "building": "building", "hospital": "hospital", "gym": "gym", "salon": "gym", "library": "library",
    "theater": "venue", "product": "product", "item": "product", "food": "food", "wine": "wine",
    "ingredient": "food", "substitute": "food", "cocktail": "cocktail", "instrument": "instrument",
    "event": "event_title", "meeting": "meeting_title", "appointment": "meeting_title", "calendar": "meeting_title",
    "schedule": "meeting_title", "task": "task_title", "todo": "task_title", "reminder": "task_title",
    "issue": "issue_title", "pull request": "issue_title", "discussion": "issue_title", "ticket": "ticket_title",
    "article": "headline", "news": "headline", "case": "case_title", "lawsuit": "case_title", "law": "law_area",
    "regulation": "law_area", "historical": "history_title", "history": "history_title",
    "timeline": "history_title", "contribution": "discovery", "discovery": "discovery", "invention": "discovery",
    "council": "religious_title", "animal": "animal", "wildlife": "animal", "species": "animal", "elephant": "animal",
    "forest": "forest", "ecosystem": "forest", "mountain": "mountain", "river": "river", "team": "team",
    "company": "company", "plan": "plan", "workout": "sport", "activity": "sport", "bank": "company",
    "furniture": "product", "page": "page_title", "browser": "page_title", "tab": "page_title", "web": "headline",
    "website": "page_title", "playlist": "album", "alert": "headline", "job": "job", "thread": "issue_title",
}  # fmt: skip
"""Which pool the bare `name` or `title` of a thing is taken from."""
