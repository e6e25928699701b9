/** How a language says numbers; null where a word is no number. */
export interface NumberWords {
  /** A whole number below a thousand million, in one word: `twelve`, `fünfundvierzig`. */
  cardinal(word: string): number | null;
  /** `fifth`, `fünften`; also of digits: `5th`. */
  ordinal(word: string): number | null;
  /** Multiplies what is before it: `hundred`. */
  factor(word: string): number | null;
  /** Joins the parts of one number: `two hundred and five`. */
  readonly and: string;
  /** Begins the decimals. */
  readonly point: string;
  /** A zero among digits only. */
  readonly letterZero: string;
  /** Repeats the digit that follows: `double four`. */
  repeats(word: string): number | null;
}

type Dictionary = ReadonlyMap<string, number>;

const numbered = (words: string, from = 0): [string, number][] =>
  words.split(' ').map((word, place) => [word, place + from]);
const tensOf = (words: string): [string, number][] => words.split(' ').map((word, place) => [word, (place + 2) * 10]);

const find = (dictionary: Dictionary) => (word: string) => dictionary.get(word) ?? null;
const nothing = () => null;

const english = ((): NumberWords => {
  const cardinals = new Map([
    ...numbered(
      'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen',
    ),
    ...numbered('seventeen eighteen nineteen', 17),
    ...tensOf('twenty thirty forty fifty sixty seventy eighty ninety'),
    ['fourty', 40],
    ['nil', 0],
    ['dozen', 12],
  ]);
  const ordinals = new Map([
    ...numbered('zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth'),
    ...numbered('fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth', 14),
    ...tensOf('twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth'),
  ]);
  return {
    cardinal: find(cardinals),
    ordinal: (word) => ordinals.get(word) ?? suffixed(word, /^(\d+)(?:st|nd|rd|th)$/),
    factor: find(
      new Map([
        ['hundred', 100],
        ['thousand', 1000],
        ['million', 1_000_000],
      ]),
    ),
    and: 'and',
    point: 'point',
    letterZero: 'oh',
    repeats: find(
      new Map([
        ['double', 2],
        ['triple', 3],
      ]),
    ),
  };
})();

const german = ((): NumberWords => {
  const ones = numbered('ein zwei drei vier fünf sechs sieben acht neun', 1);
  const tens = tensOf('zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig');
  const belowHundred = withUmlautsSpelt([
    ['null', 0],
    ['eins', 1],
    ['zwo', 2],
    ...ones,
    ...numbered('zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn', 10),
    ...tens,
    ...tens.flatMap(([ten, value]) => ones.map(([one, more]): [string, number] => [`${one}und${ten}`, value + more])),
  ]);
  const cardinal = compound(belowHundred, ['tausend', 'hundert'], ['und']);
  const irregular = withUmlautsSpelt([
    ['erst', 1],
    ['dritt', 3],
    ['siebt', 7],
    ['acht', 8],
  ]);
  return {
    cardinal,
    ordinal(word) {
      const stem = /^(.+?)(?:e|er|en|es|em)$/.exec(word)?.[1];
      if (stem === undefined) return null;
      const short = irregular.get(stem);
      if (short !== undefined && stem.endsWith('t')) return short;
      const counted = /^(.+)t$/.exec(stem)?.[1];
      return counted === undefined ? null : (cardinal(counted) ?? cardinal(counted.replace(/s$/, '')));
    },
    factor: find(
      new Map([
        ['million', 1_000_000],
        ['millionen', 1_000_000],
        ['hundert', 100],
        ['tausend', 1000],
      ]),
    ),
    and: 'und',
    point: 'komma',
    letterZero: 'null',
    repeats: nothing,
  };
})();

const danish = ((): NumberWords => {
  const ones = [...numbered('en to tre fire fem seks syv otte ni', 1), ['et', 1] as [string, number]];
  const tens: [string, number][] = [
    ...tensOf('tyve tredive fyrre halvtreds tres halvfjerds firs halvfems'),
    ['fyrretyve', 40],
    ['halvtredsindstyve', 50],
    ['tresindstyve', 60],
    ['firsindstyve', 80],
  ];
  const belowHundred: Dictionary = new Map([
    ['nul', 0],
    ...ones,
    ...numbered('ti elleve tolv tretten fjorten femten seksten sytten atten nitten', 10),
    ...tens,
    ...tens.flatMap(([ten, value]) => ones.map(([one, more]): [string, number] => [`${one}og${ten}`, value + more])),
  ]);
  const ordinals = new Map([
    ...numbered('første anden tredje fjerde femte sjette syvende ottende niende tiende ellevte tolvte', 1),
    ['andet', 2] as [string, number],
    ...numbered('trettende fjortende femtende sekstende syttende attende nittende', 13),
    ['tyvende', 20] as [string, number],
    ['tredivte', 30] as [string, number],
    ...numbered('enogtyvende toogtyvende treogtyvende fireogtyvende femogtyvende seksogtyvende', 21),
    ...numbered('syvogtyvende otteogtyvende niogtyvende', 27),
    ['enogtredivte', 31] as [string, number],
  ]);
  return {
    cardinal: compound(belowHundred, ['tusinde', 'tusind', 'hundrede', 'hundred'], ['og']),
    ordinal: find(ordinals),
    factor: find(
      new Map([
        ['hundrede', 100],
        ['tusind', 1000],
        ['tusinde', 1000],
        ['million', 1_000_000],
        ['millioner', 1_000_000],
      ]),
    ),
    and: 'og',
    point: 'komma',
    letterZero: 'nul',
    repeats: find(new Map([['dobbelt', 2]])),
  };
})();

const digitsOnly: NumberWords = {
  cardinal: nothing,
  ordinal: nothing,
  factor: nothing,
  and: '',
  point: '',
  letterZero: '',
  repeats: nothing,
};

const languages: Readonly<Record<string, NumberWords>> = { en: english, de: german, da: danish };

/** The number words of a language code; none of a language that is not known here, whose numbers are then read as digits only. */
export function numberWordsOf(language: string): NumberWords {
  return languages[language.split('-', 1)[0]!] ?? digitsOnly;
}

/** Numbers that are written in one word: `zweihundertfünf`, `tohundredeogfem`. */
function compound(belowHundred: Dictionary, factors: readonly string[], joints: readonly string[]) {
  const values: Readonly<Record<string, number>> = {
    tausend: 1000,
    hundert: 100,
    tusinde: 1000,
    tusind: 1000,
    hundrede: 100,
    hundred: 100,
  };
  return function read(word: string): number | null {
    if (word === '' || word.length > 60) return null;
    const known = belowHundred.get(word);
    if (known !== undefined) return known;
    for (const factor of factors) {
      const at = word.indexOf(factor);
      if (at < 0) continue;
      const before = at === 0 ? 1 : read(word.slice(0, at));
      const joined = word.slice(at + factor.length);
      const joint = joints.find((each) => joined.startsWith(each)) ?? '';
      const after = joined === '' ? 0 : (read(joined.slice(joint.length)) ?? read(joined));
      return before === null || after === null ? null : before * values[factor]! + after;
    }
    return null;
  };
}

function suffixed(word: string, pattern: RegExp): number | null {
  const digits = pattern.exec(word)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Recognisers and people write `fuenf` and `dreissig`, too. */
function withUmlautsSpelt(words: readonly (readonly [string, number])[]): Dictionary {
  const spelt = (word: string) =>
    word.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue').replaceAll('ß', 'ss');
  return new Map(words.flatMap(([word, value]) => [[word, value] as const, [spelt(word), value] as const]));
}
