import { type Erase, erasureOf, type ErasureStep, eventSteps, NOBODY, type Person } from '@parley/personal-data';
import type { EventRemoval } from '@parley/aggregates';
import type { Db } from 'mongodb';
import { decided } from '@parley/errors';
import type { Call, Callback } from '../calls/model/call.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { Blobs } from '../recordings/blob-store.ts';
import type { SearchIndex } from '../search/search-store.ts';
import type { Transcripts } from '../transcripts/transcript-store.ts';
import { eraseVoicemail } from '../voicemails/voicemail.ts';
import { OLDEST_VOICEMAIL_FIRST, type Voicemails } from '../voicemails/voicemail-store.ts';
import { derivedFields } from '../calls/model/derived-fields.ts';
import type { CallDecision } from '../calls/decide/call-draft.ts';

interface ErasePersonDeps {
  readonly db: Db;
  readonly removal: EventRemoval;
  readonly calls: Calls;
  readonly voicemails: Voicemails;
  readonly blobs: Blobs;
  readonly transcripts: Transcripts;
  readonly search: SearchIndex;
}

/** Calls or voicemails that one portion removes. */
const PORTION = 20;

/**
 * Recordings, transcripts, summaries, voicemails and search entries of a person; calls stay without the number, and so do those of others
 * that were forwarded or transferred to the person.
 */
export function erasePerson(deps: ErasePersonDeps): Erase {
  const { db, removal, calls, voicemails } = deps;

  async function erase(person: Person) {
    const { companyId, phoneNumber, before } = person;
    const found = await calls.list(companyId, { remoteNumber: phoneNumber, startedBefore: before }, PORTION);
    const ended = found.filter(({ isOpen }) => !isOpen);
    let removed = 0;
    for (const call of ended) removed += await eraseCall(deps, call);
    if (found.length === 0) return { removed };
    // A call in progress is removed when it has ended: it is wholly before the erasure.
    return { removed, next: '', isWaiting: ended.length === 0 };
  }

  const events = eventSteps({ db, removal, keeps: (event, person) => isAbout(deps, event.aggregateId, person) });
  const callStep: ErasureStep = { name: 'calls', erase };
  /** Calls of others that were forwarded or transferred to the person. */
  const outsideStep: ErasureStep = {
    name: 'outside_numbers',
    async erase({ companyId, phoneNumber, before }) {
      const found = await calls.withOutsideNumber(companyId, phoneNumber, PORTION, { until: before });
      const ended = found.filter(({ isOpen }) => !isOpen);
      for (const { id } of ended)
        await calls.of(companyId).changeIfExists(id, (call) => eraseOutsideNumber(call, phoneNumber));
      if (found.length === 0) return { removed: 0 };
      return { removed: ended.length, next: '', isWaiting: ended.length === 0 };
    },
  };
  /** Those that were kept longer than their calls. */
  const voicemailStep: ErasureStep = {
    name: 'voicemails',
    async erase({ companyId, phoneNumber, before }) {
      const own = voicemails.of(companyId);
      const ofPerson = { from: phoneNumber, createdAt: { $lte: before } };
      const found = await Array.fromAsync(own.find(ofPerson, OLDEST_VOICEMAIL_FIRST, PORTION));
      for (const { id } of found) await own.changeIfExists(id, (current) => eraseVoicemail(current, ERASED_NUMBER));
      return { removed: found.length, next: found.length < PORTION ? undefined : '' };
    },
  };
  return erasureOf([callStep, outsideStep, voicemailStep, ...events]);
}

/** Resolves with the number of removed records. The phone number is replaced last: until then a repetition finds the call again. */
async function eraseCall(
  { calls, voicemails, blobs, transcripts, search }: ErasePersonDeps,
  call: Call,
): Promise<number> {
  const { companyId, id } = call;
  const marked = await calls.of(companyId).changeIfExists(id, beginErasure);
  if (!marked) return 0;
  let removed = 1;
  if (marked.voicemailId !== null) {
    const gone = await voicemails
      .of(companyId)
      .changeIfExists(marked.voicemailId, (voicemail) => eraseVoicemail(voicemail, ERASED_NUMBER));
    if (gone === null) removed += 1;
  }
  for (const { name } of marked.recordings) await blobs.remove(name);
  await transcripts.remove(companyId, id);
  await search.remove(companyId, id);
  await calls.of(companyId).changeIfExists(id, finishErasure);
  return removed;
}

/** True when an event is about a call that still has the person's number: then the call is a new one. */
async function isAbout({ calls, voicemails }: ErasePersonDeps, id: string, person: Person): Promise<boolean> {
  const { companyId, phoneNumber } = person;
  const call = await calls.of(companyId).get(id);
  if (call) return call.remoteNumber === phoneNumber;
  return (await voicemails.of(companyId).get(id)) !== undefined;
}

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
  const { emergency: _emergency, sealedNotes: _notes, tagListKeys: _tags, isSessionStored: _session, ...kept } = call;
  const erased = {
    ...kept,
    ...(call.direction === 'inbound' ? { from: ERASED_NUMBER } : { to: ERASED_NUMBER }),
    voicemailId: null,
    hasTranscription: false,
    isContentRemoved: true as const,
    ...withoutSpokenNumbers(call),
    // The rest of an entry says what the caller did, not who it was.
    timeline: call.timeline.map(({ detail: _detail, ...entry }) => entry),
  };
  const next: Call = { ...erased, ...derivedFields(erased) };
  return decided(next, [{ type: 'call-control.call.updated', call: next }]);
}

/** Numbers that the caller said, to be called back. */
function withoutSpokenNumbers({ assistant, callback }: Call): Partial<Call> {
  const { number: _number, ...own } = callback ?? {};
  const promised = assistant?.promisedCallback;
  return {
    ...(callback && { callback: own as Callback }),
    ...(assistant && promised && { assistant: { ...assistant, promisedCallback: { ...promised, number: null } } }),
  };
}

/** Somebody outside to whom the call was forwarded or transferred. The call is that of the remote party and stays. */
export function eraseOutsideNumber(call: Call, phoneNumber: string): CallDecision {
  const { outsideNumbers = [], ...kept } = call;
  if (!outsideNumbers.includes(phoneNumber)) return decided(call);
  const others = outsideNumbers.filter((number) => number !== phoneNumber);
  const { transfers, timeline, legs, callback, assistant } = replaced(call, phoneNumber);
  return decided({
    ...kept,
    transfers,
    timeline,
    legs,
    ...(callback && { callback }),
    ...(assistant && { assistant }),
    ...(others.length > 0 && { outsideNumbers: others }),
  });
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
