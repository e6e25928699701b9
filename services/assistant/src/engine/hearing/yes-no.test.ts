import { describe, expect, it } from '@jest/globals';
import { hearWords } from './heard-words.ts';
import { readYesNo } from './yes-no.ts';

describe('an answer of yes or no', () => {
  it.each([
    ['Yes.', 'yes', ''],
    ['yeah sure', 'yes', 'sure'],
    ['Uh, yes please', 'yes', 'please'],
    ["That's right", 'yes', ''],
    ['Okay', 'yes', ''],
    ['Okay, no.', 'no', ''],
    ['No, thank you', 'no', 'thank you'],
    ["No, it's Hansen with an E", 'no', "it's Hansen with an E"],
    ['not quite', 'no', ''],
    ['no problem', null, ''],
    ['No idea', null, ''],
    ['Right now?', null, ''],
    ['okay and when do you close tomorrow', null, ''],
    ['When do you open?', null, ''],
    ['', null, ''],
  ])('"%s" is the answer %s', (said, answer, rest) => {
    const read = readYesNo(hearWords(said), 'en');
    expect(read && { answer: read.answer, rest: read.rest.text }).toEqual(answer && { answer, rest });
  });

  it.each([
    ['Ja tak', 'da', 'yes'],
    ['det passer', 'da', 'yes'],
    ['Nej, det er forkert', 'da', 'no'],
    ['Ja, gerne', 'de', 'yes'],
    ['Das stimmt nicht', 'de', 'no'],
    ['Nein danke', 'de', 'no'],
  ])('"%s" in the language %s is the answer %s', (said, language, answer) => {
    expect(readYesNo(hearWords(said), language)?.answer).toBe(answer);
  });
});
