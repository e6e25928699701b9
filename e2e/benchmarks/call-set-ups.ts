// How soon an event of the switch is in a call's stored state while many calls are set up, beside the same at a tenth of
// the rate.
import { setTimeout as sleep } from 'node:timers/promises';
import { openPhoneCompany, type PhoneCompany } from '../calls/phone-company.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { type OtlpReceiver, type ReceivedHistogram, startOtlpReceiver } from '../telemetry/otlp-receiver.ts';
import { withStack } from './bench-stack.ts';
import { cpuTimeMs } from './measuring.ts';

const SETUPS_PER_SECOND = 50;
const STEADY_SECS = 10;
const EXPORT_MS = 1000;
const METRIC = 'parley_switch_event_duration_seconds';

export async function benchmarkCallSetUps(): Promise<void> {
  const collector = await startOtlpReceiver();
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_METRIC_EXPORT_INTERVAL: String(EXPORT_MS),
    OTEL_TRACES_SAMPLER_ARG: '0',
  };
  try {
    await withStack({ processes: 'separate', environment }, async ({ local, pidsOf }) => {
      const company = await openPhoneCompany(local);
      const number = await company.number({ type: 'RejectConfig', message: 'We are closed today.' });
      const cpuOf = () => cpuTimeMs(pidsOf('call-control', 'mongo-call-control'));
      await setUpCalls(company, number, SETUPS_PER_SECOND);
      for (const perSecond of [SETUPS_PER_SECOND / 10, SETUPS_PER_SECOND]) {
        const [before, cpuBefore] = [await settled(collector), cpuOf()];
        const calls = await setUpCalls(company, number, perSecond);
        const cpuMs = (cpuOf() - cpuBefore) / calls;
        const events = difference(await settled(collector), before);
        const atMost = (share: number) => `${boundOf(events, share) * 1000} ms`;
        console.log(
          `${perSecond} set-ups/s: ${sum(events.counts)} events of ${calls} calls in the stored state within ` +
            `p50 ${atMost(0.5)}, p99 ${atMost(0.99)} (50 ms wanted); ${cpuMs.toFixed(1)} ms CPU a call in the service and its database`,
        );
      }
    });
  } finally {
    collector.close();
  }
}

/** Calls that are answered with a message and hung up by us; resolves when all have ended. */
async function setUpCalls({ dial, leg }: PhoneCompany, number: string, perSecond: number): Promise<number> {
  const calls = perSecond * STEADY_SECS;
  const started = performance.now();
  const dialling: Promise<string>[] = [];
  for (let n = 0; n < calls; n += 1) {
    dialling.push(dial(number, `+4520${String(n).padStart(6, '0')}`));
    const aheadMs = ((n + 1) / perSecond) * 1000 - (performance.now() - started);
    if (aheadMs > 1) await sleep(aheadMs);
  }
  for (const legId of await Promise.all(dialling))
    await waitUntil(async () => (await leg(legId)).state === 'ended', { what: 'the end of a call', timeoutMs: 60_000 });
  return calls;
}

/** The counts once two exports in turn are the same. */
async function settled(collector: OtlpReceiver): Promise<ReceivedHistogram> {
  for (let last = -1; ; await sleep(EXPORT_MS * 1.5)) {
    const now = merged(collector);
    if (sum(now.counts) === last) return now;
    last = sum(now.counts);
  }
}

/** All series of the metric together. */
function merged({ histograms }: OtlpReceiver): ReceivedHistogram {
  const series = [...histograms.values()].flat().filter(({ name }) => name === METRIC);
  const [{ bounds } = { bounds: [] }] = series;
  const counts = Array.from({ length: bounds.length + 1 }, (_, index) =>
    sum(series.map((one) => one.counts[index] ?? 0)),
  );
  return { service: 'call-control', name: METRIC, bounds, counts };
}

function difference(after: ReceivedHistogram, before: ReceivedHistogram): ReceivedHistogram {
  return { ...after, counts: after.counts.map((count, index) => count - (before.counts[index] ?? 0)) };
}

/** The bound that this share of the values does not exceed. */
function boundOf({ bounds, counts }: ReceivedHistogram, share: number): number {
  const wanted = sum(counts) * share;
  let seen = 0;
  const index = counts.findIndex((count) => (seen += count) >= wanted);
  return bounds[index] ?? Infinity;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
