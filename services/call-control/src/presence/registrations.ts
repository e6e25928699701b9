import type { Clock } from '@parley/clock';
import { unlessNotFound } from '@parley/errors';
import { keyedQueue } from '@parley/queues';
import type { PresenceLease, RegisteredContact } from './presence.ts';
import type { HeldLease, Presences } from './presence-store.ts';

/** A phone's registration at a switch, as the switch reports it. */
export interface Registration {
  readonly employeeId: string;
  /** SIP Call-ID of the registration. */
  readonly callId: string;
  /** SIP address to ring. */
  readonly address: string;
  /**
   * From the directory's variables; null for phones that need no credential, `UNKNOWN_SESSION` where it is not known.
   */
  readonly softphoneSessionId: string | null;
}

/** A switch's list of registrations does not contain their credentials. */
export const UNKNOWN_SESSION = '';

/** The events of a switch about phones: sofia::register, and sofia::unregister or sofia::expire. */
type RegistrationEvent =
  | { readonly type: 'registered'; readonly registration: Registration }
  | { readonly type: 'unregistered'; readonly registration: Pick<Registration, 'employeeId' | 'callId'> };

/** Makes registrations at switches presence leases, one for each contact. */
export type Registrations = ReturnType<typeof createRegistrations>;

/** An event waits this long for the employee's event before it. */
const QUEUE_RUN_MAX_MS = 5000;
/** Longer than the request of a list of registrations takes. */
const ENDED_FOR_MS = 60_000;

/** `machineClock`: leases and the order of events and lists follow the machine's time. */
export function createRegistrations(presences: Presences, machineClock: Clock) {
  /** Events of one employee are applied in the order they came. */
  const queue = keyedQueue(QUEUE_RUN_MAX_MS);
  /** When registrations ended: a list that was requested before still has them. */
  const ended = new Map<string, Date>();
  const leaseId = (switchName: string, callId: string) => `${switchName}/${callId}`;

  async function register(switchName: string, registration: Registration): Promise<void> {
    const { employeeId, callId, address, softphoneSessionId } = registration;
    const contact = { switchName, callId, address, softphoneSessionId };
    // One who was deleted meanwhile has no phone that could register again.
    await unlessNotFound(presences.register(employeeId, { id: leaseId(switchName, callId), contact }));
  }

  function noteEnd(id: string): void {
    const now = machineClock.now();
    for (const [other, at] of ended) if (now.getTime() - at.getTime() > ENDED_FOR_MS) ended.delete(other);
    ended.set(id, now);
  }

  const isAt = (switchName: string, lease: PresenceLease) => lease.contact?.switchName === switchName;
  const end = (companyId: string, employeeId: string, ended: (lease: PresenceLease) => boolean) =>
    presences.of(companyId).endLeases(employeeId, ended);

  return {
    /** Applies an event of a switch. Repeated and late events do no harm. */
    async onRegistration(switchName: string, event: RegistrationEvent): Promise<void> {
      if (event.type === 'registered') {
        const { registration } = event;
        return queue.run(registration.employeeId, () => register(switchName, registration));
      }
      const { employeeId, callId } = event.registration;
      noteEnd(leaseId(switchName, callId));
      await queue.run(employeeId, async () => {
        const companyId = await presences.companyOf(employeeId);
        if (companyId === undefined) return;
        await end(companyId, employeeId, (lease) => isAt(switchName, lease) && lease.contact?.callId === callId);
      });
    },
    /**
     * Makes presence equal to a list of all registrations at the switch, requested at `requestedAt` by the machine's
     * clock.
     * Run it after a reconnect and every few seconds: it renews the leases. Registrations that arrived after the request
     * stay.
     */
    async reconcile(switchName: string, registrations: readonly Registration[], requestedAt: Date): Promise<void> {
      const listed = new Map(registrations.map((one) => [leaseId(switchName, one.callId), one]));
      const renewedAfter = new Date(requestedAt.getTime() + presences.leaseMs);
      const held: HeldLease[] = [];
      for await (const { id: employeeId, companyId, leases } of presences.registeredAt(switchName)) {
        const isListed = ({ id }: PresenceLease) => listed.get(id)?.employeeId === employeeId;
        const own = leases.filter(({ contact }) => contact?.switchName === switchName);
        held.push(...own.filter(isListed).map(({ kind, id }) => ({ companyId, employeeId, kind, id })));
        if (own.some((lease) => !isListed(lease)))
          await end(
            companyId,
            employeeId,
            (lease) => isAt(switchName, lease) && !isListed(lease) && lease.until < renewedAfter,
          );
      }
      const expired = await presences.renewLeases(held);
      for (const { id } of held) if (!expired.some((lease) => lease.id === id)) listed.delete(id);
      const failures: unknown[] = [];
      for (const [id, registration] of listed)
        await queue
          .run(registration.employeeId, async () => {
            const endedAt = ended.get(id);
            if (!endedAt || endedAt < requestedAt) await register(switchName, registration);
          })
          .catch((error: unknown) => failures.push(error));
      // After the others: one that cannot be stored does not keep them from being stored.
      if (failures.length > 0) throw failures[0];
    },
    /**
     * Ends the registrations made, or perhaps made, with a credential; returns them, so that they can be removed from the
     * switch. A phone that was dropped by mistake registers again.
     */
    async endOfSession(
      { id, companyId }: { id: string; companyId: string },
      softphoneSessionId: string,
    ): Promise<RegisteredContact[]> {
      const isOfSession = ({ contact }: PresenceLease) =>
        [softphoneSessionId, UNKNOWN_SESSION].includes(contact?.softphoneSessionId ?? '-');
      const leases = (await presences.of(companyId).get(id))?.leases.filter(isOfSession) ?? [];
      if (leases.length > 0) await end(companyId, id, isOfSession);
      return leases.flatMap(({ contact }) => contact ?? []);
    },
  };
}
