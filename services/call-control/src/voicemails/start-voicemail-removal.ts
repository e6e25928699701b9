import type { RunningCommands } from '@parley/aggregates';
import type { CallRunner } from '../calls/store/call-runner.ts';
import type { Blobs } from '../recordings/blob-store.ts';
import type { Voicemails } from './voicemail-store.ts';

/** Removes the audio of deleted voicemails. */
export function startVoicemailRemoval(deps: {
  voicemails: Voicemails;
  runner: CallRunner;
  blobs: Blobs;
}): RunningCommands {
  const { voicemails, runner, blobs } = deps;
  return voicemails.startCommands({
    remove_audio: {
      guarantee: 'until_confirmed',
      async execute({ callId, recording }, { companyId }) {
        // First: audio that arrives after this is not kept.
        await runner.apply({ companyId, id: callId }, { type: 'voicemail_deleted', recording });
        await blobs.remove(recording);
      },
    },
  });
}
