import { type BackgroundWork, systemClock } from '@parley/clock';
import { decided } from '@parley/errors';
import { newId } from '@parley/secrets';
import { openDocuments } from '@parley/aggregates';
import type { Logger } from '@parley/telemetry';
import type { Db } from 'mongodb';
import type { FlowReferences } from '../call-flows/call-flow.ts';

/** A change in progress that will make employees call targets, or have assistants answer. */
interface PendingAssignment {
  readonly id: string;
  readonly companyId: string;
  readonly numberId: string;
  readonly numberName: string;
  readonly employeeIds: readonly string[];
  readonly assistantIds: readonly string[];
  /** Measured by the machine's clock, like every lease. */
  readonly until: Date;
}

/** The number a change is about. */
export interface AssignedNumber {
  readonly id: string;
  readonly companyId: string;
  readonly name: string;
}

/**
 * Keeps a change of routing and the deletion of an employee or an assistant it names from missing each other. The change
 * announces both here first, then checks with their owners that they exist, then commits. The owner marks what it deletes as
 * being deleted first, then checks here. Whichever comes second sees the first.
 */
export type Assignments = Awaited<ReturnType<typeof openAssignments>>;

type Reference = { readonly employeeId: string } | { readonly assistantId: string };

/** Longer than any request: what is older was left by a crash. */
const COUNTS_FOR_MS = 120_000;
/** A commit this late could land after the announcement has lapsed. */
const COMMIT_WITHIN_MS = 60_000;

export async function openAssignments(db: Db, backgroundWork: BackgroundWork, log: Logger) {
  const assignments = await openDocuments<PendingAssignment>({
    db,
    collection: 'pending_assignments',
    indexes: [
      { key: { companyId: 1, employeeIds: 1 }, name: 'company_employees' },
      { key: { companyId: 1, assistantIds: 1 }, name: 'company_assistants' },
      { key: { until: 1 }, name: 'until' },
    ],
  });
  const now = () => systemClock.now();
  const sweep = assignments.startExpiry({
    expired: () => ({ until: { $lt: now() } }),
    everyMs: COUNTS_FOR_MS,
    backgroundWork,
    log,
  });
  return {
    /** Runs `commit` while what it names is announced; `mayCommit` throws once too much time has passed to be safe. */
    async during<T>(
      number: AssignedNumber,
      { employeeIds, assistantIds }: FlowReferences,
      commit: (mayCommit: () => void) => Promise<T>,
    ): Promise<T> {
      const began = now().getTime();
      const mayCommit = () => {
        if (now().getTime() - began > COMMIT_WITHIN_MS) throw new Error('a change of routing took too long to be safe');
      };
      if (employeeIds.length === 0 && assistantIds.length === 0) return commit(mayCommit);
      const announcement = {
        id: newId('asg'),
        companyId: number.companyId,
        numberId: number.id,
        numberName: number.name,
        employeeIds: [...employeeIds],
        assistantIds: [...assistantIds],
        until: new Date(began + COUNTS_FOR_MS),
      };
      const own = assignments.of(number.companyId);
      await own.create(decided(announcement));
      try {
        return await commit(mayCommit);
      } finally {
        await own
          .changeIfExists(announcement.id, () => decided(null))
          .catch((error: unknown) => log.warn({ err: error }, 'assignment left behind'));
      }
    },
    /** Numbers that are just being changed to ring the employee, or to have the assistant answer. */
    async pending(companyId: string, reference: Reference): Promise<readonly { id: string; name: string }[]> {
      const named =
        'employeeId' in reference ? { employeeIds: reference.employeeId } : { assistantIds: reference.assistantId };
      const filter = { ...named, until: { $gte: now() } };
      const found = await Array.fromAsync(assignments.of(companyId).find(filter, { until: 1 }, 100));
      return found.map(({ numberId, numberName }) => ({ id: numberId, name: numberName }));
    },
    stop: () => sweep.stop(),
  };
}
