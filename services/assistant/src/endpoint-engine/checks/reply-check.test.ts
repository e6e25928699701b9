import { describe, expect, it } from '@jest/globals';
import { claimsDeed } from './deeds.ts';
import { type ReplyCheckInput, replyCheck } from './reply-check.ts';
import { asksForSecret } from './secret-requests.ts';

const INSTRUCTIONS =
  'Always be friendly. Recommend the blue bicycle to everybody who asks for a gift. The password is Swordfish seven.';
const input: ReplyCheckInput = {
  language: 'en',
  sources: [
    {
      source: { type: 'knowledge_entry', id: 'kno_repair' },
      text: 'Repairs: A repair takes two days and costs 45 euros.',
    },
    { source: { type: 'knowledge_entry', id: 'kno_call' }, text: 'Ready: We will call you back when it is ready.' },
    { source: { type: 'business_hours', id: null }, text: 'Monday 09:00–17:00' },
    { source: { type: 'company', id: null }, text: 'Nordlys Cycles, Main Street 1, 8000 Aarhus' },
    { source: null, text: 'My number is 20 30 40 50' },
  ],
  hidden: [INSTRUCTIONS, 'Answer in one or two short sentences.'],
  ids: ['tgt_4f8Kq2Zz', 'kno_repair'],
};
const check = replyCheck(input);

describe('a sentence of a model', () => {
  it.each([
    'A repair takes two days and costs forty-five euros.',
    'We open on Monday at nine.',
    'Is your number 20 30 40 50?',
    'Shall I connect you with the workshop?',
    'I can take a message for you.',
    'We will call you back when it is ready.',
    'I would recommend the red one.',
    'Please never tell me your password.',
    'Sorry, I cannot send texts.',
    'Please follow the instructions on the box.',
  ])('a sentence of a model such as %j may be spoken', (sentence) => {
    expect(check.objectionTo(sentence)).toBeNull();
  });

  it.each([
    ['A repair takes three days.', 'unknown_figure'],
    ['It is in Baker Street.', 'unknown_figure'],
    ['Recommend the blue bicycle to everybody who asks for a gift.', 'hidden_text'],
    ['My rules: recommend the BLUE bicycle to everybody!', 'hidden_text'],
    ['I was told to always be friendly.', 'hidden_text'],
    ['I answer in one or two short sentences.', 'hidden_text'],
    ['My instructions say: be kind.', 'hidden_text'],
    ['I will use transfer_call now.', 'hidden_text'],
    ['The target is tgt_4f8Kq2Zz.', 'hidden_text'],
    ['The target is t g t 4f8Kq2Zz.', 'hidden_text'],
    ['It is transfer underscore call.', 'hidden_text'],
    ['What is your card number?', 'asks_for_secret'],
    ['Please tell me your PIN.', 'asks_for_secret'],
    ['I have noted that.', 'claims_deed'],
    ["I'm connecting you now.", 'claims_deed'],
  ])('a sentence of a model such as %j is not spoken: %s', (sentence, objection) => {
    expect(check.objectionTo(sentence)).toBe(objection);
  });

  it.each([
    ['A repair costs 45 euros.', [{ type: 'knowledge_entry', id: 'kno_repair' }]],
    ['On Monday we are here from nine to five.', [{ type: 'business_hours', id: null }]],
    ['Nordlys Cycles is in Aarhus.', [{ type: 'company', id: null }]],
    ['How may I help you?', []],
  ])('a sentence of a model such as %j was taken from %j', (sentence, sources) => {
    expect(check.sourcesOf(sentence)).toEqual([...sources, { type: 'model', id: null }]);
  });

  it.each([
    ['en', 'I have noted your message.'],
    ['en', "I've just sent you a text."],
    ['en', "Okay, I'll transfer you to Zoe."],
    ['en', 'Sure, connecting you now!'],
    ['en', "I'm not sure, but I have booked it."],
    ['en', 'Please hold while I connect you.'],
    ['en', 'Your appointment is confirmed.'],
    ['en', 'Zoe will call you back today.'],
    ['en', "You'll receive a text in a minute."],
    ['en', 'Done!'],
    ['en', 'Let me put you through.'],
    ['en', "I'll let them know, would you like anything else?"],
    ['en', 'I’ll pass that on.'],
    ['de', 'Ich verbinde Sie mit der Werkstatt.'],
    ['de', 'Ich habe Ihre Nachricht notiert.'],
    ['de', 'Ich stelle Sie durch.'],
    ['de', 'Frau Schmidt ruft Sie zurück.'],
    ['de', 'Ihr Termin ist gebucht.'],
    ['da', 'Jeg stiller dig om nu, jeg viderestiller dig.'],
    ['da', 'Jeg har noteret din besked.'],
    ['da', 'Nu sender jeg en sms.'],
    ['da', 'Din tid er booket.'],
  ])('in the language %s the sentence %j claims a deed', (language, sentence) => {
    expect(claimsDeed(sentence, language)).toBe(true);
  });

  it.each([
    ['en', 'Shall I connect you?'],
    ['en', 'Would you like me to take a message?'],
    ['en', 'I can transfer you to Zoe.'],
    ['en', "I'm afraid I can't send texts."],
    ['en', 'We repair bicycles.'],
    ['en', 'You can book online.'],
    ['en', 'I hope that helps.'],
    ['en', 'We have two shops.'],
    ['en', 'The workshop is closed today.'],
    ['en', "I'll connect you if you like."],
    ['de', 'Soll ich Sie verbinden?'],
    ['de', 'Ich kann Sie leider nicht verbinden.'],
    ['de', 'Wir haben bis fünf geöffnet.'],
    ['da', 'Skal jeg stille dig om?'],
    ['da', 'Jeg kan desværre ikke sende en sms.'],
    ['da', 'Vi har åbent til fem.'],
  ])('in the language %s the sentence %j claims no deed', (language, sentence) => {
    expect(claimsDeed(sentence, language)).toBe(false);
  });

  it.each([
    ['Could you give me your credit card?', true],
    ['I need your national ID.', true],
    ['Wie lautet Ihr Passwort?', true],
    ['Sig dit CPR-nummer.', true],
    ['We take credit cards.', false],
    ['Please do not tell me your password.', false],
    ['May I have your phone number?', false],
  ])('the sentence %j asks for a secret: %s', (sentence, expected) => {
    expect(asksForSecret(sentence)).toBe(expected);
  });

  it('a sentence of a model is checked in a moment, however much was written down', () => {
    const entry = 'A repair takes 2 days and costs 45 euros, from 9:30 to 17:00 at Main Street 1. ';
    const sources = Array.from({ length: 12 }, (_, place) => ({
      source: { type: 'knowledge_entry', id: `kno_${place}` } as const,
      text: entry.repeat(9),
    }));
    const before = performance.now();
    const large = replyCheck({ ...input, sources, hidden: [INSTRUCTIONS.repeat(30)] });
    const madeMs = performance.now() - before;
    large.objectionTo('A repair takes two days and costs forty-five euros.');
    large.sourcesOf('A repair takes two days and costs forty-five euros.');
    expect(madeMs).toBeLessThan(500);
    expect(performance.now() - before - madeMs).toBeLessThan(200);
  });
});
