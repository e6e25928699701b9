import type { EventHandler } from '@parley/events';
import { employeeStatusFromProto } from '../presence/presence-proto.ts';
import type { StatusListeners } from '../presence/status-listeners.ts';

type StatusEvent = 'call-control.employee_status.changed' | 'call-control.employee_status.ended';

/** Notifies calls of a change by any replica. A listener that fails is called again with the same event. */
export const onEmployeeStatus =
  (listeners: StatusListeners): EventHandler<StatusEvent> =>
  async (message) => {
    const change = employeeStatusFromProto(message);
    if (change) await listeners.notify(change);
  };
