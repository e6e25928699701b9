import { randomUUID } from 'node:crypto';
import { Leg, type PhoneOwner } from '../legs/leg.ts';
import { Channel, type Profile } from './channel.ts';
import { type Destination, type Endpoint, parseEndpoint, parseOriginate } from './dial-string.ts';
import { hangup, hangupAtOnce } from './hangup.ts';
import { answerChannel } from './answer.ts';
import type { Switch } from './switch.ts';

const RING_DEFAULT_SECS = 60;
/** Seconds are counted coarsely: a real switch gives up about half a second early. */
const EARLY_MS = 500;
const USAGE =
  '-USAGE: <call url> <exten>|&<application_name>(<app_args>) [<dialplan>] [<context>] [<cid_name>] [<cid_num>] [<timeout_sec>]\n';

/** Runs an originate; resolves when a phone has answered or all have failed. */
export async function originate(network: Switch, text: string): Promise<string> {
  const command = parseOriginate(text);
  if (command === 'usage') return USAGE;
  if (!command) return '-ERR DESTINATION_OUT_OF_ORDER\n';
  let cause = 'USER_NOT_REGISTERED';
  for (const round of command.rounds) {
    const outcome = await ringRound(network, round);
    if ('winner' in outcome) {
      const { winner } = outcome;
      await startApplication(network, winner, command.application);
      return winner.taken || winner.hungUp ? '-ERR ORIGINATOR_CANCEL\n' : `+OK ${winner.uuid}\n`;
    }
    cause = outcome.cause;
  }
  return `-ERR ${cause}\n`;
}

async function ringRound(network: Switch, endpoints: readonly Endpoint[]): Promise<Outcome> {
  const attempts: Channel[] = [];
  for (const { text, variables } of endpoints) {
    const destination = parseEndpoint(text);
    if (!destination) return { cause: 'CHAN_NOT_IMPLEMENTED' };
    const target = resolve(network, destination);
    if ('cause' in target) {
      if (endpoints.length === 1) return target;
      continue;
    }
    // Only the first one gets the uuid that was requested for all.
    const isTaken = attempts.some(({ uuid }) => uuid === variables.origination_uuid);
    const uuid = (isTaken ? undefined : variables.origination_uuid) ?? randomUUID();
    if (network.channels.has(uuid)) return { cause: 'DESTINATION_OUT_OF_ORDER' };
    attempts.push(createLeg(network, uuid, target, variables));
  }
  if (attempts.length === 0) return { cause: 'USER_NOT_REGISTERED' };
  return ringAll(attempts, endpoints[0]?.variables ?? {});
}

interface Target {
  readonly owner: PhoneOwner;
  readonly profile: Profile;
  readonly name: string;
  readonly destination: string;
  /** False: nothing answers at that address. */
  readonly reachable: boolean;
  readonly isBusy?: boolean;
  /** Absent for phones of the sandbox itself. */
  readonly ring?: ((channel: Channel, onRinging: () => void) => void) | undefined;
}

function resolve(network: Switch, destination: Destination): Target | { cause: string } {
  switch (destination.kind) {
    case 'null':
      return {
        owner: { kind: 'external', number: '' },
        profile: 'null',
        name: 'null/x',
        destination: 'x',
        reachable: true,
      };
    case 'carrier': {
      const { number } = destination;
      const owner: PhoneOwner = { kind: 'external', number };
      const name = `sofia/external/${number}`;
      const isBusy = network.isBusy(number);
      return { owner, profile: 'external', name, destination: number, reachable: true, isBusy };
    }
    case 'user': {
      const [first] = network.registrations.of(destination.user);
      return first ? phone(network, first.uri) : { cause: 'USER_NOT_REGISTERED' };
    }
    case 'contact':
      return phone(network, destination.uri);
  }
}

function phone(network: Switch, uri: string): Target {
  const registration = network.registrations.atContact(uri);
  const real = registration ? registration.phone : network.sipAddress(uri);
  const user = registration?.user ?? uri.replace(/^sip:/, '').split('@')[0] ?? '';
  const isAddress = real !== undefined && !registration;
  return {
    owner: isAddress ? { kind: 'sip_address', uri } : { kind: 'employee', employeeId: user },
    profile: 'internal',
    name: `sofia/internal/${uri.replace(/^sip:/, '')}`,
    destination: user,
    reachable: registration !== undefined || real !== undefined,
    ring: real && ((channel, onRinging) => real.ring(channel, uri, onRinging)),
  };
}

function createLeg(
  network: Switch,
  uuid: string,
  target: Target,
  variables: Readonly<Record<string, string>>,
): Channel {
  const leg = new Leg(uuid, target.owner, 'incoming', variables.origination_caller_id_number ?? '');
  const channel = new Channel({
    core: network.core,
    leg,
    direction: 'outbound',
    profile: target.profile,
    name: target.name,
    caller: { name: variables.origination_caller_id_name ?? '', number: variables.origination_caller_id_number ?? '' },
    destination: target.destination,
    variables,
  });
  network.add(channel);
  channel.publishPlain('CHANNEL_OUTGOING');
  channel.state = 'CS_INIT';
  channel.publish('CHANNEL_CREATE');
  channel.publish('CHANNEL_ORIGINATE');
  channel.state = 'CS_CONSUME_MEDIA';
  network.core.soon(() => {
    if (channel.hungUp) return;
    if (!target.reachable) return hangup(channel, 'NORMAL_TEMPORARY_FAILURE', 'party');
    if (target.isBusy) return hangup(channel, 'USER_BUSY', 'party');
    if (target.profile === 'null') return channel.onAnswer?.();
    const onRinging = () => {
      if (channel.hungUp || channel.progressMicros > 0) return;
      channel.progressMicros = network.core.nowMicros();
      leg.rings();
      channel.publish('CHANNEL_PROGRESS');
      channel.setCallState('RINGING');
    };
    if (target.ring) target.ring(channel, onRinging);
    else onRinging();
  });
  return channel;
}

type Outcome = { readonly winner: Channel } | { readonly cause: string };

function ringAll(attempts: readonly Channel[], variables: Readonly<Record<string, string>>): Promise<Outcome> {
  const ringSecs = Number(variables.originate_timeout ?? RING_DEFAULT_SECS);
  const [{ core }] = attempts as [Channel];
  return new Promise((decide) => {
    const left = new Set(attempts);
    const timer = core.time.after(Math.max(0, ringSecs * 1000 - EARLY_MS), () => {
      for (const channel of left) hangup(channel, 'NO_ANSWER', 'switch');
    });
    for (const channel of attempts) {
      channel.onAnswer = () => {
        channel.onAnswer = undefined;
        timer.cancel();
        answerChannel(channel);
        decide({ winner: channel });
        for (const loser of left) if (loser !== channel) hangupAtOnce(loser, 'LOSE_RACE', 'switch');
        left.clear();
      };
      const failed = () => {
        if (!left.delete(channel) || left.size > 0) return;
        timer.cancel();
        decide({ cause: channel.hangupCause ?? 'NORMAL_CLEARING' });
      };
      const remove = channel.onEnd;
      channel.onEnd = () => {
        remove?.();
        failed();
      };
      // The job's result and the leg's last events come in either order.
      if (core.eitherWay()) channel.onHangup = failed;
    }
  });
}

/** The application starts with a short delay; a command that takes over the leg before that wins. */
function startApplication(network: Switch, channel: Channel, application: { name: string; argument: string }) {
  return network.core.during(
    () =>
      new Promise<void>((done) => {
        network.core.soon(() => {
          if (channel.hungUp || channel.taken) return done();
          if (network.core.eitherWay()) {
            network.start(channel, application);
            return done();
          }
          done();
          setImmediate(() => {
            if (network.core.alive && !channel.hungUp && !channel.activity) network.start(channel, application);
          });
        });
      }),
  );
}
