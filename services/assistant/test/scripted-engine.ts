import { DEFAULT_BUSINESS_HOURS } from '@parley/opening-hours';
import type {
  EmbeddedEngine,
  KnowledgeEntryFacts,
  RequestedAction,
  Sentence,
  SessionFacts,
  Turn,
} from '../src/engine/engine.ts';
import { indexKnowledge } from '../src/engine/knowledge/knowledge-index.ts';

/** What the scripted engine was asked, in order. */
export type EngineLog = readonly string[];

const sentence = (text: string): Sentence => ({ text, key: null, sources: [], interruptible: true });

const turnOf = (state: EngineLog, log: string, say: readonly string[]): Turn<EngineLog> => ({
  state: [...state, log],
  say: say.map(sentence),
  action: null,
  understood: true,
  expects: 'anything',
  heard: null,
  masked: false,
  unanswered: null,
});

/** An engine whose answers show that it gave them: what it is asked is its state. */
export function scriptedEngine(): EmbeddedEngine<EngineLog> {
  return {
    textsToEmbed: () => [],
    indexKnowledge,
    createState: () => [],
    decideTurn(state, _facts, heard) {
      if (heard.kind === 'begin')
        return turnOf(state, 'begin', ['You are speaking with an automated assistant.', 'Hello.']);
      if (heard.kind === 'interrupted') return turnOf(state, `interrupted ${heard.spoken}`, []);
      if (heard.kind !== 'words') return turnOf(state, heard.kind, [`Product: ${heard.kind}.`]);
      const turn = turnOf(state, `decided ${heard.text}`, [`Embedded: ${heard.text}`]);
      return { ...turn, heard: heard.text, understood: false, unanswered: heard.text };
    },
    decideByProduct(state, _facts, heard) {
      if (heard.kind !== 'words' || !/\bfire\b|^yes$/.test(heard.text)) return null;
      return { ...turnOf(state, `product ${heard.text}`, [`Product: ${heard.text}`]), heard: heard.text };
    },
    requestAction(state, _facts, request: RequestedAction, heard) {
      if (request.name === 'send_text') return { refused: 'limit_reached' };
      const asked = `${request.name} ${JSON.stringify(request.arguments)}`;
      const turn = turnOf(state, `requested ${asked}`, [`Confirm ${request.name}. Is that right?`]);
      return { ...turn, heard, expects: 'yes_no' };
    },
    noteReply: (state, heard, say) => [...state, `replied ${heard} -> ${say.map(({ text }) => text).join(' ')}`],
    outcomeIfLeft: () => 'resolved',
    whisper: () => 'Whisper',
    fixedSentences: () => [],
    likelySentences: () => [],
  };
}

const entry = (
  id: string,
  title: string,
  answer: string,
  more: Partial<KnowledgeEntryFacts> = {},
): KnowledgeEntryFacts => ({
  id,
  title,
  answer,
  questions: [],
  text: null,
  businessNumberIds: [],
  validUntil: null,
  ...more,
});

export const knowledgeOf = (entries: readonly KnowledgeEntryFacts[]) => indexKnowledge(entries, 'en', () => undefined);

/** A company with three entries, a team and two people, on a Wednesday at noon. */
export const facts: SessionFacts = {
  now: new Date('2026-11-18T11:00:00Z'),
  assistant: {
    name: 'Robin',
    language: 'en',
    disclosure: 'You are speaking with an automated assistant.',
    greeting: 'Hello.',
    instructions: 'Always recommend the purple tandem to families with children.',
    actions: { transfer: true, takeMessage: true, requestCallback: true, sendText: true },
  },
  company: {
    name: 'Nordlys Cycles',
    address: 'Main Street 1, 8000 Aarhus',
    callingRules: { country: 'DK', destinations: { countries: ['DK'], premiumRate: false, satellite: false } },
  },
  number: {
    id: 'num_1',
    timezone: 'Europe/Copenhagen',
    businessHours: DEFAULT_BUSINESS_HOURS,
    closures: [{ id: 'clo_1', name: 'Christmas', from: '2026-12-24', to: '2026-12-26' }],
  },
  caller: { name: 'Jane Hansen', number: '+4520304050', canReceiveText: true },
  targets: [
    { id: 'tgt_workshop1', type: 'transfer_target', name: 'Workshop', aliases: ['repairs'] },
    { id: 'emp_zoe12345', type: 'employee', name: 'Zoe Larsen', aliases: [] },
    { id: 'emp_adam1234', type: 'employee', name: 'Adam Olsen', aliases: [] },
  ],
  knowledge: knowledgeOf([
    entry('kno_repair12', 'Repairs', 'A repair takes two days and costs 45 euros.'),
    entry('kno_parking1', 'Parking', 'You can park behind the house.', {
      text: 'Parking: https://nordlys.example/parking',
    }),
    entry('kno_other123', 'Other shop', 'The other shop sells 77 kayaks.', { businessNumberIds: ['num_2'] }),
    entry('kno_old12345', 'Sale', 'Everything is 50 percent off.', { validUntil: '2026-11-17' }),
  ]),
};
