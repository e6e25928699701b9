import type { Clock } from '@parley/clock';
import type { RollingLimit, UsageQuota } from '@parley/store';
import type { Logger } from '@parley/telemetry';
import type { BusinessNumbers } from '../numbers/business-number-store.ts';
import type { PromptAudios } from '../prompt-audio/prompt-audio-store.ts';
import type { AudioSigner } from '../prompt-audio/signed-audio.ts';
import type { Synthesizer } from '../prompt-audio/speech-client.ts';

/** What the RPC of voice previews works with. */
export interface VoicePreviewDeps {
  readonly numbers: BusinessNumbers;
  readonly audios: PromptAudios;
  readonly signer: AudioSigner;
  readonly synthesizer: Synthesizer;
  readonly limit: RollingLimit;
  readonly characters: UsageQuota;
  readonly clock: Clock;
  readonly log: Logger;
}
