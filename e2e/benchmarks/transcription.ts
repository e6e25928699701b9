// Recognisers on the spoken test set; then how long voicemails wait for their transcripts in a stack at rest, and behind a hundred others.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { waitUntil } from '@parley/testkit/wait-until';
import { openPhoneCompany, type PhoneCompany } from '../calls/phone-company.ts';
import { withStack } from './bench-stack.ts';
import { percentile } from './measuring.ts';

const main = path.resolve(import.meta.dirname, '../../services/speech/test/bench/transcription-main.ts');
/** About ten seconds. */
const WORDS =
  'Hello, this is a message about my order of last week. I would like to know when it will arrive. Please call me back today, thank you.';
const ALONE = 12;
const OTHERS = 100;
const LIMIT_MS = 600_000;

export async function benchmarkTranscription(): Promise<void> {
  const child = spawn(process.execPath, [main], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('the recognisers could not be measured');
  await withStack({ processes: 'separate' }, async ({ local }) => {
    const fixture = await openPhoneCompany(local);
    await fixture.limits({ simultaneous_calls: 1000, calls_per_minute: 10_000 });
    const mailbox = await fixture.number({ type: 'VoicemailConfig', greeting: 'Hello.' });
    const record = () => leaveMessage(fixture, mailbox);
    await transcribed(fixture, await record()); // loads the model
    const alone: number[] = [];
    while (alone.length < ALONE) alone.push(await transcribed(fixture, await record()));
    const text = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
    console.log(
      `  a voicemail at rest: p50 ${text(percentile(alone, 0.5))}, p95 ${text(percentile(alone, 0.95))} (at most 5 s wanted)`,
    );
    const others: Caller[] = [];
    while (others.length < OTHERS) others.push(await record());
    const last = await record();
    for (const { legId } of others) await fixture.hangUp(legId);
    console.log(`  behind ${OTHERS} others: ${text(await transcribed(fixture, last))} (at most 30 s wanted)`);
  });
}

interface Caller {
  readonly number: string;
  readonly legId: string;
}

let callers = 0;

/** A caller who has said everything and has not hung up. */
async function leaveMessage(fixture: PhoneCompany, mailbox: string): Promise<Caller> {
  const number = `+4520${String(304_000 + (callers += 1))}`;
  const legId = await fixture.dial(mailbox, number);
  await fixture.state(await fixture.callOf(legId), 'recording');
  await fixture.sandbox('POST', `/legs/${legId}/say`, { text: WORDS });
  return { number, legId };
}

/** How long it takes from the end of the call until the API has the transcript. */
async function transcribed(fixture: PhoneCompany, { number, legId }: Caller): Promise<number> {
  const started = performance.now();
  await fixture.hangUp(legId);
  await waitUntil(
    async () => {
      const { body } = await fixture.company.call('GET', '/voicemails');
      const voicemails = body.voicemails as { from: string; transcription: string | null }[];
      return voicemails.find(({ from }) => from === number)?.transcription ?? undefined;
    },
    { what: 'the transcript', timeoutMs: LIMIT_MS },
  );
  return performance.now() - started;
}
