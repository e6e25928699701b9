import { deserialize, serialize } from 'bson';
import type { Engine } from './engine-library.ts';
import { OPCODE } from './wire-guard.ts';

/**
 * Settings of an engine that mostly waits, whose threads would wake up for nothing. `journalCommitInterval` is the longest
 * wait for the journal in milliseconds; a write that asks for the journal has it written at once. Of four threads that evict
 * pages, three end here; as many are started again when there is more to evict.
 */
const SETTINGS = [
  { journalCommitInterval: 500 },
  { wiredTigerEngineRuntimeConfig: 'eviction=(threads_min=1,threads_max=1)' },
  { wiredTigerEngineRuntimeConfig: 'eviction=(threads_min=1,threads_max=4)' },
] as const;

/** Applies our settings to an engine that has just been opened. */
export async function applySettings(engine: Engine): Promise<void> {
  for (const setting of SETTINGS) {
    const { response } = await engine.roundTrip(commandMessage({ setParameter: 1, ...setting, $db: 'admin' }));
    const { ok, errmsg } = deserialize(response) as { ok: number; errmsg?: string };
    if (ok !== 1) throw new Error(`the engine refuses ${JSON.stringify(setting)}: ${errmsg}`);
  }
}

/** An OP_MSG: its header, flags, and one section, the command. */
function commandMessage(command: object): Buffer {
  const head = Buffer.alloc(21);
  const message = Buffer.concat([head, serialize(command)]);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(OPCODE.message, 12);
  return message;
}
