import type { Channel } from '../channel.ts';
import type { Switch } from '../switch.ts';

/** An API command: its arguments in, its answer as FreeSWITCH writes it out. */
export type ApiCommand = (network: Switch, args: string) => string | Promise<string>;

export const NO_CHANNEL = '-ERR No such channel!\n';
export const OK = '+OK\n';

/** Cuts off the first word. */
export function firstWord(text: string): [string, string] {
  const at = text.search(/\s/);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1).trim()];
}

/** A channel that has not hung up. FreeSWITCH still finds one that is hanging up, but commands to it have no effect. */
export function findChannel(network: Switch, uuid: string): Channel | undefined {
  return network.channels.get(uuid);
}

/** A command about one channel, named by its first argument. */
export function onChannel(
  missing: string,
  run: (channel: Channel, args: string, network: Switch) => string,
): ApiCommand {
  return (network, args) => {
    const [uuid, rest] = firstWord(args.trim());
    const channel = findChannel(network, uuid);
    return channel ? run(channel, rest, network) : missing;
  };
}
