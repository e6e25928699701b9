import { expect, it } from '@jest/globals';
import {
  addUpdate,
  completeSession,
  continueSession,
  reserve,
  saveProgress,
  secondsOf,
  type Session,
  takeReservation,
} from './session.ts';

const now = new Date('2030-05-06T10:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);

const session: Session = {
  id: 'ses_1',
  companyId: 'com_1',
  callId: 'cal_1',
  assistantId: 'ast_1',
  assistantName: 'Robin',
  businessNumberId: 'num_1',
  from: '+4520304050',
  fallbackEmployeeIds: [],
  language: 'en',
  keepTranscript: true,
  maxDurationSecs: 600,
  engine: 'embedded',
  model: null,
  state: 'talking',
  outcome: null,
  fallbackReason: null,
  startedAt: now,
  connectedAt: null,
  endedAt: null,
  reservation: reserve('res1', { attempt: 1, processId: 'process_1', address: 'sip:res1@127.0.0.1:5070' }, now),
  updates: [],
  lastUpdate: 0,
  itemCount: 0,
  usage: { turns: 0, inputTokens: 0, outputTokens: 0, costMicros: null },
  isFlushed: false,
  isComplete: false,
  slot: 0,
  hasMessage: false,
  hasContent: true,
  sealed: 'sealed',
};

const progress = {
  attempt: 1,
  appliedUpdate: 0,
  itemCount: 2,
  engine: 'embedded',
  model: null,
  usage: session.usage,
  state: 'talking',
  sealed: 'changed',
  hasMessage: false,
  isFlushed: false,
} as const;

const connected = { sequence: 1, kind: 'connected', attempt: 1, at: later(3000) } as const;
const over = { sequence: 2, kind: 'ended', outcome: 'resolved', at: later(60_000) } as const;

function stateOf<State>(decision: { ok: true; state: State } | { ok: false }): State {
  if (!decision.ok) throw new Error('refused');
  return decision.state;
}

it('a reservation is used once, by its own process, within thirty seconds', () => {
  const taken = takeReservation(session, 'process_1', 'res1', later(29_000));
  expect(taken).toMatchObject({ ok: true, state: { reservation: { isUsed: true } } });
  expect(takeReservation(stateOf(taken), 'process_1', 'res1', later(29_000)).ok).toBe(false);
  expect(takeReservation(session, 'process_2', 'res1', now).ok).toBe(false);
  expect(takeReservation(session, 'process_1', 'res2', now).ok).toBe(false);
  expect(takeReservation(session, 'process_1', 'res1', later(30_000)).ok).toBe(false);
  expect(takeReservation({ ...session, state: 'ended' }, 'process_1', 'res1', now).ok).toBe(false);
});

it('an attempt that was reserved keeps its place, and a further one moves the session', () => {
  const again = reserve('res2', { attempt: 1, processId: 'process_2', address: 'sip:res2@127.0.0.2:5070' }, now);
  expect(continueSession(session, again)).toMatchObject({ state: { reservation: { id: 'res1' } } });
  expect(continueSession(session, { ...again, attempt: 2 })).toMatchObject({ state: { reservation: { id: 'res2' } } });
  expect(continueSession({ ...session, state: 'ended' }, { ...again, attempt: 2 }).ok).toBe(false);
});

it('a session begins with its first connection and says so once', () => {
  const first = addUpdate(session, connected);
  expect(first).toMatchObject({ state: { connectedAt: later(3000) }, events: [{ type: 'assistant.session.started' }] });
  const second = addUpdate(stateOf(first), { ...connected, sequence: 2, attempt: 2, at: later(9000) });
  expect(second).toMatchObject({ state: { connectedAt: later(3000), lastUpdate: 2 }, events: [] });
});

it('an update that comes again or late changes nothing', () => {
  const told = stateOf(addUpdate(stateOf(addUpdate(session, connected)), over));
  expect(addUpdate(told, connected)).toMatchObject({ state: told, events: [] });
  expect(addUpdate(told, { ...over, sequence: 3, outcome: 'failed' })).toMatchObject({ state: told });
});

it('a session that is over frees its place and is finished by a command', () => {
  const decision = addUpdate(session, over);
  expect(decision).toMatchObject({
    state: { state: 'ended', outcome: 'resolved', endedAt: later(60_000) },
    commands: [{ kind: 'finish' }],
  });
  expect(stateOf(decision)).not.toHaveProperty('slot');
  expect(completeSession(stateOf(decision), 'whole')).toMatchObject({
    state: { isComplete: true, sealed: 'whole', updates: [] },
    events: [{ type: 'assistant.session.ended' }],
  });
});

it('progress is stored by the present attempt only, and leaves what it has not applied', () => {
  const told = stateOf(
    addUpdate(stateOf(addUpdate(session, connected)), {
      sequence: 2,
      kind: 'takeover_requested',
      by: { id: 'emp_1', name: 'Ada' },
    }),
  );
  const stored = stateOf(saveProgress(told, { ...progress, appliedUpdate: 1 }));
  expect(stored.updates.map(({ sequence }) => sequence)).toEqual([2]);
  expect(stored).toMatchObject({ itemCount: 2, sealed: 'changed' });
  const moved = { ...told, reservation: { ...told.reservation, attempt: 2 } };
  expect(saveProgress(moved, progress).ok).toBe(false);
  expect(saveProgress({ ...told, isComplete: true }, progress).ok).toBe(false);
});

it('a message is told once, and the end of a session stays its end', () => {
  const taken = saveProgress(session, { ...progress, hasMessage: true });
  expect(taken).toMatchObject({ events: [{ type: 'assistant.session.message_taken' }] });
  expect(saveProgress(stateOf(taken), { ...progress, hasMessage: true })).toMatchObject({ events: [] });
  const ended = stateOf(addUpdate(session, over));
  expect(saveProgress(ended, { ...progress, isFlushed: true })).toMatchObject({
    state: { state: 'ended', isFlushed: true },
  });
});

it('the duration of a session counts from the connection to its end', () => {
  expect(secondsOf({ ...session, connectedAt: later(2000) }, later(12_400))).toBe(10);
  expect(secondsOf({ ...session, endedAt: later(5000) }, later(90_000))).toBe(5);
});
