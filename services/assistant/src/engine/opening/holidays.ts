import { Temporal } from 'temporal-polyfill';

/** Holidays that callers ask for by name, in plain words of all languages. The first pattern that matches counts. */
const HOLIDAYS: readonly { readonly name: RegExp; readonly date: (year: number) => Temporal.PlainDate }[] = [
  {
    name: /\bbetween christmas and (?:the )?new years?\b|\bmellem jul og nytar\b|\bzwischen (?:den jahren|weihnachten und (?:neujahr|silvester))\b/,
    date: on(12, 28),
  },
  { name: /\bchristmas eve\b|\bjuleaften(?:sdag)?\b|\bheilig(?:er|en|em)? ?abend\b/, date: on(12, 24) },
  {
    name: /\bboxing day\b|\bsecond day of christmas\b|\b(?:anden|2) juledag\b|\bzweite[rn]? weihnachts(?:feier)?tag\b/,
    date: on(12, 26),
  },
  {
    name: /\bchristmas(?: day)?\b|\bxmas\b|\b(?:forste |1 )?juledag\b|\bjulen?\b|\b(?:erste[rn]? )?weihnacht(?:en|s(?:feier)?tag)\b/,
    date: on(12, 25),
  },
  { name: /\bnew years? eve\b|\bnytarsaften(?:sdag)?\b|\bsilvester\b/, date: on(12, 31) },
  { name: /\bnew years?(?: day)?\b|\bnytar(?:sdag)?\b|\bneujahr(?:stag)?\b/, date: on(1, 1) },
  { name: /\bmaundy thursday\b|\bskaertorsdag\b|\bgrundonnerstag\b/, date: fromEaster(-3) },
  { name: /\bgood friday\b|\blangfredag\b|\bkarfreitag\b/, date: fromEaster(-2) },
  { name: /\beaster monday\b|\b(?:anden|2) paskedag\b|\bostermontag\b/, date: fromEaster(1) },
  { name: /\beaster(?: sunday)?\b|\bpaske(?:n|dag)?\b|\boster(?:n|sonntag)\b/, date: fromEaster(0) },
  {
    name: /\bascension(?: day| thursday)?\b|\bkristi himmelfart(?:sdag)?\b|\b(?:christi )?himmelfahrt(?:stag)?\b/,
    date: fromEaster(39),
  },
  { name: /\b(?:whit|pentecost) monday\b|\b(?:anden|2) pinsedag\b|\bpfingstmontag\b/, date: fromEaster(50) },
  {
    name: /\b(?:whit ?sunday|whitsun|pentecost)\b|\bpinse(?:n|dag)?\b|\bpfingst(?:en|sonntag)\b/,
    date: fromEaster(49),
  },
  { name: /\b(?:labou?r day|may day)\b|\bmaifeiertag\b|\btag der arbeit\b/, date: on(5, 1) },
];

/** The next day of the holiday that is named in a sentence. */
export function holidayIn(plain: string, today: Temporal.PlainDate): Temporal.PlainDate | undefined {
  const holiday = HOLIDAYS.find(({ name }) => name.test(plain));
  if (!holiday) return undefined;
  const thisYear = holiday.date(today.year);
  return Temporal.PlainDate.compare(thisYear, today) < 0 ? holiday.date(today.year + 1) : thisYear;
}

function on(month: number, day: number) {
  return (year: number) => Temporal.PlainDate.from({ year, month, day });
}

function fromEaster(days: number) {
  return (year: number) => easter(year).add({ days });
}

/** Easter Sunday of the western churches (the anonymous Gregorian algorithm). */
function easter(year: number): Temporal.PlainDate {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return Temporal.PlainDate.from({ year, month: Math.floor(f / 31), day: (f % 31) + 1 });
}
