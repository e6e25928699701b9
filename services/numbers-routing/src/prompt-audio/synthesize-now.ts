import type { Clock } from '@parley/clock';
import type { Prompt } from './prompt.ts';
import { KEEP_MS, type PromptAudios } from './prompt-audio-store.ts';
import type { SynthesisOrder, Synthesizer } from './speech-client.ts';

export interface SynthesisDeps {
  readonly audios: PromptAudios;
  readonly synthesizer: Synthesizer;
  readonly clock: Clock;
}

/** Bypasses queue and quota; usually because a caller is on the line. Audio that comes too late for the caller is kept. */
export async function synthesizeNow(
  { audios, synthesizer, clock }: SynthesisDeps,
  companyId: string,
  prompt: Prompt,
  priority: SynthesisOrder['priority'] = 'call',
): Promise<void> {
  const speech = await synthesizer.synthesizePrompt(prompt, { companyId, priority });
  await audios.keep(companyId, prompt, speech, new Date(clock.now().getTime() + KEEP_MS));
}
