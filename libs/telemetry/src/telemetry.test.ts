import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter } from '@opentelemetry/sdk-trace';
import { afterEach, describe, expect, it } from '@jest/globals';
import { counterFromZero } from './counter-from-zero.ts';
import { openNodeSdk } from './node-sdk.ts';
import { openProviders } from './providers.ts';
import { startTelemetry, type Telemetry, type TelemetryOptions, contextFrom, currentTraceparent } from './telemetry.ts';

const running: Telemetry[] = [];
afterEach(async () => void (await Promise.all(running.splice(0).map((telemetry) => telemetry.stop()))));

function start(service: string, options: Partial<TelemetryOptions> = {}) {
  const lines: string[] = [];
  const logDestination = { write: (line: string) => void lines.push(line) };
  const telemetry = startTelemetry({ service, version: '1', logLevel: 'info', logDestination, ...options });
  running.push(telemetry);
  return { telemetry, lines };
}

function recording(service: string, options: Partial<TelemetryOptions> = {}) {
  const spanExporter = new InMemorySpanExporter();
  const { telemetry } = start(service, { spanExporter, ...options });
  return { telemetry, spans: () => spanExporter.getFinishedSpans() };
}

/** A collector that keeps what it is sent, by path. */
async function receiver() {
  const bodies = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      bodies.set(path, Buffer.concat([bodies.get(path) ?? Buffer.of(), ...chunks]));
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    bodies,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('telemetry with a collector that is away', () => {
  it('telemetry with a collector that is away stops before the exporter gives up', async () => {
    process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] = '6000';
    const { telemetry } = start('directory', { otlpEndpoint: 'http://127.0.0.1:9' });
    delete process.env['OTEL_EXPORTER_OTLP_TIMEOUT'];
    await telemetry.span('work', {}, async () => undefined);
    const started = performance.now();
    await telemetry.stop();
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('telemetry of services in one process', () => {
  it('telemetry of services in one process keeps each service’s spans under its own name, in one trace', async () => {
    const gateway = recording('gateway');
    const directory = recording('directory');
    await gateway.telemetry.span('request', {}, () => directory.telemetry.span('answer', {}, async () => undefined));
    const [request] = gateway.spans();
    const [answer] = directory.spans();
    expect(request?.resource.attributes).toMatchObject({ 'service.name': 'gateway', 'service.namespace': 'parley' });
    expect(answer?.resource.attributes['service.name']).toBe('directory');
    expect(answer?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
    expect(answer?.spanContext().traceId).toBe(request?.spanContext().traceId);
  });

  it('telemetry of services in one process stops one service without touching the other', async () => {
    const first = recording('first');
    const second = recording('second');
    await first.telemetry.stop();
    await second.telemetry.span('work', {}, async () => undefined);
    expect(second.spans()).toHaveLength(1);
  });
});

describe('a span', () => {
  it('a span continues the trace it is given', async () => {
    const { telemetry, spans } = recording('directory');
    await telemetry.span('work', { parent: contextFrom(PARENT) }, async () => {
      expect(currentTraceparent()).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-/);
    });
    expect(spans()[0]?.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
  });

  it('a span ends with its work, records the kind of failure but not its message, and rethrows it', async () => {
    const { telemetry, spans } = recording('directory');
    const work = telemetry.span('work', {}, () => Promise.reject(new TypeError('secret message')));
    await expect(work).rejects.toThrow('secret message');
    const [span] = spans();
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'TypeError' });
    expect(span?.events).toEqual([]);
  });

  it('a span is recorded for the chosen share of new traces, and whenever the caller’s is', async () => {
    const { telemetry, spans } = recording('directory', { sampleRatio: 0 });
    await telemetry.span('own', {}, async () => undefined);
    await telemetry.span('sampled', { parent: contextFrom(PARENT) }, async () => undefined);
    await telemetry.span('not sampled', { parent: contextFrom(PARENT.replace(/1$/, '0')) }, async () => undefined);
    expect(spans().map((span) => span.name)).toEqual(['sampled']);
  });
});

describe('telemetry without a collector', () => {
  it('telemetry without a collector records nothing, but log lines still carry the trace', async () => {
    const { telemetry, lines } = start('directory');
    expect(telemetry.recording).toBe(false);
    await telemetry.span('work', { parent: contextFrom(PARENT) }, async () => telemetry.log.info('inside'));
    telemetry.log.info('outside');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(JSON.parse(lines[1] ?? '')).not.toHaveProperty('trace_id');
  });
});

describe.each([
  ['providers of its own', openProviders],
  ['the providers of the process', openNodeSdk],
])('telemetry with a collector and %s', (_, open) => {
  it('telemetry with a collector sends traces, metrics and log lines to its OTLP paths before it has stopped', async () => {
    const collector = await receiver();
    const { telemetry } = start('directory', { otlpEndpoint: collector.url, open });
    telemetry.meter.createCounter('parley_test_total').add(1);
    await telemetry.span('work', {}, async () => telemetry.log.info('working'));
    await telemetry.stop();
    collector.close();
    expect([...collector.bodies.keys()].sort()).toEqual(['/v1/logs', '/v1/metrics', '/v1/traces']);
  });
});

describe('telemetry with a collector or a metrics page', () => {
  it('telemetry with a collector sends log lines as they are written, redacted and with their trace', async () => {
    const collector = await receiver();
    const { telemetry, lines } = start('directory', { otlpEndpoint: collector.url });
    await telemetry.span('work', { parent: contextFrom(PARENT) }, async () => {
      telemetry.log.error(
        { password: 'canary-password', err: new Error('no pk_canary0123456789abcdef'), id: 'con_1' },
        'call to +45 20 30 40 50 failed',
      );
    });
    await telemetry.stop();
    collector.close();
    const sent = collector.bodies.get('/v1/logs') ?? Buffer.of();
    for (const part of ['call to [redacted] failed', 'con_1', 'Error', 'error']) expect(sent.includes(part)).toBe(true);
    expect(sent.includes(Buffer.from('0af7651916cd43dd8448eb211c80319c', 'hex'))).toBe(true);
    expect(lines[0]).toContain('call to [redacted] failed');
    for (const secret of ['canary', '20 30 40 50', '20304050']) {
      expect(sent.includes(secret)).toBe(false);
      expect(lines[0]).not.toContain(secret);
    }
  });

  it('telemetry with a collector sends no log lines where that is switched off', async () => {
    const collector = await receiver();
    const { telemetry } = start('directory', { otlpEndpoint: collector.url, exportLogs: false });
    telemetry.log.info('working');
    await telemetry.stop();
    collector.close();
    expect(collector.bodies.has('/v1/logs')).toBe(false);
  });

  it('telemetry serves its metrics in Prometheus’s format, a counter before anything is counted', async () => {
    const { telemetry } = start('directory', { metricsPage: true });
    counterFromZero(telemetry.meter, 'parley_test_total', [{ kind: 'rare' }]);
    telemetry.meter.createHistogram('parley_test_seconds', { unit: 's' }).record(0.02);
    const page = createServer(telemetry.metricsPage);
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    const response = await fetch(`http://127.0.0.1:${(page.address() as AddressInfo).port}/metrics`);
    const text = await response.text();
    page.closeAllConnections();
    page.close();
    expect(text).toContain('parley_test_total{kind="rare"} 0');
    expect(text).toContain('parley_test_seconds_bucket{le="0.025"} 1');
    expect(text).toContain('service_namespace="parley"');
  });
});
