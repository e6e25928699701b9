import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { notFound, Refused, refusal } from '@parley/errors';
import { newId } from '@parley/ids';
import type { VoicePreviewService } from '@parley/proto/numbers_routing/v1/prompt_audio_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { promptOf } from '../numbers/business-number.ts';
import { type Prompt, promptKey } from '../prompt-audio/prompt.ts';
import type { Speaker } from '../prompt-audio/speech-client.ts';
import { PREVIEW_LIFE_MS, previewRefusal } from './voice-preview.ts';
import type { VoicePreviewDeps } from './voice-preview-deps.ts';

/** A person waits: a queue that moves is worth waiting in, one that does not is not. */
const SILENCE_MAX_MS = 20_000;
/** The gateway gives up a little later. */
const SPEAK_TIME_MAX_MS = 50_000;
const LOOK_EVERY_MS = 250;

export const createVoicePreviewRpc =
  (deps: VoicePreviewDeps): Handler<typeof VoicePreviewService.method.createVoicePreview, EmployeePrincipal> =>
  async ({ businessNumberId, kind, text }, { principal: caller }) => {
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
async function speakInTime(deps: VoicePreviewDeps, prompt: Prompt, expiresAt: Date): Promise<void> {
  const { speaker, audios, log } = deps;
  const patience = losePatience(speaker);
  try {
    const spoken = speaker.speak(prompt).then((speech) => audios.keep(prompt, speech, expiresAt));
    await Promise.race([spoken, patience.lost]);
  } catch (error) {
    log.warn({ err: error }, 'voice preview not spoken');
    throw new Refused(refusal('speech_failed', 'the text could not be spoken'));
  } finally {
    patience.stop();
  }
}

function losePatience(speaker: Speaker): { lost: Promise<never>; stop(): void } {
  const began = performance.now();
  const { promise: lost, reject } = Promise.withResolvers<never>();
  const looking = setInterval(() => {
    const now = performance.now();
    const silent = now - Math.max(began, speaker.spokeAt()) > SILENCE_MAX_MS;
    if (silent || now - began > SPEAK_TIME_MAX_MS) reject(new Error('the speech service took too long'));
  }, LOOK_EVERY_MS);
  return { lost, stop: () => clearInterval(looking) };
}
