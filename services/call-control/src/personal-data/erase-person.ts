import { eventSteps, type Erase, erasureOf, type ErasureStep, type Person } from '@parley/personal-data';
import type { EventRemoval } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { Call } from '../calls/model/call.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { Blobs } from '../recordings/blob-store.ts';
import type { SearchIndex } from '../search/search-store.ts';
import type { Transcripts } from '../transcripts/transcript-store.ts';
import { eraseVoicemail } from '../voicemails/voicemail.ts';
import { OLDEST_VOICEMAIL_FIRST, type Voicemails } from '../voicemails/voicemail-store.ts';
import { beginErasure, ERASED_NUMBER, eraseOutsideNumber, finishErasure } from './erase-call.ts';

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
