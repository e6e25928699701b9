import { callIdOf, isExpected } from '../recordings/recording-file.ts';
import type { Calls } from '../calls/store/call-store.ts';

/** True while the audio of a recording is still to be fetched from the switch. */
export function isRecordingAwaited(calls: Pick<Calls, 'acrossCompanies'>): (name: string) => Promise<boolean> {
  return async (name) => {
    const callId = callIdOf(name);
    const call = callId === undefined ? undefined : await calls.acrossCompanies.get(callId);
    return call?.recordings.some((recording) => recording.name === name && isExpected(recording)) ?? false;
  };
}
