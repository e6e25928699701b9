import { setTimeout as sleep } from 'node:timers/promises';
import { invalid, Refused } from '@parley/errors';
import { type Endpoint, endpoint, json } from '@parley/http';
import { z } from 'zod';
import type { TelephoneNetwork } from '../telephony/telephone-network.ts';
import type { Recognise } from '../legs/heard-voice.ts';
import type { Leg } from '../legs/leg.ts';
import { legJson, legView } from './leg-json.ts';
import { conflict, findLeg, withMedia } from './leg-requests.ts';

/** A phone number as people write it, or a caller who does not show one. */
const phoneNumber = z
  .string()
  .max(40)
  .transform((written) => written.replaceAll(/[\s().-]/g, ''))
  .pipe(z.string().regex(/^\+?\d{2,20}$/, 'is not a phone number'));
const caller = z.union([z.literal('anonymous'), phoneNumber]);

/** How long the first request for a leg waits for the words that it heard. */
const RECOGNITION_WAIT_MS = 20_000;

export interface LegEndpointOptions {
  readonly network: TelephoneNetwork;
  readonly recognise: Recognise;
}

export function legEndpoints({ network, recognise }: LegEndpointOptions): Endpoint<undefined>[] {
  const find = (id: string) => findLeg(network, id);

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
    description:
      'What was heard as audio is recognised on the first request for it, which waits for the words up to 20 seconds; with `wait` false a later one has them.',
    query: z.object({ wait: z.enum(['true', 'false']).default('true') }),
    responses: { 200: legJson },
    errors: [404],
    timeLimitMs: 2 * RECOGNITION_WAIT_MS,
    async handle({ params, query, signal }) {
      const leg = find(params.leg_id);
      const recognised = untilRecognised(leg, recognise, signal);
      if (query.wait === 'true') await recognised;
      return json(200, legView(leg));
    },
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

  return [call, show, digits, hangUp, answer, subscriber, setSubscriber];
}

/** Words that take longer are in the next response. */
async function untilRecognised(leg: Leg, recognise: Recognise, signal: AbortSignal): Promise<void> {
  const waiting = leg.heard.flatMap((heard) => (heard.kind === 'voice' ? [heard.recognise(recognise)] : []));
  if (waiting.length === 0) return;
  const limit = sleep(RECOGNITION_WAIT_MS, undefined, { signal, ref: false });
  await Promise.race([Promise.allSettled(waiting), limit.catch(() => undefined)]);
}
