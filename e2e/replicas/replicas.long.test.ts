import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import WebSocket from 'ws';
import { openPhoneCompany } from '../calls/phone-company.ts';
import { connectAssistant, mcpUrl } from '../mcp/assistant.ts';
import { newIdempotencyKey, startTexting } from '../messages/texting.ts';
import { createTestCompany, operate, send, succeeded } from '../support/api.ts';
import type { LocalJson } from '../support/local-stack.ts';
import { processesOfService } from '../support/processes.ts';
import { type ReplicatedStack, startReplicatedStack } from '../support/replicated-stack.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { startMixedLoad } from './mixed-load.ts';

/** Restarts of every service at 50 a second: `npm run stress -- rolling-restart`. */
const PER_SECOND = 20;
const DEACTIVATED = 12;
const EFFECTIVE_WITHIN_MS = 1000;
/** Wrong keys are limited by address. */
const REFUSED_PAUSE_MS = 200;
let stack: ReplicatedStack;
let first: LocalJson;
let second: LocalJson;

beforeAll(async () => {
  stack = await startReplicatedStack();
  [first, second] = stack.gateways as [LocalJson, LocalJson];
}, 500_000);
afterAll(() => stack?.stop());

describe('two replicas of every service', () => {
  it('two replicas of every service show each live connection every update and every revocation, whichever gateway has it', async () => {
    const texting = await startTexting(first);
    const { body: key } = await operate(first, 'POST', `/employees/${texting.company.owner.id}/api_keys`, {
      name: 'L',
    });
    const clients = [first, second].map((gateway) => connect(gateway, key.api_key));
    await waitUntil(async () => clients.every(({ confirmed }) => confirmed()), {
      what: 'both subscriptions',
      timeoutMs: 45_000,
    });
    await texting.receive({ from: texting.customer(), text: 'Are you open?' });
    await waitUntil(async () => clients.every(({ updates }) => updates() > 0), {
      what: 'the update at both',
      timeoutMs: 45_000,
    });
    await operate(second, 'DELETE', `/api_keys/${key.id}`);
    await waitUntil(async () => clients.every(({ closed }) => closed()), {
      what: 'the end of both',
      timeoutMs: 45_000,
    });
  });

  it('two replicas of every service refuse the key of a deactivated employee within a second at both gateways, under load', async () => {
    const company = await createTestCompany(first);
    const hire = async (n: number) => {
      const email = `inactive.${process.pid}.${n}.${Math.random().toString(36).slice(2)}@example.com`;
      const { body } = await succeeded(company.call('POST', '/employees', { name: 'Emma', email }));
      const key = await succeeded(operate(first, 'POST', `/employees/${body.id}/api_keys`, { name: 'CRM' }));
      return { id: body.id as string, headers: { 'X-Api-Key': key.body.api_key as string } };
    };
    const people = await Promise.all(Array.from({ length: DEACTIVATED }, (_, n) => hire(n)));
    const accepted: { id: string; sentAt: number }[] = [];
    let isOver = false;
    const use = async (gateway: LocalJson, { id, headers }: (typeof people)[number]) => {
      while (!isOver) {
        const sentAt = performance.now();
        const { status } = await send('GET', `${gateway.base_url}/api/v1/company`, { headers });
        expect([200, 401]).toContain(status);
        if (status === 200) accepted.push({ id, sentAt });
        else await sleep(REFUSED_PAUSE_MS);
      }
    };
    const users = people.flatMap((person) => [use(first, person), use(second, person)]);
    const confirmedAt = new Map<string, number>();
    for (const [n, { id }] of people.entries()) {
      const gateway = n % 2 === 0 ? first : second;
      const headers = { 'X-Api-Key': company.apiKey };
      await succeeded(send('PUT', `${gateway.base_url}/api/v1/employees/${id}/deactivation`, { headers }));
      confirmedAt.set(id, performance.now());
    }
    const last = performance.now();
    await waitUntil(() => performance.now() > last + 2 * EFFECTIVE_WITHIN_MS, { what: 'requests after all of them' });
    isOver = true;
    await Promise.all(users);
    expect(accepted.filter(({ id, sentAt }) => sentAt > confirmedAt.get(id)! + EFFECTIVE_WITHIN_MS)).toEqual([]);
    expect(new Set(accepted.map(({ id }) => id)).size).toBe(DEACTIVATED);
  });

  it('two replicas of every service serve an assistant that is sent from one gateway to the other', async () => {
    const company = await createTestCompany(first);
    const headers = { 'X-Api-Key': company.apiKey };
    const [one, other] = await Promise.all(
      [first, second].map((gateway) => connectAssistant(headers, mcpUrl(gateway))),
    );
    const created = await one?.use('create_contact', { phone: '+4520304050', name: 'Ane' });
    const found = await other?.use('get_contact', { id: created?.structured.id });
    expect(found?.structured).toMatchObject({ name: 'Ane' });
    await Promise.all([one?.client.close(), other?.client.close()]);
  });

  it('two replicas of every service send a text once when it comes to both at the same time', async () => {
    const texting = await startTexting(first);
    const to = texting.customer();
    const body = { to, text: 'Once', idempotency_key: newIdempotencyKey() };
    const path = `/business_numbers/${texting.number.id}/messages`;
    const headers = { 'X-Api-Key': texting.company.apiKey, 'Content-Type': 'application/json' };
    const send = ({ base_url }: LocalJson) =>
      fetch(`${base_url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const replies = await Promise.all([first, second, first, second].map(send));
    const ids = await Promise.all(replies.map(async (reply) => ((await reply.json()) as { id: string }).id));
    expect(new Set(ids).size).toBe(1);
    await waitUntil(async () => (await texting.submitted(to)).length > 0, {
      what: 'the text at the provider',
      timeoutMs: 45_000,
    });
    const status = async () => (await texting.message(ids[0] ?? '')).body.status;
    await waitUntil(async () => (await status()) !== 'queued', { what: 'the text to be submitted', timeoutMs: 45_000 });
    expect(await texting.submitted(to)).toHaveLength(1);
  });

  it('two replicas of every service carry a call on when the call-control that reads the switch is killed', async () => {
    const fixture = await openPhoneCompany(first);
    const ada = await fixture.hire('Ada', true);
    const number = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] });
    const { legId, callId } = await fixture.talk(number, ada);
    for (const pid of processesOfService(stack, 'call-control').slice(0, 1)) process.kill(pid, 'SIGKILL');
    await fixture.hangUp(legId);
    const ended = async () => (await fixture.call(callId).catch(() => ({}))).state === 'ended';
    await waitUntil(ended, { what: 'the end of the call', timeoutMs: 45_000 });
    expect(await fixture.events(callId, 'call.ended')).toEqual([
      'call.initiated',
      'call.queued',
      'call.answered',
      'call.ended',
    ]);
  });

  it('two replicas of every service lose only the requests in flight of a killed gateway', async () => {
    const load = await startMixedLoad(stack, PER_SECOND);
    const victim = processesOfService(stack, 'gateway')[0] ?? 0;
    const killedAt = performance.now();
    process.kill(victim, 'SIGKILL');
    const back = async () => (await Promise.all(['gateway', 'gateway@2'].map(stack.isReady))).every(Boolean);
    await waitUntil(async () => processesOfService(stack, 'gateway').length === 2 && back(), {
      what: 'the gateway to be back',
      timeoutMs: 90_000,
    });
    const { failures } = await load.stop();
    expect(failures.filter(({ sentAt }) => sentAt > killedAt + 500)).toEqual([]);
    expect(new Set(failures.map(({ gateway }) => gateway)).size).toBeLessThan(2);
  });
});

/** A live connection to one gateway. */
function connect(gateway: LocalJson, apiKey: string) {
  const identifier = JSON.stringify({ channel: 'CallsChannel' });
  const url = `${gateway.base_url.replace('http', 'ws')}/cable`;
  const socket = new WebSocket(url, ['actioncable-v1-json'], { headers: { 'X-Api-Key': apiKey } });
  const received: { type?: string; message?: unknown }[] = [];
  let isClosed = false;
  socket.on('message', (data) => {
    const message = JSON.parse(String(data));
    received.push(message);
    if (message.type === 'welcome') socket.send(JSON.stringify({ command: 'subscribe', identifier }));
  });
  socket.on('close', () => (isClosed = true));
  socket.on('error', () => undefined);
  return {
    confirmed: () => received.some(({ type }) => type === 'confirm_subscription'),
    updates: () => received.filter(({ message, type }) => message !== undefined && type === undefined).length,
    closed: () => isClosed,
  };
}
