import { empty, type Endpoint, endpoint, json } from '@parley/http';
import { invalid, Refused } from '@parley/errors';
import { z } from 'zod';
import { conflict, findLeg, withMedia } from '../calls/leg-requests.ts';
import type { Channel } from '../switch/channel.ts';
import type { TelephoneNetwork } from '../telephony/telephone-network.ts';
import { Microphone } from './microphone.ts';

const SDP_LENGTH_MAX = 20_000;
const description = z.object({
  sdp: z
    .string()
    .max(SDP_LENGTH_MAX)
    .regex(/^m=audio /m, 'describes no audio'),
});

/** Browsers as the phones of customers. */
export function microphoneEndpoints({ network }: { network: TelephoneNetwork }): Endpoint<undefined>[] {
  const attach = endpoint('none')({
    route: 'PUT /legs/:leg_id/microphone',
    tag: 'Calls',
    summary: 'Talk with a microphone',
    description:
      'A browser takes the place of a simulated phone, over WebRTC with G.711: `sdp` is its offer, with all candidates, and in the response the answer. ' +
      'Another one replaces it; a browser that sends nothing for 5 seconds is detached.',
    body: description,
    responses: { 200: description },
    errors: { 404: '', 409: '`leg_ended`, `leg_not_connected`, `leg_not_simulated`', 422: 'no offer of G.711' },
    async handle({ params, body, signal }) {
      const leg = findLeg(network, params.leg_id);
      await withMedia(leg, () => network.hasMedia(leg), signal);
      const channel = network.channelOf(leg);
      if (!channel) throw conflict('leg_ended');
      if (channel.link && !(channel.link instanceof Microphone)) throw conflict('leg_not_simulated');
      detach(channel);
      const microphone = new Microphone(channel);
      const sdp = await microphone.answer(body.sdp).catch(() => undefined);
      if (sdp === undefined) {
        microphone.detach();
        throw new Refused(invalid({ sdp: ['is no offer of G.711 audio'] }));
      }
      return json(200, { sdp });
    },
  });

  const remove = endpoint('none')({
    route: 'DELETE /legs/:leg_id/microphone',
    tag: 'Calls',
    summary: 'Stop talking with a microphone',
    description: 'The simulated phone goes on; the call does not notice.',
    responses: { 204: null },
    errors: [404],
    handle({ params }) {
      const channel = network.channelOf(findLeg(network, params.leg_id));
      if (channel) detach(channel);
      return empty(204);
    },
  });

  return [attach, remove];
}

function detach({ link }: Channel): void {
  if (link instanceof Microphone) link.detach();
}
