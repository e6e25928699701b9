import assert from 'node:assert/strict';
import { waitUntil } from '@parley/testkit/wait-until';
import { CUSTOMER_HERTZ, EMPLOYEE_HERTZ, type Given, TARGET_HERTZ } from './check-fixture.ts';
import { loudness, pitch } from './pitch.ts';

/** Left the customer, right the employee; the file may be read in parts. */
export async function checkRecording(
  { env }: Given,
  callId: string,
  { without }: { without?: number } = {},
): Promise<void> {
  const url = await waitUntil(
    async () => ((await env.company.call(callId)).recording_url as string | null) ?? undefined,
    { what: 'a recording', timeoutMs: 30_000 },
  );
  const { channels, rate } = await env.samples(url);
  assert.equal(channels.length, 2);
  assert.equal(rate, 8000);
  const [left, right] = channels.map((samples) => loudestPitch([...samples]));
  assert.equal(left, CUSTOMER_HERTZ, 'the customer is on the left');
  assert.notEqual(right, CUSTOMER_HERTZ, 'the customer is not on the right');
  assert.notEqual(right, undefined, 'the employee is on the right');
  if (without === undefined) return;
  for (const samples of channels)
    assert.ok(!hasPitch([...samples], without), 'what was said in a pause is in the recording');
}

/** A tenth of a second. */
const PIECE = 800;

/** The first of the three tones in the samples. */
function loudestPitch(samples: readonly number[]): number | undefined {
  for (let at = 0; at + PIECE <= samples.length; at += PIECE) {
    const piece = samples.slice(at, at + PIECE);
    for (const hertz of [CUSTOMER_HERTZ, EMPLOYEE_HERTZ, TARGET_HERTZ])
      if (loudness(piece) > 1000 && pitch(piece, hertz) > 0.6) return hertz;
  }
  return undefined;
}

function hasPitch(samples: readonly number[], hertz: number): boolean {
  for (let at = 0; at + PIECE <= samples.length; at += PIECE) {
    const piece = samples.slice(at, at + PIECE);
    if (loudness(piece) > 1000 && pitch(piece, hertz) > 0.6) return true;
  }
  return false;
}

/** Speech at 8 kHz. */
export async function speech({ env }: Given, url: string): Promise<Int16Array> {
  const { channels, rate } = await env.samples(url);
  const [samples = new Int16Array()] = channels;
  return Int16Array.from(
    { length: Math.floor((samples.length * 8000) / rate) },
    (_, index) => samples[Math.floor((index * rate) / 8000)] ?? 0,
  );
}

/** The address of the voicemail prompt's audio. */
export function promptAddress(number: { incoming_call_config: { menu_options: Record<string, string>[] } }): string {
  return number.incoming_call_config.menu_options.find(({ digit }) => digit === '2')?.prompt_audio_url ?? '';
}

export async function transcriptOf({ env }: Given, callId: string): Promise<string> {
  return (await env.company.call(callId)).transcription ?? '';
}
