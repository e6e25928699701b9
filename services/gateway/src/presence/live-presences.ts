import { create } from '@bufbuild/protobuf';
import { withTimeout } from '@parley/clock';
import {
  type EmployeePresenceService,
  type ListPresencesResponse,
  type Presence,
  PresenceSchema,
  PresenceStatus,
} from '@parley/proto/call_control/v1/presence_pb';
import { type EmployeePrincipal, type RpcClient, Unavailable } from '@parley/rpc';

/** Far longer than an answer takes on a busy machine; after that a reader gets `unknown`. */
const TIMEOUT_MS = 3000;
/** While call-control does not answer, readers do not wait longer than this for it. */
const OUTAGE_TIMEOUT_MS = 200;

/** Presence as call-control reports it at this moment. */
export function livePresences(client: Pick<RpcClient<typeof EmployeePresenceService>, 'listPresences'>) {
  let outage = false;

  async function ask(as: EmployeePrincipal, employeeIds: readonly string[]) {
    try {
      const answer = await client.listPresences({ employeeIds: [...employeeIds] }, { as, timeoutMs: TIMEOUT_MS });
      outage = false;
      return answer;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      outage = true;
      return undefined;
    }
  }

  return {
    /** Without ids, all employees of the principal's company. Undefined when call-control does not respond in time. */
    list(as: EmployeePrincipal, employeeIds: readonly string[] = []): Promise<ListPresencesResponse | undefined> {
      const answer = ask(as, employeeIds);
      return outage ? withTimeout(OUTAGE_TIMEOUT_MS, answer) : answer;
    },
  };
}

/** The presence of an employee who is unknown to call-control. */
export const NO_PRESENCE: Presence = create(PresenceSchema, { status: PresenceStatus.LOGGED_OUT });
/** While call-control cannot be reached. */
const UNKNOWN_PRESENCE: Presence = create(PresenceSchema, { status: PresenceStatus.UNSPECIFIED });

/** Looks up presences in an answer. */
export function presenceLookup(answer: ListPresencesResponse | undefined): (employeeId: string) => Presence {
  if (!answer) return () => UNKNOWN_PRESENCE;
  const known = new Map(answer.presences.map((presence) => [presence.employeeId, presence]));
  return (employeeId) => known.get(employeeId) ?? NO_PRESENCE;
}
