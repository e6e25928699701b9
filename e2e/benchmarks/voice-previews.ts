// Measures how long other requests wait while a company uses up its thirty voice previews of a minute at once.
import { createNumber } from '../business-numbers/create-number.ts';
import { createTestCompany } from '../support/api.ts';
import { withStack } from './bench-stack.ts';
import { percentile } from './measuring.ts';

const PREVIEWS = 30;
const ROUNDS = 3;
const QUIET_READS = 600;

export async function benchmarkVoicePreviews(): Promise<void> {
  for (const processes of ['one', 'separate'] as const) {
    console.log(processes === 'one' ? 'all services in one process' : 'each service in a process of its own');
    await withStack({ processes }, async ({ local }) => {
      const reader = await createTestCompany(local);
      const readMs = async () => {
        const started = performance.now();
        await reader.call('GET', '/company');
        return performance.now() - started;
      };
      const readWhile = async (go: (reads: number) => boolean) => {
        const times: number[] = [];
        while (go(times.length)) times.push(await readMs());
        return times;
      };
      await readWhile((reads) => reads < 4 * QUIET_READS); // warm up
      for (let round = 0; round < ROUNDS; round++) {
        const company = await createTestCompany(local);
        const { body: number } = await createNumber(company, {}, local);
        const quiet = await readWhile((reads) => reads < QUIET_READS);
        let left = PREVIEWS;
        const started = performance.now();
        const previews = Array.from({ length: PREVIEWS }, async (_, index) => {
          const text = `Welcome to us, this is preview number ${round * PREVIEWS + index}. Please hold the line, we will be with you shortly.`;
          const { status } = await company.call('POST', `/business_numbers/${number.id}/voice_previews`, {
            kind: 'welcome',
            text,
          });
          left -= 1;
          if (status !== 201) throw new Error(`no preview: ${status}`);
        });
        const beside = await readWhile(() => left > 0);
        await Promise.all(previews);
        const secs = (performance.now() - started) / 1000;
        const [before, during] = [quiet, beside].map((times) => percentile(times, 0.99)) as [number, number];
        console.log(
          `  ${PREVIEWS} previews in ${secs.toFixed(1)} s; another read: p99 ${before.toFixed(1)} ms quiet, ` +
            `${during.toFixed(1)} ms beside them (${beside.length} reads), ratio ${(during / before).toFixed(2)} (at most 2 wanted)`,
        );
      }
    });
  }
}
