import { setTimeout as sleep } from 'node:timers/promises';
import { invalid, notFound, Refused } from '@parley/errors';
import { type Endpoint, endpoint, HttpError, json } from '@parley/http';
import { z } from 'zod';
import type { TelephoneNetwork } from '../telephony/telephone-network.ts';
import type { Voice } from '../telephony/voice.ts';
import type { Leg } from '../legs/leg.ts';

/** A phone number as people write it, or a caller who does not show one. */
const phoneNumber = z
  .string()
  .max(40)
  .transform((written) => written.replaceAll(/[\s().-]/g, ''))
  .pipe(z.string().regex(/^\+?\d{2,20}$/, 'is not a phone number'));
const caller = z.union([z.literal('anonymous'), phoneNumber]);

/** The longest time a key waits for the call to be answered. */
const KEY_PATIENCE_MS = 3000;
const KEY_RETRY_MS = 20;
const SAY_LIMIT_MS = 180_000;

const conflict = (code: string): HttpError => new HttpError(409, { error: code, code });

export function legEndpoints({ network, voice }: { network: TelephoneNetwork; voice: Voice }): Endpoint<undefined>[] {
  function find(id: string): Leg {
    const leg = network.legs.get(id);
    if (!leg) throw new Refused(notFound);
    return leg;
  }

  async function withMedia(leg: Leg, attempt: () => boolean, signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + KEY_PATIENCE_MS;
    while (!attempt()) {
      if (leg.ended || performance.now() > deadline) throw conflict(leg.ended ? 'leg_ended' : 'leg_not_connected');
      await sleep(KEY_RETRY_MS, undefined, { signal });
    }
  }

  const call = endpoint('none')({
    route: 'POST /calls',
    tag: 'Calls',
    summary: 'Call a business number',
    description: 'A customer dials. `from` may be `anonymous`.',
    body: z.object({ from: caller, to: phoneNumber }),
    responses: { 201: z.object({ leg_id: z.string() }) },
    handle({ body: { from, to } }) {
      const anonymous = from === 'anonymous';
      const leg = network.dial({
        owner: { kind: 'external', number: from },
        profile: 'external',
        from: { name: anonymous ? 'Anonymous' : from, number: from },
        to,
        variables: anonymous ? { sip_from_host: 'anonymous.invalid', sip_h_Privacy: 'id' } : {},
      });
      return json(201, { leg_id: leg.id });
    },
  });

  const show = endpoint('none')({
    route: 'GET /legs/:leg_id',
    tag: 'Calls',
    summary: 'Show a leg',
    responses: { 200: legJson },
    errors: [404],
    handle: ({ params }) => json(200, legView(find(params.leg_id))),
  });

  const digits = endpoint('none')({
    route: 'POST /legs/:leg_id/digits',
    tag: 'Calls',
    summary: 'Press keys',
    body: z.object({ digits: z.string().regex(/^[0-9*#A-D]{1,64}$/, 'must be 1 to 64 keys') }),
    responses: { 200: legJson },
    errors: { 404: '', 409: '`leg_ended`, `leg_not_connected`' },
    async handle({ params, body, signal }) {
      const leg = find(params.leg_id);
      await withMedia(leg, () => network.press(leg, body.digits), signal);
      return json(200, legView(leg));
    },
  });

  const say = endpoint('none')({
    route: 'POST /legs/:leg_id/say',
    tag: 'Calls',
    summary: 'Speak',
    description: 'Plays synthesised speech on the leg, which is recorded. Responds when it has been played.',
    body: z.object({
      text: z.string().trim().min(1).max(3000),
      language: z.string().min(2).max(10).default('en'),
    }),
    responses: { 200: legJson },
    errors: { 404: '', 409: '`leg_ended`, `leg_not_connected`', 502: 'the speech service failed' },
    timeLimitMs: SAY_LIMIT_MS,
    async handle({ params, body, signal }) {
      const leg = find(params.leg_id);
      if (!leg.ended) await withMedia(leg, () => network.hasMedia(leg), signal);
      const said = await network.say(leg, () => voice.speak(body.text, body.language, signal));
      if (!said) throw conflict('leg_ended');
      return json(200, legView(leg));
    },
  });

  const hangUp = endpoint('none')({
    route: 'POST /legs/:leg_id/hangup',
    tag: 'Calls',
    summary: 'Hang up',
    description: 'A phone that rings refuses the call instead. A leg that has ended stays as it is.',
    responses: { 200: legJson },
    errors: [404],
    handle({ params }) {
      const leg = find(params.leg_id);
      network.hangUp(leg);
      return json(200, legView(leg));
    },
  });

  const answer = endpoint('none')({
    route: 'POST /legs/:leg_id/answer',
    tag: 'Calls',
    summary: 'Answer at an external phone',
    responses: { 200: legJson },
    errors: { 404: '', 409: '`leg_not_ringing`' },
    handle({ params }) {
      const leg = find(params.leg_id);
      if (!network.answer(leg)) throw conflict('leg_not_ringing');
      return json(200, legView(leg));
    },
  });

  const subscriber = endpoint('none')({
    route: 'GET /subscribers/:number/legs',
    tag: 'Calls',
    summary: 'List the legs at an external number',
    responses: { 200: z.array(legJson) },
    handle({ params }) {
      const legs = network.legs.at({ kind: 'external', number: params.number.replaceAll(/[\s().-]/g, '') });
      return json(
        200,
        legs.filter(({ direction }) => direction === 'incoming').map((leg) => legView(leg)),
      );
    },
  });

  const setSubscriber = endpoint('none')({
    route: 'PUT /subscribers/:number',
    tag: 'Calls',
    summary: 'Set whether an external number is busy',
    description: 'Calls to a busy number fail with `USER_BUSY`. Calls that have begun continue.',
    body: z.object({ busy: z.boolean() }),
    responses: { 200: z.object({ number: z.string(), busy: z.boolean() }) },
    errors: { 422: 'not a phone number' },
    handle({ params, body: { busy } }) {
      const number = phoneNumber.safeParse(params.number).data;
      if (number === undefined) throw new Refused(invalid({ number: ['is not a phone number'] }));
      if (busy) network.busyNumbers.add(number);
      else network.busyNumbers.delete(number);
      return json(200, { number, busy });
    },
  });

  return [call, show, digits, say, hangUp, answer, subscriber, setSubscriber];
}

const heardJson = z.union([
  z.object({ kind: z.literal('speech'), text: z.string() }),
  z.object({ kind: z.enum(['ringtone', 'music', 'beep']) }),
  z.object({ kind: z.literal('party'), leg_id: z.string() }),
]);

/** A leg as the HTTP API shows it. */
export const legJson = z.object({
  leg_id: z.string(),
  state: z.enum(['dialing', 'ringing', 'connected', 'on_hold', 'ended']),
  heard: z.array(heardJson),
  call_id: z.string().nullable(),
  /** The number that the phone shows, of a phone that is called. */
  from: z.string().optional(),
  hangup_cause: z.string().optional(),
});

export function legView(leg: Leg): z.infer<typeof legJson> {
  return {
    leg_id: leg.id,
    state: leg.state,
    heard: [...leg.heard],
    call_id: leg.callId,
    ...(leg.from !== null && { from: leg.from }),
    ...(leg.hangupCause !== undefined && { hangup_cause: leg.hangupCause }),
  };
}
