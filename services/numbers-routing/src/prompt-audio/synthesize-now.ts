import type { Clock } from '@parley/clock';
import type { Prompt } from './prompt.ts';
import { KEEP_MS, type PromptAudios } from './prompt-audio-store.ts';
import type { Synthesizer } from './speech-client.ts';

export interface SynthesisDeps {
  readonly audios: PromptAudios;
  readonly synthesizer: Synthesizer;
  readonly clock: Clock;
}

/** Bypasses queue and quota, because a caller is on the line. Audio that comes too late for the caller is kept. */
export async function synthesizeNow(
  { audios, synthesizer, clock }: SynthesisDeps,
  companyId: string,
  prompt: Prompt,
): Promise<void> {
  const speech = await synthesizer.synthesizePrompt(prompt, { companyId, priority: 'call' });
  await audios.keep(companyId, prompt, speech, new Date(clock.now().getTime() + KEEP_MS));
}
