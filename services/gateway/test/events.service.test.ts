import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { invalid, notFound, refusal, Refused } from '@parley/errors';
import { RecordingAddressService } from '@parley/proto/call_control/v1/recordings_pb';
import { Role } from '@parley/proto/directory/v1/employees_pb';
import { DeliveryService } from '@parley/proto/webhooks/v1/deliveries_pb';
import { EventLogService, type ListEventsRequest } from '@parley/proto/webhooks/v1/event_log_pb';
import { fakeContract } from '@parley/testkit/service';
import eventExamples from '../src/api-docs/event-examples.json' with { type: 'json' };
import { ane, ANES_KEY, startGateway, type TestGateway } from './start-gateway.ts';

const MEMBERS_KEY = 'pk_member';
const AT = '2030-01-02T03:04:05.000Z';
const RECORDING = 'https://phone.example/media/recordings/cal_1-1?expires=1&for=webhook&sig=x';
/** What the gateway answers is held against the schemas of the events. */
const CONTACT = eventExamples.webhooks['contact.created'].body.data;
const CALL = eventExamples.webhooks['call.ended'].body.data;

/** The last request to the log, and what it answers. */
const log = { asked: {} as ListEventsRequest, expired: undefined as string | undefined };
const events = [logged(1, 'contact.created', CONTACT), logged(2, 'call.ended', { ...CALL, recording_url: RECORDING })];
let gateway: TestGateway;

function logged(n: number, event: string, data: object) {
  return { id: `evt_${n}`, event, body: JSON.stringify({ event, timestamp: AT, data }), cursor: `after-${n}` };
}
const delivery = (subscriptionId: string, eventId?: string) => ({
  id: `whd_${subscriptionId}`,
  event: 'contact.created',
  status: 'pending',
  createdAt: timestampFromDate(new Date(AT)),
  ...(eventId !== undefined && { eventId }),
});

beforeAll(async () => {
  const eventLog = fakeContract(EventLogService, {
    async listEvents(request) {
      log.asked = request;
      if (request.after === 'damaged') throw new Refused(refusal('invalid_cursor', 'after is invalid'));
      if (request.types.includes('call.unknown')) throw new Refused(invalid({ types: ['has an unknown type'] }));
      if (log.expired !== undefined) return { oldestCursor: log.expired };
      return { events, nextCursor: 'after-2', hasMore: true, recordedSince: timestampFromDate(new Date(AT)) };
    },
    async getEvent({ id }) {
      const event = events.find((one) => one.id === id);
      if (!event) throw new Refused(notFound);
      return { event };
    },
    listEventTypes: async () => ({
      eventTypes: [{ name: 'call.ended', description: 'A call ends', formerNames: ['call.over'] }],
    }),
    sendEvent: async ({ eventId, subscriptionId }) => ({ delivery: delivery(subscriptionId, eventId) }),
  });
  const recordings = fakeContract(RecordingAddressService, {
    signRecordings: async ({ names }) => ({ recordings: names.map((name) => ({ name, url: `signed ${name}` })) }),
  });
  const deliveries = fakeContract(DeliveryService, {
    listDeliveries: async ({ subscriptionId }) => ({
      deliveries: [delivery(subscriptionId, 'evt_1'), delivery('test')],
    }),
    retryDeliveries: async ({ since, statuses }) => ({ count: Number(since!.seconds % 1000n) + statuses.length }),
  });
  gateway = await startGateway({}, {}, { 'call-control': [recordings], webhooks: [eventLog, deliveries] });
  gateway.credentials.set(MEMBERS_KEY, { ...ane, role: Role.MEMBER });
});
beforeEach(() => (log.expired = undefined));
afterAll(() => gateway?.stop());

async function call(method: string, path: string, body?: object, key = ANES_KEY) {
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method,
    headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as any };
}

describe('the log of events', () => {
  it('the log of events is a page with the reader’s addresses of recordings, and where to go on', async () => {
    const { status, body } = await call('GET', '/events');
    expect(status).toBe(200);
    expect(body).toEqual({
      events: [
        { id: 'evt_1', event: 'contact.created', timestamp: AT, data: CONTACT },
        { id: 'evt_2', event: 'call.ended', timestamp: AT, data: { ...CALL, recording_url: 'signed cal_1-1' } },
      ],
      next_cursor: 'after-2',
      has_more: true,
      recorded_since: AT,
    });
    expect(log.asked).toMatchObject({ types: [], limit: 50, onlyPosition: false });
    expect([log.asked.after, log.asked.from]).toEqual([undefined, undefined]);
  });

  it('the log of events is read behind a cursor or from a time, of the types that are asked for', async () => {
    await call('GET', '/events?after=after-1&types=call.ended,contact.created&limit=1000');
    expect(log.asked).toMatchObject({ after: 'after-1', types: ['call.ended', 'contact.created'], limit: 100 });
    await call('GET', '/events?from=2030-01-02T04:04:05%2B01:00&types=call.*');
    expect(log.asked).toMatchObject({ from: timestampFromDate(new Date(AT)), types: ['call.*'] });
  });

  it.each([
    ['a cursor and a time', 'after=a&from=2030-01-01T00:00:00Z', 'validation_failed', ['from']],
    ['a time that is none', 'from=yesterday', 'validation_failed', ['from']],
    [
      'too many types',
      `types=${Array.from({ length: 31 }, (_, n) => `t${n}`).join(',')}`,
      'validation_failed',
      ['types'],
    ],
    ['an unknown type', 'types=call.unknown', 'validation_failed', ['types']],
    ['types as a list', 'types[]=call.ended', 'validation_failed', ['types']],
    ['a limit that is no number', 'limit=many', 'validation_failed', ['limit']],
    ['a damaged cursor', 'after=damaged', 'invalid_cursor', []],
    ['a cursor that is too long', `after=${'x'.repeat(3000)}`, 'invalid_cursor', ['after']],
  ])('the log of events refuses %s', async (_what, query, code, fields) => {
    const { status, body } = await call('GET', `/events?${query}`);
    expect(status).toBe(422);
    expect([body.code, Object.keys(body.errors ?? {})]).toEqual([code, fields]);
  });

  it('the log of events tells where to go on when a cursor has expired', async () => {
    log.expired = 'after-0';
    expect(await call('GET', '/events?after=old')).toEqual({
      status: 410,
      body: { error: 'cursor_expired', code: 'cursor_expired', oldest_cursor: 'after-0' },
    });
  });

  it('the log of events has each event by its id', async () => {
    const { body } = await call('GET', '/events/evt_2');
    expect(body).toEqual({
      id: 'evt_2',
      event: 'call.ended',
      timestamp: AT,
      data: { ...CALL, recording_url: 'signed cal_1-1' },
    });
    expect(await call('GET', '/events/evt_3')).toEqual({ status: 404, body: { error: 'not_found' } });
  });

  it('the log of events describes its types', async () => {
    const { body } = await call('GET', '/event_types');
    expect(body).toEqual({
      event_types: [{ name: 'call.ended', description: 'A call ends', former_names: ['call.over'] }],
    });
  });

  it('the log of events sends an event to a webhook', async () => {
    const { status, body } = await call('POST', '/events/evt_1/deliveries', { webhook_id: 'wh_1' });
    expect([status, body.id, body.event_id]).toEqual([202, 'whd_wh_1', 'evt_1']);
    expect((await call('POST', '/events/evt_1/deliveries', {})).body.errors).toEqual({
      webhook_id: ['is required'],
    });
  });

  it.each([
    ['GET', '/events'],
    ['GET', '/events/evt_1'],
    ['GET', '/event_types'],
    ['POST', '/events/evt_1/deliveries'],
    ['POST', '/webhooks/wh_1/deliveries/retry'],
  ])('the log of events is not for members: %s %s', async (method, path) => {
    expect((await call(method, path, method === 'POST' ? {} : undefined, MEMBERS_KEY)).status).toBe(403);
  });
});

describe('deliveries of a webhook', () => {
  it('deliveries of a webhook name their events, a test none', async () => {
    const { body } = await call('GET', '/webhooks/wh_1/deliveries');
    expect(body.deliveries.map((one: { event_id: unknown }) => one.event_id)).toEqual(['evt_1', null]);
  });

  it('deliveries of a webhook are sent again since a time, the failed ones unless others are named', async () => {
    const retry = (body: object) => call('POST', '/webhooks/wh_1/deliveries/retry', body);
    const since = '1970-01-01T00:00:10Z';
    expect(await retry({ since })).toEqual({ status: 202, body: { count: 11 } });
    expect(await retry({ since, statuses: ['held', 'failed', 'held'] })).toMatchObject({ status: 422 });
    expect(await retry({ since, statuses: ['held', 'failed'] })).toEqual({ status: 202, body: { count: 12 } });
    for (const wrong of [{}, { since: 'now' }, { since, statuses: [] }, { since, statuses: ['pending'] }])
      expect((await retry(wrong)).status).toBe(422);
  });
});
