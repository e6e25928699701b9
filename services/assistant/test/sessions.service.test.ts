import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AssistantService } from '@parley/proto/assistant/v1/assistants_pb';
import { KnowledgeService } from '@parley/proto/assistant/v1/knowledge_pb';
import { SessionControlService } from '@parley/proto/assistant/v1/session_control_pb';
import { SessionService } from '@parley/proto/assistant/v1/sessions_pb';
import type { EmployeePrincipal, RpcClient } from '@parley/rpc';
import { type SipCall, type SipEndpoint, startSipEndpoint } from '@parley/sip';
import { waitUntil } from '@parley/testkit';
import { asEmployee } from '@parley/testkit/service';
import { startAssistant, type TestAssistant } from './start-assistant.ts';

let parley: TestAssistant;
let control: RpcClient<typeof SessionControlService>;
let sessions: RpcClient<typeof SessionService>;
let phone: SipEndpoint;
let companyId: string;
let owner: { as: EmployeePrincipal };
let assistantId: string;
let numberId: string;
let calls = 0;

beforeAll(async () => {
  parley = await startAssistant();
  control = parley.as('call-control').client(SessionControlService);
  sessions = parley.as('gateway').client(SessionService);
  phone = await startSipEndpoint({
    listen: '127.0.0.1:0',
    mediaAddress: '127.0.0.1',
    rtpPorts: { first: 31_000, last: 31_200 },
    allowedAddresses: ['127.0.0.1'],
    onInvite: () => ({ refuse: 480 }),
  });
}, 60_000);
afterAll(async () => {
  await phone?.stop();
  await parley?.stop();
});
beforeEach(async () => {
  const company = parley.directory.createCompany({ messagingEnabled: true });
  companyId = company.companyId;
  owner = asEmployee(companyId, company.ownerId);
  numberId = parley.numbers.addNumber(companyId).id;
  const created = await parley
    .as('gateway')
    .client(AssistantService)
    .createAssistant({ fields: { name: 'Robin', greeting: 'How can I help?' } }, owner);
  assistantId = created.assistant!.id;
  parley.speech.recognises.length = 0;
  parley.calls.asked.length = 0;
});
const open: SipCall[] = [];
afterEach(() => open.splice(0).forEach((call) => call.hangUp()));

const reserve = (callId: string, attempt = 1, from = '+4520304050') =>
  control.reserveSession({ callId, companyId, assistantId, attempt, from, businessNumberId: numberId });

async function reserved(callId = `cal_${(calls += 1)}`, attempt = 1) {
  const { result } = await reserve(callId, attempt);
  if (result.case !== 'reservation') throw new Error(`refused: ${result.value}`);
  return { callId, ...result.value };
}

/** Dials a reservation as a switch does; resolves when it is answered or has ended. */
async function dial(address: string) {
  const ended = Promise.withResolvers<{ reason: string; status?: number }>();
  const answered = Promise.withResolvers<void>();
  let heardMs = 0;
  const call = await phone.call(address, {
    from: { name: '', number: '+4520304050' },
    events: {
      answered: () => answered.resolve(),
      audio: ({ samples, isReceived }) => {
        if (isReceived && samples.some((sample) => Math.abs(sample) > 500)) heardMs += 20;
      },
      ended: (end) => ended.resolve(end),
    },
  });
  open.push(call);
  await Promise.race([answered.promise, ended.promise]);
  return { call, ended: ended.promise, heardMs: () => heardMs };
}

const connect = (sessionId: string, attempt = 1, sequence = 1) =>
  control.updateSession({ sessionId, sequence, update: { case: 'connected', value: { attempt } } });
const end = (sessionId: string, outcome: string, sequence = 100) =>
  control.updateSession({ sessionId, sequence, update: { case: 'ended', value: { outcome } } });
const read = (callId: string) => sessions.getSession({ callId, limit: 100, cursor: '' }, owner);

const said = (callId: string, text: RegExp) =>
  waitUntil(
    async () => {
      const { items } = await read(callId);
      return items.some(
        ({ item }) => item.case === 'turn' && item.value.byAssistant && text.test(item.value.spoken ?? ''),
      );
    },
    { what: `says ${text}`, timeoutMs: 20_000 },
  );

/** The caller makes a sound of a second, which is recognised as the text. */
function say(call: SipCall, text: string): void {
  parley.speech.recognises.push(text);
  call.playout.play(new Int16Array(8000).map((_, at) => (at % 16 < 8 ? 4000 : -4000)));
}

describe('a reservation', () => {
  it('a reservation is the same for the same attempt, also for two requests at once', async () => {
    const callId = `cal_${(calls += 1)}`;
    const [first, second] = await Promise.all([reserved(callId), reserved(callId)]);
    expect(second).toEqual(first);
    expect(first.assistantName).toBe('Robin');
  });

  it('a reservation is answered once, and nothing else is answered', async () => {
    const { address } = await reserved();
    const first = await dial(address);
    expect(first.call.hasEnded).toBe(false);
    const second = await dial(address);
    expect(await second.ended).toMatchObject({ reason: 'refused', status: 403 });
    const other = await dial(address.replace(/res[0-9a-z]{32}/, 'res00000000000000000000000000000000'));
    expect(await other.ended).toMatchObject({ reason: 'refused', status: 403 });
  });

  it('a call beyond the sessions of the company goes to the fallback, and a session that ended makes room', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push((await reserved()).sessionId);
    expect((await reserve('cal_sixth')).result).toEqual({ case: 'refused', value: 'capacity' });
    await end(ids[0]!, 'abandoned');
    expect((await reserve('cal_seventh')).result.case).toBe('reservation');
  });

  it('an assistant that is not active, or another company’s, is refused', async () => {
    await parley
      .as('gateway')
      .client(AssistantService)
      .updateAssistant({ id: assistantId, fields: { active: false } }, owner);
    expect((await reserve('cal_inactive')).result).toEqual({ case: 'refused', value: 'inactive' });
    const { companyId: other } = parley.directory.createCompany({});
    const foreign = {
      callId: 'cal_x',
      companyId: other,
      assistantId,
      attempt: 1,
      from: '+4511111111',
      businessNumberId: numberId,
    };
    expect((await control.reserveSession(foreign)).result).toEqual({ case: 'refused', value: 'inactive' });
  });

  it('a caller has twenty sessions a day, and a hidden number any number of them', async () => {
    for (let count = 0; count < 20; count += 1) await end((await reserved()).sessionId, 'abandoned');
    expect((await reserve('cal_more')).result).toEqual({ case: 'refused', value: 'limit_caller' });
    expect((await reserve('cal_hidden', 1, 'anonymous')).result.case).toBe('reservation');
  });
});

describe('a session', () => {
  it('a session greets its caller, answers from what the company wrote down, and is complete after its end', async () => {
    const knowledge = parley.as('gateway').client(KnowledgeService);
    await knowledge.createKnowledgeEntry({ fields: { title: 'Parking', answer: 'Park behind the house.' } }, owner);
    const { callId, sessionId, address } = await reserved();
    const { call, heardMs, ended } = await dial(address);
    await connect(sessionId);
    await said(callId, /How can I help\?/);
    expect(heardMs()).toBeGreaterThan(500);
    say(call, 'Parking');
    await said(callId, /Park behind the house\./);
    await end(sessionId, 'resolved');
    expect(await ended).toMatchObject({ reason: 'other_side' });
    const content = await control.getSessionContent({ sessionId });
    expect(content).toMatchObject({ complete: true, language: 'en' });
    expect(content.summary).not.toBe('');
    expect(content.segments.map(({ speaker, text }) => [speaker, text])).toEqual([
      ['Robin', expect.stringContaining('How can I help?')],
      ['+4520304050', 'Parking'],
      ['Robin', expect.stringContaining('Park behind the house.')],
    ]);
    const { session, items } = await read(callId);
    expect(session).toMatchObject({ outcome: 'resolved', usage: { turns: 1 } });
    expect(items.map(({ sequence }) => sequence)).toEqual(items.map((_, at) => at + 1));
  });

  it('a session whose audio was lost is continued in the next attempt with what was said before', async () => {
    const { callId, sessionId, address } = await reserved();
    const { call } = await dial(address);
    await connect(sessionId);
    await said(callId, /How can I help\?/);
    call.hangUp();
    const again = await reserved(callId, 2);
    expect(again.sessionId).toBe(sessionId);
    expect(again.address).not.toBe(address);
    await dial(again.address);
    await connect(sessionId, 2, 2);
    await said(callId, /lost you/i);
    const { items } = await read(callId);
    expect(items.some(({ item }) => item.case === 'event' && item.value.event === 'resumed')).toBe(true);
    expect(items.map(({ sequence }) => sequence)).toEqual(items.map((_, at) => at + 1));
  });

  it('a session that is continued elsewhere is left, with nothing said, stored or done there any more', async () => {
    const { callId, sessionId, address } = await reserved();
    const frozen = await dial(address);
    await connect(sessionId);
    await said(callId, /How can I help\?/);
    say(frozen.call, 'Could I speak to somebody?');
    const again = await reserved(callId, 2);
    expect(await frozen.ended).toMatchObject({ reason: 'other_side' });
    await dial(again.address);
    await connect(sessionId, 2, 2);
    await said(callId, /lost you/i);
    const { items } = await read(callId);
    expect(items.filter(({ item }) => item.case === 'turn' && !item.value.byAssistant)).toEqual([]);
    expect(items.map(({ sequence }) => sequence)).toEqual(items.map((_, at) => at + 1));
    expect(parley.calls.asked.filter((asked) => !asked.startsWith('report'))).toEqual([]);
  });

  it('a session that is continued in the same process goes on when its first leg ends', async () => {
    const { callId, sessionId, address } = await reserved();
    const { call } = await dial(address);
    await connect(sessionId);
    await said(callId, /How can I help\?/);
    const again = await dial((await reserved(callId, 2)).address);
    call.hangUp();
    await connect(sessionId, 2, 2);
    await said(callId, /lost you/i);
    expect(again.call.hasEnded).toBe(false);
  });

  it('a session whose transcript is not kept has no texts after its end', async () => {
    await parley
      .as('gateway')
      .client(AssistantService)
      .updateAssistant({ id: assistantId, fields: { keepTranscript: false } }, owner);
    const { callId, sessionId, address } = await reserved();
    await dial(address);
    await connect(sessionId);
    await said(callId, /How can I help\?/);
    await end(sessionId, 'abandoned');
    const content = await control.getSessionContent({ sessionId });
    expect(content).toMatchObject({ complete: true, segments: [] });
    const { items } = await read(callId);
    const turns = items.flatMap(({ item }) => (item.case === 'turn' ? [item.value] : []));
    expect(turns.map(({ text, spoken }) => [text, spoken])).toEqual([[undefined, undefined]]);
  });

  it('an update that comes twice or late changes nothing, and another company does not see the session', async () => {
    const { callId, sessionId } = await reserved();
    await end(sessionId, 'abandoned', 5);
    await end(sessionId, 'resolved', 5);
    await connect(sessionId, 1, 4);
    await waitUntil(async () => (await read(callId)).session?.outcome === 'abandoned', { what: 'the end' });
    const other = parley.directory.createCompany({});
    const stranger = asEmployee(other.companyId, other.ownerId);
    await expect(sessions.getSession({ callId, limit: 10, cursor: '' }, stranger)).rejects.toMatchObject({
      refusal: { code: 'not_found' },
    });
  });
});
