import { expect, it } from '@jest/globals';
import { companyFacts } from '../../test/company-facts.ts';
import { decideTurn } from './decide-turn.ts';
import { indexKnowledge } from './knowledge/knowledge-index.ts';
import { createState } from './state.ts';

const ENTRIES = 500;
const QUESTIONS = 5;
const DIMENSIONS = 384;
const LIMIT_MS = 10;
const TURNS = 100;
/** What one request may hold a process for. */
const TURN_MS_MAX = 50;
const TEXT_LENGTH_MAX = 2000;

/** A vector of length one that follows from a number. */
function vectorOf(seed: number): Float32Array {
  const values = Float32Array.from({ length: DIMENSIONS }, (_, index) => Math.sin(seed * 31 + index * 17));
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

it('a turn of the embedded engine takes less than 10 ms of a processor with 500 entries', () => {
  const entries = Array.from({ length: ENTRIES }, (_, index) => ({
    id: `kno_${index}`,
    title: `Product number ${index}`,
    answer: `The product with the number ${index} costs ${index} kroner, and is delivered in ${index} days.`,
    questions: Array.from(
      { length: QUESTIONS },
      (_unused, question) => `How do I get ${question} of product ${index}?`,
    ),
    text: null,
    businessNumberIds: [],
    validUntil: '2027-01-01',
  }));
  let seed = 0;
  const knowledge = indexKnowledge(entries, 'en', () => vectorOf(++seed));
  const facts = { ...companyFacts('bicycles'), knowledge };
  const decide = (turn: number) =>
    decideTurn(
      createState('ses_1'),
      facts,
      { kind: 'words', text: `Could you please tell me what product ${turn} costs and when it is delivered` },
      { vector: vectorOf(turn) },
    );
  for (let turn = 0; turn < 50; turn += 1) decide(turn);
  // Processor time, because other processes may take most of the machine.
  const before = process.cpuUsage();
  for (let turn = 0; turn < TURNS; turn += 1) decide(turn);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000 / TURNS).toBeLessThan(LIMIT_MS);
});

it.each(['yes ', 'no ', 'okay ', 'that is right ', 'hello ', 'help my father ', 'one two ', 'Anna '])(
  'a turn in which "%s" is said again and again takes less than 50 ms of a processor',
  (word) => {
    const text = word.repeat(TEXT_LENGTH_MAX / word.length);
    const facts = companyFacts('bicycles');
    const hear = () => {
      let state = createState('ses_1');
      let slowest = 0;
      for (const said of ['I would like to leave a message', 'The lamp is broken.', text, text, text]) {
        const before = process.cpuUsage();
        ({ state } = decideTurn(state, facts, { kind: 'words', text: said }, { vector: null }));
        const { user, system } = process.cpuUsage(before);
        slowest = Math.max(slowest, (user + system) / 1000);
      }
      return slowest;
    };
    hear();
    expect(hear()).toBeLessThan(TURN_MS_MAX);
  },
);
