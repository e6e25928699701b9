import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { JsonObject } from '@bufbuild/protobuf';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort, scratchDir } from '@parley/testkit';
import type { Secrets } from '../secrets.ts';
import { serviceNames } from '../services.ts';
import { callRpc, findMethod, principalFrom } from './call-rpc.ts';
import { contractsOf } from './contracts.ts';
import { type AloneServices, startAlone } from './start-alone.ts';
import { aloneSummary } from './summary.ts';

const START_MS_MAX = 180_000;
/** Below PARLEY_PORT and the two ports of every service. */
const PORTS = 30;

let scratch: Awaited<ReturnType<typeof scratchDir>>;
let alone: AloneServices | undefined;
beforeEach(async () => void (scratch = await scratchDir()));
afterEach(async () => {
  await alone?.stop();
  alone = undefined;
  await scratch.remove();
}, START_MS_MAX);

async function start(...only: string[]): Promise<AloneServices> {
  return (alone = await startAlone({
    only,
    port: await freePort(PORTS),
    dataDir: path.join(scratch.path, 'data'),
    environment: { ...process.env, LOG_LEVEL: 'silent' },
    progress: () => {},
    signal: new AbortController().signal,
  }));
}

/** Calls a method as `npm run rpc` does. */
async function call(service: string, name: string, request: JsonObject, as: string): Promise<unknown[]> {
  const secrets = JSON.parse(await readFile(path.join(alone!.dataDir, 'secrets.json'), 'utf8')) as Secrets;
  const address = alone!.services[service]?.grpc ?? '';
  const found = findMethod(await contractsOf(service), name);
  return Array.fromAsync(callRpc({ address, ...found, request, principal: principalFrom(as), secrets }));
}

async function expectReady(started: AloneServices, name: string): Promise<void> {
  expect(Object.keys(started.services)).toEqual([name]);
  const answer = await fetch(started.services[name]!.health);
  expect(await answer.json()).toMatchObject({ health: 'ready', ready: true });
  expect(aloneSummary(started).trimEnd().split('\n').at(-1)).toMatch(new RegExp(`^ready: ${name} `));
}

describe('a service alone', () => {
  // The other two are started below.
  it.each(serviceNames.filter((name) => !['directory', 'gateway'].includes(name)))(
    'the service %s is ready, although no other service runs',
    async (name) => expectReady(await start(name), name),
    START_MS_MAX,
  );

  it(
    'a service alone accepts generated credentials and calls the stubs of its peers',
    async () => {
      await expectReady(await start('directory'), 'directory');
      const company = { name: 'Acme', country: 'DK', ownerName: 'Olivia', ownerEmail: 'olivia@example.com' };
      const [created] = await call('directory', 'CompanyAdminService/CreateCompany', company, 'operator');
      const { owner } = created as { owner: { id: string; companyId: string } };
      const as = `employee:${owner.companyId}/${owner.id}`;
      expect(await call('directory', 'EmployeeService/ListEmployees', {}, as)).toMatchObject([
        { employees: [{ name: 'Olivia' }] },
      ]);
      const [hired] = await call(
        'directory',
        'EmployeeService/CreateEmployee',
        { name: 'Emil', email: 'e@example.com' },
        as,
      );
      const { employee } = hired as { employee: { id: string } };
      // The stub of numbers-routing responds that a number would lose its target.
      await expect(call('directory', 'EmployeeService/DeleteEmployee', { id: employee.id }, as)).rejects.toThrow(
        'employee_in_use',
      );
    },
    START_MS_MAX,
  );

  it(
    'the gateway uses its stubs, with any API key',
    async () => {
      const { services } = await start('gateway');
      await expectReady(alone!, 'gateway');
      const url = services['gateway']!.http['Public API'];
      const get = async (what: string) => {
        const answer = await fetch(`${url}${what}`, { headers: { 'X-Api-Key': 'pk_any' } });
        return [answer.status, await answer.json()];
      };
      expect(await get('/contacts')).toEqual([200, [expect.objectContaining({ phone: '+4520304050' })]]);
      expect(await get('/company')).toEqual([200, expect.objectContaining({ country: 'DK' })]);
    },
    START_MS_MAX,
  );

  it(
    'several services call each other, and stubs for the rest',
    async () => {
      const { services, stubs } = await start('directory', 'gateway');
      expect(Object.keys(services)).toEqual(['directory', 'gateway']);
      expect(stubs).not.toContain('directory');
      const url = services['gateway']!.http['Public API'];
      const answer = await fetch(`${url}/company`, { headers: { 'X-Api-Key': 'pk_any' } });
      // The stub for identity returns a company that does not exist in the real directory.
      expect(answer.status).toBe(404);
    },
    START_MS_MAX,
  );
});
