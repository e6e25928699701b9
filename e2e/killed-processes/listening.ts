import { expect, it } from '@jest/globals';
import { openCommandLine, removeCommandLines } from '../cli/command-line.ts';
import { addContacts, endWith, namesAt, startListening } from '../cli/listening.ts';
import { createTestCompany } from '../support/api.ts';
import { healthy } from '../support/kill-processes.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { processesOfService } from '../support/processes.ts';
import { openHook } from '../webhooks/hooks.ts';

export function testListening(stack: LocalStack): void {
  removeCommandLines();

  it('events that the command line forwards come once each and in order while the services of the log are killed', async () => {
    const company = await createTestCompany(stack.local);
    const hook = openHook(company, stack.local);
    const access = { PARLEY_API_KEY: company.apiKey, PARLEY_BASE_URL: stack.local.base_url };
    const machine = await openCommandLine(access);
    const run = await startListening(machine, '--forward-to', hook.url, '--events', 'contact.created');
    const expected: string[] = [];
    const add = async (name: string) => {
      expected.push(name);
      await addContacts(company, name);
    };
    for (const service of ['gateway', 'webhooks', 'gateway']) {
      await add(`before the end of ${service}`);
      for (const pid of processesOfService(stack, service)) process.kill(pid, 'SIGKILL');
      await healthy(stack);
      await add(`after the end of ${service}`);
    }
    expect(await namesAt(hook, expected.length)).toEqual(expected);
    expect(await endWith(run, 'SIGINT')).toBe(0);
  }, 300_000);
}
