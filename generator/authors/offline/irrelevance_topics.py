"""Requests that a shown tool may not fit: topics with their words, and sentences written by hand.

`(a|b|c)` draws one of the wordings, `{city}` and the like one of a pool. Every request needs a deed or live data, so
that an assistant without a tool for it can only say so.
"""

from __future__ import annotations

from dataclasses import dataclass

POOLS: dict[str, tuple[str, ...]] = {
    "city": tuple("""Lisbon|Denver|Oslo|Kyoto|Toronto|Valencia|Dublin|Austin|Melbourne|Ghent|Prague|Nairobi|Montreal|Krakow|Seattle|
Bologna|Santiago|Porto|Helsinki|Boston|Lyon|Hamburg|Cape Town|Vancouver|Utrecht|Zagreb|Phoenix|Leeds""".replace("\n", "").split("|")),
    "name": tuple("""Maya|Tom|Priya|Elena|Marcus|Aisha|Jonas|Sofia|Daniel|Yuki|Hannah|Omar|Lucia|Ben|Chloe|Mateo|Ingrid|Kwame|Nora|
Felix|Amara|Victor|Leila|Oscar""".replace("\n", "").split("|")),
    "day": ("tomorrow", "on Monday", "on Tuesday", "on Wednesday", "on Thursday", "on Friday", "on Saturday", "on Sunday",
            "next Monday", "next Friday", "next weekend", "the day after tomorrow", "this Saturday", "this Thursday"),
    "hour": ("at 8", "at 9:30", "at 10 AM", "at noon", "at 2 PM", "at 3:15", "at 4:30 PM", "at 6 PM", "at 7:45", "in the morning",
             "in the afternoon", "after lunch", "around 5 PM", "first thing in the morning"),
    "small": ("two", "three", "four", "five", "six", "eight"),
    "amount": ("$20", "$35", "$60", "$85", "$120", "$150", "$240", "$300", "$450", "$900"),
    "number": ("4417", "20931", "5582", "7706", "31044", "8893", "1265", "60218"),
    "family": ("my mother", "my dad", "my sister", "my brother", "my grandmother", "my roommate", "my neighbor", "my daughter", "my son"),
    "colleague": ("my boss", "my coworker", "our accountant", "the new intern", "the sales team", "our landlord", "the client"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Topic:
    """One field of life. `deed` follows "I can't"; `hands` says that the web alone could never do it."""

    name: str
    deed: str
    words: str
    frames: tuple[str, ...]
    hands: bool = False


TOPICS: tuple[Topic, ...] = (
    Topic("weather", "look up the weather", "weather forecast temperature rain climate humidity meteorology wind snow", (
        "Is it going to (rain|snow|be windy) in {city} {day}?",
        "What's the weather (like|going to be like) in {city} {day}?",
        "(How cold|How hot|How humid) will it get in {city} {day}? I need to know what to (wear|pack).",
        "{name} is (running a marathon|getting married|having a picnic) in {city} {day}. What's the forecast?",
    )),
    Topic("flights", "search or book flights", "flight airline airport plane travel departure trip itinerary fly", (
        "Find me a (cheap|direct|late) flight from {city} to Reykjavik {day}.",
        "When does the last plane to {city} leave {day}?",
        "I need to move my flight to {city} to {day}. Can you (rebook it|sort that out)?",
        "Which airlines fly to {city} {day}, and what would {small} seats cost?",
    )),
    Topic("hotels", "book a place to stay", "hotel room accommodation lodging stay hostel reservation booking guest travel vacation apartment rent", (
        "Book a (quiet|double|family) hotel room in {city} for {small} nights, starting {day}.",
        "Can you find a hotel with (a pool|free parking|a gym) in {city} for under {amount} a night?",
        "I need a hostel bed in {city} {day}. What's still free?",
        "Please extend my stay at the hotel in {city} by {small} nights.",
    )),
    Topic("restaurants", "reserve a table at a restaurant", "restaurant table dinner reservation dining cuisine food meal booking", (
        "Get us a table for {small} at (a Thai place|a tapas bar|a steakhouse) in {city} {day} {hour}.",
        "Which (vegan|Italian|Lebanese) restaurants in {city} still have room {day}?",
        "Can you book (lunch|dinner) for {small} people in {city} {day}? It's {name}'s birthday.",
        "Cancel my dinner reservation {day}, please. It's under {name}.",
    )),
    Topic("delivery", "order food for you", "food restaurant delivery order meal grocery pizza cart product cuisine", (
        "Order {small} (pepperoni pizzas|veggie burgers|chicken wraps) to my place for {hour}.",
        "I'm starving. Can you have (sushi|pad thai|a burrito) delivered to my office?",
        "Where is my food delivery? The order number is {number}.",
        "Get {small} cartons of (oat milk|eggs|orange juice) delivered {day} {hour}.",
    )),
    Topic("music", "play music", "music song playlist album artist audio sound track play radio podcast media spotify concert", (
        "Play (something relaxing|the new album by Adele|some jazz|my workout playlist) in the kitchen.",
        "Turn the music down, {name} is (sleeping|on a call).",
        "Put on a (true crime|history|comedy) podcast while I cook.",
        "Add this song to the playlist I made for {name}.",
    )),
    Topic("cinema", "get tickets or showtimes", "movie cinema film theater theatre ticket concert show event screening entertainment imdb", (
        "Get {small} tickets for the (late|matinee|7 PM) screening of the new Bond movie {day}.",
        "What's playing at the movie theater in {city} {day}?",
        "Are there still seats for the (musical|comedy show|ballet) in {city} {day}?",
        "When does the (horror|animated|documentary) film festival in {city} start?",
    )),
    Topic("shopping", "shop for you", "product shop store order cart purchase buy item price inventory catalog sku ecommerce retail sale customer", (
        "Buy a (blue|grey|red) (raincoat|backpack|suitcase) for {family}, not over {amount}.",
        "Can you compare prices for (espresso machines|hiking boots|noise-canceling headphones)? My budget is {amount}.",
        "I want to return the (shoes|jacket|blender) I bought last week. Please start the return.",
        "Put {small} (light bulbs|notebooks|phone chargers) into my shopping cart.",
    )),
    Topic("parcels", "track or send parcels", "package parcel shipment shipping delivery tracking courier order mail postal carrier logistics address", (
        "Where is my parcel? The tracking number is {number}.",
        "Arrange a courier to pick up a (box|suitcase|crate) from {family} {day} {hour}.",
        "How much does it cost to ship a {small}-kilo package to {city}?",
        "Could you reroute the parcel for {name} to the pickup point in {city}?",
    )),
    Topic("stocks", "look up share prices", "stock share market ticker quote portfolio invest trading finance price financial crypto fund bond symbol", (
        "What are (Nvidia|Toyota|Siemens|Nestle) shares trading at right now?",
        "Sell {small} of my (Intel|Shell|Sony) shares if they drop below {amount}.",
        "How did the (Nikkei|Dow Jones|FTSE) close yesterday?",
        "Which of my stocks lost the most (this week|this month|since yesterday)?",
    )),
    Topic("banking", "reach your bank account", "bank account payment transfer money balance transaction card loan fund pay credit finance billing invoice wallet deposit", (
        "Transfer {amount} to {family} {day}.",
        "How much money is left in my (checking|savings) account?",
        "Block my (credit|debit) card, I think I lost it in {city}.",
        "Did {colleague} pay me the {amount} yet?",
    )),
    Topic("taxis", "call a ride", "taxi ride car cab uber driver transport pickup travel trip vehicle rental route", (
        "Get me a taxi to the (station|airport|stadium) {day} {hour}.",
        "I need a ride from {city} city hall to {name}'s place right now.",
        "How long until my cab arrives? It was ordered for {hour}.",
        "Reserve a minivan with a driver for {small} people in {city} {day}.",
    )),
    Topic("trains", "look up trains or buses", "train bus railway station ticket transit transport schedule travel route trip metro departure timetable", (
        "When is the next train to {city}?",
        "Is the night bus to {city} running late {day}?",
        "Reserve {small} window seats on the (morning|evening) train to {city} {day}.",
        "Which platform does the {city} train leave from?",
    )),
    Topic("traffic", "check the traffic or plan routes", "traffic route map direction navigation distance drive road location place travel gps commute", (
        "How bad is the traffic on the way to {city}?",
        "What's the fastest way to drive to {name}'s office {hour}?",
        "Is the (tunnel|bridge|ring road) in {city} closed {day}?",
        "Find a parking garage near the (museum|market|opera) in {city}.",
    )),
    Topic("calendar", "see or change your calendar", "calendar event meeting schedule appointment remind date time agenda availability invite plan attendee slot", (
        "Move my meeting with {colleague} to {day} {hour}.",
        "Am I free {day} {hour}?",
        "Put {name}'s (recital|graduation|housewarming) on my calendar, it's {day} {hour}.",
        "Which meetings do I have {day}?",
    )),
    Topic("reminders", "set reminders or alarms", "reminder alarm timer task todo remind notify notification schedule time calendar alert", (
        "Remind me {day} {hour} to call {family}.",
        "Set an alarm for {hour} {day}.",
        "Wake me {hour}, I have to catch a train.",
        "Start a timer for {small} minutes, the (pasta|tea|dough) is ready then.",
    ), hands=True),
    Topic("email", "read or send your mail", "email mail message inbox send recipient subject contact notify notification reply gmail communication attachment", (
        "Send {colleague} an email that I'm (sick|running late|out of office) {day}.",
        "Did {name} answer my email about the (contract|invoice|summer party)?",
        "Forward the last message from {colleague} to {name}.",
        "Clear the (newsletters|spam|promotions) out of my inbox.",
    )),
    Topic("calls", "make calls or send texts", "phone call sms text message contact number voice send notify communication chat dial slack whatsapp", (
        "Call {family} and put it on speaker.",
        "Text {name} that I'll be there {hour}.",
        "Leave {colleague} a voicemail that the meeting {day} is off.",
        "Who called me {small} times this morning?",
    ), hands=True),
    Topic("home", "control anything in your home", "light lamp thermostat heating home device smart room temperature door lock switch appliance camera sensor alarm turn", (
        "Turn off the lights in the (living room|hallway|garage|nursery).",
        "Make it a bit (warmer|cooler) in the (bedroom|study|bathroom) before {name} gets home.",
        "Did I lock the (front|back|cellar) door?",
        "Close the blinds in the (kitchen|office|attic) {hour}.",
        "Start the (dishwasher|washing machine|robot vacuum) {hour}.",
    ), hands=True),
    Topic("printing", "print or scan anything", "print printer document file scan paper page copy pdf", (
        "Print {small} copies of the (lease|seating plan|boarding passes) in color.",
        "Scan the (receipt|passport|drawing) on my desk and save it.",
        "Why is the office printer out of (paper|toner) again? Order some, please.",
        "Print a photo of {name} on glossy paper.",
    ), hands=True),
    Topic("car", "reach your car", "car vehicle garage tire fuel battery engine drive charge mechanic automotive lock service maintenance", (
        "How much charge is left in my car?",
        "Warm up the car for me, I leave {hour}.",
        "Book my car in for (an oil change|new brake pads|winter tires) in {city} {day}.",
        "Unlock the trunk for {name}, please.",
    ), hands=True),
    Topic("doctor", "deal with medical appointments", "doctor health medical patient appointment clinic hospital prescription medicine symptom drug dentist pharmacy disease", (
        "Get me an appointment with a (dentist|dermatologist|physiotherapist) in {city} {day}.",
        "Renew my prescription for (the allergy spray|the asthma inhaler|blood pressure pills).",
        "Which pharmacy in {city} is open {day} {hour}?",
        "Are the lab results for {family} in yet?",
    )),
    Topic("fitness", "see your workouts or book classes", "fitness workout exercise gym health run step calorie training sport sleep heart weight activity", (
        "How many steps did I take {day}, and did I beat {name}?",
        "Sign me up for the (yoga|spinning|pilates) class {day} {hour}.",
        "Log a {small}-mile run for this morning.",
        "Freeze my gym membership in {city} for {small} weeks.",
    )),
    Topic("sports", "look up scores or fixtures", "sport game team score match league player football basketball soccer tennis season tournament athlete", (
        "Who won the (hockey|rugby|handball) match in {city} last night?",
        "When does the {city} (soccer|basketball|baseball) team play next?",
        "What's the score in the (tennis|cricket|volleyball) final right now?",
        "Get {small} seats for the (derby|playoff game|cup final) in {city}.",
    )),
    Topic("news", "look up the latest news", "news article headline press journal media blog story publish feed current post search", (
        "What happened in {city} today?",
        "Any news about the (strike|election|storm|power outage) in {city}?",
        "Give me this morning's (business|science|culture) headlines.",
        "What are the papers writing about the new mayor of {city}?",
    )),
    Topic("library", "reach the library", "library book loan isbn author read novel borrow catalog title publication", (
        "Does the library in {city} have the latest (Murakami|Atwood|Ishiguro) novel?",
        "Renew the {small} books that {name} borrowed.",
        "Put a hold on the (gardening|chess|baking) book I told you about.",
        "How much do I owe in library fines?",
    )),
    Topic("jobs", "search or apply for jobs", "job career employ recruit resume candidate salary hire work application employee position company hr vacancy", (
        "Which (nursing|welding|teaching) jobs are open in {city}?",
        "Send my resume to the bakery in {city} that is hiring.",
        "What does a (tram driver|florist|paramedic) earn in {city} these days?",
        "Tell the recruiter that I accept the interview {day} {hour}.",
    )),
    Topic("housing", "look for a home", "apartment house property rent real estate mortgage listing home tenant landlord lease building room housing", (
        "Find me a {small}-room apartment in {city} with a balcony.",
        "Set up a viewing of the house in {city} {day} {hour}.",
        "How high are rents in {city} at the moment?",
        "Tell our landlord that the (heating|elevator|doorbell) is broken.",
    )),
    Topic("pets", "look after a pet", "pet dog cat animal vet breed veterinary puppy feed", (
        "Get the (dog|cat|rabbit) an appointment at the vet {day} {hour}.",
        "Find someone in {city} to walk my dog {day}.",
        "Has the automatic feeder given the cats their dinner?",
        "Is there a (puppy|kitten) up for adoption in {city}?",
    )),
    Topic("garden", "run anything in the garden", "garden plant water flower lawn soil seed irrigation crop farm tree agriculture", (
        "Water the (tomatoes|roses|herbs) {hour}, it's been dry.",
        "Have {small} bags of potting soil brought to my garden gate {day}.",
        "Start the lawn mower robot {day} {hour}.",
        "How moist is the soil in the (greenhouse|raised bed|front yard)?",
    ), hands=True),
    Topic("authorities", "deal with public offices", "passport license permit government tax visa registration citizen office form identity legal law authority certificate", (
        "Get me an appointment at the passport office in {city} {day}.",
        "Is my (visa|residence permit|driver's license) ready for pickup?",
        "Register my new address in {city} with the city hall.",
        "How much is the parking fine with the number {number}, and can you pay it?",
    )),
    Topic("insurance", "look into your insurance", "insurance policy claim coverage premium damage accident liability", (
        "File a claim for the (broken window|stolen bike|water damage) {family} reported.",
        "Does my insurance cover {name} when we're in {city}?",
        "What's the status of claim {number}?",
        "Cancel my (travel|pet|phone) insurance by {amount} a year if it renews.",
    )),
    Topic("photos", "reach your photos", "photo image picture camera album gallery video visual edit upload media", (
        "Show me the photos from {name}'s wedding in {city}.",
        "Take a selfie in {small} seconds.",
        "Make an album of the pictures {family} took in {city}.",
        "Remove the (tourist|lamppost|red eyes) from my last picture.",
    )),
    Topic("school", "reach the school", "school course student class teacher university grade lesson exam education college learn homework enroll", (
        "Tell the school that {name} is sick and stays home {day}.",
        "When are the (chemistry|Latin|geography) exams in {city} this year?",
        "Sign {name} up for the (pottery|swimming|coding) course {day}.",
        "What grade did {family} get on the (history|math|biology) test?",
    )),
    Topic("laundry", "arrange household help", "laundry clean cleaning plumber electrician repair household handyman maid housekeeping service", (
        "Send a plumber to {family}'s place {day}, the (sink|shower|toilet) is leaking.",
        "Have my (suit|curtains|wedding dress) picked up for dry cleaning {day}.",
        "Book the cleaner for {small} hours {day}.",
        "I need an electrician in {city} {day} {hour}. Can you get one?",
    )),
    Topic("beauty", "book salons", "hair beauty salon spa massage barber appointment nail cosmetic booking", (
        "Book me a haircut with {name} {day} {hour}.",
        "Is there a barber in {city} with a free chair {day}?",
        "Reserve a {small}-hour massage for {family} {day}.",
        "Move my (manicure|facial|pedicure) to {day} {hour}.",
    )),
)  # fmt: skip
"""Every topic; the order is part of the drawing, so new ones go to the end."""
