import type { AddressInfo } from 'node:net';
import { startTelemetry } from '@parley/telemetry';
import { expect, it } from '@jest/globals';
import { createLifecycle } from './lifecycle.ts';
import { serveMetrics } from './metrics-server.ts';

it('the metrics server responds with the metrics of its service, and nothing else', async () => {
  const lifecycle = createLifecycle();
  const telemetry = startTelemetry({ service: 'directory', version: '0', logLevel: 'silent', metricsPage: true });
  telemetry.meter.createCounter('parley_test_total').add(3);
  const { port } = (await serveMetrics(lifecycle, telemetry, '127.0.0.1:0')) as AddressInfo;
  const page = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(await page.text()).toContain('parley_test_total 3');
  const other = await fetch(`http://127.0.0.1:${port}/`);
  expect([other.status, await other.json()]).toEqual([404, { error: 'not_found' }]);
  await lifecycle.stop();
  await telemetry.stop();
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
});
