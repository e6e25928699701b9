import { describe, expect, it } from '@jest/globals';
import { knownPlaces, placesAreKnown } from './places.ts';

const SOURCES = [
  'Nordlys Cycles, Main Street 1, 8000 Aarhus',
  'Write to info@nordlys.example or book at https://www.nordlys.example/book.',
  'The workshop is in Vestergade 12.',
  'Our second shop is at 5 Old Mill Road in Odense.',
];
const isKnown = (sentence: string, language = 'en') => placesAreKnown(sentence, knownPlaces(SOURCES), language);

describe('the places of a sentence', () => {
  it.each([
    'Write to info@nordlys.example.',
    'Write to info at nordlys dot example.',
    'Write to Info@Nordlys.example!',
    'You can book at nordlys.example/book.',
    'You can book at www dot nordlys dot example slash book.',
    'You can book at w w w dot nordlys dot example.',
    'Find us at nordlys dot example.',
    'Visit https://nordlys.example/book/.',
    'We are located on Main Street in Aarhus.',
    'Our address is Main Street 1, 8000 Aarhus.',
    'You find us at Vestergade 12.',
    'It is on Old Mill Road.',
    'Our shop is in Odense, and Aarhus is near.',
    'I hope you are well. It is on the way, in the first place.',
  ])('the places of %j are known', (sentence) => {
    expect(isKnown(sentence)).toBe(true);
  });

  it.each([
    'Write to sales@nordlys.example.',
    'Write to sales at nordlys dot example.',
    'Write to info@evil.example.',
    'Write to info at evil dot example.',
    'You can book at evil.example.',
    'You can book at nordlys.example/pay.',
    'You can book at nordlys dot example slash pay.',
    'Visit https://nordlys.example.evil.example.',
    'Visit http://192.evil.example/x.',
    'Our address is Baker Street 1, 8000 Aarhus.',
    'You find us at Nygade 12.',
    'It is on New Mill Road.',
    'Our shop is in Copenhagen.',
    'We are located in Aarhus and in Berlin.',
  ])('the places of %j are not known', (sentence) => {
    expect(isKnown(sentence)).toBe(false);
  });

  it.each([
    ['de', 'Unsere Adresse steht auf der Webseite.', true],
    ['de', 'Wir befinden uns in Aarhus.', true],
    ['de', 'Wir befinden uns in Berlin.', false],
    ['de', 'Der Laden ist in der Hauptstraße.', false],
    ['da', 'Butikken ligger i Aarhus.', true],
    ['da', 'Butikken ligger i Roskilde.', false],
    ['da', 'Værkstedet er i Vestergade.', true],
    ['da', 'Værkstedet er i Nørregade.', false],
  ])('in the language %s the places of %j are known: %s', (language, sentence, expected) => {
    expect(isKnown(sentence, language)).toBe(expected);
  });

  it('the places of a long text are read in a time that grows with its length only', () => {
    const before = performance.now();
    for (const part of ['a.', 'a dot ', 'Main ', 'a@', 'Aa', 'www.', 'located in A ', 'a at b '])
      placesAreKnown(part.repeat(20_000 / part.length), knownPlaces(SOURCES), 'en');
    expect(performance.now() - before).toBeLessThan(5000);
  });
});
