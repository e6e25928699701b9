import { PREPARE_MS } from '../../calls/decide/play-audio.ts';
import type { UploadOutcome } from '../../calls/model/call-command.ts';
import type { Calls } from '../../calls/store/call-store.ts';
import { deleteVoicemail } from '../../voicemails/voicemail.ts';
import { saveVoicemail, type Voicemails } from '../../voicemails/voicemail-store.ts';
import type { Clock } from '@parley/clock';
import type { Switches } from '../connection/switch-client.ts';
import { currentCall, DONE, type Handlers, LONG, onSwitch, untilConfirmed, withoutResult } from './command-handler.ts';

export interface AudioCommandDeps {
  readonly calls: Calls;
  readonly switches: Switches;
  readonly voicemails: Voicemails;
  readonly clock: Clock;
  /** The length of a prompt's audio once it exists; null when it does not in time. */
  readonly preparePrompt: (contentHash: string, waitMs: number) => Promise<number | null>;
  /** The hash of the audio that asks who answers for a key, in a business number's language; null without the number. */
  readonly keyPrompt: (numberId: string) => Promise<string | null>;
}

/** The audio of prompts, which is generated when a call needs it. */
export function promptCommands({
  calls,
  preparePrompt,
  keyPrompt,
}: AudioCommandDeps): Handlers<'prepare_prompt' | 'prepare_wait_prompt' | 'prepare_key_prompt'> {
  return {
    prepare_prompt: untilConfirmed<'prepare_prompt'>(async ({ playId, contentHash }, context) => {
      const call = await currentCall(calls, context);
      const isWanted = call && 'playId' in call.phase && call.phase.playId === playId;
      const durationMs = isWanted ? await preparePrompt(contentHash, PREPARE_MS) : null;
      return { kind: 'prepare_prompt', durationMs };
    }, LONG),
    prepare_wait_prompt: untilConfirmed<'prepare_wait_prompt'>(async ({ contentHash }, context) => {
      const isWanted = (await currentCall(calls, context))?.phase.kind === 'waiting';
      const isReady = isWanted && (await preparePrompt(contentHash, PREPARE_MS)) !== null;
      return { kind: 'prepare_wait_prompt', isReady };
    }, LONG),
    prepare_key_prompt: untilConfirmed<'prepare_key_prompt'>(async (_command, context) => {
      const call = await currentCall(calls, context);
      const isWanted = call?.legs.some(({ outside }) => outside?.needsKey && outside.promptHash === undefined);
      const hash = isWanted ? await keyPrompt(call!.number.id) : null;
      const isReady = hash !== null && (await preparePrompt(hash, PREPARE_MS)) !== null;
      return { kind: 'prepare_key_prompt', contentHash: isReady ? hash : null };
    }, LONG),
  };
}

/** Recordings on the switch, and the voicemails among them. */
export function recordingCommands(
  deps: AudioCommandDeps,
): Handlers<'upload_recording' | 'delete_recording_file' | 'save_voicemail' | 'withdraw_voicemail'> {
  const { calls, voicemails, clock } = deps;
  return {
    upload_recording: untilConfirmed<'upload_recording'>(
      ({ recording }, context) =>
        onSwitch(deps, context, async (at) => ({
          kind: 'upload_recording',
          outcome: await at.upload(recording).catch(async (error: unknown): Promise<UploadOutcome> => {
            // The switch does not say why it could not send it; whether it was refused is known here.
            const sent = (await currentCall(calls, context))?.recordings.find(({ name }) => name === recording);
            if (sent?.isRefused) return 'refused';
            // A large one may have been stored after the switch's job timed out.
            if (sent?.status === 'stored') return 'uploaded';
            throw error;
          }),
        })),
      LONG,
    ),
    delete_recording_file: untilConfirmed<'delete_recording_file'>(
      ({ recording }, context) =>
        onSwitch(deps, context, async (at) => {
          await at.deleteFile(recording);
          return DONE;
        }),
      LONG,
    ),
    save_voicemail: untilConfirmed<'save_voicemail'>(async ({ voicemailId, recording }, context) => {
      const call = await currentCall(calls, context);
      if (call) await saveVoicemail(voicemails, call, { voicemailId, recording }, clock.now());
      return DONE;
    }),
    // One that an employee has deleted stays so.
    withdraw_voicemail: withoutResult<'withdraw_voicemail'>(({ voicemailId }, { companyId }) =>
      voicemails.of(companyId).changeIfExists(voicemailId, deleteVoicemail),
    ),
  };
}
