import { decided } from '@parley/errors';
import { NOBODY } from '@parley/personal-data';
import type { Call } from '../calls/model/call.ts';
import { derivedFields } from '../calls/model/derived-fields.ts';
import type { CallDecision } from '../calls/decide/call-draft.ts';

/** In place of the number of a person who was erased. */
export const ERASED_NUMBER = NOBODY;

/** From now on no audio and no transcript of the call is stored. The number stays, so that a crash leaves nothing behind. */
export function beginErasure(call: Call): CallDecision {
  if (call.isContentRemoved && call.recordings.every(({ isDeleted }) => isDeleted)) return decided(call);
  const recordings = call.recordings.map((recording) => ({ ...recording, isDeleted: true as const }));
  return decided({ ...call, recordings, isContentRemoved: true });
}

/** The remaining fields are for statistics: time, length and the employee who answered. */
export function finishErasure(call: Call): CallDecision {
  if (call.remoteNumber === ERASED_NUMBER) return decided(call);
  const { emergency: _emergency, sealedNotes: _notes, tagListKeys: _tags, ...kept } = call;
  const erased = {
    ...kept,
    ...(call.direction === 'inbound' ? { from: ERASED_NUMBER } : { to: ERASED_NUMBER }),
    voicemailId: null,
    hasTranscription: false,
    isContentRemoved: true as const,
    // The rest of an entry says what the caller did, not who it was.
    timeline: call.timeline.map(({ detail: _detail, ...entry }) => entry),
  };
  const next: Call = { ...erased, ...derivedFields(erased) };
  return decided(next, [{ type: 'call-control.call.updated', call: next }]);
}

/** Somebody outside to whom the call was forwarded or transferred. The call is that of the remote party and stays. */
export function eraseOutsideNumber(call: Call, phoneNumber: string): CallDecision {
  const { outsideNumbers = [], ...kept } = call;
  if (!outsideNumbers.includes(phoneNumber)) return decided(call);
  const others = outsideNumbers.filter((number) => number !== phoneNumber);
  const { transfers, timeline, legs } = replaced(call, phoneNumber);
  return decided({ ...kept, transfers, timeline, legs, ...(others.length > 0 && { outsideNumbers: others }) });
}

/** The same value without the number, however deep it is. */
function replaced<Value>(value: Value, phoneNumber: string): Value {
  if (value === phoneNumber) return ERASED_NUMBER as Value;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => replaced(item, phoneNumber)) as Value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]: [string, unknown]) => [name, replaced(item, phoneNumber)]),
  ) as Value;
}
