import { createTestCompany } from '../support/api.ts';
import { type Load, type ReplicatedStack, startLoad, startReplicatedStack } from '../support/replicated-stack.ts';

const SERVICES = [
  'identity',
  'directory',
  'numbers-routing',
  'call-control',
  'messaging-inbox',
  'webhooks',
  'speech',
  'gateway',
];
const PER_SECOND = Number(process.env.STRESS_PER_SECOND ?? 50);
const CONTACTS = 50;

/** Reads of every service and changes of some contacts. */
export async function startMixedLoad(stack: ReplicatedStack, perSecond: number): Promise<Load> {
  const company = await createTestCompany(stack.local, { messaging_enabled: true });
  const contacts: string[] = [];
  for (let n = 0; n < CONTACTS; n++) {
    const { body } = await company.call('POST', '/contacts', { phone: `+45203040${10 + n}`, name: 'Ane' });
    contacts.push(`/contacts/${body.id}`);
  }
  const reads = ['/contacts', '/employees', '/business_numbers', '/calls', '/inbox', '/webhooks', ...contacts];
  let count = 0;
  const next = () => {
    count += 1;
    const contact = contacts[count % contacts.length] ?? '';
    if (count % 5 === 0) return { method: 'PATCH', path: contact, body: { name: `Ane ${count}` } };
    return { method: 'GET', path: reads[count % reads.length] ?? '/contacts' };
  };
  return startLoad(stack, { perSecond, next, apiKey: company.apiKey });
}

/** Restarts every service in turn under load; no request may fail. */
export async function rollingRestart(): Promise<void> {
  const stack = await startReplicatedStack();
  try {
    const load = await startMixedLoad(stack, PER_SECOND);
    for (const service of SERVICES) {
      const began = performance.now();
      await stack.restart(service);
      console.log(`${service}: both replicas restarted in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    }
    const { total, failures } = await load.stop();
    console.log(`${failures.length} of ${total} requests failed at ${PER_SECOND} a second`);
    for (const { gateway, path, what } of failures.slice(0, 50)) console.log(`  ${gateway} ${path}: ${what}`);
    if (failures.length > 0) process.exitCode = 1;
  } finally {
    await stack.stop();
  }
}
