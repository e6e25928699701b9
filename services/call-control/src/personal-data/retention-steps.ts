import { NOBODY, type RetentionStep } from '@parley/personal-data';
import { decided, type Decision } from '@parley/errors';
import { type Call, type CallEvent, hasTranscript } from '../calls/model/call.ts';
import type { Calls } from '../calls/store/call-store.ts';
import { cursorOf, positionFrom } from '../calls/store/list-cursors.ts';
import type { Blobs } from '../recordings/blob-store.ts';
import type { SearchIndex } from '../search/search-store.ts';
import type { Transcriptions } from '../transcripts/start-transcriptions.ts';
import type { Transcripts } from '../transcripts/transcript-store.ts';
import { eraseVoicemail } from '../voicemails/voicemail.ts';
import { OLDEST_VOICEMAIL_FIRST, type Voicemails } from '../voicemails/voicemail-store.ts';
import type { CallCommand, CallTimer } from '../calls/model/call-command.ts';
import type { CallDecision } from '../calls/decide/call-draft.ts';
import type { RecordingFile } from '../recordings/recording-file.ts';

interface RetentionDeps {
  readonly calls: Calls;
  readonly voicemails: Voicemails;
  readonly blobs: Blobs;
  readonly transcripts: Transcripts;
  readonly transcriptions: Pick<Transcriptions, 'forget'>;
  readonly search: SearchIndex;
}

/** Calls or voicemails that one portion looks at. */
const PORTION = 50;

/** A call in progress is always kept. */
export function retentionSteps(deps: RetentionDeps): RetentionStep[] {
  const { calls, voicemails } = deps;
  return [
    {
      name: 'voicemails',
      async erase({ companyId, cutoffs: { voicemails: until } }) {
        if (!until) return { removed: 0 };
        const own = voicemails.of(companyId);
        const found = await Array.fromAsync(own.find({ createdAt: { $lte: until } }, OLDEST_VOICEMAIL_FIRST, PORTION));
        // Its audio follows by a command of the voicemail.
        for (const { id } of found) await own.changeIfExists(id, (current) => eraseVoicemail(current, NOBODY));
        return { removed: found.length, next: found.length < PORTION ? undefined : '' };
      },
    },
    {
      name: 'calls',
      async erase({ companyId, cutoffs: { calls: until } }, after) {
        if (!until) return { removed: 0 };
        const page = await calls.oldest(companyId, PORTION, { until, after: positionAt(after) });
        const ended = page.filter(({ isOpen }) => !isOpen);
        for (const call of ended) await removeCall(deps, call);
        const last = page.length < PORTION ? undefined : page.at(-1);
        return { removed: ended.length, next: last && cursorOf(last) };
      },
    },
    onceForEachCall(deps, 'transcripts', removeTranscript),
    onceForEachCall(deps, 'recordings', removeRecordings),
  ];
}

/**
 * Looks at each call that has ended once: the next time begins where this one ended, or at the first call that was still in
 * progress. A position is the last call, and behind `|` where the next time begins, if that is before it.
 */
function onceForEachCall(
  deps: RetentionDeps,
  name: 'transcripts' | 'recordings',
  remove: (deps: RetentionDeps, call: Call) => Promise<boolean>,
): RetentionStep {
  return {
    name,
    async erase({ companyId, cutoffs: { [name]: until }, marks }, after) {
      if (!until) return { removed: 0 };
      const [begin = '', before] = (after || (marks[name] ?? '')).split('|');
      const page = await deps.calls.oldest(companyId, PORTION, { until, after: positionAt(begin) });
      let removed = 0;
      for (const call of page) if (!call.isOpen && (await remove(deps, call))) removed += 1;
      const ends = [begin, ...page.map(cursorOf)];
      const end = ends.at(-1) ?? begin;
      const firstOpen = page.findIndex(({ isOpen }) => isOpen);
      const kept = before ?? (firstOpen < 0 ? undefined : ends[firstOpen]);
      if (page.length < PORTION) return { removed, mark: kept ?? end };
      return { removed, next: kept === undefined ? end : `${end}|${kept}` };
    },
  };
}

/** Resolves with true when there was one. A transcript that is still being created is not stored. */
async function removeTranscript({ calls, transcripts, search }: RetentionDeps, call: Call): Promise<boolean> {
  const { companyId, id } = call;
  if (!hasTranscript(call) && !call.assistant && conversationsOf(call).length === 0) return false;
  await calls.of(companyId).changeIfExists(id, expireTranscript);
  await transcripts.remove(companyId, id);
  await search.remove(companyId, id);
  return hasTranscript(call);
}

async function removeRecordings({ calls, blobs }: RetentionDeps, call: Call): Promise<boolean> {
  const conversations = conversationsOf(call);
  if (conversations.length === 0) return false;
  await calls.of(call.companyId).changeIfExists(call.id, expireRecordings);
  for (const { name } of conversations) await blobs.remove(name);
  return conversations.some(({ isDeleted, status }) => !isDeleted && status === 'stored');
}

/** The call itself goes last: until then a repetition finds it. A voicemail that is kept keeps its audio. */
async function removeCall(deps: RetentionDeps, call: Call): Promise<void> {
  const { calls, voicemails, blobs, transcriptions } = deps;
  const { companyId, id, recordings } = call;
  const voicemail = call.voicemailId === null ? undefined : await voicemails.of(companyId).get(call.voicemailId);
  await removeTranscript(deps, call);
  await removeRecordings(deps, call);
  for (const { name } of recordings) {
    if (name === voicemail?.recording) continue;
    await blobs.remove(name);
    await transcriptions.forget(companyId, name);
  }
  if (call.assistant?.sessionId) await transcriptions.forget(companyId, call.assistant.sessionId);
  await calls.of(companyId).changeIfExists(id, deleteCall);
}

function positionAt(cursor: string) {
  return cursor === '' ? undefined : positionFrom(cursor);
}

/** The recordings that belong to the call alone: a voicemail keeps its own. */
function conversationsOf({ recordings }: Pick<Call, 'recordings'>): RecordingFile[] {
  return recordings.filter(({ kind }) => kind === 'conversation');
}

/** From now on no audio of the conversation is stored, also when it arrives later. */
function expireRecordings(call: Call): CallDecision {
  if (conversationsOf(call).every(({ isDeleted }) => isDeleted)) return decided(call);
  const recordings = call.recordings.map((recording) =>
    recording.kind === 'conversation' ? { ...recording, isDeleted: true as const } : recording,
  );
  return decided({ ...call, recordings });
}

/** From now on no transcript is stored, also when one is being made. Readers of calls show that it is gone. */
function expireTranscript(call: Call): CallDecision {
  if (call.isContentRemoved) return decided(call);
  const { isSessionStored: _removed, ...kept } = call;
  const next: Call = { ...kept, hasTranscription: false, isContentRemoved: true };
  return decided(next, hasTranscript(call) ? [{ type: 'call-control.call.updated', call: next }] : []);
}

/** Others learn that the call is gone, not whose it was. */
function deleteCall(call: Call): Decision<null, CallEvent, CallCommand, CallTimer> {
  return decided(null, [{ type: 'call-control.call.deleted', call }]);
}
