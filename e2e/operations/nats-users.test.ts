import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createTestCompany, operate, sandbox, sharedDataDir, sharedStack, succeeded } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';

const stack = sharedStack();
const open: NatsConnection[] = [];
afterAll(() => Promise.all(open.map((connection) => connection.close())));

const read = (file: string) => readFile(path.join(sharedDataDir(), file), 'utf8');

/** A connection with a service's own password, as an attacker with the service's environment has. */
async function connectAs(service: string): Promise<NatsConnection> {
  const { services } = JSON.parse(await read('secrets.json')) as { services: Record<string, { natsPassword: string }> };
  const port = /^port: (\d+)$/m.exec(await read('nats/nats.conf'))?.[1];
  const connection = await connect({
    servers: `nats://127.0.0.1:${port}`,
    user: service,
    pass: services[service]?.natsPassword ?? '',
    reconnect: false,
  });
  open.push(connection);
  return connection;
}

/** The error of the broker for a publication; undefined when it is accepted. */
async function refusal(connection: NatsConnection, subject: string): Promise<string | undefined> {
  const refused = (async () => {
    for await (const status of connection.status()) if (status.type === 'error') return status.error.message;
    return undefined;
  })();
  connection.publish(subject, '{}');
  await connection.flush();
  return Promise.race([refused, connection.flush().then(() => undefined)]);
}

// An external server has its own users.
const describeEmbedded = existsSync(path.join(sharedDataDir(), 'nats/nats.conf')) ? describe : describe.skip;

describeEmbedded('the users of NATS in a running stack', () => {
  it('the users of NATS in a running stack do what their services do: events, webhooks, revocations, a moved clock', async () => {
    const company = await createTestCompany();
    const hook = `/hooks/nats-users-${company.id}`;
    const url = `${stack.sandbox_url}${hook}`;
    await succeeded(company.call('POST', '/webhooks', { name: 'all', url, events: ['contact.created'] }));
    await succeeded(company.call('POST', '/contacts', { phone: '+4520304050', name: 'Ane' }));
    await waitUntil(async () => (await sandbox(stack, 'GET', hook)).body.length === 1, { what: 'the delivery' });
    const { body: key } = await operate(stack, 'POST', `/employees/${company.owner.id}/api_keys`, { name: 'Old' });
    await operate(stack, 'DELETE', `/api_keys/${key.id}`);
    const withKey = { 'X-Api-Key': key.api_key };
    expect((await company.call('GET', '/contacts', undefined, withKey)).status).toBe(401);
    expect((await sandbox(stack, 'GET', '/clock')).status).toBe(200);
    const logs = await Promise.all(['logs/stack.log', 'logs/services.log'].map((file) => read(file).catch(() => '')));
    expect(
      logs
        .join('\n')
        .split('\n')
        .filter((line) => /NATS refuses|violation/i.test(line)),
    ).toEqual([]);
  });

  it('a user of NATS in a running stack can send nothing that is another service’s', async () => {
    const webhooks = await connectAs('webhooks');
    expect(await refusal(webhooks, 'parley.identity.3.credential.revoked')).toContain('Permissions Violation');
    expect(await refusal(webhooks, 'parley.signals.followers.reports.1')).toContain('Permissions Violation');
    expect(await refusal(webhooks, '$JS.API.STREAM.DELETE.parley-directory')).toContain('Permissions Violation');
    expect(await refusal(webhooks, 'parley.signals.webhooks.subscription-ended')).toBeUndefined();
  });
});
