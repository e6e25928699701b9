import { setTimeout as sleep } from 'node:timers/promises';
import { type AuditEvent, ConnectionError, type Parley, RateLimitError, ServerError } from '@parley/sdk';
import { openAccess } from '../access.ts';
import type { Context } from '../context.ts';
import { failureOf, wrongUsage } from '../errors.ts';
import { deliveryLine, deliveryTable, type LoggedDelivery } from './delivery-lines.ts';

export interface LogsOptions {
  readonly follow?: boolean;
  readonly webhook?: string;
  readonly failed?: boolean;
  readonly audit?: boolean;
  readonly limit?: string;
}

/** What is shown without `--limit`. */
const SHOWN = 20;
/** Of each webhook, or of the audit log: what is looked at while following. */
const LOOKED_AT = 100;
const LOOK_EVERY_MS = 2000;
/** What a run that follows for weeks remembers. */
const SEEN_MAX = 50_000;

/** An entry of either log. */
interface Entry {
  /** Another one when it has changed. */
  readonly key: string;
  readonly at: string;
  readonly json: unknown;
  readonly line: string;
  readonly delivery?: LoggedDelivery;
}

/** `parley logs`: deliveries of webhooks with their attempts, or the audit log. */
export async function logs(context: Context, options: LogsOptions): Promise<void> {
  const { audit = false, webhook, failed = false, limit } = options;
  if (audit && (failed || webhook !== undefined)) throw wrongUsage('--audit has neither --failed nor --webhook');
  if (limit !== undefined && !(Number(limit) >= 1 && Number(limit) <= LOOKED_AT && /^\d+$/.test(limit)))
    throw wrongUsage(`--limit is a number from 1 to ${LOOKED_AT}`);
  const count = limit === undefined ? SHOWN : Number(limit);
  const { parley } = await openAccess(context);
  const { output, system } = context;
  const { signal } = system;
  const read = (): Promise<Entry[]> =>
    audit ? auditEntries(parley, signal) : deliveryEntries(parley, { webhook, failed }, signal);
  const first = await read();
  const shown = first.slice(-count);
  const follow = options.follow === true;
  if (follow) {
    for (const { json, line } of shown) {
      if (output.isJson) output.jsonLine(json);
      else output.line(line);
    }
  } else if (output.isJson) output.json(shown.map(({ json }) => json));
  else if (audit)
    output.table(
      ['TIME', 'TYPE', 'OBJECT', 'ACTOR'],
      shown.map(({ json }) => auditCells(json as AuditEvent)),
    );
  else
    deliveryTable(
      output,
      shown.map(({ delivery }) => delivery!),
    );
  if (follow) await followLog(context, new Set(first.map(({ key }) => key)), read);
}

/** Shows what is new or has changed, until the user ends it. */
async function followLog(
  { output, system: { signal } }: Context,
  seen: Set<string>,
  read: () => Promise<Entry[]>,
): Promise<void> {
  let isLost = false;
  while (!signal.aborted) {
    try {
      await sleep(LOOK_EVERY_MS, undefined, { signal });
      const entries = await read();
      isLost = false;
      for (const { key, json, line } of entries.filter((entry) => !seen.has(entry.key))) {
        seen.add(key);
        if (output.isJson) output.jsonLine(json);
        else output.line(line);
      }
      for (const key of seen) if (seen.size > SEEN_MAX) seen.delete(key);
    } catch (error) {
      if (signal.aborted) return;
      if (!isTemporary(error)) throw error;
      if (!isLost) output.note(`Waiting for the service: ${failureOf(error).message}`);
      isLost = true;
    }
  }
}

function isTemporary(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof ServerError || error instanceof RateLimitError;
}

/** The newest deliveries, oldest first. */
async function deliveryEntries(
  parley: Parley,
  { webhook: only, failed }: { readonly webhook: string | undefined; readonly failed: boolean },
  signal: AbortSignal,
): Promise<Entry[]> {
  const webhooks =
    only === undefined ? (await parley.webhooks.list({ signal })).data : [await parley.webhooks.get(only, { signal })];
  const lists: Entry[][] = [];
  for (const { id, name } of webhooks) {
    const { data } = await parley.webhooks.deliveries.list(id, { limit: LOOKED_AT }, { signal });
    lists.push(data.map((delivery) => deliveryEntry({ delivery, webhook: name }, id)));
  }
  const isWanted = ({ delivery }: Entry) => !failed || delivery?.delivery.status === 'failed';
  return lists.flat().filter(isWanted).sort(byTime);
}

function deliveryEntry(logged: LoggedDelivery, webhookId: string): Entry {
  const { delivery } = logged;
  const { id, status, attempts, created_at: at } = delivery;
  const durations = attempts.map(({ duration_ms: ms }) => ms).join();
  const key = [id, status, attempts.length, durations].join(' ');
  return { key, at, json: { ...delivery, webhook_id: webhookId }, line: deliveryLine(logged), delivery: logged };
}

async function auditEntries(parley: Parley, signal: AbortSignal): Promise<Entry[]> {
  const { data } = await parley.auditEvents.list({ limit: String(LOOKED_AT) }, { signal });
  return data
    .map((event) => ({ key: event.id, at: event.at, json: event, line: auditCells(event).join('  ') }))
    .sort(byTime);
}

function auditCells({ at, type, object, actor }: AuditEvent): string[] {
  const who = [actor.name ?? actor.type, actor.credential?.name ?? actor.credential?.type]
    .filter(Boolean)
    .join(' with ');
  return [at, type, object.name ?? object.id ?? object.type, who];
}

function byTime({ at: a }: Entry, { at: b }: Entry): number {
  return Date.parse(a) - Date.parse(b);
}
