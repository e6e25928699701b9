import { beforeAll, expect, it } from '@jest/globals';
import { type Company, createTestCompany, sandbox, sharedStack, succeeded } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';

const SIGNALS = 300;
const EMPLOYEES = 10;

const stack = sharedStack();
let company: Company;

beforeAll(async () => {
  company = await createTestCompany();
});

/** The expected state of one employee, and the states that were shown. */
interface Known {
  id: string;
  online: boolean;
  disturb: boolean;
}

const expected = ({ online, disturb }: Known) => {
  if (disturb) return 'do_not_disturb';
  return online ? 'available' : 'logged_out';
};

/** The same numbers every time; a run that fails can be repeated. */
function randomly(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

it('after hundreds of random signals every status is right, was right at every step, and each change was delivered once', async () => {
  const hook = `/hooks/random-${process.pid}`;
  const employees: Known[] = [];
  for (let index = 0; index < EMPLOYEES; index += 1) {
    const email = `random.${process.pid}.${index}@example.com`;
    const { body } = await succeeded(company.call('POST', '/employees', { name: `R${index}`, email }));
    employees.push({ id: body.id, online: false, disturb: false });
  }
  const url = `${stack.sandbox_url}${hook}`;
  await succeeded(company.call('POST', '/webhooks', { name: 'random', url, events: ['employee.status.changed'] }));

  const random = randomly(2026);
  const changes = new Map(employees.map(({ id }) => [id, 0]));
  /** One employee's signals one after the other; the employees at the same time. */
  await Promise.all(
    employees.map(async (known) => {
      for (let count = 0; count < SIGNALS / EMPLOYEES; count += 1) {
        const before = expected(known);
        const wasDisturbed = known.disturb;
        const value = random() < 0.5;
        const times = random() < 0.2 ? 2 : 1;
        if (random() < 0.5) {
          known.online = value;
          for (let time = 0; time < times; time += 1)
            await succeeded(sandbox(stack, 'PUT', `/phones/${known.id}`, { online: value }));
        } else {
          known.disturb = value;
          const replies = await Promise.all(
            Array.from({ length: times }, () =>
              company.call('PUT', `/employees/${known.id}/do_not_disturb`, { enabled: value }),
            ),
          );
          for (const { body } of replies) expect([body.status, body.do_not_disturb]).toEqual([expected(known), value]);
        }
        const { body } = await company.call('GET', `/employees/${known.id}`);
        expect([count, body.status]).toEqual([count, expected(known)]);
        if (expected(known) !== before || known.disturb !== wasDisturbed)
          changes.set(known.id, (changes.get(known.id) ?? 0) + 1);
      }
    }),
  );

  const total = [...changes.values()].reduce((sum, count) => sum + count, 0);
  const received = async (): Promise<{ body: { data: { employee: { id: string; status: string } } } }[]> =>
    (await sandbox(stack, 'GET', hook)).body;
  await waitUntil(async () => (await received()).length >= total, { what: `${total} events`, timeoutMs: 60_000 });
  const delivered = (await received()).map(({ body }) => body.data.employee);
  for (const { id } of employees)
    expect([id, delivered.filter((one) => one.id === id).length]).toEqual([id, changes.get(id)]);
}, 240_000);
