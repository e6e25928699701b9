import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { figuresAreAmong } from './figure-check.ts';
import { readFigures } from './figures.ts';

const isKnown = (sentence: string, source: string, language = 'en') =>
  figuresAreAmong(sentence, readFigures(source, language), language);

describe('the figures of a sentence', () => {
  it.each([
    ['We open at nine thirty.', 'Monday: 09:30–17:00'],
    ['We open at 9:30.', 'We are open from nine thirty to five'],
    ['We open at half past nine.', 'Open from 9:30'],
    ['We open at 9.30 a.m. and close at 5 p.m.', '09:30-17:00'],
    ['From nine thirty AM to five PM.', '09:30 - 17:00'],
    ["We close at five o'clock.", 'until 17:00'],
    ['We close at five.', 'until 17:00'],
    ['We are open from 9 to 17.', '09:00–17:00'],
    ['We are open from 9 to 17.', 'Open 9-17 on weekdays'],
    ['We close at a quarter to six.', 'until 17:45'],
    ['We close at a quarter past six in the evening.', 'until 18:15'],
    ['It starts at ten past nine.', 'It starts at 9:10'],
    ['It starts at ten minutes to nine.', 'It starts at 8:50'],
    ['We open at nine oh five.', '9:05'],
    ['We close at noon.', 'until 12:00'],
    ['We close at midnight.', 'until 24:00'],
    ['We close at twelve.', 'until midday'],
    ['We are open from ten to five.', '10:00-17:00'],
    ['We open at nine in the morning.', 'from 9'],
    ['It costs twelve euros.', 'A bell costs €12.'],
    ['It costs 12 EUR.', 'A bell costs twelve euros.'],
    ['It costs twelve fifty.', 'A bell costs €12.50.'],
    ['It costs twelve euros fifty.', 'A bell costs 12.50 EUR.'],
    ['It costs twelve euros and fifty cents.', 'A bell costs 12,50 €.'],
    ['It costs one thousand two hundred and fifty kroner.', 'Price: DKK 1,250'],
    ['It costs 1250 kroner.', 'Price: 1.250,00 kr.'],
    ['It costs 1 250 kr.', 'Price: 1250 kr'],
    ['It costs 45 kroner.', 'Price: 45,-'],
    ['It costs between ten and twenty dollars.', '$10-20, depending on the size'],
    ['You get twenty percent off.', '20 % off'],
    ['You get 20 per cent off.', 'twenty percent off'],
    ['We are closed on the fifth of May.', 'Closed: 5 May'],
    ['We are closed on May 5th, 2026.', 'Closed on 2026-05-05'],
    ['We are closed on December twenty-fifth.', 'Closed 25.12.2026'],
    ['We are closed on the 24th.', 'Closed on 24 December'],
    ['We are closed from the 20th to the 27th of December.', 'Closed 20-27 December'],
    ['We are closed in May.', 'Closed: 5 May'],
    ['Come on Wednesday.', 'Open Monday to Friday, Wednesday until 20:00'],
    ['Call 70 11 22 33.', 'Telephone +45 7011 2233'],
    ['Call seven zero one one two two three three.', 'Telephone 70 11 22 33'],
    ['Call seventy eleven twenty-two thirty-three.', 'Telephone 70112233'],
    ['Call double seven one one double two oh three.', 'Telephone 77112203'],
    ['It takes three and a half weeks, so two or three weeks.', 'It takes two to three weeks'],
    ['It is 3.5 km.', 'It is three point five kilometres from here'],
    ['We sell a hundred and five bicycles.', '105 bicycles'],
    ['We have twenty-one bicycles.', '21 bicycles'],
    ['We have two thousand and twenty six bicycles.', '2026 bicycles'],
    ['It was nineteen ninety-nine.', 'Founded in 1999'],
    ['It is on the second floor.', '2nd floor'],
    ['We have a dozen.', 'There are 12'],
    ['One moment. I am one of the assistants, and no one else is here.', ''],
    ['Just a second. First of all, hello.', ''],
    ['You may come, and we will march on.', ''],
    ['It is １２ euros.', 'twelve euros'],
    ['It is ١٢ euros.', 'twelve euros'],
  ])('the figures of %j are among those of %j', (sentence, source) => {
    expect(isKnown(sentence, source)).toBe(true);
  });

  it.each([
    ['We open at nine thirty.', 'Monday: 09:00–17:00. It takes 30 minutes.'],
    ['We open at nine.', '09:30–17:00'],
    ['We open at 9 PM.', '09:00–17:00'],
    ['We close at five AM.', 'until 17:00'],
    ['We close at five thirty.', 'until 17:00'],
    ['We open at nine thirty in the evening.', 'Open from 9:30'],
    ['We close at half past five.', 'until 17:00, 30 minutes later in May, 5 days'],
    ['It costs twelve dollars.', 'A bell costs €12.'],
    ['It costs twelve euros.', 'We have 12 bells.'],
    ['It costs thirteen euros.', 'A bell costs €12.'],
    ['It costs 12.50.', 'A bell costs €12.'],
    ['It costs twelve euros and fifty cents.', 'A bell costs 12 €. Another 50 €.'],
    ['It costs 125 kroner.', 'Price: DKK 1,250'],
    ['It costs a thousand kroner.', 'Price: DKK 100'],
    ['You get twenty percent off.', 'It costs 20 euros'],
    ['You get 20% off.', 'It costs 20'],
    ['We have seventeen employees.', 'Open 09:00–17:00'],
    ['We are closed on the sixth of May.', 'Closed: 5 May, 6 June'],
    ['We are closed on May 5th, 2027.', 'Closed on 2026-05-05'],
    ['We are closed in June.', 'Closed: 5 May'],
    ['Come on Sunday.', 'Open Monday to Friday'],
    ['We are open on weekends.', 'Open on Saturday'],
    ['Call 70 11 22 34.', 'Telephone 70 11 22 33'],
    ['Call seven zero one one two two three four.', 'Telephone 70 11 22 33'],
    ['Call 70 22 33 11.', 'Telephone 70 11 22 33'],
    ['It takes two weeks.', 'It takes three weeks'],
    ['It is on the third floor.', 'It is on the second floor'],
    ['We have twenty-five bicycles.', '20 red and 5 blue bicycles'],
    ['We have two hundred bicycles.', '2 bicycles for 100 people'],
    ['It is ١٣ euros.', 'twelve euros'],
    ['It is 1３ euros.', 'twelve euros'],
    ['It is 1\u200b3 euros.', 'twelve euros'],
    ['There are ⑬ of them.', 'There are 12'],
    ['We are open 24/7.', 'Open 9-17'],
    ['We sell millions, exactly two million.', 'We sell 2'],
  ])('the figures of %j are not among those of %j', (sentence, source) => {
    expect(isKnown(sentence, source)).toBe(false);
  });

  it.each([
    ['de', 'Wir öffnen um halb zehn.', '09:30–17:00', true],
    ['de', 'Wir öffnen um zehn Uhr dreißig.', '10:30', true],
    ['de', 'Wir schließen um Viertel nach fünf.', '17:15', true],
    ['de', 'Wir schließen um fünf nach fünf.', '17:05', true],
    ['de', 'Es kostet fünfundvierzig Euro.', '45 €', true],
    ['de', 'Es kostet zweihundertfünf Euro fünfzig.', '205,50 €', true],
    ['de', 'Am 5. Mai ist eine Kollegin da.', '05.05.2026', true],
    ['de', 'Am fünften Mai ist geschlossen.', '05.05.2026', true],
    ['de', 'Am Samstag ist ein Kollege da.', 'Montag bis Samstag', true],
    ['de', 'Wir öffnen um halb zehn.', '10:30–17:00', false],
    ['de', 'Es kostet vierundfünfzig Euro.', '45 €', false],
    ['de', 'Am sechsten Mai ist geschlossen.', '05.05.2026', false],
    ['de', 'Es kostet eine Million.', 'Es kostet 1', false],
    ['da', 'Vi åbner halv ti.', '09:30–17:00', true],
    ['da', 'Vi lukker klokken sytten.', '09:30–17:00', true],
    ['da', 'Vi lukker kvart over fem.', '17:15', true],
    ['da', 'Det koster femogfyrre kroner.', '45 kr.', true],
    ['da', 'Det koster tohundredeogfem kroner.', '205,00 kr.', true],
    ['da', 'Vi holder lukket den femte maj.', '5. maj', true],
    ['da', 'Der er en kollega og et værksted.', '', true],
    ['da', 'Vi åbner halv ti.', '10:30–17:00', false],
    ['da', 'Det koster fireoghalvtreds kroner.', '45 kr.', false],
    ['da', 'Vi har to cykler.', 'Vi har 3 cykler', false],
  ])('in the language %s the figures of %j are among those of %j: %s', (language, sentence, source, expected) => {
    expect(isKnown(sentence, source, language)).toBe(expected);
  });

  it('the figures of a sentence are found in figures and in words, whatever the amount is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 999_999 }), (value) => {
        expect(isKnown(`There are ${words(value)} bicycles.`, `Bicycles: ${value}`)).toBe(true);
        expect(isKnown(`There are ${value} bicycles.`, `Bicycles: ${words(value)}`)).toBe(true);
        expect(isKnown(`It costs ${words(value)} euros.`, `Price: €${value.toLocaleString('en')}`)).toBe(true);
      }),
    );
  });

  it('the figures of a sentence are refused when they differ from every one that is known', () => {
    const amounts = fc.integer({ min: 2, max: 9_999 });
    fc.assert(
      fc.property(amounts, amounts, amounts, (said, one, other) => {
        fc.pre(said !== one && said !== other);
        const source = `${one} euros for a bicycle and ${words(other)} kroner for a bell`;
        expect(isKnown(`It is ${said} euros.`, source)).toBe(false);
        expect(isKnown(`There are ${words(said)} of them, I think.`, source)).toBe(false);
      }),
    );
  });

  it('the times of a sentence are found in words, and refused when they differ', () => {
    const hours = fc.integer({ min: 8, max: 19 });
    const minutes = fc.integer({ min: 10, max: 59 });
    const clock = (hour: number, minute: number) => `${String(hour).padStart(2, '0')}:${minute}`;
    fc.assert(
      fc.property(hours, minutes, hours, minutes, (hour, minute, otherHour, otherMinute) => {
        const said = `We open at ${words(hour > 12 ? hour - 12 : hour)} ${words(minute)} ${hour >= 12 ? 'PM' : 'AM'}.`;
        expect(isKnown(said, clock(hour, minute))).toBe(true);
        fc.pre(hour !== otherHour || minute !== otherMinute);
        expect(isKnown(said, clock(otherHour, otherMinute))).toBe(false);
      }),
    );
  });

  it('the figures of any text are among its own', () => {
    const parts = fc.constantFrom(
      ...'nine ten half past twenty five hundred and point 9:30 12.50 € euros % - 5 may 1,250 o’clock pm the 3rd double oh to 24/7 + 70 11'.split(
        ' ',
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(parts, fc.string({ maxLength: 8 })), { maxLength: 30 }), (words) => {
        for (const language of ['en', 'de', 'da'])
          expect(isKnown(words.join(' '), words.join(' '), language)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('the figures of a long text are read in a time that grows with its length only', () => {
    const before = performance.now();
    for (const part of ['nine ', '9 ', '1,', 'hundred and ', 'double ', '½', '- 1 ', 'zweihundertfünf', 'the 5th of '])
      for (const language of ['en', 'de']) readFigures(part.repeat(10_000 / part.length), language);
    expect(performance.now() - before).toBeLessThan(5000);
  });
});

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** A number below a million, as it is spoken. */
function words(value: number): string {
  if (value < 20) return ONES[value]!;
  if (value < 100) return TENS[Math.floor(value / 10) - 2]! + (value % 10 ? `-${ONES[value % 10]!}` : '');
  const [unit, name] = value < 1000 ? [100, 'hundred'] : [1000, 'thousand'];
  const rest = value % unit;
  const joint = unit === 100 || rest < 100 ? ' and ' : ' ';
  return `${words(Math.floor(value / unit))} ${name}${rest === 0 ? '' : joint + words(rest)}`;
}
