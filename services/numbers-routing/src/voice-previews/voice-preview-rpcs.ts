import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { notFound, refusal, type Refusal, Refused } from '@parley/errors';
import { newId } from '@parley/secrets';
import { VoicePreviewService } from '@parley/proto/numbers_routing/v1/prompt_audio_pb';
import { employees, type RpcServer } from '@parley/rpc';
import type { RollingLimit, UsageQuota } from '@parley/mongo';
import type { Logger } from '@parley/telemetry';
import type { BusinessNumbers } from '../numbers/business-number-store.ts';
import { promptOf } from '../numbers/business-number.ts';
import { checkVoice } from '../prompt-audio/check-voice.ts';
import { type Prompt, promptKey } from '../prompt-audio/prompt.ts';
import type { PromptAudios } from '../prompt-audio/prompt-audio-store.ts';
import type { AudioSigner } from '../prompt-audio/signed-audio.ts';
import type { Synthesizer } from '../prompt-audio/speech-client.ts';
import { characterCount, TEXT_LENGTH_MAX } from '../numbers/text-length.ts';

interface VoicePreviewDeps {
  readonly numbers: BusinessNumbers;
  readonly audios: PromptAudios;
  readonly signer: AudioSigner;
  readonly synthesizer: Synthesizer;
  readonly limit: RollingLimit;
  readonly characters: UsageQuota;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A person waits: as long as the speech service makes progress, up to the second limit. */
const STALLED_MAX_MS = 20_000;
/** The gateway's own time limit is a little longer. */
const SYNTHESIS_TIME_MAX_MS = 50_000;
const CHECK_EVERY_MS = 250;

const tooManyPreviews = refusal('rate_limited', 'too many voice previews in a minute');
const tooManyCharacters = refusal('rate_limited', 'too many characters in voice previews in a minute');

export function addVoicePreviewRpcs(server: RpcServer, deps: VoicePreviewDeps): void {
  server.add(VoicePreviewService, employees.withRole('admin'), {
    async createVoicePreview({ businessNumberId, kind, text, language, voice }, { principal: { companyId } }) {
      const { numbers, audios, signer, limit, characters, clock } = deps;
      const number = await numbers.of(companyId).get(businessNumberId);
      if (!number) throw new Refused(notFound);
      const wrong = previewRefusal(kind, text);
      if (wrong) throw new Refused(wrong);
      const prompt = {
        ...promptOf(number, text),
        ...(language !== undefined && { language }),
        ...(voice !== undefined && { voice }),
      };
      checkVoice(prompt);
      if (!(await limit.take(companyId))) throw new Refused(tooManyPreviews);
      const expiresAt = new Date(clock.now().getTime() + PREVIEW_LIFETIME_MS);
      if (!(await audios.keepUntil(promptKey(prompt), expiresAt))) {
        if (!(await characters.take(companyId, text.length))) throw new Refused(tooManyCharacters);
        await synthesizeInTime(deps, companyId, prompt, expiresAt);
      }
      const { audioUrl, signedId } = signer.preview(promptKey(prompt), newId('vpr'), expiresAt);
      return { audioUrl, signedId, expiresAt: timestampFromDate(expiresAt) };
    },
  });
}

/**
 * Any failure of the speech service is one error to the client. What it returns too late is kept all the same: a client
 * that tries again after a moment gets it at once.
 */
async function synthesizeInTime(
  deps: VoicePreviewDeps,
  companyId: string,
  prompt: Prompt,
  expiresAt: Date,
): Promise<void> {
  const { synthesizer, audios, log } = deps;
  const timeout = startTimeout(synthesizer);
  try {
    const kept = synthesizer
      .synthesizePrompt(prompt, { companyId, priority: 'interactive' })
      .then((speech) => audios.keep(companyId, prompt, speech, expiresAt));
    await Promise.race([kept, timeout.expired]);
  } catch (error) {
    log.warn({ err: error }, 'voice preview not synthesized');
    throw new Refused(refusal('speech_failed', 'the text could not be synthesized'));
  } finally {
    timeout.stop();
  }
}

/** Rejects when the speech service has finished nothing for a while, or this took too long altogether. */
function startTimeout(synthesizer: Synthesizer): { expired: Promise<never>; stop(): void } {
  const began = performance.now();
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const checking = setInterval(() => {
    const now = performance.now();
    const stalled = now - Math.max(began, synthesizer.lastProgressAt()) > STALLED_MAX_MS;
    if (stalled || now - began > SYNTHESIS_TIME_MAX_MS) reject(new Error('the speech service took too long'));
  }, CHECK_EVERY_MS);
  return { expired, stop: () => clearInterval(checking) };
}

const KINDS = ['welcome', 'greeting', 'message', 'prompt'];

const PREVIEW_LIFETIME_MS = 3600 * 1000;
/** Per company, in any rolling minute. */
export const PREVIEWS_PER_MINUTE = 30;
/** Per company. A preview of a text whose audio exists already costs none. */
export const PREVIEW_CHARACTERS_PER_MINUTE = 30_000;

/** Returns the problem of a request for a preview, kind before text; undefined when it is valid. */
function previewRefusal(kind: string, text: string): Refusal | undefined {
  if (!KINDS.includes(kind)) return refusal('invalid_kind', `kind must be one of ${KINDS.join(', ')}`);
  if (text.trim() === '') return refusal('blank_text', 'text must not be blank');
  if (characterCount(text) <= TEXT_LENGTH_MAX) return undefined;
  const message = `is too long (maximum is ${TEXT_LENGTH_MAX} characters)`;
  return refusal('validation_failed', `text ${message}`, { fields: { text: [message] } });
}
