import { contextFrom, SpanKind, type Telemetry } from '@parley/telemetry';
import { commandOf } from '../stored/command-entries.ts';
import { NotAvailable } from './command-handlers.ts';
import type { LeasedCommand } from './command-leases.ts';
import type { AnyHandler, Outcome } from './command-outcomes.ts';

const UNAVAILABLE_RETRY_MS = 2000;

/** Executes a command, in a trace of its own. */
export async function executeCommand(item: LeasedCommand, handler: AnyHandler, telemetry: Telemetry): Promise<Outcome> {
  const { aggregateId, companyId, entry, abort } = item;
  const { id, kind, attempts, createdAt, traceparent } = entry;
  // A renewal replaces the entry.
  const isLeased = () => !abort.signal.aborted && (item.entry.lease?.until ?? 0) > new Date();
  const about = { id, aggregateId, companyId, attempt: attempts + 1, createdAt, signal: abort.signal, isLeased };
  const span = {
    kind: SpanKind.CLIENT,
    parent: contextFrom(traceparent ?? undefined),
    attributes: { 'parley.command.id': id, 'parley.command.attempt': attempts + 1 },
  };
  try {
    const result = await telemetry.span(`command ${kind}`, span, () => handler.execute(commandOf(entry), about));
    return { type: 'result', result };
  } catch (error) {
    if (error instanceof NotAvailable) {
      const known = handler.available?.() === false;
      return { type: 'unavailable', retryMs: known ? null : UNAVAILABLE_RETRY_MS };
    }
    if (handler.guarantee === 'until_confirmed') return { type: 'failed', error };
    telemetry.log.warn({ err: error, id: aggregateId, command: kind }, 'command failed; its outcome is unknown');
    return { type: 'unknown' };
  }
}
