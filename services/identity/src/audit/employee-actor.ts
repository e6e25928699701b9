import { currentActor, runAs } from '@parley/actor';

/**
 * Runs work on behalf of an employee who has just proven who they are on the pages: the gateway makes those requests for itself. The
 * client's address and the request stay those of the request.
 */
export function runAsEmployee<Result>(
  { employeeId, name }: { employeeId: string; name: string },
  sessionId: string | undefined,
  work: () => Result,
): Result {
  const { address, requestId } = currentActor() ?? {};
  const actor = {
    type: 'employee' as const,
    id: employeeId,
    name,
    ...(sessionId !== undefined && { credential: { type: 'session', id: sessionId, name: '' } }),
    ...(address !== undefined && { address }),
    ...(requestId !== undefined && { requestId }),
  };
  return runAs(actor, work);
}
