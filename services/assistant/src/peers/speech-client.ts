import { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import { cache } from '@parley/queues';
import type { Channel } from '@parley/rpc';
import { LANGUAGES } from '../words/languages.ts';

export interface SpeechOptions {
  /** Those in which calls can be listened to and the product has its sentences. */
  readonly languages: readonly string[];
  readonly voices: readonly string[];
}

export type Speech = ReturnType<typeof speechClient>;

/** They change only with the settings of speech. */
const CACHED_MS = 60_000;
const EXPECT_MS_MAX = 5000;

/** `elapsedMs` is replaced in tests. */
export function speechClient(channel: Channel, elapsedMs = () => performance.now()) {
  const speech = channel.client(SpeechService);
  const cached = cache<SpeechOptions>({ ageMaxMs: CACHED_MS, max: 1, elapsedMs });
  let last: SpeechOptions | undefined;

  const readOptions = (): Promise<SpeechOptions> =>
    cached.get('', async () => {
      const { listeningLanguages, listensToAnyLanguage, voices } = await speech.getSpeechOptions({});
      const languages = LANGUAGES.filter((code) => listensToAnyLanguage || listeningLanguages.includes(code));
      return (last = { languages, voices });
    });

  return {
    /** Has the engines ready that listen in these languages; each process of speech forgets it after a minute. */
    async expectCallers(languages: readonly string[]): Promise<void> {
      await speech.expectCallers({ languages: [...languages] }, { timeoutMs: EXPECT_MS_MAX });
    },
    /** At once as they were known last, while they are read again; speech may be down. */
    async options(): Promise<SpeechOptions> {
      const reading = readOptions();
      if (!last) return reading;
      reading.catch(() => undefined);
      return last;
    },
  };
}
