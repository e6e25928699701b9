import type { Logger } from '@parley/telemetry';
import type { Assistants } from '../assistants/assistant-store.ts';
import type { Speech } from '../peers/speech-client.ts';

/** Several times within the minute for which the speech service remembers it: each message reaches one of its processes. */
const EVERY_MS = 10_000;

/** While there is an active assistant, the engines that listen are loaded before somebody calls it. */
export function startExpectingCallers({
  assistants,
  speech,
  log,
}: {
  readonly assistants: Pick<Assistants, 'activeLanguages'>;
  readonly speech: Pick<Speech, 'expectCallers'>;
  readonly log: Pick<Logger, 'debug'>;
}) {
  async function expectCallers(): Promise<void> {
    const languages = await assistants.activeLanguages();
    if (languages.length > 0) await speech.expectCallers(languages);
  }
  // A caller who comes before has them loaded.
  const quietly = () =>
    void expectCallers().catch((error: unknown) => log.debug({ err: error }, 'speech was not told to expect callers'));
  quietly();
  const timer = setInterval(quietly, EVERY_MS);
  return { stop: async () => clearInterval(timer) };
}
