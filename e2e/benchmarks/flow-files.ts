// How many of our files take part in one request, until its last consequence: a reader who follows it opens as many. Counted by the
// coverage of the process that runs all services. What runs as often while nothing happens is not counted, nor the sandbox.
import { setTimeout as sleep } from 'node:timers/promises';
import { newTokens, registerApp } from '../identity/app.ts';
import { newPerson, signIn } from '../identity/people.ts';
import { openPhoneCompany } from '../calls/phone-company.ts';
import { openHook } from '../webhooks/hooks.ts';
import { createNumber } from '../business-numbers/create-number.ts';
import { createTestCompany, send, succeeded } from '../support/api.ts';
import type { LocalJson } from '../support/local-stack.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { type BenchStack, withStack } from './bench-stack.ts';
import { type Coverage, type FunctionRuns, recordCoverage } from './process-coverage.ts';

/** Work behind the last consequence that was waited for: positions, published events. */
const SETTLED_MS = 1500;
const IDLE_MS = 6000;

type Flow = (local: LocalJson) => Promise<() => Promise<void>>;

const flows: Readonly<Record<string, Flow>> = {
  'contact to webhook': async (local) => {
    const company = await createTestCompany(local);
    const hook = openHook(company, local);
    await succeeded(company.call('POST', '/webhooks', { name: 'CRM', url: hook.url, events: ['contact.created'] }));
    let contacts = 0;
    return async () => {
      contacts += 1;
      await succeeded(company.call('POST', '/contacts', { phone: `+452030405${contacts}`, name: 'Ane' }));
      await hook.has(contacts);
    };
  },
  refresh: async (local) => {
    const [person, app] = [await newPerson(), await registerApp()];
    await signIn(person);
    let refreshToken = (await newTokens(person, app)).refresh_token;
    return async () => {
      const form = new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: app.clientId,
        refresh_token: refreshToken,
      });
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const { body } = await succeeded(send('POST', `${local.base_url}/oauth/token`, { headers, body: `${form}` }));
      refreshToken = body.refresh_token;
    };
  },
  'call to inbox': async (local) => {
    const fixture = await openPhoneCompany(local);
    const ada = await fixture.hire('Ada', true);
    const number = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] });
    let calls = 0;
    return async () => {
      calls += 1;
      const from = `+452030406${calls}`;
      const legId = await fixture.dial(number, from);
      const callId = await fixture.callOf(legId);
      await fixture.answer(ada);
      await fixture.state(callId, 'bridged');
      await fixture.over({ legId, callId });
      const path = `/inbox/${encodeURIComponent(from)}/activity`;
      await waitUntil(async () => (await fixture.company.call('GET', path)).body.items?.length > 0, {
        what: 'the call',
      });
    };
  },
  text: async (local) => {
    const company = await createTestCompany(local, { messaging_enabled: true });
    const { body: number } = await createNumber(company, {}, local);
    let texts = 0;
    return async () => {
      texts += 1;
      const to = `+452030407${texts}`;
      await succeeded(
        company.call('POST', `/business_numbers/${number.id}/messages`, { to, text: 'Hello', idempotency_key: to }),
      );
      const path = `/inbox/${encodeURIComponent(to)}/activity`;
      await waitUntil(async () => (await company.call('GET', path)).body.items?.length > 0, { what: 'the text' });
    };
  },
};

export function benchmarkFlowFiles(): Promise<void> {
  return withStack({ processes: 'one' }, async (stack) => {
    process.env['PARLEY_E2E_STACK'] = JSON.stringify(stack.local);
    const prepared = new Map<string, () => Promise<void>>();
    for (const [name, prepare] of Object.entries(flows)) prepared.set(name, await prepare(stack.local));
    const coverage = await recordCoverage(servicesOf(stack));
    const idle = await runsDuring(coverage, () => sleep(IDLE_MS));
    for (const [name, run] of prepared) {
      // The first one also opens connections.
      await run();
      const counted = filesOf(await runsDuring(coverage, run), idle);
      console.log(`${name}: ${counted.length} files`);
      if (process.env['PARLEY_FLOW_FILES'] === 'list') console.log(counted.map((file) => `  ${file}`).join('\n'));
    }
    coverage.close();
  });
}

function servicesOf(stack: BenchStack): number {
  const pid = stack.processes()['services'];
  if (pid === undefined) throw new Error(`no process of all services: ${Object.keys(stack.processes()).join(', ')}`);
  return pid;
}

async function runsDuring(coverage: Coverage, run: () => Promise<void>): Promise<FunctionRuns> {
  await coverage.take();
  await run();
  await sleep(SETTLED_MS);
  return coverage.take();
}

function filesOf(runs: FunctionRuns, idle: FunctionRuns): string[] {
  const isPart = ([file, functions]: [string, ReadonlyMap<number, number>]) =>
    [...functions].some(([place, count]) => count > (idle.get(file)?.get(place) ?? 0));
  return [...runs]
    .filter((entry) => !entry[0].startsWith('services/sandbox/') && isPart(entry))
    .map(([file]) => file)
    .toSorted();
}
