import { describe, expect, it } from '@jest/globals';
import { companyFacts } from '../../test/company-facts.ts';
import { call, FACTS, withActions, withFacts } from '../../test/hold-conversation.ts';
import { decideByProduct } from './decide-turn.ts';
import { embeddedEngine } from './embedded-engine.ts';
import type { Heard, SessionFacts } from './engine.ts';
import type { EngineState } from './state.ts';

const ANONYMOUS = withFacts({ caller: { name: null, number: null, canReceiveText: false } });

describe('the beginning of a call', () => {
  it('the beginning of a call is the disclosure, which cannot be interrupted, and the greeting', () => {
    expect(call().turn.say.map(({ text, interruptible }) => [text, interruptible])).toEqual([
      ['You are speaking with an automated assistant.', false],
      ['Welcome to Northside Bicycles. How can I help you?', true],
    ]);
  });

  it.each([
    ['Jane Hansen', 'Hello, welcome to us.', 'Hello Jane. Welcome to us.'],
    ['Dr. Hansen', 'Welcome.', 'Hello Dr. Hansen. Welcome.'],
    [null, 'Hello, welcome to us.', 'Hello, welcome to us.'],
  ])('the beginning of a call greets %s', (name, greeting, expected) => {
    const facts = withFacts({
      caller: { ...FACTS.caller, name },
      assistant: { ...FACTS.assistant, greeting },
    });
    expect(call(facts).said).toBe(`You are speaking with an automated assistant. ${expected}`);
  });
});

describe('answers', () => {
  it('answers end with a goodbye for a caller who first wanted more, and then has no further question', () => {
    const conversation = call().hear('Anna Berg please').result('unavailable').hear('no', 'yes');
    expect(conversation.said).toBe('What can I do for you?');
    expect(conversation.hear('No, thanks.').action).toEqual({ name: 'end_call' });
  });

  it('answers to a yes or no that nothing asked for are a question', () => {
    expect(call().hear('Yes.')).toMatchObject({ said: 'What can I do for you?', turn: { understood: true } });
    const conversation = call().hear('What does a puncture repair cost?', 'No.');
    expect(conversation.said).toMatch(/anything else/);
    expect(conversation.hear('By.').action).toEqual({ name: 'end_call' });
  });

  it('answers are what the company wrote, with their source', () => {
    const { turn } = call().hear('What does a puncture repair cost?');
    expect(turn.say).toEqual([
      {
        text: 'We repair a puncture for 120 kroner, usually while you wait.',
        key: null,
        sources: [{ type: 'knowledge_entry', id: 'puncture' }],
        interruptible: true,
      },
    ]);
  });

  it('answers to a question that nothing fits say so, offer what is allowed, and keep the question', () => {
    const conversation = call().hear('who won the football match');
    expect(conversation.turn).toMatchObject({ understood: false, unanswered: 'who won the football match' });
    expect(conversation.said).toMatch(/take a message or connect you with a colleague/);
    expect(call(withActions({ transfer: false })).hear('who won the football match').said).toMatch(/message\?$/);
  });

  it.each([
    [['when do you close today', 'and tomorrow?'], /^Tomorrow we are open/],
    [['are you open tomorrow', 'what about Sunday'], /^On Sunday we are closed/],
    [['when do you open to Amaro?'], /^We open tomorrow at/],
    [['What does a puncture repair cost?', 'and for a tube'], /120 kroner/],
    [['What does a puncture repair cost?', 'how much was that again?'], /120 kroner/],
  ])('answers go on about what was answered last: %j', (heard, expected) => {
    expect(call().hear(...heard).said).toMatch(expected);
  });

  it('answers are found although a word was recognised with another letter', () => {
    expect(call().hear('what does a puncture repain cost').said).toMatch(/120 kroner/);
    expect(call().hear('how much is a punture').said).toMatch(/120 kroner|Puncture/);
  });

  it('answers do not go on about another subject', () => {
    expect(call().hear('What does a puncture repair cost?', 'and tomorrow?').said).not.toMatch(/120 kroner/);
    expect(call().hear('are you open tomorrow', 'and what is your address').said).toMatch(/Harbour Street/);
  });

  it('answers are given twice in the same words, and then something else is offered', () => {
    const ask = 'what are your opening hours';
    const conversation = call().hear(ask, ask, ask, ask, ask);
    expect(conversation.said).not.toContain('Monday');
  });

  it('answers leave out entries of other numbers, and those that are out of date', () => {
    const [entry] = FACTS.knowledge.entries;
    const known = (change: object) =>
      withFacts({ knowledge: embeddedEngine.indexKnowledge([{ ...entry!, ...change }], 'en', () => undefined) });
    const ask = (facts: SessionFacts) => call(facts).hear('what does a puncture repair cost').said;
    expect(ask(known({ validUntil: '2026-05-12' }))).toContain('120 kroner');
    expect(ask(known({ validUntil: '2026-05-11' }))).not.toContain('120');
    expect(ask(known({ businessNumberIds: ['num_2'] }))).not.toContain('120');
  });
});

describe('three turns that are not understood', () => {
  it('three turns that are not understood lead to the fallback', () => {
    const conversation = call().hear('xyzzy plugh', 'foo bar', 'what is love');
    expect(conversation.action).toEqual({ name: 'hand_over', reason: 'not_understood' });
    expect(conversation.said).toBe('One moment, please.');
  });

  it('three turns that are not understood have to follow each other', () => {
    expect(call().hear('xyzzy plugh', 'foo bar', 'are you open', 'what is love').action).toBeNull();
  });
});

describe('a message', () => {
  it('a message is repeated, and taken after a yes', () => {
    const conversation = call().hear('Can I leave a message for Anna?', 'The delivery is late.', 'Jane Hansen');
    expect(conversation.said).toBe(
      'Let me repeat: The delivery is late. It is for Anna Berg. Your name is Jane Hansen. ' +
        'We can reach you on the number ending in 5 0. Is that right?',
    );
    const message = { name: 'take_message', text: 'The delivery is late.', caller_name: 'Jane Hansen', target: 'anna' };
    expect(conversation.hear('Yes.').action).toEqual(message);
    expect(conversation.said).toBe('');
    expect(conversation.result('taken').said).toMatch(/^Thank you, I have noted your message\. .*\?$/);
  });

  it.each([
    ['No, my name is Petra', 'Petra', 'The delivery is late.'],
    ['No, the bike is broken', 'Jane', 'the bike is broken'],
  ])('a message is corrected by "%s"', (correction, name, text) => {
    const conversation = call().hear('leave a message', 'The delivery is late.', 'Jane', correction);
    expect(conversation.action).toBeNull();
    expect(conversation.said).toContain(name);
    expect(conversation.hear('yes').action).toMatchObject({ text, caller_name: name });
  });

  it('a message of an anonymous caller has the number that was said, or none', () => {
    const begin = () => call(ANONYMOUS).hear('leave a message', 'My name is Jane and I am late');
    expect(begin().turn.expects).toBe('number');
    const message = begin().hear('20 30 40 51');
    expect(message.said).toContain('2 0, 3 0, 4 0, 5 1');
    expect(message.hear('yes').action).toMatchObject({ callback_number: '+4520304051' });
    expect(begin().hear("I'd rather not", 'yes').action).not.toHaveProperty('callback_number');
  });

  it('a message that could not be saved is not claimed', () => {
    const conversation = call().hear('leave a message', 'I am late', 'Jane', 'yes').result('failed');
    expect(conversation.said).toContain('could not save your message');
  });

  it('a message is not taken by a yes to what was not heard', () => {
    const conversation = call().hear('leave a message', 'I am late', 'Jane');
    conversation.hear({ kind: 'interrupted', spoken: 'Let me' });
    expect(conversation.hear('yes').action).toBeNull();
    expect(conversation.said).toContain('I am late');
    expect(conversation.hear('yes').action).toMatchObject({ name: 'take_message' });
  });

  it('a message can be dropped', () => {
    expect(call().hear('leave a message', 'never mind').turn.state.task).toBeNull();
  });
});

describe('a call back', () => {
  it('a call back to the caller’s own number says its last two digits only', () => {
    const conversation = call().hear('Can somebody call me back tomorrow at three?');
    expect(conversation.said).toBe('Shall we call you back on the number you are calling from, ending in 5 0?');
    expect(conversation.hear('yes').action).toEqual({ name: 'request_callback', when: 'tomorrow at three' });
    expect(conversation.result('queued').said).toMatch(/^Thank you\. We will call you back/);
  });

  it('a call back at a time that is said instead of a yes repeats the time, and asks again', () => {
    const conversation = call().hear('call me back', 'tomorrow morning please');
    expect(conversation.said).toMatch(/called tomorrow morning\. .*5 0/);
    expect(conversation.hear('yes').action).toEqual({ name: 'request_callback', when: 'tomorrow morning' });
    expect(call().hear('call me back', 'can you make that tomorrow at ten').said).toMatch(/called tomorrow at ten/);
    expect(call().hear('call me back', 'are you open tomorrow morning').said).toMatch(/^Tomorrow we are open/);
  });

  it.each([
    ['can you make that tomorrow at ten', 'tomorrow at ten'],
    ['no, tomorrow at ten please', 'tomorrow at ten'],
    ['Yes, could we do it on Friday morning instead?', 'on Friday morning'],
  ])('a call back that was arranged is arranged for another time: %s', (wish, when) => {
    const conversation = call().hear('call me back', 'yes').result('queued').hear(wish);
    expect(conversation.said).toMatch(new RegExp(`called ${when}\\. .*5 0`));
    expect(conversation.hear('yes').action).toEqual({ name: 'request_callback', when });
    const other = call().hear('call me back', 'no', '20 30 40 51', 'yes').result('taken').hear(wish);
    expect(other.hear('yes').action).toEqual({ name: 'request_callback', number: '+4520304051', when });
  });

  it('a call back that was arranged is left alone by questions, and by what is said later', () => {
    const arranged = () => call().hear('call me back', 'yes').result('queued');
    expect(arranged().hear('are you open tomorrow morning').said).toMatch(/^Tomorrow we are open/);
    const later = arranged().hear('are you open tomorrow morning', 'and on Friday');
    expect(later.turn.state.question?.kind).not.toBe('own_number');
  });

  it('a call back to another number repeats it; it may be said in two breaths', () => {
    const conversation = call().hear('call me back', 'no', 'it is twenty thirty', 'forty fifty one');
    expect(conversation.said).toBe('The number is 2 0, 3 0, 4 0, 5 1. Is that right?');
    expect(conversation.hear('yes').action).toEqual({ name: 'request_callback', number: '+4520304051' });
  });

  it('a call back to a number that was keyed in repeats it', () => {
    const conversation = call(ANONYMOUS).hear('call me back').keys('20304051');
    expect(conversation.said).toContain('2 0, 3 0, 4 0, 5 1');
  });

  it('a call back to a number that the company may not call is refused, and another one asked for', () => {
    const conversation = call(ANONYMOUS).hear(
      'call me back',
      'plus one four one five five five five oh one double three',
    );
    expect(conversation.said).toContain('cannot call that number');
    expect(conversation.turn.expects).toBe('number');
    expect(call(ANONYMOUS).hear('call me back', '20304051', 'yes').result('not_allowed').turn.expects).toBe('number');
  });
});

describe('a text', () => {
  it('a text is sent after a yes', () => {
    const conversation = call().hear('text me the rental link');
    expect(conversation.said).toBe('Shall I send "Bike rental" as a text to the number ending in 5 0?');
    expect(conversation.hear('yes').action).toEqual({ name: 'send_text', knowledge_entry_id: 'rental' });
    expect(conversation.result('sent').said).toMatch(/^I have sent you the text\./);
  });

  it('a text is sent twice at most', () => {
    const conversation = call();
    for (let texts = 0; texts < 2; texts += 1) conversation.hear('text me the rental link', 'yes').result('sent');
    expect(conversation.hear('text me the rental link').turn.state.question?.kind).not.toBe('confirm_text');
  });

  it('a text is not offered to a caller who can receive none', () => {
    expect(call(ANONYMOUS).hear('text me the rental link').said).toContain('cannot send a text to your number');
    expect(call(ANONYMOUS).hear('can I rent a bike').said).not.toContain('text');
  });
});

describe('keys, silence and time', () => {
  it('keys: 0 is the fallback, others are ignored, also 0 alone where a number is asked for', () => {
    expect(call().keys('0').action).toEqual({ name: 'hand_over', reason: 'key' });
    expect(call().keys('5').turn).toMatchObject({ say: [], action: null });
    expect(call(ANONYMOUS).hear('call me back').keys('0').action).toEqual({ name: 'hand_over', reason: 'key' });
  });

  it('words that are not recognised are asked for again, and lead to the fallback the third time', () => {
    const unrecognised: Heard = { kind: 'unrecognised' };
    const conversation = call().hear(unrecognised);
    expect(conversation.action).toBeNull();
    expect(conversation.said).toMatch(/did ?n.t|sorry/i);
    expect(conversation.hear(unrecognised, unrecognised).action).toMatchObject({ reason: 'not_understood' });
    expect(call().hear(unrecognised, unrecognised, 'hello', unrecognised).action).toBeNull();
  });

  it('silence is asked about twice, and then leads to the fallback after a goodbye', () => {
    const silence: Heard = { kind: 'silence' };
    const conversation = call().hear(silence, silence);
    expect(conversation.action).toBeNull();
    expect(conversation.hear(silence).action).toEqual({ name: 'hand_over', reason: 'silence' });
    expect(conversation.said).toContain('Goodbye');
    expect(call().hear(silence, silence, 'hello', silence).action).toBeNull();
  });

  it('time that is over is the fallback, after a warning', () => {
    const conversation = call().hear({ kind: 'time_warning' });
    expect(conversation.said).toContain('half a minute');
    expect(conversation.hear({ kind: 'time_over' }).action).toEqual({ name: 'hand_over', reason: 'limit_duration' });
  });
});

describe('the end of a call', () => {
  it.each([
    'goodbye',
    'no thanks, that was all',
    'thank you, bye',
    'know that as all thanks bye',
    'Goon bye.',
    'Glenn Bye',
  ])('the end of a call follows "%s"', (words) => {
    const conversation = call().hear('are you open', words);
    expect(conversation.action).toEqual({ name: 'end_call' });
    expect(conversation.said).toContain('Goodbye');
  });

  it.each([
    [['are you open'], 'resolved'],
    [[], 'abandoned'],
    [['are you open', 'what is the capital of France'], 'abandoned'],
    [['leave a message', 'I am late', 'Jane'], 'abandoned'],
  ])('the end of a call after %j is %s', (lines, outcome) => {
    expect(embeddedEngine.outcomeIfLeft(call().hear(...lines).turn.state)).toBe(outcome);
  });

  it('the end of a call after a message, or a wish to be called back, is that', () => {
    const message = call().hear('leave a message', 'I am late', 'Jane', 'yes').result('taken');
    expect(embeddedEngine.outcomeIfLeft(message.turn.state)).toBe('message_taken');
    const callback = call().hear('call me back', 'yes').result('queued');
    expect(embeddedEngine.outcomeIfLeft(callback.turn.state)).toBe('callback_requested');
  });
});

describe('what is the product’s beside a model', () => {
  const stateOf = (...lines: string[]) => call().hear(...lines).turn.state;
  const byProduct = (state: EngineState, text: string) => decideByProduct(state, FACTS, { kind: 'words', text });

  it('what is the product’s beside a model are a yes to its question, emergencies and secrets, not other words', () => {
    const asked = stateOf('leave a message', 'I am late', 'Jane');
    expect(byProduct(asked, 'yes')?.action?.name).toBe('take_message');
    expect(byProduct(asked, 'no, tomorrow')).toBeNull();
    expect(byProduct(asked, 'fire!')?.action?.name).toBe('hand_over');
    expect(byProduct(asked, 'my pin is 7391')?.heard).toBe('my pin is •••');
    expect(byProduct(stateOf(), 'are you open')).toBeNull();
  });

  const request = (name: string, given: object, heard = '') =>
    embeddedEngine.requestAction(stateOf(), FACTS, { name, arguments: given } as never, heard);

  it('what is the product’s beside a model is whom it rings: a name that was not said is confirmed', () => {
    const ring = (heard: string) => request('transfer_call', { target: 'anna' }, heard);
    expect(ring('Anna Berg please')).toMatchObject({ action: { name: 'transfer_call' } });
    expect(ring('somebody in the office')).toMatchObject({ action: null, say: [{ text: 'Do you mean Anna Berg?' }] });
  });

  it.each([
    ['transfer_call', { target: 'emp_of_its_own' }, 'unknown_target'],
    ['take_message', { text: 'Hello', target: 'emp_of_its_own' }, 'unknown_target'],
    ['take_message', { text: 'Hello', callback_number: '12' }, 'invalid_number'],
    ['request_callback', { number: '+14155550133' }, 'invalid_number'],
    ['send_text', { knowledge_entry_id: 'kno_of_its_own' }, 'unknown_entry'],
  ])('what is the product’s beside a model is what it may ask for: %s %j is refused', (name, given, refused) => {
    expect(request(name, given)).toEqual({ refused });
  });
});

describe('other languages', () => {
  it.each([
    ['da', ['Jeg vil gerne lægge en besked', 'Hjulet er faldet af', 'Jens Hansen', 'ja'], 'take_message'],
    ['da', ['Jeg vil gerne tale med Anna Berg'], 'transfer_call'],
    ['da', ['Kan I ringe mig op?', 'ja tak'], 'request_callback'],
    ['da', ['nej tak, farvel'], 'end_call'],
    ['de', ['Ich möchte eine Nachricht hinterlassen', 'Das Rad ist ab', 'Jens Hansen', 'ja'], 'take_message'],
    ['de', ['Ich möchte mit Anna Berg sprechen'], 'transfer_call'],
    ['de', ['Können Sie mich zurückrufen?', 'ja bitte'], 'request_callback'],
    ['de', ['Auf Wiederhören'], 'end_call'],
  ])('other languages are understood: in %s %j is %s', (language, lines, action) => {
    expect(call(companyFacts('bicycles', { language })).hear(...lines).action?.name).toBe(action);
  });

  it.each([
    ['da', 'Hvornår lukker I i dag?', 'Vi lukker i dag klokken 17:30.'],
    ['de', 'Wann schließen Sie heute?', 'Wir schließen heute um 17:30 Uhr.'],
    ['da', 'Hvad er jeres adresse?', 'Vores adresse er 14 Harbour Street, 8000 Aarhus.'],
  ])('other languages are spoken: in %s "%s" is answered by "%s"', (language, asked, answer) => {
    expect(call(companyFacts('bicycles', { language })).hear(asked).said).toBe(answer);
  });

  it.each([
    ['da', ['Hvornår lukker I i dag?', 'Kan du gentage det?'], 'Vi lukker i dag klokken 17:30.'],
    ['da', ['Har I åbent i morgen?', 'og på søndag?'], 'På søndag har vi lukket.'],
    ['de', ['Wann schließen Sie heute?', 'Können Sie das bitte wiederholen?'], 'Wir schließen heute um 17:30 Uhr.'],
    ['de', ['Haben Sie morgen geöffnet?', 'und am Sonntag?'], 'Am Sonntag haben wir geschlossen.'],
  ])('other languages go on about the last answer: in %s %j is answered by "%s"', (language, lines, answer) => {
    expect(call(companyFacts('bicycles', { language })).hear(...lines).said).toBe(answer);
  });
});
