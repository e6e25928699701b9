import { expect, it } from '@jest/globals';
import { type ContactImport, createImport, recordPortion, startImport } from './contact-import.ts';

const now = new Date('2026-03-02T10:00:00Z');

function stateOf(decision: ReturnType<typeof createImport>): ContactImport {
  if (!decision.ok) throw new Error('refused');
  return decision.state;
}
const created = () => stateOf(createImport({ id: 'imp_1', companyId: 'com_1' }, now));
const result = { created: 3, updated: 1, refused: [{ line: 2, error: 'phone is required' }] };

it('an import is done after its last portion, and each portion counts once', () => {
  const started = startImport(created(), { portions: 2, lines: 8 }, now);
  expect(started).toMatchObject({ state: { state: 'running' }, commands: [{ kind: 'import_portion' }] });
  const first = recordPortion(stateOf(started), 0, result);
  expect(first).toMatchObject({ state: { next: 1, created: 3, updated: 1 }, commands: [{ kind: 'import_portion' }] });
  expect(recordPortion(stateOf(first), 0, result)).toMatchObject({ state: { next: 1, created: 3 }, commands: [] });
  expect(recordPortion(stateOf(first), 1, result)).toMatchObject({
    state: { state: 'done', created: 6, updated: 2 },
    commands: [],
  });
});

it('an import of a header alone is done at once, and starting twice is starting once', () => {
  expect(startImport(created(), { portions: 0, lines: 0 }, now)).toMatchObject({ state: { state: 'done' } });
  const running = stateOf(startImport(created(), { portions: 1, lines: 1 }, now));
  expect(startImport(running, { portions: 5, lines: 5 }, now)).toMatchObject({ state: running, commands: [] });
});
