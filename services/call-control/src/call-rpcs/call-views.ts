import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Clock } from '@parley/clock';
import type { CallSchema } from '@parley/proto/call_control/v1/calls_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import { isExpected, type RecordingFile, type RecordingSigner } from '../recordings/recording-file.ts';
import type { Transcripts } from '../transcripts/transcript-store.ts';
import { type Call, hasTranscript } from '../calls/model/call.ts';
import type { StoredNotes } from '../call-notes/call-notes.ts';
import { queuePositions } from '../calls/model/queue-position.ts';
import { callToProto } from '../calls/store/call-proto.ts';
import type { Calls } from '../calls/store/call-store.ts';

/** Calls as they are shown: with transcripts and addresses of their recordings. */
export interface CallViews {
  /** `addressValidSecs`: how long the addresses are valid, where that is not the usual time. */
  show(
    viewer: EmployeePrincipal | { readonly companyId: string; readonly givenTo: 'webhook' },
    calls: readonly Call[],
    addressValidSecs?: number,
  ): Promise<MessageInitShape<typeof CallSchema>[]>;
}

export function callViews(deps: {
  calls: Pick<Calls, 'queueOf'>;
  transcripts: Transcripts;
  signer: RecordingSigner;
  notes: Pick<StoredNotes, 'open'>;
  clock: Clock;
}): CallViews {
  const { transcripts, signer, notes, clock } = deps;
  return {
    async show(viewer, calls, addressValidSecs) {
      const transcribed = calls.filter(hasTranscript).map(({ id }) => id);
      const byCall = await transcripts.getMany(viewer.companyId, transcribed);
      // Most calls that are shown have ended, and cost no look at the queue.
      const isAnyQueued = calls.some(({ state }) => state === 'queued');
      const positions = queuePositions(isAnyQueued ? await deps.calls.queueOf(viewer.companyId) : []);
      const isSentOnce = 'givenTo' in viewer;
      const givenTo = isSentOnce ? viewer.givenTo : viewer;
      return calls.map((call) => {
        const name = recordingOf(call, { isAwaited: isSentOnce });
        return callToProto(call, {
          ...notes.open(call),
          transcript: byCall.get(call.id),
          queue: queueOf(call, positions.get(call.id), clock.now()),
          recordingUrl: name === undefined ? undefined : signer.url(name, givenTo, clock.now(), addressValidSecs),
        });
      });
    },
  };
}

/** A call that has left the queue since it was read has no place in it. */
function queueOf(call: Call, position: number | undefined, now: Date) {
  const { state, queuedAt } = call;
  if (state !== 'queued' || !queuedAt || position === undefined) return undefined;
  return { position, waitingSecs: Math.max(0, Math.floor((now.getTime() - queuedAt.getTime()) / 1000)) };
}

/**
 * The conversation of a call that has ended: the longest piece, where it was recorded in several. `isAwaited`: also one that is
 * still to be fetched from the switch, for an event, which is sent once.
 */
export function recordingOf(
  { state, recordings, endedAt }: Pick<Call, 'state' | 'recordings' | 'endedAt'>,
  { isAwaited = false } = {},
): string | undefined {
  if (state !== 'ended') return undefined;
  const pieces = recordings.filter(
    (recording) =>
      recording.kind === 'conversation' &&
      !recording.isDeleted &&
      (recording.status === 'stored' || (isAwaited && isExpected(recording))),
  );
  // The same piece before and after it is stored: its length is known from the start of the upload, its size is not.
  const lengthOf = ({ durationMs, startedAt }: RecordingFile) =>
    durationMs ?? (endedAt ? endedAt.getTime() - startedAt.getTime() : 0);
  return pieces.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0]?.name;
}
