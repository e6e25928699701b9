import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit';
import { asEmployee } from '@parley/testkit/service';
import { type CalledCompany, type Callers, startCallers } from './start-callers.ts';

let callers: Callers;
let company: CalledCompany;

beforeAll(async () => {
  callers = await startCallers();
}, 60_000);
afterAll(() => callers?.stop());
beforeEach(async () => {
  company = await callers.createCompany();
});
afterEach(() => callers.hangUp());

describe('a reservation', () => {
  it('a reservation is the same for the same attempt, also for two requests at once', async () => {
    const callId = 'cal_same';
    const [first, second] = await Promise.all([company.reserved(callId), company.reserved(callId)]);
    expect(second).toEqual(first);
    expect(first.assistantName).toBe('Robin');
  });

  it('a reservation is answered once, and nothing else is answered', async () => {
    const { address } = await company.reserved();
    const first = await callers.dial(address);
    expect(first.call.hasEnded).toBe(false);
    const second = await callers.dial(address);
    expect(await second.ended).toMatchObject({ reason: 'refused', status: 403 });
    const other = await callers.dial(address.replace(/res[0-9a-z]{32}/, 'res00000000000000000000000000000000'));
    expect(await other.ended).toMatchObject({ reason: 'refused', status: 403 });
  });

  it('a call beyond the sessions of the company goes to the fallback, and a session that ended makes room', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push((await company.reserved()).sessionId);
    expect((await company.reserve('cal_sixth')).result).toEqual({ case: 'refused', value: 'capacity' });
    await callers.end(ids[0]!, 'abandoned');
    expect((await company.reserve('cal_seventh')).result.case).toBe('reservation');
  });

  it('an assistant that is not active, or another company’s, is refused', async () => {
    await company.change({ active: false });
    expect((await company.reserve('cal_inactive')).result).toEqual({ case: 'refused', value: 'inactive' });
    const { companyId: other } = callers.parley.directory.createCompany({});
    const { assistantId } = company;
    const foreign = { callId: 'cal_x', companyId: other, assistantId, from: '+4511111111', businessNumberId: 'num_1' };
    expect((await callers.control.reserveSession(foreign)).result).toEqual({ case: 'refused', value: 'inactive' });
  });

  it('a caller has twenty sessions a day, and a hidden number any number of them', async () => {
    for (let count = 0; count < 20; count += 1) await callers.end((await company.reserved()).sessionId, 'abandoned');
    expect((await company.reserve('cal_more')).result).toEqual({ case: 'refused', value: 'limit_caller' });
    expect((await company.reserve('cal_hidden', 1, 'anonymous')).result.case).toBe('reservation');
  });
});

describe('a session', () => {
  it('a session greets its caller, answers from what the company wrote down, and is complete after its end', async () => {
    await company.know('Parking', 'Park behind the house.');
    const { callId, sessionId, call, heardMs, ended } = await company.greeted();
    expect(heardMs()).toBeGreaterThan(500);
    callers.say(call, 'Parking');
    await company.said(callId, /Park behind the house\./);
    await callers.end(sessionId, 'resolved');
    expect(await ended).toMatchObject({ reason: 'other_side' });
    const content = await callers.control.getSessionContent({ sessionId });
    expect(content).toMatchObject({ complete: true, language: 'en' });
    expect(content.summary).not.toBe('');
    expect(content.segments.map(({ speaker, text }) => [speaker, text])).toEqual([
      ['Robin', expect.stringContaining('How can I help?')],
      ['+4520304050', 'Parking'],
      ['Robin', expect.stringContaining('Park behind the house.')],
    ]);
    const { session, items } = await company.read(callId);
    expect(session).toMatchObject({ outcome: 'resolved', usage: { turns: 1 } });
    expect(items.map(({ sequence }) => sequence)).toEqual(items.map((_, at) => at + 1));
  });

  it('a session whose audio was lost is continued in the next attempt with what was said before', async () => {
    const { callId, sessionId, address, call } = await company.greeted();
    call.hangUp();
    const again = await company.reserved(callId, 2);
    expect(again.sessionId).toBe(sessionId);
    expect(again.address).not.toBe(address);
    await callers.dial(again.address);
    await callers.connect(sessionId, 2, 2);
    await company.said(callId, /lost you/i);
    const { items } = await company.read(callId);
    expect(items.some(({ item }) => item.case === 'event' && item.value.event === 'resumed')).toBe(true);
    expect(items.map(({ sequence }) => sequence)).toEqual(items.map((_, at) => at + 1));
  });

  it('a session that is continued elsewhere is left, with nothing said, stored or done there any more', async () => {
    const { callId, sessionId, ...frozen } = await company.greeted();
    callers.say(frozen.call, 'Could I speak to somebody?');
    const again = await company.reserved(callId, 2);
    expect(await frozen.ended).toMatchObject({ reason: 'other_side' });
    await callers.dial(again.address);
    await callers.connect(sessionId, 2, 2);
    await company.said(callId, /lost you/i);
    const { items } = await company.read(callId);
    expect(items.filter(({ item }) => item.case === 'turn' && !item.value.byAssistant)).toEqual([]);
    expect(items.map(({ sequence }) => sequence)).toEqual(items.map((_, at) => at + 1));
    expect(callers.parley.calls.asked.filter((asked) => !asked.startsWith('report'))).toEqual([]);
  });

  it('a session that is continued in the same process goes on when its first leg ends', async () => {
    const { callId, sessionId, call } = await company.greeted();
    const again = await callers.dial((await company.reserved(callId, 2)).address);
    call.hangUp();
    await callers.connect(sessionId, 2, 2);
    await company.said(callId, /lost you/i);
    expect(again.call.hasEnded).toBe(false);
  });

  it('an update that comes twice or late changes nothing, and another company does not see the session', async () => {
    const { callId, sessionId } = await company.reserved();
    await callers.end(sessionId, 'abandoned', 5);
    await callers.end(sessionId, 'resolved', 5);
    await callers.connect(sessionId, 1, 4);
    await waitUntil(async () => (await company.read(callId)).session?.outcome === 'abandoned', { what: 'the end' });
    const other = callers.parley.directory.createCompany({});
    const stranger = asEmployee(other.companyId, other.ownerId);
    await expect(callers.sessions.getSession({ callId, limit: 10, cursor: '' }, stranger)).rejects.toMatchObject({
      refusal: { code: 'not_found' },
    });
  });
});
