import { PhraseAudioService } from '@parley/proto/numbers_routing/v1/phrase_audio_pb';
import { batch, sharedResult } from '@parley/queues';
import type { Assistants } from '../assistants/assistant-store.ts';
import type { EmbeddedEngine } from '../engine/engine.ts';
import { ENTRIES_MAX, type Knowledge } from '../knowledge/knowledge-store.ts';
import { likelyPhrases } from '../running/phrase-audio.ts';
import type { ServiceContext } from '../service-context.ts';

interface PhraseDeps {
  readonly assistants: Assistants;
  readonly knowledge: Knowledge;
  readonly engine: Pick<EmbeddedEngine<unknown>, 'fixedSentences'>;
}

/** Has the audio made of what assistants say as soon as it is saved, so that no caller waits for it. */
export function followPhrases(
  service: Pick<ServiceContext, 'follow' | 'peers'>,
  { assistants, knowledge, engine }: PhraseDeps,
): Promise<void> {
  const phrases = service.peers.numbersRouting.client(PhraseAudioService);

  async function ofAssistant(companyId: string, id: string): Promise<void> {
    const assistant = await assistants.get(companyId, id);
    const { language = 'en', voice = null } = assistant ?? {};
    const said = assistant ? [assistant.disclosure, assistant.greeting] : [];
    const fixed = assistant ? engine.fixedSentences(language).map(({ text }) => text) : [];
    const prepare = (owner: string, texts: string[], urgent: boolean) =>
      phrases.preparePhrases({ companyId, owner, language, voice: voice ?? '', texts, urgent });
    // What is said in every call comes first; until the rest is made, it is synthesized while a caller waits.
    await prepare(`assistant:${id}`, said, assistant?.active ?? false);
    await prepare(`assistant:${id}:fixed`, fixed, false);
    if (!assistant) await prepare(likelyPhrases(id), [], false);
    await ofEntries(companyId);
  }

  /** Of several changes at a time the last one is enough: each names all answers, of which there may be hundreds. */
  const ofEntries = batch(
    sharedResult(([companyId]: readonly string[]) => prepareEntries(companyId!)),
    { keyBy: (companyId) => companyId },
  );

  /** The answers of a company, in every voice that one of its assistants has. */
  async function prepareEntries(companyId: string): Promise<void> {
    const stored = knowledge.of(companyId).findFields(['answer'], { active: true }, { createdOrder: 1 }, ENTRIES_MAX);
    const [entries, own] = await Promise.all([stored, assistants.list(companyId)]);
    const texts = [...new Set(entries.map(({ answer }) => answer))];
    const voices = new Map(own.map(({ language, voice }) => [`${language}:${voice ?? ''}`, { language, voice }]));
    for (const [name, { language, voice }] of voices)
      await phrases.preparePhrases({ companyId, owner: `knowledge:${name}`, language, voice: voice ?? '', texts });
  }

  const changed = ({ assistantId }: { assistantId: string }, { companyId }: { companyId: string }) =>
    ofAssistant(companyId, assistantId);
  const entryChanged = (_event: unknown, { companyId }: { companyId: string }) => ofEntries(companyId);
  return service.follow({
    name: 'assistant-phrases',
    handlers: {
      'assistant.assistant.created': changed,
      'assistant.assistant.updated': changed,
      'assistant.assistant.deleted': changed,
      'assistant.knowledge_entry.created': entryChanged,
      'assistant.knowledge_entry.updated': entryChanged,
      'assistant.knowledge_entry.deleted': entryChanged,
    },
  });
}
