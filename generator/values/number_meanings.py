"""What a number means: a plausible range and step for its name, its description's range, its default's scale."""

from __future__ import annotations

import re
from collections.abc import Callable

from generator.values.draw import Draw
from generator.values.entities import place
from generator.values.hints import Hint
from generator.values.numbers import Bounds
from generator.values.times import epoch
from generator.values.words import singular

Range = tuple[float, float, float]

_TABLE: dict[Range, str] = {
    (18, 75, 1): "age,patient age,current age,person age",
    (1, 12, 1): "child age,month,timeframe,tenure month,shift,semester count,adult count",
    (1, 28, 1): "day,day of month",
    (7, 21, 1): "hour",
    (0, 55, 5): "minute",
    (1, 4, 1): "adult,quarter,room,passenger,guest,traveler,person,seat,bedroom,ticket,child,bathroom,baggage,number of guest,party size,copy,driver,bag,leg",
    (2, 8, 1): "party,people,number of people,serving,group size,player,attendee,head count,round,elements count,number of player,team size",
    (2, 14, 1): "night,day,days,duration day,day ahead,trip day,forecast day,days ahead,duration days,number of night",
    (1, 5, 1): "star,stars,min star,page,priority,severity,difficulty,level,page number,depth level,floor,chapter,degree,rank,grade level,star rating,baggages",
    (5, 50, 5): "limit,page size,per page,max result,top k,top n,count,result,num result,number of result,max item,max count,batch size,first,entries,size limit,k nearest",
    (3, 20, 1): "top,num,k,place,number of article,match,game,line count,stop,contribution,vote count small,step,iteration,question,number of question",
    (0, 60, 10): "offset,skip,start index",
    (5, 60, 5): "duration,interval,minute duration,meeting length,timeout,duration minute,cook time,prep time,time limit,workout,reading time,travel time,timer,wait time,time limit minute",
    (1, 30, 0.5): "time elapsed,elapsed time",
    (5, 60, 5.0): "second,delay,duration second,retry delay",
    (1, 12, 1.0): "hours,hour worked,duration hour,sleep hour,work hour",
    (2, 30, 1): "year,years,num year,investment year,term year,time year,loan term,term,holding period,number of year,period,tenure,experience",
    (1990, 2025, 1): "calendar year",
    (12, 60, 12): "month term,term month",
    (500, 20000, 500): "amount,payment amount,transfer amount,investment,initial investment,deposit,balance,principal,principle,principal amount,salary bonus,savings,loan,loan amount,contribution amount,initial amount,deposit amount",
    (10, 500, 5): "price,cost,fee,total cost small,bid,subtotal,unit price,spent,tip,fare,charge amount,min price,max price,price per night,rate per night,ticket price,daily rate,hourly rate,min amount,refund amount,spend,fine",
    (200, 5000, 50): "budget,total,total price,total amount,total cost,monthly payment,rent,total spent,grand total",
    (200000, 900000, 5000): "house price,home price,property price,home value,property value,mortgage amount",
    (30000, 150000, 1000): "income,salary,annual income,annual salary,wage,yearly income,gross income,net income small,taxable income",
    (100000, 5000000, 50000): "revenue,sale,net income,asset,liability,equity,total asset,profit,total debt,operating income,market cap small,net profit,total equity,turnover,earning,expense total,current asset,current liability,valuation,shareholder equity,dividend payout",
    (1.5, 9.5, 0.25): "interest rate,annual rate,apr,apy,rate of interest,mortgage rate,discount rate,annual interest rate,yield,tax percent,growth rate,inflation rate,rate of return,expected return,annual return,return rate,inflation",
    (0.5, 9, 0.5): "rate,percent change,change percent,change",
    (5, 80, 5): "percent,percentage,discount,humidity,progress,battery,probability percent,completion,utilization,cloud cover,off,tip percentage,volume level,precipitation chance,battery level,discount percent,brightness,opacity percent",
    (0.05, 0.95, 0.05): "probability,confidence,ratio,fraction,threshold,alpha,weight factor,p,success probability,confidence level,efficiency,similarity,relevance,temperature sampling,top p,min score,dropout,p value,correlation,opacity,score threshold,accuracy,lightness",
    (3.1, 4.9, 0.1): "rating,average rating,star average,min rating,minimum rating,user rating",
    (55, 98, 1): "score,grade,mark,points scored,quality score,exam score,test score",
    (3, 32, 1): "temperature,temp,temp c,feels like,temperature celsius,min temp,max temp,high,low,celsius,outdoor temperature,current temperature,dew point",
    (38, 95, 1): "fahrenheit,temp f,temperature fahrenheit",
    (250, 400, 5): "kelvin,temperature kelvin,temperature k",
    (2, 40, 1): "wind speed,wind,gust",
    (990, 1035, 1): "pressure hpa,pressure mb,atmospheric pressure,barometric",
    (1, 10, 0.5): "pressure,visibility,uv,uv index",
    (5, 100, 5): "distance,radius,range,distance km,search radius,radius km,radius mile,mileage small,radius miles",
    (1000, 90000, 1000): "mileage,odometer,distance driven,kilometer",
    (10, 120, 5): "speed,velocity,initial velocity,final velocity,speed limit,average speed,speed kmh,tempo small,v,v0,u,initial speed",
    (1, 12, 0.5): "acceleration,a,depth,altitude small,thickness",
    (100, 3000, 50): "altitude,elevation,footage,square footage,square foot,sqft,height above,flight altitude,lot size",
    (155, 195, 1): "height cm,height",
    (48, 110, 1): "weight,weight kg,body weight,body mass,kg,current weight,target weight",
    (5, 90, 5): "length,width,side,base,breadth,side1,perimeter,circumference,edge,x,y,z,a side,b,c,side length,diameter,edge length,height m,long side,tail",
    (20, 400, 10): "area,volume,surface area,footage small,coverage,room area,land area",
    (1, 50, 1): "mass,charge current,mass kg,m,n,value,number,num1,num2,first,second,quantity,qty,k value,element count,stock count,item count,a number,b number,r,amount of item,share,shares,number of share,position,index,i,j,i value,d,operand,integer,addend,unit",
    (2, 12, 0.5): "voltage small,current,current a,ampere,amplitude,resistance ohm,field strength,magnetic field,strength",
    (9, 240, 3): "voltage,volt",
    (10, 1000, 10): "resistance,ohm,power,watt,force,energy,load,capacity,charge,power watt,heat,work,impedance,joule,pressure kpa,wavelength nm,inductance,capacitance,wavelength",
    (50, 2000, 50): "frequency,freq,hz,calorie,calories,steps small,kcal,calorie intake,daily calorie",
    (4000, 14000, 250): "step count,steps,step goal,daily step",
    (60, 180, 2): "tempo,bpm,heart rate,pulse,beats per minute",
    (300, 800, 10): "wavelength visible",
    (5, 80, 1.0): "protein,carb,fat,carbs,sugar,fiber,cholesterol",
    (1.0, 25, 0.5): "concentration,density,molarity,mol,mole,ph small,dose,liter,moles,quantity liter,fuel efficiency,gallon",
    (2, 12, 0.5e0): "ph",
    (50_000, 9_000_000, 50_000): "population,inhabitant,population size,resident",
    (1_000, 900_000, 1_000): "view,views,view count,subscriber,impression,download,follower small,follower,follower count,play count,visit,traffic,downloads,pageview,plays",
    (1, 900, 1): "like,likes,comment,vote,upvote,comment count,fork,star count,retweet,share count,reaction,review count,stargazer,following,following count,reviews,num review,stars count,repost",
    (10, 2000, 10): "token,max token,word count,word,max length,length limit,char limit,character",
    (1, 400, 1): "issue number,pull number,pr number,issue,pullnumber,issuenumber,discussionnumber,alert number,discussion number",
    (1000, 99999, 1): "id,identifier,order id,user id,order number,zip code,zip,account number,reference number,run id,post id,ticket id,customer id,product id,message id,record id,employee id,code,serial",
    (100_000_000, 900_000_000, 1): "account id,installation id,node id,repo id",
    (1, 200, 1): "number of unit,inventory,stock,in stock,quantity available,available,units",
    (1024, 65535, 1): "port number",
    (1000, 50_000_000, 500): "size byte,file size,bytes,byte,content length,size in byte,memory",
    (200, 1920, 20): "pixel,width px,height px,screen width,image width,image height,window width,resolution",
    (20, 2000, 20): "duration ms,latency,response time,millisecond,ms,latency ms,debounce",
    (1, 9, 1): "size,quantity small,dice,die face,face,decimal place,precision,rounding,decimal,round,base number,exponent,power exponent,order,sigma digits,num bedroom,trials small,worker,replica,thread,outcomes,outcome,retry,retries,max retries,attempt",
    (10, 100, 10): "trial,n trial,trials,population sample,n estimator,epoch,iterations,estimator,rolls,sample size,number of sample,bins,flips,toss",
    (2, 9, 1): "success,k success,successes,defeated,extra life,success on trial",
    (0.1, 3, 0.1): "coefficient,mu,sigma,standard deviation,variance,std,stdev,gain,factor,scale,std dev,exchange rate,elasticity,beta,multiplier,exchange,conversion rate",
    (10, 400, 5.0): "angle,bearing,direction,rotation,heading,launch angle,azimuth",
    (1, 22, 1): "century",
    (0, 255, 1): "red,green,blue,r channel,g channel,b channel,rgb",
    (200, 599, 1): "http status",
    (5, 120, 5): "lesson,attendance,occupancy,capacity seat,max attendee,max participant",
    (20, 3000, 5): "emission,carbon,co2,footprint,distance mile",
    (3, 150, 1): "line,line number,start line,line count,end line,row,total line,lines,tail line,head line",
    (120_000, 950_000, 1_000): "gdp,market cap",
}  # fmt: skip
_BY_NAME: dict[str, Range] = {name: span for span, names in _TABLE.items() for name in names.split(",")}

_YEAR_WANTED = re.compile(r"calendar|\bin which\b|\bof the\b|year (?:of|in|for|to|when|was|they)|\b(?:19|20)\d\d\b|specific year|which year|fiscal|the year", re.I)
_PER_CENT_AS_FRACTION = re.compile(r"decimal|\b0?\.\d+\b|0 (?:to|and) 1\b|between 0 and 1|fraction|0\.0", re.I)
_BIG_UNITS = ((re.compile(r"milli(?:on|ons)\b", re.I), (1, 200, 1.0)),)
_UNIT_RANGES = (
    (re.compile(r"\bcentimet|\bin cm\b|\(cm\)", re.I), {"height": (150, 195, 1), "length": (10, 120, 5)}),
    (re.compile(r"\bin feet\b|\bfeet\b|\bft\b", re.I), {"height": (5, 60, 1), "length": (4, 40, 1), "width": (3, 30, 1)}),
    (re.compile(r"\binch", re.I), {"height": (58, 78, 1), "length": (4, 60, 1), "width": (4, 40, 1)}),
    (re.compile(r"\bmeters?\b|\bmetres?\b|\(m\)|\bin m\b", re.I), {"height": (2, 80, 1), "length": (2, 50, 1), "distance": (50, 2000, 50), "radius": (1, 25, 1), "width": (2, 20, 1)}),
    (re.compile(r"\bpounds?\b|\blbs?\b", re.I), {"weight": (110, 240, 5)}),
    (re.compile(r"\bfahrenheit\b|°F", re.I), {"temperature": (38, 95, 1), "temp": (38, 95, 1)}),
    (re.compile(r"\bkelvin\b", re.I), {"temperature": (260, 420, 5), "temp": (260, 420, 5)}),
    (re.compile(r"\bgeomet|triangle|cylinder|cone|pyramid|rectang|trapez|prism|falling|dropped|building|projectile", re.I), {"height": (3, 60, 1)}),
    (re.compile(r"\bsphere|circle|cylinder|cone|disk|orbit", re.I), {"radius": (2, 25, 1)}),
)  # fmt: skip
_NICE_STEPS = (0.01, 0.05, 0.1, 0.5, 1, 5, 10, 50, 100, 500, 1000, 5000, 10_000, 100_000, 1_000_000)


def number_meaning(words: tuple[str, ...]) -> Range | None:
    """Return the range of the longest tail of the name that is known; counts by their prefix."""
    words = tuple(word for word in words if not word.isdecimal()) or words
    for start in range(max(0, len(words) - 3), len(words)):
        tail = words[start:]
        for key in (" ".join(tail), " ".join((*tail[:-1], singular(tail[-1])))):
            if key in _BY_NAME:
                return _BY_NAME[key]
    if words and words[0] in ("num", "number", "count", "total", "max", "min", "n", "no"):
        return (1, 10, 1)
    return None


def number_range(hint: Hint, bounds: Bounds, *, whole: bool) -> Range | None:
    """Return the (low, high, step) a number should rather come from; None where nothing tells."""
    wanted = _told(hint, whole) or _meant(hint, whole) or _near_default(hint, whole)
    if wanted is None:
        return None
    return _within(wanted, bounds, whole)


def _told(hint: Hint, whole: bool) -> Range | None:
    if hint.told_range is None:
        return None
    low, high = hint.told_range
    if low > 1900 and high < 2100:
        return (low, high, 1)
    return (low, high, _nice_step(high - low, whole))


def _nice_step(span: float, whole: bool) -> float:
    step = next((nice for nice in reversed(_NICE_STEPS) if nice * 8 <= span), 1 if whole else 0.01)
    return max(1, step) if whole else step


def _meant(hint: Hint, whole: bool) -> Range | None:
    words = hint.words
    last = next((singular(word) for word in reversed(words) if not word.isdecimal()), "")
    text = f"{hint.description} {hint.topic[0].replace('_', ' ')} {hint.topic[1]}"
    if last == "year" and words[-1] != "years" and not (set(words) & {"num", "number", "duration", "count"}) and (
        len(words) == 1 or _YEAR_WANTED.search(hint.description)
    ) and not re.search(r"number of years|how many years|in years", hint.description, re.I):  # fmt: skip
        return (2010, 2025, 1) if not re.search(r"histor|war|built|paint|art|discover|invent", text, re.I) else (1800, 2010, 5)
    for pattern, spans in _UNIT_RANGES:
        if last in spans and pattern.search(text):
            return spans[last]
    span = number_meaning(words)
    fraction_words = {"rate", "percentage", "percent", "interest", "yield", "growth", "discount", "inflation", "return", "probability", "tax"}
    if set(words) & fraction_words and _PER_CENT_AS_FRACTION.search(hint.description) and not whole:
        return (0.01, 0.12, 0.005) if not set(words) & {"probability"} else (0.05, 0.95, 0.05)
    if last == "time" and whole:
        return (5, 60, 5)
    if last == "time":
        return (1, 20, 0.5)
    if span is not None and whole and span[2] < 1:
        return (max(1, span[0]), max(span[1], 5), 1)
    return span


def _near_default(hint: Hint, whole: bool) -> Range | None:
    default = next((value for value in (hint.default, *hint.declared_examples)
                    if isinstance(value, (int, float)) and not isinstance(value, bool)), None)  # fmt: skip
    if default is None or default == 0 or abs(default) > 1e15:
        return None
    low, high = sorted((default * 0.5, default * 2))
    step = _nice_step(high - low, whole)
    low = round(low / step) * step
    return (low, max(high, low + step), step)


def _within(wanted: Range, bounds: Bounds, whole: bool) -> Range | None:
    """Cut the wanted range to the bounds; None where nothing of it is left."""
    low, high, step = wanted
    if bounds.low is not None and bounds.low > low:
        low = low + step * -((float(bounds.low) - low) // -step)
    if bounds.high is not None and bounds.high < high:
        high = float(bounds.high)
    if low > high or (bounds.grid is not None and bounds.grid != 1 and (step / float(bounds.grid)) % 1):
        return None
    return (low, high, max(1, round(step)) if whole else step)


def special_number(hint: Hint) -> Callable[[Draw], float | None] | None:
    """Return a maker for numbers that belong to an entity: coordinates, moments."""
    words = {singular(word) for word in hint.words}
    if words & {"latitude", "lat"}:
        return lambda draw: place(draw, _place_role(hint)).latitude
    if words & {"longitude", "lon", "lng"} or (words & {"long"} and "ongitude" in hint.description):
        return lambda draw: place(draw, _place_role(hint)).longitude
    if words & {"timestamp", "epoch", "unix"} or (hint.words[-1:] == ("at",)):
        scale = 1000 if "milli" in hint.description else 1
        return lambda draw: epoch(hint, draw) * scale
    return None


def _place_role(hint: Hint) -> str:
    noise = {"latitude", "lat", "longitude", "lon", "lng", "long", "coordinate", "location"}
    return " ".join(word for word in hint.words if word not in noise)
