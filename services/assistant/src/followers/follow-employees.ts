import type { FollowsEvents } from '@parley/service';
import type { Assistants } from '../assistants/assistant-store.ts';

/** Whoever leaves the company leaves the transfer targets of its assistants. */
export function followEmployees(service: FollowsEvents, assistants: Pick<Assistants, 'removeEmployee'>): Promise<void> {
  return service.follow({
    name: 'assistant-employees',
    handlers: {
      async 'directory.employee.deleted'({ employee }, { companyId }) {
        if (employee) await assistants.removeEmployee(companyId, employee.id);
      },
    },
  });
}
