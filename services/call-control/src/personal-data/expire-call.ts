import { type Decision, decided } from '@parley/errors';
import type { Call, CallEvent } from '../calls/model/call.ts';
import type { CallCommand, CallTimer } from '../calls/model/call-command.ts';
import type { CallDecision } from '../calls/decide/call-draft.ts';
import type { RecordingFile } from '../recordings/recording-file.ts';

/** The recordings that belong to the call alone: a voicemail keeps its own. */
export function conversationsOf({ recordings }: Pick<Call, 'recordings'>): RecordingFile[] {
  return recordings.filter(({ kind }) => kind === 'conversation');
}

/** From now on no audio of the conversation is stored, also when it arrives later. */
export function expireRecordings(call: Call): CallDecision {
  if (conversationsOf(call).every(({ isDeleted }) => isDeleted)) return decided(call);
  const recordings = call.recordings.map((recording) =>
    recording.kind === 'conversation' ? { ...recording, isDeleted: true as const } : recording,
  );
  return decided({ ...call, recordings });
}

/** From now on no transcript is stored, also when one is being made. Readers of calls show that it is gone. */
export function expireTranscript(call: Call): CallDecision {
  if (call.isContentRemoved) return decided(call);
  const next: Call = { ...call, hasTranscription: false, isContentRemoved: true };
  return decided(next, call.hasTranscription ? [{ type: 'call-control.call.updated', call: next }] : []);
}

/** Others learn that the call is gone, not whose it was. */
export function deleteCall(call: Call): Decision<null, CallEvent, CallCommand, CallTimer> {
  return decided(null, [{ type: 'call-control.call.deleted', call }]);
}
