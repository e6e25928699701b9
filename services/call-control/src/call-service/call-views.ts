import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Clock } from '@parley/clock';
import type { CallSchema } from '@parley/proto/call_control/v1/calls_pb';
import type { RecordingSigner } from '../recordings/recording-signer.ts';
import type { Transcripts } from '../transcripts/transcript-store.ts';
import type { Call } from '../calls/model/call.ts';
import { callToProto } from '../calls/store/call-proto.ts';

/** Calls as they are shown: with transcripts and addresses of their recordings. */
export interface CallViews {
  show(companyId: string, calls: readonly Call[]): Promise<MessageInitShape<typeof CallSchema>[]>;
}

export function callViews(deps: { transcripts: Transcripts; signer: RecordingSigner; clock: Clock }): CallViews {
  const { transcripts, signer, clock } = deps;
  return {
    async show(companyId, calls) {
      const transcribed = calls.filter(({ hasTranscription }) => hasTranscription).map(({ id }) => id);
      const byCall = await transcripts.getMany(companyId, transcribed);
      return calls.map((call) => {
        const name = recordingOf(call);
        return callToProto(call, {
          transcript: byCall.get(call.id),
          recordingUrl: name === undefined ? undefined : signer.url(name, clock.now()),
        });
      });
    },
  };
}

/** The conversation of a call that has ended: the longest piece, where it was recorded in several. */
export function recordingOf({ state, recordings }: Pick<Call, 'state' | 'recordings'>): string | undefined {
  if (state !== 'ended') return undefined;
  const stored = recordings.filter(({ kind, status }) => kind === 'conversation' && status === 'stored');
  return stored.toSorted((a, b) => (b.sizeBytes ?? 0) - (a.sizeBytes ?? 0))[0]?.name;
}
