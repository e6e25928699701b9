import { describe, expect, it } from '@jest/globals';
import { espeakVoice } from './local-synthesizer.ts';
import { splitForPlaying, splitForSpeech } from './split-for-speech.ts';
import { speakableEnglish } from './speakable-english.ts';
import { speakableGerman } from './speakable-german.ts';

describe('English', () => {
  it.each([
    ['Press 1 for sales.', 'Press one for sales.'],
    ['Room 101 & 42', 'Room one hundred one and forty two'],
    ['1,250 customers', 'one thousand two hundred fifty customers'],
    ['from 9:00 to 17:30', "from nine o'clock to seventeen thirty"],
    ['at 9:05 am', 'at nine oh five AM'],
    ['until 5pm', 'until five PM'],
    ['$29.95 or €1', 'twenty nine dollars ninety five or one euro'],
    ['the 21st and the 3rd', 'the twenty first and the third'],
    ['the 20th', 'the twentieth'],
    ['3.5%', 'three point five percent'],
    ['order 0042', 'order zero zero four two'],
    ['call 12345678', 'call one two three four five six seven eight'],
    ['call +45 70 12 34 56', 'call four five seven zero one two three four five six'],
    ['hello@example.com', 'hello at example dot com'],
    ['Café “Zoë” – open', 'Cafe Zoe, open'],
    ['press * or #', 'press star or hash'],
    ["We're here 🙂", "We're here"],
    ['you’re welcome', "you're welcome"],
  ])('an English voice reads %s as %s', (text, spoken) => {
    expect(speakableEnglish(text)).toBe(spoken);
  });
});

describe('German', () => {
  it.each([
    ['von 9:00 bis 17:30 Uhr', 'von 9 Uhr bis 17 Uhr 30'],
    ['ab 08:05', 'ab 8 Uhr 5'],
    ['1.250 Kunden & 3,5 %', '1250 Kunden und 3 Komma 5 Prozent'],
    ['Rufen Sie 0800 1234567 an', 'Rufen Sie 0 8 0 0 1 2 3 4 5 6 7 an'],
    ['für 5 €', 'für 5 Euro'],
    ['„Grüße“ an info@beispiel.de', 'Grüße an info ät beispiel Punkt de'],
  ])('a German voice reads %s as %s', (text, spoken) => {
    expect(speakableGerman(text)).toBe(spoken);
  });
});

describe('pieces of a text', () => {
  it('pieces of a text end where sentences do', () => {
    expect(splitForSpeech('Hello. How are you?\nBye!', 'en')).toEqual(['Hello.', 'How are you?', 'Bye!']);
  });

  it('pieces of a text end at commas in a long sentence, and between words in an endless one', () => {
    expect(splitForSpeech('one two three, four five six, seven', 'en', 20)).toEqual([
      'one two three,',
      'four five six, seven',
    ]);
    expect(splitForSpeech('alpha beta gamma delta', 'en', 12)).toEqual(['alpha beta', 'gamma delta']);
  });

  it('pieces of a text end at a comma when a sentence would keep a caller waiting', () => {
    const [first, second] = [
      'You can park behind the house from Monday to Friday and at',
      'the station on Saturdays and on Sundays',
    ];
    const long = `${first} ${second}, or in the street in front of our house, free of charge.`;
    expect(splitForSpeech(long, 'en')).toEqual([
      `${first} ${second},`,
      'or in the street in front of our house, free of charge.',
    ]);
    expect(splitForPlaying(`Yes. ${long}`, 'en').slice(1)).toEqual(splitForSpeech(long, 'en'));
  });

  it('pieces of a text are never longer than they may be, and lose no letter', () => {
    const text = `${'x'.repeat(95)} word, ${'another sentence of words '.repeat(20)}`;
    const pieces = splitForSpeech(text, 'da', 40);
    expect(pieces.every(({ length }) => length <= 40)).toBe(true);
    expect(pieces.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
  });

  it('pieces of a text are empty for an empty text', () => {
    expect(splitForSpeech('… 🙂 ?!', 'not a language')).toEqual([]);
    expect(splitForPlaying('… 🙂 ?!', 'not a language')).toEqual([]);
  });

  it('pieces of a text that is played meanwhile begin with a short one', () => {
    const hours = 'We are open from Monday to Friday from nine to five, and on Saturdays from ten to two.';
    expect(splitForPlaying(`${hours} ${hours}`, 'en')).toEqual([
      'We are open from Monday to Friday from nine to five,',
      'and on Saturdays from ten to two.',
      hours,
    ]);
    expect(splitForPlaying('Yes, of course. Who is calling?', 'en')).toEqual(['Yes, of course.', 'Who is calling?']);
    expect(splitForPlaying('a '.repeat(100), 'en')).toHaveLength(1);
  });
});

it.each([
  ['da', 'da'],
  ['DA_dk', 'da'],
  ['pt-BR', 'pt-br'],
  ['fr-CA', 'fr'],
  ['en-GB', 'en'],
  ['no', 'nb'],
  ['zh-Hant-HK', 'cmn'],
  ['zh-HK', 'yue'],
  ['es-MX', 'es-419'],
  ['xx', undefined],
  ['', undefined],
])('the voice of "%s" is %s', (language, voice) => {
  expect(espeakVoice(language)).toBe(voice);
});
