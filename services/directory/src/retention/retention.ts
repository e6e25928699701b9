import { type Audited, changedFields } from '@parley/actor';
import { type Decision, decided, invalid, refused } from '@parley/errors';
import { KEPT_FOREVER, type RetentionDays } from '@parley/personal-data';

export interface Retention {
  /** The company's: there is one for each. */
  readonly id: string;
  readonly companyId: string;
  readonly days: RetentionDays;
}

export interface RetentionEvent extends Audited {
  readonly type: 'directory.retention.changed';
  readonly days: RetentionDays;
}

const DAYS_MAX = 3650;

/** A change without effect emits no event. */
export function replaceRetention(
  current: Retention | undefined,
  companyId: string,
  days: RetentionDays,
): Decision<Retention, RetentionEvent> {
  const fields = publicFields(days);
  const wrong = Object.entries(fields).filter(([, value]) => value !== null && !(value >= 1 && value <= DAYS_MAX));
  if (wrong.length > 0)
    return refused(
      invalid(Object.fromEntries(wrong.map(([name]) => [name, [`must be from 1 to ${DAYS_MAX}, or null`]]))),
    );
  const before = current ?? { id: companyId, companyId, days: KEPT_FOREVER };
  const changes = changedFields(publicFields(before.days), fields);
  if (Object.keys(changes).length === 0) return decided(before);
  const audit = {
    type: 'retention.changed',
    object: { type: 'retention', id: companyId, name: '' },
    changes,
  } as const;
  return decided({ ...before, days }, [{ type: 'directory.retention.changed', days, audit }]);
}

function publicFields(days: RetentionDays): Record<string, number | null> {
  return Object.fromEntries(Object.entries(days).map(([kind, value]) => [`${kind}_days`, value]));
}
