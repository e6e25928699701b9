import { create } from '@bufbuild/protobuf';
import { type ExportedFile, type ExportPerson, jsonFile, type Person } from '@parley/personal-data';
import { CallSchema } from '@parley/proto/call_control/v1/calls_pb';
import { VoicemailSchema } from '@parley/proto/call_control/v1/voicemails_pb';
import { callJson, voicemailJson } from '@parley/public-json';
import type { Call } from '../calls/model/call.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { CallViews } from '../call-rpcs/call-views.ts';
import type { Blobs } from '../recordings/blob-store.ts';
import type { RecordingFile } from '../recordings/recording-file.ts';
import { type VoicemailTexts, voicemailToProto } from '../voicemails/voicemail-proto.ts';
import type { Voicemail } from '../voicemails/voicemail.ts';
import { OLDEST_VOICEMAIL_FIRST, type Voicemails } from '../voicemails/voicemail-store.ts';

interface ExportPersonDeps {
  readonly calls: Calls;
  readonly views: CallViews;
  readonly voicemails: Voicemails;
  readonly voicemailTexts: VoicemailTexts;
  readonly blobs: Blobs;
}

/** Calls or voicemails that are read at a time. */
const PAGE = 50;
const audioName = (recording: string) => `audio/${recording}.wav`;

/** Calls with notes, transcripts and summaries, voicemails, the audio of both, and which calls of others reached the person. */
export function exportPerson(deps: ExportPersonDeps): ExportPerson {
  return async function* (person): AsyncGenerator<ExportedFile> {
    yield jsonFile('calls.json', callsOf(deps, person));
    yield jsonFile('voicemails.json', voicemailsOf(deps, person));
    yield jsonFile('forwarded_calls.json', forwardedCallsOf(deps, person));
    for await (const recording of recordingsOf(deps, person)) {
      const content = await deps.blobs.read(recording);
      if (content) yield { name: audioName(recording), content: content as AsyncIterable<Uint8Array> };
    }
  };
}

/** A voicemail may be kept longer than its call, so its audio is found through the voicemail. */
async function* recordingsOf(deps: ExportPersonDeps, person: Person): AsyncGenerator<string> {
  for await (const page of pagesOf(deps, person))
    for (const call of page) yield* storedRecordings(call, ({ kind }) => kind !== 'voicemail');
  for await (const { recording } of voicemailsFrom(deps, person)) yield recording;
}

async function* pagesOf({ calls }: ExportPersonDeps, { companyId, phoneNumber, before }: Person) {
  const filter = { remoteNumber: phoneNumber, startedBefore: before };
  let page = await calls.list(companyId, filter, PAGE);
  while (page.length > 0) {
    yield page;
    page = await calls.list(companyId, { ...filter, after: page.at(-1)! }, PAGE);
  }
}

async function* callsOf(deps: ExportPersonDeps, person: Person) {
  for await (const page of pagesOf(deps, person)) {
    const shown = await deps.views.show({ companyId: person.companyId, givenTo: 'webhook' }, page);
    for (const [index, call] of page.entries()) {
      // The audio is in the archive instead.
      const { recording_url: _, ...json } = callJson(create(CallSchema, shown[index]));
      yield { ...json, audio: storedRecordings(call).map(audioName) };
    }
  }
}

/** The person's part in calls of others, which are not shown. */
async function* forwardedCallsOf({ calls }: ExportPersonDeps, { companyId, phoneNumber, before: until }: Person) {
  for (let after: Call | undefined; ;) {
    const page = await calls.withOutsideNumber(companyId, phoneNumber, PAGE, { until, after });
    for (const { id, startedAt, number, timeline } of page) {
      const entries = timeline.filter(({ detail }) => detail === phoneNumber);
      const events = entries.map(({ at, type, what }) => ({ at, type, what }));
      yield { call_id: id, started_at: startedAt, business_number: number.number, phone_number: phoneNumber, events };
    }
    after = page.length < PAGE ? undefined : page.at(-1);
    if (!after) return;
  }
}

async function* voicemailsOf(deps: ExportPersonDeps, person: Person) {
  for await (const voicemail of voicemailsFrom(deps, person)) {
    const transcription = deps.voicemailTexts.textOf(voicemail);
    const { recording_url: _, ...json } = voicemailJson(
      create(VoicemailSchema, voicemailToProto(voicemail, { transcription })),
    );
    yield { ...json, call_id: voicemail.callId, audio: audioName(voicemail.recording) };
  }
}

async function* voicemailsFrom({ voicemails }: ExportPersonDeps, { companyId, phoneNumber, before }: Person) {
  let last: Voicemail | undefined;
  do {
    const filter = {
      from: phoneNumber,
      createdAt: { $lte: before, ...(last && { $gte: last.createdAt }) },
      ...(last && { $or: [{ createdAt: { $gt: last.createdAt } }, { id: { $gt: last.id } }] }),
    };
    const page = await Array.fromAsync(voicemails.of(companyId).find(filter, OLDEST_VOICEMAIL_FIRST, PAGE));
    yield* page;
    last = page.length < PAGE ? undefined : page.at(-1);
  } while (last);
}

function storedRecordings({ recordings }: Call, isWanted: (recording: RecordingFile) => boolean = () => true) {
  return recordings
    .filter((recording) => recording.status === 'stored' && !recording.isDeleted && isWanted(recording))
    .map(({ name }) => name);
}
