import type { WebhookDelivery } from '@parley/sdk';
import type { Cell } from '../output/table.ts';
import type { Output } from '../output/output.ts';

/** A delivery, and to which webhook. */
export interface LoggedDelivery {
  readonly delivery: WebhookDelivery;
  /** Name or id. */
  readonly webhook: string;
}

const TITLES = ['TIME', 'WEBHOOK', 'EVENT', 'STATUS', 'DELIVERY', 'ATTEMPTS'];

export function deliveryTable(output: Output, deliveries: readonly LoggedDelivery[]): void {
  output.table(TITLES, deliveries.map(cellsOf));
}

/** The same in one line, for deliveries that come one by one. */
export function deliveryLine(logged: LoggedDelivery): string {
  return cellsOf(logged).join('  ');
}

function cellsOf({ delivery, webhook }: LoggedDelivery): Cell[] {
  const { created_at: at, event, status, id, attempts, next_attempt_at: next } = delivery;
  const made = attempts.map(
    ({ status_code: code, error, duration_ms: ms }) =>
      `${code ?? error ?? 'running'}${ms === null ? '' : ` (${ms} ms)`}`,
  );
  return [at, webhook, event, status, id, [...made, ...(next === null ? [] : [`next ${next}`])].join(', ') || '-'];
}
