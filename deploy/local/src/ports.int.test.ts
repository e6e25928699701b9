import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { freePort } from '@parley/testkit';
import { checkPorts, portsFrom } from './ports.ts';

describe('the ports of a stack', () => {
  it('the ports of a stack are four in a row', () => {
    expect(portsFrom(8080)).toEqual({ public: 8080, operator: 8081, sandbox: 8082, switch: 8083 });
  });

  it('the ports of a stack are accepted when they are free', async () => {
    await expect(checkPorts(portsFrom(await freePort(4)), 0)).resolves.toBeUndefined();
  });

  it('a port of a stack that is taken is named, with its purpose', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    const ports = { ...portsFrom(await freePort(4)), operator: port };
    await expect(checkPorts(ports, 0)).rejects.toThrow(
      `port ${port} for the operator API is taken; set PARLEY_PORT to another one`,
    );
    squatter.close();
  });

  it('the ports of a stack may be waited for while a killed stack still holds them', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    const ports = { ...portsFrom(await freePort(4)), public: port };
    const checked = checkPorts(ports, 10_000);
    squatter.close();
    await expect(checked).resolves.toBeUndefined();
  });
});
