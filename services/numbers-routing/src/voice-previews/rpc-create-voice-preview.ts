import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { notFound, Refused, refusal } from '@parley/errors';
import { newId } from '@parley/ids';
import type { VoicePreviewService } from '@parley/proto/numbers_routing/v1/prompt_audio_pb';
import type { EmployeeCaller, Handler } from '@parley/rpc';
import { promptOf } from '../numbers/business-number.ts';
import { type Prompt, promptKey } from '../prompt-audio/prompt.ts';
import { PREVIEW_LIFE_MS, previewRefusal } from './voice-preview.ts';
import type { VoicePreviewDeps } from './voice-previews-service.ts';

/** A person waits for it; the gateway gives up a little later. */
const SPEAK_TIME_MAX_MS = 30_000;

export const createVoicePreviewRpc =
  (deps: VoicePreviewDeps): Handler<typeof VoicePreviewService.method.createVoicePreview, EmployeeCaller> =>
  async ({ businessNumberId, kind, text }, { caller }) => {
    const { numbers, audios, signer, limit, clock } = deps;
    const number = await numbers.of(caller.companyId).get(businessNumberId);
    if (!number) throw new Refused(notFound);
    const wrong = previewRefusal(kind, text);
    if (wrong) throw new Refused(wrong);
    if (!(await limit.take(caller.companyId)))
      throw new Refused(refusal('rate_limited', 'too many voice previews in a minute'));
    const prompt = promptOf(number, text);
    const expiresAt = new Date(clock.now().getTime() + PREVIEW_LIFE_MS);
    if (!(await audios.keepUntil(promptKey(prompt), expiresAt))) await speakInTime(deps, prompt, expiresAt);
    const { audioUrl, signedId } = signer.preview(promptKey(prompt), newId('vpr'), expiresAt);
    return { audioUrl, signedId, expiresAt: timestampFromDate(expiresAt) };
  };

/**
 * Whatever keeps the speech service from speaking is one answer to the caller. What it says too late is kept all the
 * same: whoever tries again after a moment then gets it at once.
 */
async function speakInTime({ speak, audios, log }: VoicePreviewDeps, prompt: Prompt, expiresAt: Date): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the speech service took too long')), SPEAK_TIME_MAX_MS);
  });
  try {
    await Promise.race([speak(prompt).then((speech) => audios.keep(prompt, speech, expiresAt)), late]);
  } catch (error) {
    log.warn({ err: error }, 'voice preview not spoken');
    throw new Refused(refusal('speech_failed', 'the text could not be spoken'));
  } finally {
    clearTimeout(timer);
  }
}
