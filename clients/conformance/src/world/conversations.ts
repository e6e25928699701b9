import { eventually } from '../expectations/eventually.ts';
import { expect } from '../expectations/expect.ts';
import type { Shape } from '../expectations/shapes.ts';
import type { ApiClient } from '../http/api-client.ts';
import { type Company, Employee } from './company.ts';
import type { Context } from './context.ts';
import { once } from './once.ts';
import type { Leg, Phone } from './phones.ts';
import { prepared } from './prepared.ts';
import { freshPhone } from './random.ts';

/** An employee with a phone. */
export interface Agent {
  readonly employee: Employee;
  readonly phone: Phone;
}

/** A customer and an employee who talk with each other. */
export interface Conversation {
  readonly company: Company;
  readonly number: any;
  readonly agent: Agent;
  /** The customer's number. */
  readonly from: string;
  readonly customer: Leg;
  readonly agentLeg: Leg;
  readonly callId: string;
}

/** A new employee who is available. */
export async function newAgent({ sandbox }: Context, company: Company): Promise<Agent> {
  const employee = await company.hire();
  const phone = sandbox.phone(employee.id);
  await phone.goes('online');
  await hasStatus(company, employee.id, 'available');
  return { employee, phone };
}

/** The employee of this role in the checks of an area. Who uses them gives them back as they were: on line, and without a call. */
export async function keptAgent(context: Context, company: Company, role = 'controller'): Promise<Agent> {
  const { id, name, email, apiKey } = await once(company, `agent ${role}`, async () => {
    const { employee } = await newAgent(context, company);
    return { id: employee.id, name: employee.name, email: employee.email, apiKey: employee.apiKey };
  });
  const employee = new Employee(company.withHeaders({ 'X-Api-Key': apiKey }), { id, name, email, apiKey });
  await hasStatus(company, id, 'available');
  return { employee, phone: context.sandbox.phone(id) };
}

/** Waits until an employee has a status. */
export async function hasStatus(company: ApiClient, employeeId: string, status: string): Promise<void> {
  await eventually(`the employee is ${status}`, async () => {
    await company.get(`/employees/${employeeId}`).gives(200, { status });
  });
}

/** Waits until a call is of a shape; the call. */
export async function callIs(company: ApiClient, callId: string, shape: Shape): Promise<any> {
  return await eventually('the call', () => company.get(`/calls/${callId}`).gives(200, shape));
}

/** The week of a business number that is always open, or never. */
export function week(open: boolean): object[] {
  const days = Array.from({ length: 7 }, (_, day) => day);
  return days.map((day) => ({ day_of_week: day, open, opening_at: '00:00', closing_at: '24:00' }));
}

/** A business number that is open at any time: what happens at it does not depend on the hour. */
export async function openNumber(company: Company, details: Readonly<Record<string, unknown>> = {}): Promise<any> {
  const { id } = await company.number(details);
  const always = { type: null, business_hours: week(true) };
  return await prepared(company.put(`/business_numbers/${id}/outside_business_hours_config`, always), 200);
}

/** A business number that is closed at any time, and then rejects. */
export async function closedNumber(company: Company): Promise<any> {
  const { id } = await company.number();
  const closed = { type: 'RejectConfig', message: 'We are closed.', business_hours: week(false) };
  return await prepared(company.put(`/business_numbers/${id}/outside_business_hours_config`, closed), 200);
}

/** A business number whose calls ring at these employees. */
export async function numberOf(
  company: Company,
  employees: readonly { readonly id: string }[],
  details: Readonly<Record<string, unknown>> = {},
): Promise<any> {
  const routing = { type: 'TransferConfig', employee_ids: employees.map(({ id }) => id) };
  return await openNumber(company, { incoming_call_config: routing, ...details });
}

/** Has a customer call and an employee answer, and ends the call after `use`. */
export async function inConversation(
  context: Context,
  use: (conversation: Conversation) => Promise<void>,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const company = await context.companies.shared();
  const agent = await keptAgent(context, company);
  const number = await once(company, `number ${JSON.stringify(details)}`, () =>
    numberOf(company, [agent.employee], details),
  );
  const from = freshPhone();
  const customer = await context.sandbox.call(from, number.number);
  try {
    const agentLeg = await agent.phone.answers();
    const callId = await customer.callId();
    await callIs(company, callId, { state: 'bridged' });
    await use({ company, number, agent, from, customer, agentLeg, callId });
  } finally {
    await customer.hangUp();
  }
}

/** A call that an employee answered and that has ended. Nobody changes it. */
export async function endedCall(
  context: Context,
): Promise<{ company: Company; call: any; from: string; number: any; agentId: string }> {
  const company = await context.companies.shared();
  const kept = await once(company, 'ended call', async () => {
    let seen = { from: '', number: undefined as any, agentId: '', callId: '' };
    await inConversation(context, async ({ from, number, agent, callId }) => {
      seen = { from, number, agentId: agent.employee.id, callId };
    });
    const call = await callIs(company, seen.callId, { state: 'ended' });
    return { ...seen, call };
  });
  return { company, ...kept };
}

/** Reads what an employee is told about their call; the body. */
export async function activeCallIs(client: ApiClient, shape: Shape): Promise<any> {
  return await eventually("the employee's call", async () => {
    const { status, body } = await client.get('/calls/active');
    expect(status, 200, 'the status of /calls/active');
    expect(body, shape, 'the answer of /calls/active');
    return body;
  });
}
