import { freePort } from '@parley/embedded';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createTestCompany, sandbox, succeeded } from '../support/api.ts';
import { useLocalStack } from '../support/use-local-stack.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { testDashboards } from './dashboards.ts';
import { testNoSecrets } from './no-secrets.ts';
import { startOtlpReceiver } from './otlp-receiver.ts';

/** The level at which the most is logged, for the search of secrets. */
const LOG_LEVEL = 'trace';

const collector = await startOtlpReceiver();
const stack = useLocalStack({
  environment: {
    LOG_LEVEL,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_METRIC_EXPORT_INTERVAL: '500',
    PARLEY_METRICS_PORT: String(await freePort(20)),
  },
});
afterAll(() => collector.close());

describe('no secret', () => testNoSecrets(stack, collector));
describe('dashboards and alerts', () => testDashboards(stack));

describe('one trace', () => {
  it('one trace holds a contact’s way from the request to the delivered webhook, each step under its service’s name', async () => {
    const company = await createTestCompany(stack.local);
    const hook = `${stack.local.sandbox_url}/hooks/traced`;
    await succeeded(company.call('POST', '/webhooks', { name: 'traced', url: hook, events: ['contact.created'] }));
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    await succeeded(company.call('POST', '/contacts', { phone: '+4520304050' }, { traceparent }));
    await waitUntil(async () => (await sandbox(stack.local, 'GET', '/hooks/traced')).body.length === 1, {
      what: 'the delivery',
    });

    const steps = [
      ['gateway', 'POST /api/v1/contacts'],
      ['gateway', 'parley.directory.v1.ContactService/CreateContact'],
      ['directory', 'parley.directory.v1.ContactService/CreateContact'],
      ['directory', 'mongodb insert contacts'],
      ['directory', 'publish directory.contact.created'],
      ['webhooks', 'webhooks-fanout directory.contact.created'],
      ['webhooks', 'deliver webhook'],
    ];
    const ofTrace = () => collector.spans.filter((span) => span.traceId === traceId);
    const has = ([service, name]: string[]) => ofTrace().some((span) => span.service === service && span.name === name);
    const withoutParent = () => {
      const known = new Set([...ofTrace().map(({ spanId }) => spanId), 'b7ad6b7169203331']);
      return ofTrace().filter(({ parentSpanId }) => !known.has(parentSpanId));
    };
    // A span is exported when it has ended, so often before its parent.
    const isComplete = () => steps.every(has) && withoutParent().length === 0;
    await waitUntil(isComplete, { what: 'every step', timeoutMs: 60_000 }).catch(() => undefined);
    expect(ofTrace().map(({ service, name }) => [service, name])).toEqual(expect.arrayContaining(steps));
    expect(withoutParent()).toEqual([]);
  });
});

describe('metrics', () => {
  it('metrics distinguish durations of milliseconds', async () => {
    await createTestCompany(stack.local);
    const name = 'parley_http_request_duration_seconds';
    const histogram = await waitUntil(() => collector.histograms.get('gateway')?.find((one) => one.name === name), {
      what: name,
    });
    expect(histogram.bounds.filter((bound) => bound < 0.1).length).toBeGreaterThan(4);
    expect(histogram.counts).toHaveLength(histogram.bounds.length + 1);
  });
});
