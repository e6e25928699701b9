import { expect, it } from '@jest/globals';
import type { Switch, Switches } from '../connection/switch-client.ts';
import { phonesOfEmployee } from './phones-of-employee.ts';
import type { TrunkTickets } from './trunk-ticket.ts';

const call = { id: 'cal_1', employeeId: 'emp_1', timeoutSecs: 30 };
const tickets = { seal: (ticket: object) => JSON.stringify(ticket) } as Partial<TrunkTickets> as TrunkTickets;
const phone = (name: string, port = 5060) =>
  `sofia/internal/sip:${name}@10.0.0.9:${port};fs_path=sip%3A${name}%4010.0.0.9%3A${port}`;

function aSwitch(name: string, contacts: readonly string[] | 'silent' | 'gone', given: Partial<Switch> = {}): Switch {
  const contactsOf = async () => {
    if (contacts === 'silent') return new Promise<never>(() => {});
    if (contacts === 'gone') throw new Error('the connection was lost');
    return contacts;
  };
  const known: Partial<Switch> = { name, isReachable: true, trunkAddress: `${name}:5082`, contactsOf, ...given };
  return known as Switch;
}
const phonesAt = (all: readonly Switch[]) =>
  phonesOfEmployee({ switches: { all } as unknown as Switches, tickets }, all[0]!, call);

it('Phones at another switch are rung over its trunk, with a ticket for that phone, after those at the own one', async () => {
  const found = await phonesAt([aSwitch('east', [phone('a')]), aSwitch('west', [phone('b')])]);
  const ticket = tickets.seal({
    task: 'ring',
    callId: 'cal_1',
    employeeId: 'emp_1',
    phone: phone('b'),
    timeoutSecs: 30,
  });
  expect(found).toEqual([
    { dialString: phone('a') },
    { dialString: phone('b'), trunk: { address: 'west:5082', ticket } },
  ]);
});

it('A phone behind the edge proxy is rung from the own switch, wherever it is registered', async () => {
  const behind = phone('b').replace(';fs_path', ';alias=198.51.100.7~5060~1;fs_path');
  const found = await phonesAt([aSwitch('east', [phone('a')]), aSwitch('west', [behind])]);
  expect(found).toEqual([{ dialString: phone('a') }, { dialString: behind }]);
});

it('A phone that is registered at both is rung once, at the own one', async () => {
  expect(await phonesAt([aSwitch('east', [phone('a')]), aSwitch('west', [phone('a')])])).toEqual([
    { dialString: phone('a') },
  ]);
});

it('A switch without a trunk, on either side, is left out', async () => {
  const west = aSwitch('west', [phone('b')]);
  expect(await phonesAt([aSwitch('east', [phone('a')], { trunkAddress: undefined }), west])).toHaveLength(1);
  const alone = aSwitch('west', [phone('b')], { trunkAddress: undefined });
  expect(await phonesAt([aSwitch('east', [phone('a')]), alone])).toHaveLength(1);
});

it('Another switch that is unreachable, loses its connection or stands still keeps no phone of the own one from ringing', async () => {
  const unreachable = aSwitch('north', [phone('b')], { isReachable: false });
  const others = [unreachable, aSwitch('south', 'gone'), aSwitch('west', 'silent')];
  expect(await phonesAt([aSwitch('east', [phone('a')]), ...others])).toEqual([{ dialString: phone('a') }]);
});

it('The own switch that cannot be asked is an error, because the order to ring is repeated', async () => {
  await expect(phonesAt([aSwitch('east', 'gone'), aSwitch('west', [phone('b')])])).rejects.toThrow('lost');
});
