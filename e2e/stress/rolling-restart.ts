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
const PER_SECOND = 50;

/** Reads of every service and changes of contacts. */
export async function startMixedLoad(stack: ReplicatedStack, perSecond = PER_SECOND): Promise<Load> {
  const company = await createTestCompany(stack.local, { messaging_enabled: true });
  const { body: contact } = await company.call('POST', '/contacts', { phone: '+4520304050', name: 'Ane' });
  const paths = [
    '/contacts',
    `/contacts/${contact.id}`,
    '/employees',
    '/business_numbers',
    '/calls',
    '/inbox',
    '/webhooks',
  ];
  let count = 0;
  const next = () => {
    count += 1;
    if (count % 5 === 0) return { method: 'PATCH', path: `/contacts/${contact.id}`, body: { name: `Ane ${count}` } };
    return { method: 'GET', path: paths[count % paths.length] ?? '/contacts' };
  };
  return startLoad(stack, { perSecond, next, apiKey: company.apiKey });
}

/** Restarts every service in turn under load; no request may fail. */
export async function rollingRestart(): Promise<void> {
  const stack = await startReplicatedStack();
  try {
    const load = await startMixedLoad(stack);
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
