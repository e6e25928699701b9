import { type CallEnd, type Invite, type SipCall, startSipEndpoint } from '@parley/sip';

/** A phone at a SIP address that says what it hears. */
export interface EchoPhone {
  /** `host:port`. */
  readonly address: string;
  readonly calls: readonly SipCall[];
  readonly invites: readonly Invite[];
  readonly keys: readonly string[];
  readonly ends: readonly CallEnd[];
  /** Silence instead of the echo. */
  mute(): void;
  /** Ends as a process that is killed. */
  kill(): void;
  stop(): Promise<void>;
}

const BEHIND_MAX_MS = 60;

/** Users that begin with `refuse-` are refused with the status that follows. */
export async function startEchoPhone(): Promise<EchoPhone> {
  const calls: SipCall[] = [];
  const invites: Invite[] = [];
  const keys: string[] = [];
  const ends: CallEnd[] = [];
  let isMuted = false;
  const endpoint = await startSipEndpoint({
    listen: '127.0.0.1:0',
    mediaAddress: '127.0.0.1',
    rtpPorts: 'any',
    allowedAddresses: ['127.0.0.1'],
    limits: { mediaTimeoutMs: 1000 },
    onInvite(invite) {
      invites.push(invite);
      if (invite.user.startsWith('refuse-')) return { refuse: Number(invite.user.slice('refuse-'.length)) };
      return {
        accept(call) {
          calls.push(call);
          let echo = call.playout.play();
          return {
            audio({ samples }) {
              if (isMuted) return;
              // After a delay of this process the echo would stay behind.
              if (echo.lengthMs - echo.playedMs > BEHIND_MAX_MS) {
                call.playout.stop();
                echo = call.playout.play();
              }
              echo.append(samples);
            },
            key: (key) => void keys.push(key),
            ended: (end) => void ends.push(end),
          };
        },
      };
    },
  });
  return {
    address: endpoint.address,
    calls,
    invites,
    keys,
    ends,
    mute: () => (isMuted = true),
    kill: () => endpoint.abort(),
    stop: () => endpoint.stop(),
  };
}
