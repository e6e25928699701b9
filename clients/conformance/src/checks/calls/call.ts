import { absent, integer, listOf, nullable, oneOf, someText, text, timestamp } from '../../expectations/shapes.ts';
import { callIs, openNumber } from '../../world/conversations.ts';
import type { Company } from '../../world/company.ts';
import type { Context } from '../../world/context.ts';
import { once } from '../../world/once.ts';
import { freshPhone } from '../../world/random.ts';

const STATES = ['initiated', 'queued', 'answered', 'playing_audio', 'transferring', 'recording', 'bridged', 'ended'];

/** The fields of every call. */
export const CALL = {
  id: someText,
  from: text,
  to: text,
  direction: oneOf('inbound', 'outbound'),
  state: oneOf(...STATES),
  started_at: nullable(timestamp),
  answered_at: nullable(timestamp),
  duration: nullable(integer),
  summary: nullable(text),
  transcription: nullable(text),
  transcription_segments: nullable(listOf({ speaker: text, text })),
  main_number_id: text,
  main_number_name: text,
  main_number: text,
  main_number_formatted: text,
  recording_url: nullable(text),
  employees: listOf({ id: text, name: text }),
};

export const INBOUND = { ...CALL, direction: 'inbound', initiated_by: absent };

/** Calls that were rejected and have ended, one for each customer in order; nobody changes them. */
export async function rejectedCalls(
  { companies, sandbox }: Context,
  count: number,
): Promise<{ company: Company; number: any; calls: { id: string; from: string }[] }> {
  const company = await companies.shared();
  const kept = await once(company, `${count} rejected calls`, async () => {
    const number = await openNumber(company, { incoming_call_config: { type: 'RejectConfig', message: 'Closed.' } });
    const calls: { id: string; from: string }[] = [];
    for (let made = 0; made < count; made++) {
      const from = freshPhone();
      const leg = await sandbox.call(from, number.number);
      calls.push({ id: await leg.callId(), from });
    }
    for (const { id } of calls) await callIs(company, id, { state: 'ended' });
    return { number, calls };
  });
  return { company, ...kept };
}
