import { Refused, refusal } from '@parley/errors';
import type { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { endEmployee } from './end-employee.ts';
import type { CredentialDeps } from './credential-deps.ts';

const stillThere = refusal('conflict', 'the employee is not deleted in directory');

/** This cannot be undone, so the deletion is verified with directory. */
export const endEmployeeRpc =
  ({ employees, stores }: CredentialDeps): Handler<typeof CredentialService.method.endEmployee, ServicePrincipal> =>
  async ({ employeeId, companyId }) => {
    const isThere = await employees.getEmployee({ id: employeeId }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Refused && error.refusal.code === 'not_found') return false;
        throw error;
      },
    );
    if (isThere) throw new Refused(stillThere);
    await endEmployee(stores, { id: employeeId, companyId, name: '', email: '' });
    return {};
  };
