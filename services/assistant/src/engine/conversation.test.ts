import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { companyFacts } from '../../test/company-facts.ts';
import { decideTurn } from './decide-turn.ts';
import type { Action, ActionResult, Heard, SessionFacts, Turn } from './engine.ts';
import { createState, type EngineState } from './state.ts';
import { sentencesOf } from './words/vocabularies.ts';
import type { SentenceKey } from './words/sentences.ts';

const WORDS = [
  'What does a puncture cost?',
  'are you open tomorrow',
  'When do you close on Friday?',
  'are you open on Christmas Eve',
  'Where are you?',
  'Can I speak to Anna Berg?',
  'Anna Burg please',
  'connect me with Anna Holm',
  'I want to speak to somebody about my invoice',
  'the workshop',
  'Can I leave a message?',
  'Please tell Thomas that I will be ten minutes late',
  'Can somebody call me back tomorrow at three?',
  'my number is 20 30 40 51',
  'twenty thirty',
  'forty fifty two',
  'call me on plus one nine hundred 555 1234',
  'Text me the rental link',
  'My name is Jane Hansen',
  'Jane',
  'yes',
  'no',
  'Yes, please.',
  'no, that is wrong',
  "that's right",
  'okay',
  'the first one',
  'both',
  'What?',
  'hold on',
  'hello?',
  'thanks',
  'never mind',
  'Do you repair skateboards?',
  'qwerty uiop',
  'uh',
  '',
  'My card number is 4111 1111 1111 1111',
  'my pin is 7391',
  '•••',
  '{name} {0} $1 \\',
  'constructor __proto__ toString',
];

const RESULTS: Readonly<Record<Action['name'], readonly ActionResult[]>> = {
  transfer_call: ['no_answer', 'declined', 'unavailable', 'failed', 'not_allowed'],
  take_message: ['taken', 'failed'],
  request_callback: ['queued', 'taken', 'not_allowed', 'failed'],
  send_text: ['sent', 'not_possible', 'failed'],
  hand_over: ['handed_over'],
  end_call: ['ended'],
};

/** A step of a conversation: something heard, or a number that chooses the result of the pending action. */
type Step = { readonly heard: Heard } | { readonly result: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom(...WORDS).map((text): Step => ({ heard: { kind: 'words', text } })) },
  { weight: 1, arbitrary: fc.string({ maxLength: 40 }).map((text): Step => ({ heard: { kind: 'words', text } })) },
  { weight: 4, arbitrary: fc.nat(10).map((result): Step => ({ result })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('1', '9', '20304051', '00', '')
      .map((digits): Step => ({ heard: { kind: 'keys', digits } })),
  },
  {
    weight: 1,
    arbitrary: fc.nat(60).map((length): Step => ({ heard: { kind: 'interrupted', spoken: 'x'.repeat(length) } })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Step>(
      { heard: { kind: 'silence' } },
      { heard: { kind: 'unrecognised' } },
      { heard: { kind: 'resumed' } },
      { heard: { kind: 'time_warning' } },
    ),
  },
);

const facts = (language: string): SessionFacts => companyFacts('bicycles', { language });
const FACTS = { en: facts('en'), da: facts('da'), de: facts('de') };

interface Told {
  readonly heard: Heard;
  readonly turn: Turn<EngineState>;
}

/** The conversation, with the result of each action as it was chosen; the state is stored and read after each turn. */
function converse(steps: readonly Step[], about: SessionFacts): Told[] {
  const told: Told[] = [];
  let state = createState('ses_1');
  const hear = (heard: Heard) => {
    const turn = decideTurn(state, about, heard, { vector: null });
    state = JSON.parse(JSON.stringify(turn.state)) as EngineState;
    expect(state).toEqual(turn.state);
    told.push({ heard, turn });
  };
  hear({ kind: 'begin' });
  for (const one of steps) {
    if ('heard' in one) hear(one.heard);
    else if (state.pending) {
      const results = RESULTS[state.pending.name];
      hear({ kind: 'action_result', actionId: state.pending.id, result: results[one.result % results.length]! });
    }
  }
  return told;
}

const conversation = fc.tuple(
  fc.array(step, { maxLength: 40 }),
  fc.constantFrom('en' as const, 'da' as const, 'de' as const),
);

const sentencesIn = (text: string) => text.split(/(?<=[.!?…])\s+/).map((sentence) => sentence.toLowerCase().trim());
const saidIn = (told: readonly Told[]) => told.flatMap(({ turn }) => turn.say.map(({ text }) => text));

function checkConversations(check: (told: readonly Told[], about: SessionFacts) => void): void {
  fc.assert(
    fc.property(conversation, ([steps, language]) => check(converse(steps, FACTS[language]), FACTS[language])),
    { numRuns: 300 },
  );
}

/** What is said where something was done, by its beginning up to what is filled in. */
function claims(key: SentenceKey, language: string): readonly string[] {
  return sentencesOf(language)[key];
}

describe('any conversation', () => {
  it('any conversation says no sentence three times', () => {
    checkConversations((told) => {
      const counts = new Map<string, number>();
      for (const sentence of saidIn(told).flatMap(sentencesIn)) counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
      expect([...counts].filter(([, count]) => count > 2)).toEqual([]);
    });
  });

  it('any conversation claims what was done only from the result of its action', () => {
    checkConversations((told, { assistant }) => {
      const expected = [
        { keys: ['message_taken'], results: ['taken'] },
        { keys: ['callback_queued', 'callback_taken'], results: ['queued', 'taken'] },
        { keys: ['text_sent'], results: ['sent'] },
      ] as const;
      for (const { heard, turn } of told)
        for (const { keys, results } of expected) {
          const claimed = keys.flatMap((key) => claims(key, assistant.language));
          const isRepeated = heard.kind !== 'action_result';
          if (!turn.say.some(({ text }) => claimed.includes(text)) || isRepeated) continue;
          expect(results as readonly ActionResult[]).toContain(heard.result);
        }
      const taken = told.filter(({ heard }) => heard.kind === 'action_result').length;
      const firstClaim = told.findIndex(({ turn }) =>
        turn.say.some(({ text }) => claims('message_taken', assistant.language).includes(text)),
      );
      if (firstClaim >= 0) expect(taken).toBeGreaterThan(0);
      if (firstClaim >= 0) expect(told[firstClaim]!.heard.kind).toBe('action_result');
    });
  });

  it('any conversation does nothing without a yes to what was repeated', () => {
    checkConversations((told) => {
      for (const [index, { turn, heard }] of told.entries()) {
        if (!turn.action || !['take_message', 'request_callback', 'send_text'].includes(turn.action.name)) continue;
        expect(
          told.slice(0, index).findLast((before) => before.turn.say.length > 0)?.turn.state.question?.kind,
        ).toMatch(/confirm|own_number|offers/);
        expect(heard.kind).toBe('words');
      }
    });
  });

  it('any conversation says only figures that are written down, or that the caller said', () => {
    checkConversations((told, about) => {
      const heard = told.flatMap(({ heard: one }) =>
        one.kind === 'words' ? [one.text] : one.kind === 'keys' ? [one.digits] : [],
      );
      const known = JSON.stringify([about.company, about.knowledge.entries, about.caller.number?.slice(-2), heard]);
      const ofHours = told
        .flatMap(({ turn }) => turn.say)
        .filter(({ sources }) => sources.some(({ type }) => type === 'business_hours'));
      for (const { turn } of told)
        for (const sentence of turn.say) {
          if (ofHours.includes(sentence)) continue;
          for (const figure of sentence.text.match(/\d(?:[\d ,]*\d)?/g) ?? []) {
            const digits = figure.replaceAll(/\D/g, '');
            const isKnown = known.replaceAll(/\D/g, '').includes(digits) || SPOKEN_DIGITS.includes(digits);
            expect({ text: sentence.text, isKnown }).toEqual({ text: sentence.text, isKnown: true });
          }
        }
    });
  });

  it('any conversation has actions with ids of their own, tries nobody more than twice, and ends once', () => {
    checkConversations((told) => {
      const actions = told.flatMap(({ turn }) => (turn.action ? [turn.action] : []));
      expect(new Set(actions.map(({ id }) => id)).size).toBe(actions.length);
      const targets = actions.flatMap((action) => (action.name === 'transfer_call' ? [action.arguments.target] : []));
      for (const target of targets) expect(targets.filter((other) => other === target).length).toBeLessThan(3);
      expect(actions.filter(({ name }) => name === 'hand_over' || name === 'end_call').length).toBeLessThan(2);
      expect(actions.filter(({ name }) => name === 'send_text').length).toBeLessThan(8);
    });
  });

  it('any conversation neither stores nor repeats a secret', () => {
    checkConversations((told) => {
      expect(JSON.stringify(told.map(({ turn }) => turn))).not.toMatch(/4111|7391/);
    });
  });

  it('any conversation answers every word of the caller until it has ended', () => {
    checkConversations((told) => {
      for (const [index, { heard, turn }] of told.entries()) {
        // A call that has ended has nothing more to say.
        if (heard.kind !== 'words' || told[index - 1]?.turn.state.ended) continue;
        expect(turn.say.length + Number(turn.action !== null)).toBeGreaterThan(0);
      }
    });
  });
});

/** Digits of numbers that were said as words. */
const SPOKEN_DIGITS = ['19005551234', '20304052', '2030405', '112', '20304051'];
