import type { EventQuery, RecordedEvent } from '@parley/sdk';
import { openAccess } from '../access.ts';
import type { Context } from '../context.ts';
import { CommandError, ExitCode, wrongUsage } from '../errors.ts';
import { readSigningSecret } from '../profiles/signing-secret.ts';
import { deliveryTable } from '../logs/delivery-lines.ts';
import { forward, isSuccess, readForwardUrl } from './forward.ts';
import { subjectOf } from './subject.ts';
import { readTypes } from './types-option.ts';

export interface ListOptions {
  readonly after?: string;
  readonly from?: string;
  readonly types?: string;
  readonly limit?: string;
}

/** `parley events list`: a page of the log. */
export async function listEvents(context: Context, { after, from, types, limit }: ListOptions): Promise<void> {
  const { output, system } = context;
  if (after !== undefined && from !== undefined) throw wrongUsage('--after and --from are alternatives');
  if (limit !== undefined && !/^\d{1,4}$/.test(limit)) throw wrongUsage('--limit is a number from 1 to 100');
  const query: EventQuery = {
    after,
    from,
    types: readTypes(types),
    limit: limit === undefined ? undefined : Number(limit),
  };
  const { parley } = await openAccess(context);
  const { data, nextCursor, body } = await parley.events.list(query, { signal: system.signal });
  if (output.isJson) return output.json(body);
  output.table(['TIME', 'EVENT', 'ID', 'ABOUT'], data.map(rowOf));
  const { has_more: hasMore } = body as { has_more?: unknown };
  if (nextCursor !== null) output.note(`${hasMore === true ? 'More' : 'Later ones'}: --after ${nextCursor}`);
}

function rowOf(event: RecordedEvent): string[] {
  return [event.timestamp, event.event, event.id, subjectOf(event)];
}

export async function getEvent(context: Context, id: string): Promise<void> {
  const { parley } = await openAccess(context);
  context.output.json(await parley.events.get(id, { signal: context.system.signal }));
}

export async function listTypes(context: Context): Promise<void> {
  const { output, system } = context;
  const { parley } = await openAccess(context);
  const body = await parley.events.types({ signal: system.signal });
  if (output.isJson) return output.json(body);
  for (const { name, description, former_names: formerNames } of body.event_types) {
    output.line(name);
    output.line(`    ${description}${formerNames.length > 0 ? ` Formerly ${formerNames.join(', ')}.` : ''}`);
  }
}

export interface ResendOptions {
  readonly to?: string;
  readonly webhook?: string;
  readonly secret?: string;
}

/** `parley events resend`: to a program of the user, from here, or to a webhook, from the service. */
export async function resendEvent(context: Context, id: string, { to, webhook, secret }: ResendOptions): Promise<void> {
  const { output, profile, system } = context;
  if ((to === undefined) === (webhook === undefined)) throw wrongUsage('where to? --to or --webhook, one of them');
  if (secret !== undefined && to === undefined) throw wrongUsage('--secret is for --to');
  const url = to === undefined ? undefined : readForwardUrl(to, '--to');
  const given = secret === undefined ? undefined : readSigningSecret(secret);
  const { parley } = await openAccess(context);
  const { signal } = system;
  if (!url) {
    const delivery = await parley.events.send(id, { webhook_id: webhook! }, { signal });
    return output.isJson ? output.json(delivery) : deliveryTable(output, [{ delivery, webhook: webhook! }]);
  }
  const event = await parley.events.get(id, { signal });
  const { statusCode, error, durationMs } = await forward(event, url, given ?? (await profile.signingSecret()), signal);
  if (output.isJson) output.json({ status_code: statusCode, error, duration_ms: durationMs });
  else output.line(`${event.event}  ${event.id}  ${statusCode ?? error} (${durationMs} ms)`);
  if (statusCode === null)
    throw new CommandError(
      ExitCode.unreachable,
      `no answer from ${url.origin}: ${error}`,
      'Is your program running there?',
    );
  if (!isSuccess(statusCode)) throw new CommandError(ExitCode.refused, error ?? '');
}
