import { AsyncLocalStorage } from 'node:async_hooks';
import { invalid, notFound, Refused } from '@parley/errors';
import { PhraseAudioService } from '@parley/proto/numbers_routing/v1/phrase_audio_pb';
import { nextTurnIfDue } from '@parley/queues';
import { type RpcServer, services } from '@parley/rpc';
import type { Logger } from '@parley/telemetry';
import type { Directory } from '../directory/directory-client.ts';
import { checkVoice } from './check-voice.ts';
import { type NeededPrompt, type Prompt, promptKey } from './prompt.ts';
import type { ReadyAudio } from './prompt-audio.ts';
import type { PhraseSets } from './phrase-set-store.ts';
import type { AudioSigner } from './signed-audio.ts';
import { type SynthesisDeps, synthesizeNow } from './synthesize-now.ts';

export interface PhraseAudioDeps extends SynthesisDeps {
  readonly phraseSets: PhraseSets;
  readonly directory: Pick<Directory, 'companyToExtend'>;
  readonly signer: AudioSigner;
  readonly log: Logger;
}

const OWNER_LENGTH_MAX = 128;
const TEXT_LENGTH_MAX = 1000;
const TEXTS_MAX = 2000;
const URGENT_MAX = 20;
/** Looked up at a time. */
const PORTION = 100;

/** Audio of what assistants say, made before it is needed. */
export function addPhraseAudioRpcs(server: RpcServer, deps: PhraseAudioDeps): void {
  const { audios, phraseSets, directory, signer, log } = deps;
  const makeOnce = onceAtATime((companyId, prompt) => synthesizeNow(deps, companyId, prompt, 'interactive'));
  async function make(companyId: string, prompts: readonly Prompt[]): Promise<void> {
    // One after the other: the first is said first, and callers of other companies wait as well.
    for (const prompt of prompts)
      await makeOnce(companyId, prompt).catch((err: unknown) => log.warn({ err }, 'no audio for a phrase'));
  }
  /** Not in the scope of the request, whose deadline is earlier. */
  const afterwards = AsyncLocalStorage.snapshot();
  /** Nobody waits for it. What fails is left to the queue. */
  const startMaking = (companyId: string, prompts: readonly Prompt[]): void =>
    afterwards(() => void make(companyId, prompts));

  server.add(PhraseAudioService, services('assistant'), {
    async preparePhrases({ companyId, owner, language, voice, texts, urgent }) {
      if (owner === '' || owner.length > OWNER_LENGTH_MAX)
        throw new Refused(invalid({ owner: [`must have 1 to ${OWNER_LENGTH_MAX} characters`] }));
      if (texts.length > TEXTS_MAX) throw new Refused(invalid({ texts: [`must have at most ${TEXTS_MAX} items`] }));
      const prompts: (NeededPrompt & { readonly key: string })[] = [];
      for (const [place, text] of texts.entries()) {
        await nextTurnIfDue();
        const prompt = readPhrase({ language, voice, text });
        prompts.push({ ...prompt, place, key: promptKey(prompt) });
      }
      // What is added for a company that is being deleted would stay.
      if (prompts.length > 0) await directory.companyToExtend(companyId);
      await phraseSets.replace(companyId, owner, [...new Set(prompts.map(({ key }) => key))]);
      const ready = new Map<string, ReadyAudio>();
      for (let from = 0; from < prompts.length; from += PORTION)
        for (const [key, audio] of await audios.request(companyId, prompts.slice(from, from + PORTION)))
          ready.set(key, audio);
      if (urgent) {
        const missing = prompts.slice(0, URGENT_MAX).filter(({ key }) => !ready.has(key));
        startMaking(companyId, missing);
      }
      return { phrases: prompts.map(({ key }) => phraseToProto(signer, key, ready.get(key))) };
    },
    async *getPhraseAudio({ language, voice, text }, { signal }) {
      const audio = await audios.get(promptKey(readPhrase({ language, voice, text })));
      if (!audio) throw new Refused(notFound);
      const { fileId, sizeBytes } = audio;
      for await (const data of audios.files.read(fileId, 0, sizeBytes)) {
        if (signal.aborted) return;
        yield { sizeBytes: BigInt(sizeBytes), data };
      }
    },
  });
}

function readPhrase({ text, language, voice }: Prompt): Prompt {
  if (text.trim() === '' || text.length > TEXT_LENGTH_MAX)
    throw new Refused(invalid({ text: [`must have 1 to ${TEXT_LENGTH_MAX} characters`] }));
  checkVoice({ language, voice });
  return { text, language, voice };
}

function phraseToProto(signer: AudioSigner, contentHash: string, audio: ReadyAudio | undefined) {
  return {
    contentHash,
    ...(audio && { audioUrl: signer.promptUrl(contentHash), durationMs: audio.durationMs }),
  };
}

type Make = (companyId: string, prompt: Prompt) => Promise<void>;

/** A request for what is being made waits for the same. */
function onceAtATime(make: Make): Make {
  const inProgress = new Map<string, Promise<void>>();
  return (companyId, prompt) => {
    const key = promptKey(prompt);
    const known = inProgress.get(key);
    if (known) return known;
    const making = make(companyId, prompt).finally(() => inProgress.delete(key));
    inProgress.set(key, making);
    return making;
  };
}
