import { waitUntil } from '@parley/testkit/wait-until';
import { type Company, succeeded } from '../support/api.ts';

/** Waits until every prompt of a number has its audio, so that what is read about the number does not change any more. */
export async function waitForPrompts(company: Pick<Company, 'call'>, id: string): Promise<void> {
  const read = async () => (await succeeded(company.call('GET', `/business_numbers/${id}`))).body;
  await waitUntil(async () => !hasSilentPrompt(await read()), { what: 'prompts', timeoutMs: 300_000 });
}

/** True when a prompt has no audio yet. */
function hasSilentPrompt(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  return Object.entries(fields).some(
    ([name, field]) =>
      hasSilentPrompt(field) ||
      (name.endsWith('_audio_url') && field === null && typeof fields[name.replace('_audio_url', '')] === 'string'),
  );
}
