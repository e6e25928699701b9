import { create } from '@bufbuild/protobuf';
import { type ExportedFile, type ExportPerson, jsonFile, type Person } from '@parley/personal-data';
import { CallSchema } from '@parley/proto/call_control/v1/calls_pb';
import { VoicemailSchema } from '@parley/proto/call_control/v1/voicemails_pb';
import { callJson, voicemailJson } from '@parley/public-json';
import type { Call } from '../calls/model/call.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { CallViews } from '../call-service/call-views.ts';
import type { Blobs } from '../recordings/blob-store.ts';
import { voicemailToProto } from '../voicemails/voicemail-proto.ts';
import type { Voicemails } from '../voicemails/voicemail-store.ts';
import type { VoicemailTexts } from '../voicemails/voicemail-texts.ts';

export interface ExportPersonDeps {
  readonly calls: Calls;
  readonly views: CallViews;
  readonly voicemails: Voicemails;
  readonly voicemailTexts: VoicemailTexts;
  readonly blobs: Blobs;
}

/** Calls that are read at a time. */
const PAGE = 50;
const audioName = (recording: string) => `audio/${recording}.wav`;

/** Calls with notes, transcripts and summaries, voicemails, and the audio of both. */
export function exportPerson(deps: ExportPersonDeps): ExportPerson {
  return async function* (person): AsyncGenerator<ExportedFile> {
    yield jsonFile('calls.json', callsOf(deps, person));
    yield jsonFile('voicemails.json', voicemailsOf(deps, person));
    for await (const page of pagesOf(deps, person))
      for (const recording of page.flatMap(storedRecordings)) {
        const content = await deps.blobs.read(recording);
        if (content) yield { name: audioName(recording), content: content as AsyncIterable<Uint8Array> };
      }
  };
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

async function* voicemailsOf(deps: ExportPersonDeps, person: Person) {
  for await (const page of pagesOf(deps, person)) {
    const ids = page.flatMap(({ voicemailId }) => voicemailId ?? []);
    for await (const voicemail of deps.voicemails.of(person.companyId).find({ id: { $in: ids } }, { id: 1 })) {
      const transcription = deps.voicemailTexts.textOf(voicemail);
      const { recording_url: _, ...json } = voicemailJson(
        create(VoicemailSchema, voicemailToProto(voicemail, { transcription })),
      );
      yield { ...json, call_id: voicemail.callId, audio: audioName(voicemail.recording) };
    }
  }
}

function storedRecordings({ recordings }: Call): string[] {
  return recordings.filter(({ status, isDeleted }) => status === 'stored' && !isDeleted).map(({ name }) => name);
}
