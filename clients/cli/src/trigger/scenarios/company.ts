import { NotFoundError } from '@parley/sdk';
import { dataOf, isAbout, type Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';

/** A registration that is decided: a number has one once. */
async function decideRegistration(stage: Stage, decision: { status: string; reason?: string }) {
  const line = await stage.line({ type: 'RejectConfig', message: 'Goodbye.' }, { registration: 'pending' });
  const path = `/business_numbers/${line.id}/registration`;
  await stage.operate('PUT', path, { status: 'submitted' });
  await stage.operate('PUT', path, decision);
  return isAbout(line.id, 'main_number');
}

/** A customer who has called is a thread of the inbox. */
async function thread(stage: Stage): Promise<string> {
  const customer = stage.customer();
  const call = await stage.dial(await stage.line({ type: 'RejectConfig', message: 'Goodbye.' }), customer);
  await stage.hangUp(call);
  return customer;
}

/** The thread is there a moment after the call. */
function changeThread(stage: Stage, customer: string, change: object): Promise<boolean> {
  const { parley, signal } = stage;
  const request = () => parley.request('PATCH', `/inbox/${encodeURIComponent(customer)}`, { body: change, signal });
  return stage.until('a thread of the inbox', () =>
    request().then(
      () => true,
      (error: unknown) => {
        if (error instanceof NotFoundError) return false;
        throw error;
      },
    ),
  );
}

export const companyScenarios = {
  'employee.status.changed': {
    description: 'An employee comes on line.',
    run: async (stage) => isAbout((await stage.employee()).id, 'employee'),
  },
  'number.registration_approved': {
    description: 'The registration of a business number is approved.',
    run: (stage) => decideRegistration(stage, { status: 'approved' }),
  },
  'number.registration_rejected': {
    description: 'The registration of a business number is rejected.',
    run: (stage) => decideRegistration(stage, { status: 'rejected', reason: 'The proof of address is missing.' }),
  },
  'thread.assigned': {
    description: 'A customer calls, and the thread is assigned to an employee.',
    async run(stage) {
      const { id } = await stage.newEmployee();
      const customer = await thread(stage);
      await changeThread(stage, customer, { assignee_id: id });
      return (event) => dataOf(event).thread?.phone_number === customer && dataOf(event).thread.assignee?.id === id;
    },
  },
  'thread.state_changed': {
    description: 'A customer calls, and the thread is marked as done.',
    async run(stage) {
      const customer = await thread(stage);
      await changeThread(stage, customer, { state: 'done' });
      return (event) => dataOf(event).thread?.phone_number === customer;
    },
  },
  'audit.created': {
    description: 'An employee is added, which the audit log records.',
    async run(stage) {
      const { id } = await stage.newEmployee();
      return (event) => dataOf(event).audit_event?.object?.id === id;
    },
  },
} satisfies Record<string, Scenario>;
