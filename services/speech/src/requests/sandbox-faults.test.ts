import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sandboxFaults } from './sandbox-faults.ts';

const callControl = { kind: 'service', name: 'call-control' } as const;
const never = new AbortController().signal;

let speech = 'ok';
const server = createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ sms_submit: 'ok', code: null, switch: 'up', speech, integrations: 'ok' }));
});
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

describe("the sandbox's switch", () => {
  it('a fault is felt from the next request on', async () => {
    const faults = sandboxFaults(url);
    speech = 'fail';
    await expect(faults.simulate(callControl, never)).rejects.toThrow('fail');
    speech = 'ok';
    await expect(faults.simulate(callControl, never)).resolves.toBeUndefined();
  });

  it('a fault makes requests slow, and a caller may go meanwhile', async () => {
    speech = 'slow';
    const started = performance.now();
    await sandboxFaults(url, 100).simulate(callControl, never);
    expect(performance.now() - started).toBeGreaterThan(90);
    await expect(sandboxFaults(url, 60_000).simulate(callControl, AbortSignal.timeout(50))).rejects.toThrow();
  });

  it('a fault does not affect requests of the sandbox itself', async () => {
    speech = 'fail';
    await expect(sandboxFaults(url).simulate({ kind: 'service', name: 'sandbox' }, never)).resolves.toBeUndefined();
  });

  it("the sandbox's switch breaks nothing when the sandbox is away", async () => {
    await expect(sandboxFaults('http://127.0.0.1:9').simulate(callControl, never)).resolves.toBeUndefined();
  });
});
