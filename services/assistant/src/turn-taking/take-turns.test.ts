import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Expectation } from '../engine/engine.ts';
import { initialTurnTaking, takeTurns, type TurnTakingState } from './take-turns.ts';
import type { AudioDecision, AudioEvent } from './turn-taking.ts';

const options = {
  silenceMs: 7000,
  words: {
    isBackchannel: (text: string) => /^(okay|mm-hm)\.?$/i.test(text),
    isUnfinished: (text: string) => /\b(and|is|uh)$/i.test(text),
    isQuestion: (text: string) => text.endsWith('?'),
  },
};

/** Plays events in their order, with a tick each 40 ms between them; decisions with the time they were made at. */
function run(events: readonly AudioEvent[], untilMs: number, from: TurnTakingState = initialTurnTaking) {
  let state = from;
  const decisions: (AudioDecision & { readonly decidedMs: number })[] = [];
  const take = (event: AudioEvent, nowMs: number) => {
    const step = takeTurns(options, state, event);
    state = step.state;
    decisions.push(...step.decisions.map((decision) => ({ ...decision, decidedMs: nowMs })));
  };
  const waiting = [...events];
  for (let nowMs = 0; nowMs <= untilMs; nowMs += 40) {
    while (waiting[0] && arrivalOf(waiting[0]) <= nowMs) take(waiting.shift()!, nowMs);
    take({ kind: 'tick', atMs: nowMs }, nowMs);
  }
  return { state, decisions, kinds: decisions.map(({ kind }) => kind) };
}

/** A pause is known 200 ms after it began. */
const arrivalOf = (event: AudioEvent) => (event.kind === 'voice_paused' ? event.atMs + 200 : event.atMs);

const began = (atMs: number): AudioEvent => ({ kind: 'voice_began', atMs });
const paused = (atMs: number): AudioEvent => ({ kind: 'voice_paused', atMs });
const recognised = (atMs: number, text: string, utterance = 1): AudioEvent => ({
  kind: 'recognised',
  atMs,
  utterance,
  text,
});
const playing = (atMs: number, protectedMs = 0, expects: Expectation = 'anything'): AudioEvent => ({
  kind: 'playback_began',
  atMs,
  protectedMs,
  expects,
});
const played = (atMs: number, expects: Expectation = 'anything'): AudioEvent => ({
  kind: 'playback_ended',
  atMs,
  expects,
});

/** The caller says something from one to two seconds. */
const says = (text: string) => [began(1000), paused(2000), recognised(2400, text)];

describe('the end of a turn', () => {
  it.each<[string, Expectation, number]>([
    ['When do you open?', 'anything', 400],
    ['Yes', 'yes_no', 400],
    ['I have a problem with my order', 'anything', 600],
    ['My number is', 'anything', 1300],
    ['twenty thirty', 'number', 1300],
    ['Jane Hansen', 'name', 900],
  ])('%j after a question for %s ends the turn after %d ms', (text, expects, pauseMs) => {
    const { decisions } = run([played(0, expects), ...says(text)], 5000);
    const turn = decisions.find(({ kind }) => kind === 'take_turn');
    expect(turn).toMatchObject({ text, startedAtMs: 1000, endedAtMs: 2000 });
    expect(turn!.decidedMs - 2000).toBeGreaterThanOrEqual(pauseMs);
    expect(turn!.decidedMs - 2000).toBeLessThan(Math.max(pauseMs, 400) + 80);
  });

  it('a pause inside a number does not end the turn', () => {
    const events = [
      played(0, 'number'),
      began(1000),
      paused(2000),
      recognised(2300, 'twenty thirty'),
      began(3000),
      paused(4000),
      recognised(4300, 'twenty thirty forty fifty'),
    ];
    const { decisions } = run(events, 8000);
    expect(decisions.filter(({ kind }) => kind === 'take_turn')).toMatchObject([
      { text: 'twenty thirty forty fifty', startedAtMs: 1000, endedAtMs: 4000 },
    ]);
  });

  it('words that are recognised late end the turn when they come', () => {
    const { decisions } = run([played(0), began(1000), paused(2000), recognised(3500, 'Hello there')], 5000);
    const turn = decisions.find(({ kind }) => kind === 'take_turn');
    expect(turn!.decidedMs).toBeGreaterThanOrEqual(3500);
    expect(turn!.decidedMs).toBeLessThan(3600);
  });

  it('a caller whose words do not come is answered all the same, once, and may go on meanwhile', () => {
    const unheard = run([played(0), began(1000), paused(2000)], 8000).decisions;
    expect(unheard.map(({ kind }) => kind)).toEqual(['recognise', 'unrecognised']);
    expect(unheard[1]).toMatchObject({ untilMs: 2000, decidedMs: 5000 });
    const goesOn = [played(0), began(1000), paused(2000), began(4000), paused(4500), recognised(5000, 'Hello there')];
    expect(run(goesOn, 8000).kinds).toEqual(['recognise', 'recognise', 'take_turn']);
  });

  it('the words of an earlier utterance do not end a later one', () => {
    const { kinds } = run([played(0), began(1000), paused(2000), recognised(2400, 'Hello', 7)], 3000);
    expect(kinds).toEqual(['recognise']);
  });

  it('noise without words is no turn', () => {
    const { kinds } = run([played(0), ...says('')], 5000);
    expect(kinds).toEqual(['recognise', 'ignore']);
  });
});

describe('an interruption', () => {
  it('an interruption makes the assistant softer, then silent, and takes the turn once there are words', () => {
    const { decisions } = run(
      [playing(0), began(1000), paused(2000), recognised(2300, 'Stop, I have a question')],
      4000,
    );
    expect(decisions.map(({ kind }) => kind)).toEqual([
      'halve_volume',
      'stop_playback',
      'recognise',
      'drop_playback',
      'take_turn',
    ]);
    expect(decisions[0]!.decidedMs).toBe(1120);
    expect(decisions[1]!.decidedMs).toBe(1280);
  });

  it.each(['Okay', 'mm-hm', ''])('an interruption by %j does not take the turn: the assistant goes on', (text) => {
    const { kinds } = run([playing(0), began(1000), paused(1500), recognised(1900, text)], 4000);
    expect(kinds).toEqual(['halve_volume', 'stop_playback', 'recognise', 'ignore', 'resume_playback']);
  });

  it('an agreement that answers the question that is being asked takes the turn', () => {
    const { kinds } = run([playing(0, 0, 'yes_no'), began(1000), paused(1500), recognised(1900, 'Okay')], 4000);
    expect(kinds).toEqual(['halve_volume', 'stop_playback', 'recognise', 'drop_playback', 'take_turn']);
  });

  it('an interruption whose words never come ends by itself', () => {
    const { decisions } = run([playing(0), began(1000), paused(1500)], 4000);
    expect(decisions.at(-1)).toMatchObject({ kind: 'resume_playback' });
    expect(decisions.at(-1)!.decidedMs).toBeLessThan(3100);
  });

  it('what is said during the disclosure is answered after it', () => {
    const events = [playing(0, 3000), ...says('Where can I park?')];
    const { decisions } = run(events, 5000);
    expect(decisions.map(({ kind }) => kind)).toEqual(['recognise', 'drop_playback', 'take_turn']);
    expect(decisions[1]!.decidedMs).toBe(3000);
  });

  it('nothing interrupts what must be heard to its end', () => {
    const { kinds } = run([playing(0, Infinity), began(1000), paused(2000), recognised(2300, 'Hello')], 5000);
    expect(kinds).toEqual(['recognise']);
  });
});

describe('keys', () => {
  const key = (atMs: number, pressed: string): AudioEvent => ({ kind: 'key', atMs, key: pressed });

  it('0 is answered at once, also while the assistant speaks', () => {
    const { decisions } = run([playing(0, Infinity), key(1000, '0')], 2000);
    expect(decisions).toMatchObject([{ kind: 'drop_playback' }, { kind: 'take_keys', digits: '0', decidedMs: 1000 }]);
  });

  it('other keys are ignored where no number was asked for', () => {
    expect(run([played(0), key(1000, '5'), key(1200, '#'), key(1400, '*')], 3000).kinds).toEqual([]);
  });

  it('the keys of a number are one answer, ended by # or by a pause, and 0 is one of them', () => {
    const digits = [...'20304050'].map((pressed, at) => key(1000 + at * 300, pressed));
    const hashed = run([played(0, 'number'), ...digits, key(3600, '#')], 5000);
    expect(hashed.decisions).toMatchObject([{ kind: 'take_keys', digits: '20304050', decidedMs: 3600 }]);
    const waited = run([played(0, 'number'), ...digits], 9000);
    expect(waited.decisions[0]).toMatchObject({ kind: 'take_keys', digits: '20304050' });
  });

  it('a 0 alone leads to the fallback also where a number was asked for', () => {
    expect(run([played(0, 'number'), key(1000, '0')], 4000).decisions[0]).toMatchObject({
      digits: '0',
      decidedMs: 2520,
    });
  });
});

describe('silence', () => {
  it('silence is noticed after the time that was set, and not while the assistant speaks or thinks', () => {
    const { decisions } = run([playing(0), played(2000)], 10_000);
    expect(decisions).toMatchObject([{ kind: 'silence', decidedMs: 9000 }]);
    expect(run([playing(0)], 20_000).kinds).toEqual([]);
    expect(run([], 20_000).kinds).toEqual([]);
  });

  it('a caller who speaks is not silent', () => {
    const { kinds } = run([played(0), ...says('Hello there')], 12_000);
    expect(kinds).toEqual(['recognise', 'take_turn']);
  });
});

it('turn taking never takes a turn without words, and stops, resumes and drops only what plays', () => {
  const event = fc.oneof(
    fc.constantFrom('voice_began', 'voice_paused').map((kind) => ({ kind }) as const),
    fc.record({
      kind: fc.constant('recognised' as const),
      utterance: fc.integer({ min: 1, max: 6 }),
      text: fc.constantFrom('', 'okay', 'hello there', 'my number is', 'open?'),
    }),
    fc.record({ kind: fc.constant('key' as const), key: fc.constantFrom('0', '5', '#', '*') }),
    fc.record({
      kind: fc.constant('playback_began' as const),
      protectedMs: fc.constantFrom(0, 1000, Infinity),
      expects: fc.constantFrom<Expectation>('anything', 'number', 'yes_no'),
    }),
    fc.record({
      kind: fc.constant('playback_ended' as const),
      expects: fc.constantFrom<Expectation>('anything', 'number', 'yes_no'),
    }),
  );
  const timed = fc.array(fc.tuple(fc.integer({ min: 0, max: 2000 }), event), { maxLength: 60 });
  fc.assert(
    fc.property(timed, (steps) => {
      let state = initialTurnTaking;
      let nowMs = 0;
      let isPlaying = false;
      let isAltered = false;
      for (const [afterMs, step] of steps) {
        for (const untilMs = nowMs + afterMs; nowMs < untilMs; nowMs += 40) check({ kind: 'tick', atMs: nowMs });
        check({ ...step, atMs: nowMs } as AudioEvent);
      }
      function check(audio: AudioEvent): void {
        const taken = takeTurns(options, state, audio);
        state = taken.state;
        if (audio.kind === 'playback_began') isPlaying = true;
        if (audio.kind === 'playback_ended') isPlaying = isAltered = false;
        for (const decision of taken.decisions) {
          if (decision.kind === 'take_turn') expect(decision.text).not.toBe('');
          if (decision.kind === 'halve_volume' || decision.kind === 'stop_playback') {
            expect(isPlaying).toBe(true);
            isAltered = true;
          }
          if (decision.kind === 'resume_playback') {
            expect(isAltered).toBe(true);
            isAltered = false;
          }
          if (decision.kind === 'drop_playback') {
            expect(isPlaying).toBe(true);
            isPlaying = isAltered = false;
          }
        }
      }
    }),
    { numRuns: 300 },
  );
});
