import { searchWordKeys } from '@parley/text';
import { encryptor } from '@parley/secrets';
import type { StatefulService } from '@parley/service';
import { introductionStorage } from './assisted-calls/introduction.ts';
import { noteStorage } from './call-notes/stored-notes.ts';
import { callViews } from './call-rpcs/call-views.ts';
import type { CallRunner } from './calls/store/call-runner.ts';
import type { Calls } from './calls/store/call-store.ts';
import { assistantSessions } from './clients/assistant-client.ts';
import type { Config } from './config.ts';
import { openListenings } from './listenings/listening-store.ts';
import { openRecordings } from './recordings/open-recordings.ts';
import { callerTextClient } from './search/caller-text-client.ts';
import { openSearch } from './search/search-store.ts';
import { speechClient } from './speech/speech-client.ts';
import { sessionTranscripts } from './transcripts/session-transcripts.ts';
import { startTranscriptions } from './transcripts/start-transcriptions.ts';
import { openTranscripts } from './transcripts/transcript-store.ts';
import { openVoicemails, startVoicemailRemoval } from './voicemails/voicemail-store.ts';
import { voicemailTexts as createVoicemailTexts } from './voicemails/voicemail-proto.ts';

/** Call-control with its database, its relay and the channels to its peers. */
export type OpenedService = StatefulService<'directory' | 'numbersRouting' | 'speech' | 'assistant', true>;

/** Opens what calls leave behind: recordings, voicemails, transcripts, notes, and the search in them. */
export async function openCallContent(
  service: OpenedService,
  config: Config,
  { calls, runner }: { calls: Calls; runner: CallRunner },
) {
  const { db, relay, clock, peers, stopLater } = service;
  const { log } = service.telemetry;
  const { ENCRYPTION_KEY: keys, RECORDINGS_S3: bucket, PUBLIC_URL: publicUrl } = config;
  const voicemails = await openVoicemails({ db, relay, clock });
  const { blobs, signer } = await openRecordings(db, { keys, bucket, publicUrl });
  const listenings = await openListenings({ db, relay, clock, calls, voicemails });
  stopLater('listenings', listenings);
  const speech = speechClient(peers.speech, blobs);
  const texts = encryptor(keys);
  const transcripts = await openTranscripts(db, texts);
  const voicemailTexts = createVoicemailTexts(texts);
  const callerText = callerTextClient(peers.directory, log);
  const search = await openSearch({ db, speech, callerText, wordKeys: searchWordKeys(keys), log });
  const notes = noteStorage(texts, keys);
  const views = callViews({ calls, transcripts, signer, notes, clock });
  const content = { voicemails, voicemailTexts, transcripts, search };
  const sessions = sessionTranscripts({
    calls,
    runner,
    transcripts,
    sessions: assistantSessions(peers.assistant, log),
  });
  const transcriptions = await startTranscriptions({ db, relay, clock, calls, runner, speech, sessions, ...content });
  stopLater('transcriptions', transcriptions);
  stopLater('removal of voicemails', startVoicemailRemoval({ voicemails, runner, blobs }));
  const introductions = introductionStorage(texts);
  return {
    ...content,
    transcriptions,
    sessionTranscripts: sessions,
    blobs,
    signer,
    listenings,
    notes,
    views,
    introductions,
  };
}
