import path from 'node:path';
import { expect, it } from '@jest/globals';
import { createTestCompany, sharedDataDir } from '../support/api.ts';
import { openCommandLine, removeCommandLines, withKey } from './command-line.ts';

removeCommandLines();

it.each(['assistant.session_started', 'assistant.message_taken', 'assistant.session_ended'])(
  'a triggered event of a conversation with an assistant really happens: %s',
  async (type) => {
    const company = await createTestCompany();
    const machine = withKey(await openCommandLine(), company.apiKey);
    const local = ['--local', path.join(sharedDataDir(), 'local.json'), '--timeout', '100'];
    const { code, out, err } = await machine.run('trigger', type, ...local);
    expect([code, err]).toEqual([0, expect.not.stringContaining('left behind')]);
    expect(JSON.parse(out)).toMatchObject({ event: type });
    expect((await company.call('GET', '/assistants')).body.assistants).toEqual([]);
  },
  600_000,
);
