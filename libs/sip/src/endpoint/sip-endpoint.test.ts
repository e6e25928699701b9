import { afterEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit';
import { FRAME_SAMPLES } from '../audio/frames.ts';
import type { CallEnd, SipCall } from './sip-call.ts';
import type { InviteDecision } from './incoming-call.ts';
import { type SipEndpoint, type SipEndpointOptions, startSipEndpoint } from './sip-endpoint.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** What an endpoint has seen. */
interface Seen {
  readonly calls: SipCall[];
  readonly keys: string[];
  readonly ends: CallEnd[];
  /** The loudest sample of each frame. */
  readonly peaks: number[];
}

const newSeen = (): Seen => ({ calls: [], keys: [], ends: [], peaks: [] });
const eventsInto = (seen: Seen) => ({
  audio: ({ samples }: { samples: Int16Array }) => void seen.peaks.push(Math.max(...samples)),
  key: (key: string) => void seen.keys.push(key),
  ended: (end: CallEnd) => void seen.ends.push(end),
});
const accepting =
  (seen: Seen): SipEndpointOptions['onInvite'] =>
  () => ({
    accept: (call) => {
      seen.calls.push(call);
      return eventsInto(seen);
    },
  });

let nextPort = 40_000;
async function endpoint(options: Partial<SipEndpointOptions> = {}): Promise<SipEndpoint> {
  const first = (nextPort += 20);
  const started = await startSipEndpoint({
    listen: '127.0.0.1:0',
    mediaAddress: '127.0.0.1',
    rtpPorts: { first, last: first + 19 },
    allowedAddresses: ['127.0.0.0/8'],
    onInvite: () => ({ refuse: 404 }),
    ...options,
  });
  stops.push(() => started.stop());
  return started;
}

/** A call from one endpoint to another, answered. */
async function connected(options: Partial<SipEndpointOptions> = {}) {
  const [there, here] = [newSeen(), newSeen()];
  const called = await endpoint({ onInvite: accepting(there), ...options });
  const calling = await endpoint();
  let isAnswered = false;
  const call = await calling.call(`sip:res%2B1@${called.address};transport=tcp`, {
    from: { name: 'Ane "A"', number: '+4520304050' },
    events: { ...eventsInto(here), answered: () => (isAnswered = true) },
  });
  await waitUntil(() => isAnswered, { what: 'the answer' });
  return { called, calling, call, here, there, answered: there.calls[0]! };
}

const tone = (ms: number, value = 8000) => new Int16Array(ms * 8).fill(value);

describe('a call', () => {
  it('a call reaches the user that was dialled, and carries audio and keys both ways', async () => {
    const { call, answered, here, there } = await connected();
    expect([answered.user, call.user]).toEqual(['res+1', 'res+1']);
    call.playout.play(tone(200));
    answered.playout.play(tone(200, 4000));
    await waitUntil(() => there.peaks.some((peak) => peak > 7000) && here.peaks.some((peak) => peak > 3000), {
      what: 'the tones',
    });
    await Promise.all([call.press('12'), answered.press('#')]);
    await waitUntil(() => there.keys.length === 2 && here.keys.length === 1, { what: 'the keys' });
    expect([there.keys, here.keys]).toEqual([['1', '2'], ['#']]);
    expect(call.statistics.received).toBeGreaterThan(0);
  });

  it('a call is ended at both sides by the one that hangs up', async () => {
    for (const who of ['call', 'answered'] as const) {
      const parts = await connected();
      parts[who].hangUp();
      await waitUntil(() => parts.here.ends.length === 1 && parts.there.ends.length === 1, { what: 'both ends' });
      const [own, other] = who === 'call' ? [parts.here, parts.there] : [parts.there, parts.here];
      expect([own.ends, other.ends]).toEqual([[{ reason: 'hung_up' }], [{ reason: 'other_side' }]]);
      expect([parts.calling.calls, parts.called.calls]).toEqual([[], []]);
    }
  });

  it('a call is silent within 40 ms after playout was stopped, measured where it is heard', async () => {
    const { answered, here } = await connected();
    answered.playout.play(tone(5000));
    await waitUntil(() => here.peaks.filter((peak) => peak > 7000).length > 20, { what: 'the tone' });
    const heardBefore = here.peaks.length;
    answered.playout.stop();
    await waitUntil(() => here.peaks.length > heardBefore + 20, { what: 'frames after the stop' });
    const after = here.peaks.slice(heardBefore).findLastIndex((peak) => peak > 0) + 1;
    // The jitter buffer holds up to three frames that were sent before.
    expect(after).toBeLessThanOrEqual(5);
  });

  it('a call ends everywhere when an endpoint stops', async () => {
    const { calling, here, there } = await connected();
    await calling.stop();
    expect(here.ends).toEqual([{ reason: 'stopped' }]);
    await waitUntil(() => there.ends.length === 1, { what: 'the other end' });
  });
});

describe('an INVITE', () => {
  async function outcome(onInvite: SipEndpointOptions['onInvite'], options: Partial<SipEndpointOptions> = {}) {
    const seen = newSeen();
    const called = await endpoint({ onInvite, ...options });
    const calling = await endpoint();
    const call = await calling.call(`sip:r@${called.address}`, {
      from: { name: '', number: '' },
      events: eventsInto(seen),
    });
    return { called, calling, call, seen };
  }

  it('an INVITE is refused with the status that was decided', async () => {
    const { seen } = await outcome(() => ({ refuse: 486 }));
    await waitUntil(() => seen.ends.length > 0, { what: 'the refusal' });
    expect(seen.ends).toEqual([{ reason: 'refused', status: 486 }]);
  });

  it('an INVITE is refused when the decision fails', async () => {
    const errors: unknown[] = [];
    const failure = new Error('no');
    const { seen } = await outcome(() => Promise.reject(failure), { onError: (error) => errors.push(error) });
    await waitUntil(() => seen.ends.length > 0, { what: 'the refusal' });
    expect([seen.ends, errors]).toEqual([[{ reason: 'refused', status: 500 }], [failure]]);
  });

  it('an INVITE is refused when all ports are in use, and when there are too many calls', async () => {
    const there = newSeen();
    const accept = accepting(there);
    const full = await outcome(accept, { rtpPorts: { first: 41_001, last: 41_002 } });
    await waitUntil(() => there.calls.length === 1, { what: 'the first call' });
    const second = newSeen();
    await full.calling.call(`sip:r@${full.called.address}`, {
      from: { name: '', number: '' },
      events: eventsInto(second),
    });
    await waitUntil(() => second.ends.length > 0, { what: 'the refusal' });
    expect(second.ends).toEqual([{ reason: 'refused', status: 503 }]);
    const none = await outcome(accept, { limits: { calls: 0 } });
    await waitUntil(() => none.seen.ends.length > 0, { what: 'the refusal' });
    expect(none.seen.ends).toEqual([{ reason: 'refused', status: 503 }]);
  });

  it('an INVITE from another address is refused without a question', async () => {
    let asked = 0;
    const { seen } = await outcome(
      () => {
        asked += 1;
        return { refuse: 404 };
      },
      { allowedAddresses: ['10.0.0.0/8', '2001:db8::/32'] },
    );
    await waitUntil(() => seen.ends.length > 0, { what: 'the refusal' });
    expect([seen.ends, asked]).toEqual([[{ reason: 'refused', status: 403 }], 0]);
  });

  it('an INVITE that is withdrawn while it is decided has no call', async () => {
    let decide: (decision: InviteDecision) => void = () => {};
    let signal: AbortSignal | undefined;
    const there = newSeen();
    const { call, called, calling, seen } = await outcome((invite) => {
      ({ signal } = invite);
      return new Promise((resolve) => (decide = resolve));
    });
    await waitUntil(() => signal !== undefined, { what: 'the INVITE' });
    call.hangUp();
    await waitUntil(() => signal!.aborted, { what: 'the CANCEL' });
    decide({ accept: () => eventsInto(there) });
    await waitUntil(() => calling.calls.length === 0 && called.calls.length === 0, { what: 'the end' });
    expect([seen.ends, there.ends]).toEqual([[{ reason: 'hung_up' }], []]);
  });

  it('an INVITE to where nobody listens fails at once', async () => {
    const calling = await endpoint();
    const nobody = await endpoint();
    const { address } = nobody;
    await nobody.stop();
    const events = {};
    await expect(calling.call(`sip:r@${address}`, { from: { name: '', number: '' }, events })).rejects.toThrow();
    await expect(calling.call('tel:1', { from: { name: '', number: '' }, events })).rejects.toThrow(
      'not a SIP address',
    );
  });
});

describe('frames', () => {
  it('frames come every 20 ms, with silence while the other side has nothing to say', async () => {
    const { there } = await connected();
    const before = there.peaks.length;
    const startedAt = performance.now();
    await waitUntil(() => there.peaks.length >= before + 50, { what: 'a second of frames' });
    const frames = (performance.now() - startedAt) / 20;
    expect(Math.abs(there.peaks.length - before - frames)).toBeLessThan(12);
    expect(there.peaks.every((peak) => peak < 20)).toBe(true);
    expect(FRAME_SAMPLES).toBe(160);
  });
});
