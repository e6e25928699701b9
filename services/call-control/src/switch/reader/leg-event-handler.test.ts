import { describe, expect, it, jest } from '@jest/globals';
import { trackBackgroundWork } from '@parley/clock';
import { startTelemetry } from '@parley/telemetry';
import { waitUntil } from '@parley/testkit/wait-until';
import type { CallInput } from '../../calls/model/call-input.ts';
import type { Arrival } from '../../calls/model/leg-event.ts';
import type { CallRunner } from '../../calls/store/call-runner.ts';
import type { Calls } from '../../calls/store/call-store.ts';
import type { Switch } from '../connection/switch-client.ts';
import type { Arrivals } from './arrivals.ts';
import { createLegEventHandler } from './leg-event-handler.ts';

const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });

function fixture(changed: Partial<Arrivals> = {}) {
  const applied: CallInput[] = [];
  const applyAll: CallRunner['applyAll'] = async (_key, inputs) => void applied.push(...inputs);
  const take: Arrivals['take'] = async () => ({ key: { companyId: 'com_1', id: 'cal_1' }, isHandled: true });
  const control = jest.fn(async (..._sent: unknown[]) => []);
  const handler = createLegEventHandler({
    calls: { byLeg: async () => undefined } as unknown as Calls,
    runner: { applyAll } as CallRunner,
    arrivals: { take, ...changed },
    backgroundWork: trackBackgroundWork(),
    telemetry,
  });
  const from = { switch: { name: 'one', control } as unknown as Switch, coreUuid: 'core' };
  return { handler, control, applied, from };
}

it('a leg of ours that answers without an open call is hung up: nobody is at the other end', async () => {
  const { handler, control, from } = fixture();
  await handler.handle({ type: 'leg_answered', legId: 'leg', isOurs: true }, from);
  expect(control).toHaveBeenCalledWith('leg', [{ do: 'hang_up', legId: 'leg', cause: 'NORMAL_CLEARING' }]);
});

it('a leg that is not ours is left alone', async () => {
  const { handler, control, from } = fixture();
  const handling = handler.handle({ type: 'leg_answered', legId: 'leg', isOurs: false }, from);
  expect(handler.handled).toBe(1);
  await handling;
  expect(control).not.toHaveBeenCalled();
  // Who looked in between has not seen its effect.
  expect(handler.handled).toBe(2);
});

it.each(['leg_answered', 'leg_parked'] as const)(
  '%s: a leg that would replace another one is hung up',
  async (type) => {
    const { handler, control, from } = fixture();
    await handler.handle({ type, legId: 'leg', arrival: null, replaces: true }, from);
    expect(control.mock.calls).toEqual([['leg', [{ do: 'hang_up', legId: 'leg', cause: 'CALL_REJECTED' }]]]);
    // Nothing is done about what follows.
    await handler.handle({ type: 'conference_joined', legId: 'leg', room: 'cal_1', memberId: '3' }, from);
    await handler.handle({ type: 'leg_ended', legId: 'leg', cause: 'CALL_REJECTED' }, from);
    expect(control).toHaveBeenCalledTimes(1);
  },
);

const carriers: Arrival = { kind: 'carrier', from: '+4520304050', dialled: '+4570101010' };
const phones: Arrival = { kind: 'phone', companyId: 'com_1', employeeId: 'emp_1', dialled: '1', businessNumber: null };

it.each([
  [carriers, ['leg_ended']],
  [phones, ['leg_answered', 'leg_ended']],
])('the answer of a leg of %j is stored only if something may follow from it', async (arrival, stored) => {
  const { handler, applied, from } = fixture();
  await handler.handle({ type: 'leg_parked', legId: 'leg', arrival }, from);
  await handler.handle({ type: 'leg_answered', legId: 'leg', isOurs: false }, from);
  await handler.handle({ type: 'leg_ended', legId: 'leg', cause: 'NORMAL_CLEARING' }, from);
  expect(applied.map(({ type }) => type)).toEqual(stored);
});

describe('callers who arrive faster than they can be taken', () => {
  const CALLERS = 200;

  function flood() {
    const begun: string[] = [];
    const release: (() => void)[] = [];
    const take: Arrivals['take'] = async ({ legId }) => {
      begun.push(legId);
      if (legId !== 'leg-known') await new Promise<void>((resolve) => release.push(resolve));
      return { key: { companyId: 'com_1', id: `cal_${legId}` }, isHandled: true };
    };
    const given = fixture({ take });
    const arrive = (legId: string, arrival: Arrival) =>
      void given.handler.handle({ type: 'leg_parked', legId, arrival }, given.from);
    return { ...given, begun, release, arrive };
  }

  it('callers who arrive faster than they can be taken wait for those before them, and whoever is in a call already does not', async () => {
    const { handler, from, applied, begun, release, arrive } = flood();
    await handler.handle({ type: 'leg_parked', legId: 'leg-known', arrival: carriers }, from);
    for (let n = 0; n < CALLERS; n++) arrive(`leg-${n}`, carriers);
    await waitUntil(() => begun.length > 1, { what: 'the first of them' });
    await handler.handle({ type: 'playback_finished', legId: 'leg-known', playId: 'beep', played: true }, from);
    expect(applied.map(({ type }) => type)).toEqual(['playback_finished']);
    expect(begun.length).toBeLessThan(CALLERS / 2);
    for (let n = 0; n < CALLERS; n++) {
      await waitUntil(() => release.length > n, { what: 'the next one' });
      release[n]!();
    }
    await waitUntil(() => begun.length === CALLERS + 1, { what: 'all of them' });
  });

  it('callers who arrive faster than they can be taken do not delay those to another number by more than one of them, nor a phone of an employee', async () => {
    const { begun, release, arrive } = flood();
    for (let n = 0; n < CALLERS; n++) arrive(`leg-${n}`, carriers);
    await waitUntil(() => begun.length > 1, { what: 'the first of them' });
    arrive('leg-other', { ...carriers, dialled: '+4570101011' });
    arrive('leg-phone', phones);
    await waitUntil(() => begun.includes('leg-phone'), { what: 'the phone' });
    expect(begun).not.toContain('leg-other');
    release.splice(0, 2).forEach((resolve) => resolve());
    await waitUntil(() => begun.includes('leg-other'), { what: 'the caller of the other number' });
    expect(begun.length).toBeLessThan(CALLERS / 2);
  });
});
