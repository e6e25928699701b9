// Every secret of an installation is replaced under load, as docs/operations.md says: no request fails, and the old ones are worth nothing.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { waitUntil } from '@parley/testkit/wait-until';
import { connect } from '@nats-io/transport-node';
import { completeSecrets, natsUsers, serviceNames } from '@parley/local';
import { requireThat } from '../stress/stress-stack.ts';
import { operate, send, succeeded } from '../support/api.ts';
import { type Drill, secs, timed } from './drill.ts';
import { type DrillStack, startDrillStack } from './drill-stack.ts';
import { readEverything } from './stored-views.ts';
import { startWorkload, type Workload } from './workload.ts';

const LOAD_MS = 8_000;
const REPLICAS = 2;
const OPERATOR_EVERY_MS = 500;
const RENEWED_WITHIN_MS = 120_000;
const ENCRYPTED = /v1\.([\w-]{8})\.[\w-]{20}/g;

export async function drillRotateSecrets(drill: Drill): Promise<void> {
  const { random, say } = drill;
  const stack = await startDrillStack(drill, { replicas: REPLICAS });
  say('the stack runs, with two replicas of every service');
  const workload = await startWorkload(drill, stack);
  const operator = startOperator(stack);
  drill.defer(() => operator.stop());
  workload.start();
  await sleep(random.below(LOAD_MS));

  await replaceCustomersCredentials(workload, stack);
  say('a customer replaced an API key and the secret of a webhook');

  const old = stack.secrets;
  const fresh = completeSecrets(undefined, serviceNames);
  const trusted = (keysOf: (name: string) => string[]) =>
    JSON.stringify(Object.fromEntries(serviceNames.map((name) => [name, keysOf(name)])));
  const oldKey = (name: string) => old.services[name]!.publicKey;
  const newKey = (name: string) => fresh.services[name]!.publicKey;
  const isService = (name: string) => name !== 'sandbox';
  const steps: readonly {
    what: string;
    change: (name: string) => Record<string, string>;
    before?: () => Promise<void>;
  }[] = [
    {
      what: 'both public keys are trusted, both encryption keys decrypt, both operator tokens are valid',
      change: (name) => ({
        TRUSTED_KEYS: trusted((other) => (isService(other) ? [oldKey(other), newKey(other)] : [oldKey(other)])),
        ENCRYPTION_KEY: `${old.services[name]!.encryptionKey},${fresh.services[name]!.encryptionKey}`,
        ...(name === 'gateway' && { OPERATOR_TOKEN: `${old.operatorToken},${fresh.operatorToken}` }),
      }),
    },
    {
      what: 'the new keys sign and encrypt, services have their second NATS users',
      before: () => stack.nats.setUsers([...stack.nats.users(), ...secondUsers(fresh)]),
      change: (name) => ({
        SIGNING_KEY: fresh.services[name]!.signingKey,
        ENCRYPTION_KEY: `${fresh.services[name]!.encryptionKey},${old.services[name]!.encryptionKey}`,
        ...(stack.settingsOf(name)['NATS_USER'] && {
          NATS_USER: `${name}-2`,
          NATS_PASSWORD: fresh.services[name]!.natsPassword,
        }),
        ...(name === 'gateway' && { OPERATOR_TOKEN: fresh.operatorToken }),
      }),
    },
    {
      what: 'only the new public keys are trusted, only the new encryption keys decrypt',
      before: async () => say(`no text is under an old key after ${secs(await timed(() => untilRenewed(stack)))}`),
      change: (name) => ({
        TRUSTED_KEYS: trusted((other) => [isService(other) ? newKey(other) : oldKey(other)]),
        ENCRYPTION_KEY: fresh.services[name]!.encryptionKey,
      }),
    },
  ];
  for (const { what, change, before } of steps) {
    await before?.();
    for (const name of stack.services) stack.change(name, change(name));
    say(`${what}: ${secs(await timed(() => stack.rollOutAll(random)))}`);
    if (change === steps[0]!.change) operator.token = fresh.operatorToken;
    await sleep(random.below(LOAD_MS));
  }
  const sandboxUser = stack.nats.users().filter(({ user }) => user === 'sandbox' || user.endsWith('-2'));
  await stack.nats.setUsers(sandboxUser);
  await sleep(LOAD_MS);
  await workload.stop();
  const views = await readEverything(workload);
  const { asked, failures } = await operator.stop();

  const failed = [...workload.failures.map(({ request, what }) => `${request}: ${what}`), ...failures];
  requireThat(failed.length === 0, `${failed.length} requests failed:\n  ${failed.join('\n  ')}`);
  say(`${workload.counts().requests} requests of the public API and ${asked} of the operator API, none failed`);
  say(`${views.size} answers of the API are read with the new keys alone`);
  say(await workload.check());

  const refused = await operate({ ...stack.local, operator_token: old.operatorToken }, 'GET', '/companies');
  requireThat(refused.status === 401, `the old operator token is answered ${refused.status}`);
  const withOld = connect({
    servers: stack.settingsOf('directory')['NATS_URL']!,
    user: 'directory',
    pass: old.services['directory']!.natsPassword,
    reconnect: false,
  });
  const isLetIn = await withOld.then(
    (connection) => connection.close().then(() => true),
    () => false,
  );
  requireThat(!isLetIn, 'NATS lets the old user in');
  say('the old operator token and the old NATS users are refused');
}

/** Waits until every encrypted text of a database is under one key. */
async function untilRenewed(stack: DrillStack): Promise<void> {
  await waitUntil(
    async () => {
      const counts = await Promise.all(stack.services.map(async (service) => (await keysInUse(stack, service)).size));
      return counts.every((count) => count <= 1);
    },
    { what: 'all texts to be renewed', timeoutMs: RENEWED_WITHIN_MS },
  );
}

/** The names of the keys, which every encrypted text begins with. */
async function keysInUse(stack: DrillStack, service: string): Promise<Set<string>> {
  const found = new Set<string>();
  const database = stack.settingsOf(service)['MONGODB_DATABASE'];
  if (database === undefined) return found;
  await using client = await new MongoClient(stack.mongo.urlOf(service)).connect();
  for (const collection of await client.db(database).collections())
    for await (const document of collection.find({}, { raw: true }))
      for (const [, id = ''] of Buffer.from(document as never)
        .toString('latin1')
        .matchAll(ENCRYPTED))
        found.add(id);
  return found;
}

/** The same permissions under another name. */
function secondUsers(fresh: DrillStack['secrets']) {
  const passwords = Object.fromEntries(serviceNames.map((name) => [name, fresh.services[name]!.natsPassword]));
  return natsUsers(passwords)
    .filter(({ user }) => user !== 'sandbox')
    .map((user) => ({ ...user, user: `${user.user}-2` }));
}

/** What a customer does: the new key is used before the old one is revoked; deliveries are signed with both secrets of a webhook. */
async function replaceCustomersCredentials(workload: Workload, { local }: DrillStack): Promise<void> {
  const { company } = workload;
  const keys = `/employees/${company.owner.id}/api_keys`;
  const first = (await succeeded(operate(local, 'POST', keys, { name: 'First' }))).body;
  await workload.useApiKey(first.api_key);
  const second = (await succeeded(operate(local, 'POST', keys, { name: 'Second' }))).body;
  await workload.useApiKey(second.api_key);
  await succeeded(operate(local, 'DELETE', `/api_keys/${first.id}`));
  const revoked = await send('GET', `${local.base_url}/api/v1/employees`, { headers: { 'X-Api-Key': first.api_key } });
  requireThat(revoked.status === 401, `a revoked API key is answered ${revoked.status}`);
  const [webhook] = (await succeeded(company.call('GET', '/webhooks'))).body;
  await succeeded(company.call('POST', `/webhooks/${webhook.id}/rotate_secret`, {}));
}

/** The operator's own tools. */
function startOperator({ local }: DrillStack) {
  const failures: string[] = [];
  let asked = 0;
  const state = { token: local.operator_token };
  const open = new Set<Promise<void>>();
  const ask = async () => {
    asked += 1;
    const name = randomBytes(4).toString('hex');
    const headers = { Authorization: `Bearer ${state.token}` };
    const reply = await send('GET', `${local.operator_url}/operator/v1/companies?query=${name}`, { headers }).catch(
      (error: Error) => ({ status: 0, text: String(error.cause ?? error) }),
    );
    // The port of one process, without a Service in front of it: it is not there while that process restarts.
    if (reply.status !== 0 && reply.status !== 200)
      failures.push(`the operator was answered ${reply.status} ${reply.text}`);
  };
  const timer = setInterval(() => {
    const sent = ask().finally(() => open.delete(sent));
    open.add(sent);
  }, OPERATOR_EVERY_MS);
  return Object.assign(state, {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      return { asked, failures };
    },
  });
}
