import type { Conference, Member } from '../conferences.ts';
import type { Switch } from '../switch.ts';
import { type ApiCommand, firstWord } from './command.ts';

/** Each verb responds with `+OK <verb> <id>`. */
const verbs: Readonly<Record<string, (conference: Conference, member: Member) => void>> = {
  hold: (conference, member) => conference.hold(member),
  unhold: (conference, member) => conference.unhold(member),
  kick: (conference, member) => conference.putOut(member, 'kick-member'),
  hup: (conference, member) => conference.putOut(member, 'hup-member'),
  mute: (conference, member) => change(conference, member, 'mute-member', { muted: true }),
  unmute: (conference, member) => change(conference, member, 'unmute-member', { muted: false }),
  deaf: (conference, member) => change(conference, member, 'deaf-member', { deaf: true }),
  undeaf: (conference, member) => change(conference, member, 'undeaf-member', { deaf: false }),
};

function change(
  conference: Conference,
  member: Member,
  action: string,
  flags: Partial<Pick<Member, 'muted' | 'deaf'>>,
) {
  Object.assign(member, flags);
  conference.publish(action, member);
  conference.connectParties();
}

const answerOf = (verb: string): string => (verb === 'kick' ? 'kicked' : verb);

export const conference: ApiCommand = (network, args) => {
  const [name, rest] = firstWord(args.trim());
  if (name === 'list') return listAll(network);
  if (name === 'json_list') return JSON.stringify(network.conferences.list().map(asJson));
  const room = network.conferences.get(name);
  if (!room) return `-ERR Conference ${name} not found\n`;
  const [verb, target] = firstWord(rest);
  if (verb === 'list') return room.members.size > 0 ? listOf(room) : '-ERR no reply\n';
  if (verb === 'json_list') return JSON.stringify([asJson(room)]);
  const apply = verbs[verb];
  if (!apply) return `-ERR Conference command '${verb}' not found.\n`;
  const [id] = firstWord(target);
  const members = id === 'all' ? newestFirst(room) : [room.members.get(Number(id))];
  let answer = '';
  for (const member of members) {
    if (!member) return `-ERR Non-Existant ID ${id}\n`;
    apply(room, member);
    answer += `+OK ${answerOf(verb)} ${member.id}\n`;
  }
  return answer || '-ERR no reply\n';
};

const newestFirst = (room: Conference): readonly Member[] => [...room.members.values()].reverse();

function listAll(network: Switch): string {
  const rooms = network.conferences.list();
  if (rooms.length === 0) return '+OK No active conferences.\n';
  return rooms.map((room) => `+OK Conference ${room.name} (${room.members.size} members)\n${listOf(room)}`).join('');
}

const listOf = (room: Conference): string =>
  newestFirst(room)
    .map(({ id, channel, held, muted, deaf }) => {
      const flags = held ? ['hold'] : [...(deaf ? [] : ['hear']), ...(muted ? [] : ['speak'])];
      return `${id};${channel.name};${channel.uuid};${channel.caller.name};${channel.caller.number};${flags.join('|')};0;0;100\n`;
    })
    .join('');

const asJson = (room: Conference) => ({
  conference_name: room.name,
  member_count: room.members.size,
  ghost_count: 0,
  rate: 8000,
  conference_uuid: room.uuid,
  running: true,
  answered: true,
  dynamic: true,
  variables: {},
  members: newestFirst(room).map(({ id, channel, held, muted, deaf }) => ({
    type: 'caller',
    id,
    flags: { can_hear: !held && !deaf, can_speak: !held && !muted, hold: held, talking: false, has_floor: false },
    uuid: channel.uuid,
    caller_id_name: channel.caller.name,
    caller_id_number: channel.caller.number,
  })),
});
