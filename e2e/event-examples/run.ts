// `npm run event-examples`: makes the examples of events in the documents from a stack of its own; `-- <local.json>` uses one that runs.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type LocalJson, startLocalStack } from '../support/local-stack.ts';
import type { Arrived } from '../webhooks/hooks.ts';
import { causeEvents } from './cause-events.ts';
import type { LiveMessage } from './live-messages.ts';

const GATEWAY = path.resolve(import.meta.dirname, '../../services/gateway');
const FILE = path.join(GATEWAY, 'src/api-docs/event-examples.json');
/** Of the delivery itself; the others are those of any request. */
const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'parley-event-id'];
/** The events that say most, where several of a type were received. */
const TELLING: Readonly<Record<string, (data: any) => boolean>> = {
  'call.initiated': ({ direction }) => direction === 'inbound',
  'call.ended': ({ answered_at: answeredAt }) => answeredAt !== null,
  'employee.status.changed': ({ employee }) => employee.status === 'on_call',
  'message.status_changed': ({ message }) => message.status === 'delivered',
  'audit.created': ({ audit_event: entry }) => entry.type === 'employee.created',
};

const document = JSON.parse(await readFile(path.join(GATEWAY, 'asyncapi.json'), 'utf8'));
const all = Object.keys(document.channels.webhooks.messages);
const [types, tested] = [all.filter((type) => type !== 'webhook.test'), 'webhook.test'];
const given = process.argv[2];
const own = given === undefined ? await startLocalStack() : undefined;
const stack = own?.local ?? (JSON.parse(await readFile(given!, 'utf8')) as LocalJson);
try {
  const { arrived, live } = await causeEvents(stack, types, tested);
  const webhooks = Object.fromEntries(all.map((type) => [type, exampleOf(type, arrived)]));
  const cable = Object.fromEntries(live.toReversed().map((message) => [nameOf(message), message]));
  const text = JSON.stringify({ webhooks, cable }, null, 2);
  await writeFile(FILE, `${withoutMachine(text)}\n`);
} finally {
  await own?.stop();
}
process.exit();

function exampleOf(type: string, arrived: readonly Arrived[]) {
  const ofType = arrived.filter(({ body }) => body.event === type);
  const { headers, body } = ofType.find(({ body: { data } }) => TELLING[type]?.(data) ?? true) ?? ofType[0]!;
  return {
    headers: Object.fromEntries(HEADERS.flatMap((name) => (headers[name] ? [[name, headers[name]]] : []))),
    body,
  };
}

/** Its name in the document. */
function nameOf({ type, command, message }: LiveMessage): string {
  return message?.type ?? type ?? command ?? '';
}

/** Without what names this machine or is signed by its keys. */
function withoutMachine(text: string): string {
  return text
    .replaceAll(stack.base_url, 'https://parley.example')
    .replaceAll(stack.sandbox_url, 'https://receiver.example')
    .replaceAll(/([?&]sig=)[^"&]+/g, '$1…')
    .replaceAll(/"address": "[^"]+"/g, '"address": "192.0.2.10"')
    .replaceAll(/"([a-z]+)(?:\.[\da-z]+)+@example\.com"/gi, (_, name: string) => `"${name.toLowerCase()}@example.com"`);
}
