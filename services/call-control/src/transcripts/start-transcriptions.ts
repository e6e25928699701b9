import { type Clock, trackBackgroundWork } from '@parley/clock';
import { decided, Refused } from '@parley/errors';
import { type Aggregates, NotAvailable, openAggregates, type Relay } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { Call } from '../calls/model/call.ts';
import type { CallRunner } from '../calls/store/call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { SearchIndex } from '../search/search-store.ts';
import { transcribeVoicemail } from '../voicemails/voicemail.ts';
import type { VoicemailTexts } from '../voicemails/voicemail-proto.ts';
import type { Voicemails } from '../voicemails/voicemail-store.ts';
import type { Speech } from '../speech/speech-client.ts';
import type { Transcript } from '../calls/model/transcript.ts';
import { buildTranscript, listenedFromMs, recordedPart, withPart } from './build-transcript.ts';
import type { SessionTranscripts } from './session-transcripts.ts';
import type { Transcripts } from './transcript-store.ts';
import {
  isLong,
  mayWaitMs,
  orderTranscription,
  type Transcription,
  type TranscriptionCommand,
} from './transcription.ts';

/** Transcribes stored recordings in the background. */
export type Transcriptions = Awaited<ReturnType<typeof startTranscriptions>>;

/** Recordings in progress take turns in the speech service, so a short one does not wait for the end of a long one. */
const CONCURRENCY = 4;
/** Longer than a recording of an hour takes; another process takes over after it. */
const LEASE_MS = 30_000;

interface TranscriptionDeps {
  readonly db: Db;
  readonly relay: Relay;
  readonly clock: Clock;
  readonly calls: Calls;
  readonly runner: CallRunner;
  readonly voicemails: Voicemails;
  readonly voicemailTexts: VoicemailTexts;
  readonly transcripts: Transcripts;
  readonly search: SearchIndex;
  readonly speech: Speech;
  readonly sessions: Pick<SessionTranscripts, 'store'>;
}

export async function startTranscriptions(deps: TranscriptionDeps) {
  const { db, relay, clock } = deps;
  const jobs: Aggregates<Transcription, never, TranscriptionCommand> = await openAggregates({
    db,
    collection: 'transcriptions',
    // Not counted as work that a move of the test clock waits for: speech takes its time, and calls never wait for it.
    relay: { ...relay, backgroundWork: trackBackgroundWork() },
    clock,
    encode: () => {
      throw new Error('a transcription has no events');
    },
  });
  const commands = jobs.startCommands(
    {
      transcribe: {
        guarantee: 'until_confirmed',
        isLong,
        mayWaitMs,
        async execute(_command, { companyId, aggregateId, attempt }) {
          const job = await jobs.of(companyId).get(aggregateId);
          if (job) await transcribe(deps, job, attempt > 1);
        },
        settle: (job) => decided({ ...job, isDone: true }),
      },
    },
    { concurrency: CONCURRENCY, leaseMs: LEASE_MS },
  );
  return {
    /** The recording is stored; asking again changes nothing. */
    async order(recording: Omit<Transcription, 'isDone'>): Promise<void> {
      await jobs.of(recording.companyId).upsert(recording.id, (current) => orderTranscription(current, recording));
    },
    /** The recording and what was said are gone. */
    async forget(companyId: string, recording: string): Promise<void> {
      await jobs.of(companyId).changeIfExists(recording, () => decided(null));
    },
    stop: () => commands.stop(),
  };
}

async function transcribe(deps: TranscriptionDeps, job: Transcription, isRetry: boolean): Promise<void> {
  try {
    if (job.kind === 'session') await storeSession(deps, job);
    else await (job.kind === 'conversation' ? transcribeCall(deps, job, isRetry) : transcribeLeftMessage(deps, job));
  } catch (error) {
    // The speech service has no capacity for this company: no failure, so the pauses do not grow.
    if (error instanceof Refused && error.refusal.code === 'rate_limited') throw new NotAvailable(error.message);
    throw error;
  }
}

async function transcribeCall(
  deps: TranscriptionDeps,
  { id, companyId, callId }: Transcription,
  isRetry: boolean,
): Promise<void> {
  const { calls, runner, transcripts, search } = deps;
  const call = await calls.of(companyId).get(callId);
  if (!call || call.isContentRemoved || isDeleted(call, id)) return;
  const fromMs = listenedFromMs(call, id);
  if (fromMs === null) return;
  // Listening takes longest by far, so it is not repeated when only the search index failed.
  const saved = isRetry ? await transcripts.get(companyId, callId) : undefined;
  const isSaved = call.assistant ? saved?.parts?.some(({ source }) => source === id) : saved;
  const transcript = saved && isSaved ? saved : await listenTo(deps, id, call, fromMs);
  await search.add(call, transcript);
  const after = await runner.apply(call, { type: 'transcribed', recording: id });
  // It was erased meanwhile: whichever of the two is later removes it.
  if (after && !after.isContentRemoved) return;
  await transcripts.remove(companyId, callId);
  await search.remove(companyId, callId);
}

async function listenTo(
  { speech, transcripts }: TranscriptionDeps,
  recording: string,
  call: Call,
  fromMs: number,
): Promise<Transcript> {
  const { companyId } = call;
  const heard = await speech.transcribe(recording, companyId, fromMs);
  const summary = heard.length === 0 ? '' : await speech.summarize(heard, companyId);
  if (call.assistant) {
    const part = recordedPart(call, recording, heard, summary);
    return transcripts.change(companyId, call.id, (current) => withPart(call, current, part));
  }
  const transcript = buildTranscript(call, heard, summary);
  await transcripts.save(transcript);
  return transcript;
}

/** The session of an assistant is over: it is found by what was said in it, and what became of it. */
async function storeSession(deps: TranscriptionDeps, { companyId, callId }: Transcription): Promise<void> {
  const { calls, search, sessions, transcripts } = deps;
  const call = await calls.of(companyId).get(callId);
  if (!call || call.isContentRemoved) return;
  const transcript = await sessions.store(call);
  if (!transcript) return;
  await search.add(call, transcript);
  const after = await calls.of(companyId).get(callId);
  if (after && !after.isContentRemoved) return;
  await transcripts.remove(companyId, callId);
  await search.remove(companyId, callId);
}

async function transcribeLeftMessage(
  { calls, voicemails, voicemailTexts, speech }: TranscriptionDeps,
  { id, companyId, callId }: Transcription,
): Promise<void> {
  const [call, voicemail] = await Promise.all([
    calls.of(companyId).get(callId),
    voicemails.of(companyId).findOne({ recording: id }),
  ]);
  if (!call || isDeleted(call, id)) return;
  // Saving the voicemail is a command of the call and may take a moment longer than its audio.
  if (!voicemail && (call.voicemailId !== null || call.awaitedVoicemail === id))
    throw new Error('the voicemail is not saved yet');
  if (!voicemail) return;
  const heard = await speech.transcribe(id, companyId);
  const text = heard.map((segment) => segment.text.trim()).join(' ');
  const sealed = voicemailTexts.seal(voicemail.id, text);
  await voicemails.of(companyId).changeIfExists(voicemail.id, (current) => transcribeVoicemail(current, sealed, call));
}

function isDeleted({ recordings }: Call, recording: string): boolean {
  return recordings.some((file) => file.name === recording && file.isDeleted);
}
