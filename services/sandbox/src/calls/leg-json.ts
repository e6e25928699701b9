import { z } from 'zod';
import type { Leg } from '../legs/leg.ts';

const saidJson = z.object({
  text: z.string().nullable(),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
});

const heardJson = z.union([
  z.object({
    kind: z.literal('voice'),
    started_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
    text: z.string().nullable(),
  }),
  z.object({ kind: z.literal('speech'), text: z.string() }),
  z.object({ kind: z.enum(['ringtone', 'music', 'beep']) }),
  z.object({ kind: z.literal('party'), leg_id: z.string() }),
]);

/** A leg as the HTTP API shows it. */
export const legJson = z.object({
  leg_id: z.string(),
  state: z.enum(['dialing', 'ringing', 'connected', 'on_hold', 'ended']),
  said: z.array(saidJson),
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
    said: leg.said.map(({ text, startedAt, endedAt }) => ({ text, ...times(startedAt, endedAt) })),
    heard: leg.heard.map((heard) =>
      heard.kind === 'voice'
        ? { kind: heard.kind, ...times(heard.startedAt, heard.endedAt), text: heard.text }
        : { ...heard },
    ),
    call_id: leg.callId,
    ...(leg.from !== null && { from: leg.from }),
    ...(leg.hangupCause !== undefined && { hangup_cause: leg.hangupCause }),
  };
}

const times = (startedAt: Date, endedAt: Date | null) => ({
  started_at: startedAt.toISOString(),
  ended_at: endedAt?.toISOString() ?? null,
});
