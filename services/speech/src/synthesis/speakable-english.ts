const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const CURRENCIES: Readonly<Record<string, readonly [string, string]>> = {
  $: ['dollar', 'dollars'],
  '£': ['pound', 'pounds'],
  '€': ['euro', 'euros'],
};
const SIGNS: Readonly<Record<string, string>> = {
  '&': ' and ',
  '%': ' percent ',
  '@': ' at ',
  '*': ' star ',
  '#': ' hash ',
  '=': ' equals ',
  '+': ' plus ',
  '/': ' ',
  _: ' ',
};
/** Numbers above this are read digit by digit, as telephone and order numbers are. */
const COUNTED_MAX = 999_999;

/** Normalises an English text for the engine, which supports words only, no digits and no symbols. */
export function speakableEnglish(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”"()[\]{}<>«»]/g, ' ')
    .replaceAll(/[–—;:](?=\s|$)|\s[-–—]\s/g, ', ')
    .replaceAll(/\+\d[\d ()-]{5,}\d/g, (number) => spell(number))
    .replaceAll(/([$£€])\s?(\d[\d,]*)(?:\.(\d{2}))?/g, (_, sign: string, whole: string, cents?: string) =>
      money(sign, whole, cents),
    )
    .replaceAll(/\b(\d{1,2}):(\d{2})\b(?:\s*([ap])\.?m\b\.?)?/gi, (_, hour: string, minute: string, half?: string) =>
      time(Number(hour), Number(minute), half),
    )
    .replaceAll(/\b(\d{1,2})\s*([ap])\.?m\b\.?/gi, (_, hour: string, half: string) => time(Number(hour), 0, half))
    .replaceAll(/\b(\d+)(?:st|nd|rd|th)\b/gi, (_, number: string) => ordinal(Number(number)))
    .replaceAll(/\b\d{1,3}(?:,\d{3})+\b/g, (number) => number.replaceAll(',', ''))
    .replaceAll(/\b(\d+)\.(\d+)\b/g, (_, whole: string, part: string) => `${count(whole)} point ${spell(part)}`)
    .replaceAll(/\d+/g, (digits) => ` ${count(digits)} `)
    .replaceAll(/(?<=[a-z])\.(?=[a-z])/gi, ' dot ')
    .replaceAll(/[&%@*#=+/_]/g, (sign) => SIGNS[sign] ?? ' ')
    .replaceAll(/(?<=[a-z])-(?=[a-z])/gi, ' ')
    .replaceAll(/[^\p{L}\s',.!?…-]/gu, ' ')
    .replaceAll(/\s+(?=[,.!?])/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function count(digits: string): string {
  const number = Number(digits);
  return (digits.length > 1 && digits.startsWith('0')) || number > COUNTED_MAX ? spell(digits) : words(number);
}

/** Digit by digit. */
function spell(digits: string): string {
  return [...digits.replaceAll(/\D/g, '')].map((digit) => ONES[Number(digit)]).join(' ');
}

function words(number: number): string {
  if (number < 20) return ONES[number]!;
  if (number < 100)
    return [TENS[Math.floor(number / 10) - 2], number % 10 && ONES[number % 10]].filter(Boolean).join(' ');
  const [unit, name] = number < 1000 ? [100, 'hundred'] : [1000, 'thousand'];
  const rest = number % unit;
  return [words(Math.floor(number / unit)), name, rest && words(rest)].filter(Boolean).join(' ');
}

function ordinal(number: number): string {
  const irregular: Record<string, string> = {
    one: 'first',
    two: 'second',
    three: 'third',
    five: 'fifth',
    eight: 'eighth',
    nine: 'ninth',
    twelve: 'twelfth',
  };
  const spoken = words(Math.min(number, COUNTED_MAX)).split(' ');
  const last = spoken.pop()!;
  return [...spoken, irregular[last] ?? `${last.replace(/y$/, 'ie')}th`].join(' ');
}

function time(hour: number, minute: number, half: string | undefined): string {
  const when = half ? ` ${half.toUpperCase()}M` : '';
  if (minute > 0) return `${words(hour)} ${minute < 10 ? 'oh ' : ''}${words(minute)}${when}`;
  if (half) return `${words(hour)}${when}`;
  return hour > 12 ? `${words(hour)} hundred` : `${words(hour)} o'clock`;
}

function money(sign: string, whole: string, cents: string | undefined): string {
  const amount = whole.replaceAll(',', '');
  const [one, many] = CURRENCIES[sign]!;
  return `${count(amount)} ${amount === '1' ? one : many}${cents && cents !== '00' ? ` ${count(String(Number(cents)))}` : ''}`;
}
