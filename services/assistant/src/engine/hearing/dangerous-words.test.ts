import { describe, expect, it } from '@jest/globals';
import { companyFacts } from '../../../test/company-facts.ts';
import { call } from '../../../test/hold-conversation.ts';

describe('dangerous words', () => {
  it.each([
    ['bicycles', 'dial 1 1 2 '],
    ['dentist', 'dial 9 9 9 '],
  ] as const)('dangerous words of an emergency name the number of the country: %s', (company, number) => {
    const conversation = call(companyFacts(company)).hear('Help, my kitchen is on fire');
    expect(conversation.said).toContain(number);
    expect(conversation.action).toEqual({ name: 'hand_over', reason: 'emergency' });
  });

  it.each([
    'Help their ish of fire in my house.',
    'Help, my father has collapsed',
    'please help us, she is not breathing',
    'My father, Hesch-collatz, and does not respond.',
    'there was a car accident and my wife is bleeding',
    'somebody is breaking into my house',
    'Ice-mell gas and the kitchen,',
  ])('dangerous words of an emergency are understood: %s', (words) => {
    expect(call().hear(words).action).toMatchObject({ reason: 'emergency' });
  });

  it.each([
    'Can you help me with my fire insurance?',
    'help me find a fire extinguisher',
    'I had a small accident with my bike, can you repair it?',
    'My tyre collapsed',
    'Anna is busy, she does not respond to my mails',
    'there was a fire in the shop last year',
  ])('dangerous words of no emergency are not taken for one: %s', (words) => {
    expect(call().hear(words).action ?? {}).not.toMatchObject({ reason: 'emergency' });
  });

  it('dangerous words such as a card number are neither stored nor repeated, and the caller is told', () => {
    const { turn, said } = call().hear('my card number is 4111 1111 1111 1111');
    expect(turn).toMatchObject({ heard: 'my card number is •••', masked: true });
    expect(JSON.stringify(turn)).not.toContain('4111');
    expect(said).toContain('do not tell me card numbers');
  });
});
