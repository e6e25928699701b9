import type { RunningCommands } from '@parley/aggregates';
import type { CallCommand, CommandResult } from '../../calls/model/call-command.ts';
import { type AudioCommandDeps, promptCommands, recordingCommands } from './audio-commands.ts';
import { legCommands, type LegCommandDeps } from './leg-commands.ts';
import { callerCommands, employeeCommands, type QueueCommandDeps } from './queue-commands.ts';

const CONCURRENCY = 64;
/** The state must equal the switch's within five seconds, also of calls whose process crashed. */
const LEASE_MS = 3000;

/** Executes the stored commands of calls. */
export function startCallCommands(deps: LegCommandDeps & AudioCommandDeps & QueueCommandDeps): RunningCommands {
  return deps.calls.startCommands<Record<CallCommand['kind'], CommandResult>>(
    {
      ...legCommands(deps),
      ...promptCommands(deps),
      ...recordingCommands(deps),
      ...callerCommands(deps),
      ...employeeCommands(deps),
    },
    { concurrency: CONCURRENCY, leaseMs: LEASE_MS },
  );
}
