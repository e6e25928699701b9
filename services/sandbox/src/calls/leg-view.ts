import { z } from 'zod';
import type { Leg } from '../legs/leg.ts';

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
