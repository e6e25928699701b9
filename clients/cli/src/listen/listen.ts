import type { FollowedEvent, Parley, ParleyError } from '@parley/sdk';
import { openAccess } from '../access.ts';
import type { Context } from '../context.ts';
import { CommandError, ExitCode, failureOf, wrongUsage } from '../errors.ts';
import { type Forwarded, forward, isSuccess, readForwardUrl } from '../events/forward.ts';
import { readTypes } from '../events/types-option.ts';
import type { Output } from '../output/output.ts';
import { readSigningSecret } from '../profiles/signing-secret.ts';
import { readSince, type Since } from './since.ts';

export interface ListenOptions {
  readonly forwardTo?: string;
  readonly events?: string;
  readonly since?: string;
  readonly secret?: string;
}

/** The end of the log: the clock of this machine may be another one than the service's. */
const END_OF_TIME = '9999-12-31T00:00:00Z';

/**
 * `parley listen`: shows events as they happen, and forwards each of them once to the user's program. Nothing is created at the service. The
 * position is stored after each event, so that `--since last` goes on there whatever has ended the run.
 */
export async function listen(context: Context, options: ListenOptions): Promise<void> {
  const { output, profile, system } = context;
  const target = options.forwardTo === undefined ? undefined : readForwardUrl(options.forwardTo, '--forward-to');
  if (options.secret !== undefined && !target) throw wrongUsage('--secret is for --forward-to');
  const given = options.secret === undefined ? undefined : readSigningSecret(options.secret);
  const since = readSince(options.since, Date.now());
  const types = readTypes(options.events);
  const { parley, baseUrl } = await openAccess(context);
  const { signal } = system;
  const { id: companyId, name } = await parley.company.get({ signal });
  const key = `${baseUrl} ${companyId}`;
  const begin = await beginning(context, parley, since, key);
  const secret = target && (given ?? (await profile.signingSecret()));
  const store = (cursor: string) => profile.setPosition(key, cursor);
  if ('after' in begin) await store(begin.after);
  announce(output, { name, target, secret, isOwn: given === undefined });

  const retries = retryNotes(output);
  try {
    for await (const followed of parley.events.follow({ ...begin, types, signal, onRetry: retries.onRetry })) {
      retries.onEvent();
      const forwarded = target && (await forward(followed.event, target, secret!, signal));
      show(output, followed, forwarded);
      await store(followed.cursor);
    }
  } catch (error) {
    // The usual end.
    if (!signal.aborted) throw error;
  }
}

/** Where to begin: a cursor, so that nothing is missed from here on, whatever happens to the first connection. */
async function beginning(
  { output, profile, system: { signal } }: Context,
  parley: Parley,
  since: Since,
  key: string,
): Promise<{ after: string } | { from: Date }> {
  const log = async (from: string | Date) => {
    const { nextCursor, body } = await parley.events.list({ from, limit: 1 }, { signal });
    return { end: nextCursor!, recordedSince: (body as { recorded_since?: unknown }).recorded_since };
  };
  switch (since.kind) {
    case 'cursor':
      return { after: since.cursor };
    case 'last': {
      const position = await profile.position(key);
      if (position !== undefined) return { after: position };
      throw new CommandError(
        ExitCode.usage,
        `the profile ${profile.name} has not listened to this company yet`,
        'Leave --since out to begin now, or name a time such as --since 10m.',
      );
    }
    case 'time': {
      const { recordedSince } = await log(END_OF_TIME);
      if (typeof recordedSince === 'string' && Date.parse(recordedSince) > since.from.getTime())
        output.note(`Events are recorded since ${recordedSince}.`);
      return { from: since.from };
    }
    case 'now':
      return { after: (await log(END_OF_TIME)).end };
  }
}

interface Listening {
  readonly name: string;
  readonly target: URL | undefined;
  readonly secret: string | undefined;
  readonly isOwn: boolean;
}

function announce(output: Output, { name, target, secret, isOwn }: Listening): void {
  if (output.isJson)
    return output.jsonLine({ type: 'listening', forward_to: target?.href ?? null, ...(target && isOwn && { secret }) });
  if (target && isOwn) output.line(`Signing secret: ${secret}`);
  output.line(`Listening to ${name}${target ? `, forwarding to ${target.href}` : ''}. Ctrl-C ends it.`);
}

/** One line per event: when, type, id, and what the receiver made of it. */
function show(output: Output, { event, cursor }: FollowedEvent, forwarded: Forwarded | undefined): void {
  if (output.isJson) {
    const { statusCode, error, durationMs } = forwarded ?? {};
    const result = forwarded && { status_code: statusCode, error, duration_ms: durationMs };
    return output.jsonLine({ type: 'event', cursor, event, ...(result && { forwarded: result }) });
  }
  const line = `${event.timestamp}  ${event.event}  ${event.id}`;
  if (!forwarded) return output.line(line);
  const { statusCode, error, durationMs } = forwarded;
  output.line(`${line}  ${statusCode ?? error} (${durationMs} ms)`);
  if (!isSuccess(statusCode)) output.note(`  again: parley events resend ${event.id} --to <URL>`);
}

/** Says once that the connection is lost, and once that it is back. */
function retryNotes(output: Output): { onRetry: (error: ParleyError) => void; onEvent: () => void } {
  let isLost = false;
  return {
    onRetry(error) {
      if (!isLost) output.note(`Waiting for the service: ${failureOf(error).message}`);
      isLost = true;
    },
    onEvent() {
      if (isLost) output.note('The service is back.');
      isLost = false;
    },
  };
}
