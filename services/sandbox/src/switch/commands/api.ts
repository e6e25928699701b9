import { originate } from '../originate.ts';
import type { Switch } from '../switch.ts';
import { channelCommands } from './channel-commands.ts';
import { type ApiCommand, firstWord } from './command.ts';
import { conference } from './conference-commands.ts';
import { recordingCommands } from './recording-commands.ts';
import { statusCommands } from './status-commands.ts';

const commands: ReadonlyMap<string, ApiCommand> = new Map(
  Object.entries({ ...channelCommands, ...recordingCommands, ...statusCommands, conference, originate }),
);

/** Runs an API command. Failures are text; an empty answer becomes `-ERR no reply`. */
export async function runApi(network: Switch, line: string): Promise<string> {
  const [name, args] = firstWord(line.trim());
  const command = commands.get(name);
  if (!command) return `-ERR ${name} Command not found!\n`;
  return (await command(network, args)) || '-ERR no reply\n';
}
