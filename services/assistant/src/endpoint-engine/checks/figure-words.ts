/** Words of a language that give numbers a meaning. */
export interface FigureWords {
  readonly months: ReadonlyMap<string, number>;
  /** Months that are other words as well, unless they are beside a day. */
  readonly ambiguousMonths: ReadonlySet<string>;
  /** 1 is Monday. */
  readonly weekdays: ReadonlyMap<string, readonly number[]>;
  /** What is said before an hour, and the minutes it adds: `half past` 9. */
  readonly beforeHour: readonly (readonly [words: readonly string[], minutes: number])[];
  /** Between minutes and an hour: 10 `past` 9. */
  readonly minutesPast: readonly string[];
  readonly minutesTo: readonly string[];
  /** Words for a time, in minutes of the day. */
  readonly times: ReadonlyMap<string, number>;
  /** After an hour. */
  readonly oclock: ReadonlySet<string>;
  /** Parts of the day. */
  readonly am: ReadonlySet<string>;
  readonly pm: ReadonlySet<string>;
  /** Before an hour, where no noun follows. */
  readonly beforeTime: ReadonlySet<string>;
  /** What is neither a noun nor a unit, so that the number before it may be an hour. */
  readonly functionWords: ReadonlySet<string>;
  /** Joins the ends of a range. */
  readonly to: ReadonlySet<string>;
  /** Number words that are mostly used otherwise. */
  readonly articles: ReadonlySet<string>;
  /** What follows the number of a floor. */
  readonly floors: ReadonlySet<string>;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

function monthsOf(full: string, short: string): ReadonlyMap<string, number> {
  const numbered = (words: string) => words.split(' ').map((word, place): [string, number] => [word, place + 1]);
  return new Map([...numbered(short), ...numbered(full)]);
}

/** `full` from Monday on, `also`: `mon=1`. */
function weekdaysOf(full: string, ending: string, also: string): ReadonlyMap<string, readonly number[]> {
  const named = full.split(' ').flatMap((word, place): [string, number[]][] => [
    [word, [place + 1]],
    [word + ending, [place + 1]],
  ]);
  const others = also.split(' ').map((pair): [string, number[]] => {
    const [word = '', days = ''] = pair.split('=');
    return [word, [...days].map(Number)];
  });
  return new Map([...named, ...others]);
}

const english: FigureWords = {
  months: monthsOf(
    'january february march april may june july august september october november december',
    'jan feb mar apr may jun jul aug sep oct nov dec',
  ),
  ambiguousMonths: set('may march mar'),
  weekdays: weekdaysOf(
    'monday tuesday wednesday thursday friday saturday sunday',
    's',
    'mon=1 tue=2 tues=2 wed=3 thu=4 thur=4 thurs=4 fri=5 weekday=12345 weekdays=12345 weekend=67 weekends=67 daily=1234567 everyday=1234567',
  ),
  beforeHour: [
    [['half', 'past'], 30],
    [['quarter', 'past'], 15],
    [['quarter', 'after'], 15],
    [['quarter', 'to'], -15],
    [['quarter', 'before'], -15],
    [['half'], 30],
  ],
  minutesPast: ['past', 'minutes past', 'minutes after'],
  // "ten to five" is a range far more often.
  minutesTo: ['minutes to', 'minutes before'],
  times: new Map([
    ['noon', 720],
    ['midday', 720],
    ['midnight', 0],
  ]),
  oclock: set("o'clock oclock"),
  am: set('am morning mornings'),
  pm: set('pm afternoon afternoons evening evenings night tonight'),
  beforeTime: set(
    'at from until till til to by before after between and around about or open opens close closes closed opening',
  ),
  functionWords: set(
    "to until till til and or on in at from by every each today tomorrow tonight but so if when because we i you they it the for of am pm o'clock oclock then that this is are with as a an please before after sharp local during except instead",
  ),
  to: set('to until till til through thru and'),
  articles: set('one'),
  floors: set('floor storey story'),
};

const german: FigureWords = {
  months: monthsOf(
    'januar februar märz april mai juni juli august september oktober november dezember',
    'jan feb mär apr mai jun jul aug sep okt nov dez',
  ),
  ambiguousMonths: new Set(),
  weekdays: weekdaysOf(
    'montag dienstag mittwoch donnerstag freitag samstag sonntag',
    's',
    'sonnabend=6 sonnabends=6 mo=1 di=2 mi=3 do=4 fr=5 sa=6 werktags=12345 wochentags=12345 wochenende=67 täglich=1234567',
  ),
  beforeHour: [
    [['viertel', 'nach'], 15],
    [['viertel', 'vor'], -15],
    [['halb'], -30],
  ],
  minutesPast: ['nach', 'minuten nach'],
  minutesTo: ['vor', 'minuten vor'],
  times: new Map([['mitternacht', 0]]),
  oclock: set('uhr'),
  am: set('morgens vormittags früh'),
  pm: set('nachmittags abends nachts'),
  beforeTime: set('um ab von bis gegen vor nach zwischen und oder etwa geöffnet offen'),
  functionWords: set(
    'bis und oder am an im in um ab von jeden heute morgen aber wenn weil wir sie ich es der die das den für uhr ist sind mit als bitte vor nach',
  ),
  to: set('bis und'),
  articles: set('ein eine einen einem einer eines'),
  floors: set('stock etage obergeschoss'),
};

const danish: FigureWords = {
  months: monthsOf(
    'januar februar marts april maj juni juli august september oktober november december',
    'jan feb mar apr maj jun jul aug sep okt nov dec',
  ),
  ambiguousMonths: set('mar'),
  weekdays: weekdaysOf(
    'mandag tirsdag onsdag torsdag fredag lørdag søndag',
    'e',
    'mandage=1 man=1 tir=2 ons=3 tor=4 fre=5 lør=6 søn=7 hverdag=12345 hverdage=12345 weekend=67 weekenden=67 dagligt=1234567',
  ),
  beforeHour: [
    [['kvart', 'over'], 15],
    [['kvart', 'i'], -15],
    [['halv'], -30],
  ],
  minutesPast: ['over', 'minutter over'],
  minutesTo: ['i', 'minutter i'],
  times: new Map([['midnat', 0]]),
  oclock: new Set(),
  am: set('morgen morgenen formiddag formiddagen'),
  pm: set('eftermiddag eftermiddagen aften aftenen natten'),
  beforeTime: set('klokken kl fra til ved inden efter mellem og eller omkring åbent åbner lukker'),
  functionWords: set(
    'til og eller på i om fra hver hvert dag i-dag imorgen men hvis når fordi vi du de jeg det den for er med som inden efter ved om',
  ),
  to: set('til og'),
  articles: set('en et'),
  floors: set('sal etage'),
};

const languages: Readonly<Record<string, FigureWords>> = { en: english, de: german, da: danish };

/** Of a language code; English of a language that is not known here. */
export function figureWordsOf(language: string): FigureWords {
  return languages[language.split('-', 1)[0]!] ?? english;
}

/** What prices are in, by its words and signs in all languages. */
export const currencies: ReadonlyMap<string, string> = new Map(
  Object.entries({
    EUR: '€ eur euro euros',
    USD: '$ usd dollar dollars bucks',
    GBP: '£ gbp pound pounds quid pfund',
    // What a crown is worth depends on the country of the company.
    kr: 'kr krone kroner kronen krona kronor crown crowns dkk sek nok',
    CHF: 'chf franken francs franc',
    cent: 'cent cents pence penny øre öre rappen ct',
  }).flatMap(([unit, words]) => words.split(' ').map((word): [string, string] => [word, unit])),
);

export const percentWords: ReadonlySet<string> = set('% percent per-cent prozent procent pct');
