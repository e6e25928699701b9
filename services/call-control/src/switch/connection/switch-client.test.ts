import { expect, it, jest } from '@jest/globals';
import type { SocketConnection } from './socket-client.ts';
import { switchClient } from './switch-client.ts';
import type { SwitchLink } from './switch-link-client.ts';

const send = jest.fn(async (..._line: unknown[]) => ({ ok: true, text: '+OK' }));
const at = switchClient({
  name: 'switch-1',
  link: { connection: () => ({ send }) as Partial<SocketConnection> as SocketConnection } as SwitchLink,
  mediaUrls: { httpUrl: 'http://127.0.0.1:8083', recordingsDir: '/recordings' },
  sipDomain: 'parley.invalid',
  trunkAddress: undefined,
  isDraining: () => false,
  newJobId: () => 'job-1',
});
const record = {
  do: 'record_voicemail',
  legId: 'leg-1',
  playId: 'play-1',
  recording: 'cal_1-1',
  maxSecs: 180,
  silenceSecs: 10,
} as const;
const leg = {
  legId: 'leg-2',
  callId: 'cal_1',
  employeeId: 'emp_1',
  timeoutSecs: 30,
  callerNumber: null,
  dialString: 'sofia/internal/sip:a@127.0.0.1:5060',
  room: null,
};

it('the orders of a process that stood still until another one took them over never reach the switch', async () => {
  const isLeased = () => false;
  const notSent = { name: 'SwitchUnreachable', isSent: false };
  await expect(at.control('cal_1', [record], isLeased)).rejects.toMatchObject(notSent);
  await expect(at.originate([leg], isLeased)).rejects.toMatchObject(notSent);
  expect(send).not.toHaveBeenCalled();
});

it('the orders of a process that has them leased are sent in the same moment in which that was asked', async () => {
  const sentWhenAsked: number[] = [];
  const isLeased = () => sentWhenAsked.push(send.mock.calls.length) > 0;
  const done = at.control('cal_1', [record], isLeased);
  expect([sentWhenAsked, send.mock.calls.length]).toEqual([[0], 1]);
  expect(await done).toEqual([]);
});
