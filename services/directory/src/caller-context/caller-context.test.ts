import { expect, it } from '@jest/globals';
import { type ProviderContext, saveContext } from './caller-context.ts';

const identity = { id: 'ctx_1', companyId: 'com_1', phone: '+4520304050' };
const now = new Date('2026-01-05T09:00:00Z');
const context = (provider: string, label = provider): ProviderContext => ({
  provider,
  label,
  source: 's',
  url: null,
  contact: null,
  sections: [],
});
const save = (known: ReturnType<typeof saveContext> | undefined, contexts: ProviderContext[], silent: string[] = []) =>
  saveContext(known?.ok ? known.state : undefined, identity, { contexts, silent }, now);

it('new results are stored, and earlier results of failed systems are kept', () => {
  const first = save(undefined, [context('a'), context('b')]);
  expect(first).toMatchObject({ events: [{ type: 'directory.caller_context.saved' }] });
  const second = save(first, [context('a', 'new')], ['b']);
  expect(second).toMatchObject({ state: { contexts: [{ label: 'new' }, { provider: 'b' }] }, events: [{}] });
  const third = save(second, [context('a', 'new')]);
  expect(third).toMatchObject({ state: { contexts: [{ label: 'new' }] } });
});

it('the same answer again is no event', () => {
  expect(save(save(undefined, [context('a')]), [context('a')])).toMatchObject({ events: [] });
});
