import { batch } from '@parley/queues';
import type { ApiCommand } from './allow-list.ts';
import { type SocketConnection, SwitchUnreachable } from './socket-client.ts';
import type { ControlStep, StepFailure } from '../../calls/model/call-command.ts';
import {
  api,
  type CommandLine,
  connectTrunkLines,
  controlLines,
  type MediaUrls,
  type NewLeg,
  originateCommand,
  recordingPath,
  type TrunkEnd,
} from './command-lines.ts';
import { flushArgument, validArgument } from './command-arguments.ts';
import { originateJobId } from './read-switch-event.ts';
import { readChannels, readRegistrations, readCoreUuid } from './switch-state.ts';
import type { SwitchLink } from './switch-link-client.ts';

/** False when another process may have taken over what is to be sent: then it is not sent. */
type IsLeased = () => boolean;

/** The commands of calls to a switch. Every method throws `SwitchUnreachable` when no response came. */
export interface Switch {
  readonly name: string;
  readonly isReachable: boolean;
  /** It takes no new calls. */
  readonly isDraining: boolean;
  /** Where it takes calls of other switches. */
  readonly trunkAddress: string | undefined;
  /** Nothing has listened at its address since then. */
  readonly refusedSince: Date | undefined;
  /** Identifies the run of the switch's process. */
  coreUuid(): Promise<string>;
  /** Executes steps in order; the failures among them. `isLeased` is asked right before they are sent. */
  control(callId: string, steps: readonly ControlStep[], isLeased?: IsLeased): Promise<readonly StepFailure[]>;
  /** The phones of an employee that are registered at this switch and can be dialled, as dial strings. */
  contactsOf(employeeId: string): Promise<readonly string[]>;
  /** Creates legs; for each whether the switch accepted the order. What becomes of them is reported as events. */
  originate(
    legs: readonly NewLeg[],
    isLeased?: IsLeased,
  ): Promise<readonly { readonly legId: string; readonly refused: string | null }[]>;
  /** Connects a leg of a call that another switch has. */
  connectTrunk(legId: string, end: TrunkEnd): Promise<void>;
  existing(legIds: readonly string[]): Promise<readonly string[]>;
  /** The application that a leg executes; null when there is no such leg. */
  applicationOf(legId: string): Promise<string | null>;
  hasFile(recording: string): Promise<boolean>;
  /** Has the switch send a recording to us. Throws when it could not be sent although it is there. */
  upload(recording: string): Promise<'uploaded' | 'missing'>;
  deleteFile(recording: string): Promise<void>;
  /** Removes the registration of a phone, by the SIP Call-ID that it has. */
  dropRegistration(registration: { employeeId: string; callId: string }): Promise<void>;
}

interface SwitchOptions {
  readonly name: string;
  readonly link: SwitchLink;
  readonly mediaUrls: MediaUrls;
  readonly sipDomain: string;
  readonly trunkAddress: string | undefined;
  readonly isDraining: () => boolean;
  /** An id that was not used before. */
  readonly newJobId: () => string;
}

const ORIGINATE_LIMIT_MS = 30_000;
const UPLOAD_LIMIT_MS = 120_000;
const NO_SUCH_LEG = /no such channel|invalid session id|cannot locate session|invalid uuid|^-ERROR$/i;

/** A switch behind its command connection. */
export function switchClient(options: SwitchOptions): Switch {
  const { name, link, mediaUrls, sipDomain, trunkAddress, newJobId } = options;
  const send = ({ line, headers }: CommandLine, connection: SocketConnection) => connection.send(line, headers);

  async function ask(command: ApiCommand): Promise<string> {
    return (await send(api(command), link.connection())).text;
  }

  /** The connection, for something that is sent at once. */
  function connectionFor(isLeased: IsLeased = () => true): SocketConnection {
    const connection = link.connection();
    if (!isLeased()) throw new SwitchUnreachable('another process may have sent it', false);
    return connection;
  }

  // After a reconnect many calls ask at the same time.
  const applicationOf = batch(async (legIds: readonly string[]) => {
    const channels = readChannels(await ask('show channels as json'));
    const applications = new Map(channels.map(({ legId, application }) => [legId, application]));
    return legIds.map((legId) => applications.get(legId) ?? null);
  });

  return {
    name,
    trunkAddress,
    applicationOf,
    get isDraining() {
      return options.isDraining();
    },
    get isReachable() {
      return link.isUp;
    },
    get refusedSince() {
      return link.refusedSince;
    },
    coreUuid: () => readCoreUuid(link.connection()),
    async control(callId, steps, isLeased) {
      const lines = steps.flatMap((step, index) =>
        controlLines(step, mediaUrls, callId).map((line) => ({ index, line })),
      );
      const connection = connectionFor(isLeased);
      // All at once: the switch executes and answers them in order.
      const replies = await Promise.all(lines.map(({ line }) => send(line, connection)));
      return replies.flatMap(({ ok, text }, position) =>
        ok ? [] : [{ step: lines[position]!.index, reason: text.slice(0, 80), noSuchLeg: NO_SUCH_LEG.test(text) }],
      );
    },
    async contactsOf(employeeId) {
      const user = `${validArgument('id', employeeId)}@${validArgument('domain', sipDomain)}`;
      const phones = readRegistrations(await ask(`sofia xmlstatus profile internal user ${user}`));
      return phones.flatMap(({ contact }) => contact?.dialString ?? []);
    },
    async originate(legs, isLeased) {
      const connection = connectionFor(isLeased);
      return Promise.all(
        legs.map(async (leg) => {
          const { legId } = leg;
          const { ok, text } = await connection.send(`bgapi ${originateCommand(leg)}`, {
            'Job-UUID': originateJobId(legId),
          });
          return { legId, refused: ok ? null : text };
        }),
      );
    },
    async connectTrunk(legId, end) {
      const connection = link.connection();
      await Promise.all(connectTrunkLines(legId, end, newJobId()).map((line) => send(line, connection)));
    },
    hasFile: async (recording) => (await ask(`file_exists ${recordingPath(recording, mediaUrls)}`)) === 'true',
    async existing(legIds) {
      const answers = await Promise.all(legIds.map((legId) => ask(`uuid_exists ${validArgument('id', legId)}`)));
      return legIds.filter((_legId, index) => answers[index] === 'true');
    },
    async upload(recording) {
      const path = recordingPath(recording, mediaUrls);
      const address = `${validArgument('url', mediaUrls.httpUrl)}/switch/recordings/${validArgument('id', recording)}.wav`;
      const { text } = await link.connection().runJob(`http_put ${address} ${path}`, newJobId(), UPLOAD_LIMIT_MS);
      if (/^\+OK 2\d\d/.test(text)) return 'uploaded';
      // A file without a byte is not sent, and counts as sent.
      if (text === '+OK 0' || (await ask(`file_exists ${path}`)) === 'false') return 'missing';
      throw new Error('the switch could not send the recording');
    },
    /** No command deletes a file; a recording that is shorter than it must be is removed by the switch itself. */
    async deleteFile(recording) {
      const path = recordingPath(recording, mediaUrls);
      if ((await ask(`file_exists ${path}`)) !== 'true') return;
      const connection = link.connection();
      const legId = newJobId();
      const variables = `origination_uuid=${legId},RECORD_MIN_SEC=3600`;
      const created = await connection.runJob(
        `originate {${variables}}null/x &park()`,
        `${legId}-job`,
        ORIGINATE_LIMIT_MS,
      );
      if (!created.ok) return;
      await ask(`uuid_record ${legId} start ${path}`);
      await ask(`uuid_record ${legId} stop ${path}`);
      await ask(`uuid_kill ${legId}`);
    },
    async dropRegistration(registration) {
      await ask(`sofia profile internal flush_inbound_reg ${flushArgument(registration, sipDomain)}`);
    },
  };
}

/** All switches, by name. One that is not configured any more cannot be reached. */
export interface Switches {
  readonly all: readonly Switch[];
  get(name: string): Switch;
}

export function switchesByName(switches: readonly Switch[]): Switches {
  return {
    all: switches,
    get(name) {
      const found = switches.find((candidate) => candidate.name === name);
      if (!found) throw new SwitchUnreachable(`there is no switch ${name}`, false);
      return found;
    },
  };
}
